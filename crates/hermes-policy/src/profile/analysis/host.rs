//! One host: what the guard of URLs says about it before its name is looked up.

use hermes_core::Permission;

use crate::profile::ground::Ground;
use crate::urls::{Blocked, UrlPolicy, inspect};

/// What is wrong with a host, if anything.
#[derive(Debug)]
pub(crate) enum HostFacts {
    Fine,
    /// This machine or the private network: open to a profile that names it.
    Private(Blocked),
    /// Metadata services, addresses that stand for others, and what is no host: closed to everybody.
    Shut(Blocked),
}

impl HostFacts {
    /// Only of hosts that are asked for something over HTTP.
    pub(crate) fn of(permission: &Permission, host: &str, ground: &Ground) -> Option<Self> {
        if !matches!(permission.as_str(), "network:fetch" | "api:call" | "browser:use") {
            return None;
        }
        let url = format!("http://{}/", bracketed(host));
        let open = UrlPolicy { allow_private: true, ..UrlPolicy::default() };
        Some(match (inspect(&url, &UrlPolicy::default()), inspect(&url, &open)) {
            (Ok(_), _) => HostFacts::Fine,
            (Err(_), Ok(_)) if ground.local_network => HostFacts::Fine,
            (Err(blocked), Ok(_)) => HostFacts::Private(blocked),
            (Err(_), Err(blocked)) => HostFacts::Shut(blocked),
        })
    }
}

/// An IPv6 address as URLs write it.
fn bracketed(host: &str) -> String {
    match host.parse::<core::net::Ipv6Addr>() {
        Ok(_) => format!("[{host}]"),
        Err(_) => host.to_owned(),
    }
}
