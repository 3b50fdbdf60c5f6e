//! Names to addresses, every answer judged. What comes out is what is connected to: there is no second
//! look-up that could answer differently.

use std::io;
use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;

use futures_util::future::BoxFuture;
use hermes_core::egress::{Blocked, EgressGuard, Reach};
use reqwest::dns::{Addrs, Name, Resolve, Resolving};

/// More answers than this are a game; only the first are judged and used.
const MAX_ANSWERS: usize = 64;

/// Turns a host name into addresses. A trait, so that tests can play a name server that lies.
pub trait Lookup: Send + Sync {
    fn lookup<'a>(&'a self, name: &'a str) -> BoxFuture<'a, io::Result<Vec<IpAddr>>>;
}

/// The resolver of the operating system.
#[derive(Clone, Copy, Debug, Default)]
pub struct SystemLookup;

impl Lookup for SystemLookup {
    fn lookup<'a>(&'a self, name: &'a str) -> BoxFuture<'a, io::Result<Vec<IpAddr>>> {
        Box::pin(async move {
            let found = tokio::net::lookup_host((name, 0)).await?;
            Ok(found.map(|address| address.ip()).collect())
        })
    }
}

/// The resolver that the HTTP client is given.
pub(super) struct JudgedLookup {
    pub(super) lookup: Arc<dyn Lookup>,
    pub(super) guard: Arc<dyn EgressGuard>,
    pub(super) reach: Reach,
}

impl Resolve for JudgedLookup {
    fn resolve(&self, name: Name) -> Resolving {
        let (lookup, guard, reach) = (Arc::clone(&self.lookup), Arc::clone(&self.guard), self.reach);
        Box::pin(async move {
            let mut found = lookup.lookup(name.as_str()).await?;
            found.truncate(MAX_ANSWERS);
            if found.is_empty() {
                return Err(Blocked::new("no_answer", format!("{} has no address", name.as_str())).into());
            }
            // One bad answer spoils all: a name that leads inside at all is not asked twice.
            for address in &found {
                guard.address(*address, reach)?;
            }
            let addresses: Addrs = Box::new(found.into_iter().map(|address| SocketAddr::new(address, 0)));
            Ok(addresses)
        })
    }
}
