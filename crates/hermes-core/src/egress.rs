//! Where requests may go, in the words that the HTTP door and policy share. The door asks before a name is
//! looked up, again for every address the name leads to, and again at every redirect.

use core::net::IpAddr;
use std::fmt;

use crate::access::{Access, Permission, Target};

/// Judges URLs and addresses. Pure: the door brings the answers of the network.
pub trait EgressGuard: Send + Sync {
    /// Judges the URL as text. The origin is what the door must connect to, and nothing else.
    fn url(&self, url: &str, reach: Reach) -> Result<Origin, Blocked>;

    /// Judges one address that the name of a URL leads to.
    fn address(&self, address: IpAddr, reach: Reach) -> Result<(), Blocked>;

    /// The URL that a `Location` means, seen from the URL that answered with it.
    fn redirect(&self, from: &str, location: &str) -> Result<String, Blocked>;
}

/// How far a request may go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reach {
    /// Public hosts, and the local network only where the operator opened it for everybody.
    Public,
    /// The local network too, because the operator named this very origin.
    Local,
}

/// What a request is sent to: scheme, host and port. Credentials are bound to it.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Origin {
    /// Whether the scheme is `https`.
    pub secure: bool,
    /// In the one spelling that every program reads alike; an IPv6 address stands in brackets.
    pub host: String,
    pub port: u16,
}

impl Origin {
    /// The host as policy judges it, with the port where it is not the usual one.
    pub fn authority(&self) -> String {
        if self.port == self.usual_port() {
            self.host.clone()
        } else {
            format!("{}:{}", self.host, self.port)
        }
    }

    /// The access that a call needs before the door fetches anything from here.
    pub fn access(&self, permission: Permission) -> Access {
        Access::new(permission, Target::Host(self.authority()))
    }

    fn usual_port(&self) -> u16 {
        if self.secure { 443 } else { 80 }
    }
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}://{}", if self.secure { "https" } else { "http" }, self.authority())
    }
}

/// Why a request may not go there.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{reason}")]
pub struct Blocked {
    /// A stable word such as `scheme`, `userinfo` or `loopback`.
    pub category: &'static str,
    pub reason: String,
}

impl Blocked {
    pub fn new(category: &'static str, reason: impl Into<String>) -> Self {
        Blocked { category, reason: reason.into() }
    }
}
