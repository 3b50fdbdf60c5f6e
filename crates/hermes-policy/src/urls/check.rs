//! The judgement of one URL.

use core::net::IpAddr;

use super::address::special;
use super::host::Host;
use super::names;
use super::parse::Target;
use super::policy::UrlPolicy;
use super::ports;
use super::verdict::{Blocked, UrlVerdict};

/// Everything that can be said about a URL before its name is looked up.
pub fn inspect(url: &str, policy: &UrlPolicy) -> Result<Target, Blocked> {
    let target = Target::read(url)?;
    let shown = target.host.to_string();
    if policy.denied_hosts.iter().any(|rule| rule.matches(&shown)) {
        return Err(Blocked::new("denied_host", format!("{shown} is on the list of denied hosts")));
    }
    if !policy.allowed_hosts.is_empty() && !policy.allowed_hosts.iter().any(|rule| rule.matches(&shown)) {
        return Err(Blocked::new("not_allowed_host", format!("{shown} is not on the list of allowed hosts")));
    }
    match &target.host {
        Host::Address(address) => reachable(*address, policy)?,
        Host::Name(name) => {
            if let Some(blocked) = names::refused(name, policy.allow_private) {
                return Err(blocked);
            }
        }
    }
    if ports::is_bad(target.port) {
        return Err(Blocked::new("port", format!("no web server listens on port {}", target.port)));
    }
    Ok(target)
}

/// Judges a URL. `resolve` is asked at most once, for a name in small ASCII letters; every address it
/// answers with must be public, and only those may be connected to.
pub fn check(url: &str, resolve: &mut dyn FnMut(&str) -> Vec<IpAddr>, policy: &UrlPolicy) -> UrlVerdict {
    let target = match inspect(url, policy) {
        Ok(target) => target,
        Err(blocked) => return blocked.into(),
    };
    let pinned = match &target.host {
        Host::Address(address) => vec![*address],
        Host::Name(name) => resolve(name),
    };
    if pinned.is_empty() {
        return Blocked::new("no_answer", format!("{} has no address", target.host)).into();
    }
    if let Some(blocked) = pinned.iter().find_map(|address| reachable(*address, policy).err()) {
        return blocked.into();
    }
    UrlVerdict::Allow { pinned, host: target.host, port: target.port }
}

pub(super) fn reachable(address: IpAddr, policy: &UrlPolicy) -> Result<(), Blocked> {
    match special(address) {
        Some(found) if !(policy.allow_private && found.private) => {
            let kind = found.category.replace('_', " ");
            Err(Blocked::new(found.category, format!("{address} is not a public address ({kind})")))
        }
        _ => Ok(()),
    }
}
