//! The answer about a URL.

use core::net::IpAddr;
use std::fmt;

use super::host::Host;

/// Whether a URL may be fetched, and from where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum UrlVerdict {
    /// Connect to one of these addresses and to no other; a new look-up may answer differently.
    Allow {
        pinned: Vec<IpAddr>,
        host: Host,
        port: u16,
    },
    Block(Blocked),
}

/// Why a URL may not be fetched.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Blocked {
    /// A stable word such as `scheme`, `userinfo` or `loopback`.
    pub category: &'static str,
    pub reason: String,
}

impl Blocked {
    pub(super) fn new(category: &'static str, reason: impl Into<String>) -> Self {
        Blocked { category, reason: reason.into() }
    }
}

impl fmt::Display for Blocked {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.reason)
    }
}

impl std::error::Error for Blocked {}

impl UrlVerdict {
    pub fn is_allowed(&self) -> bool {
        matches!(self, UrlVerdict::Allow { .. })
    }
}

impl From<Blocked> for UrlVerdict {
    fn from(blocked: Blocked) -> Self {
        UrlVerdict::Block(blocked)
    }
}
