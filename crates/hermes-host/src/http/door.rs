//! The door itself.

use std::fmt;
use std::net::IpAddr;
use std::sync::Arc;

use hermes_core::egress::{Blocked, EgressGuard, Origin, Reach};
use hermes_core::{CallContext, ToolError};
use reqwest::Certificate;
use tokio_util::sync::CancellationToken;

use super::body::Response;
use super::clients::Clients;
use super::exchange::Exchange;
use super::fault;
use super::lookup::{Lookup, SystemLookup};
use super::request::Request;

/// The door to the web. Cheap to clone; clones share their connections.
#[derive(Clone)]
pub struct Http {
    clients: Arc<Clients>,
}

impl Http {
    /// A door that asks `guard` and looks names up as this machine does.
    pub fn new(guard: Arc<dyn EgressGuard>) -> Self {
        Self::with_lookup(guard, Arc::new(SystemLookup), Vec::new())
    }

    /// A door that leads nowhere, for applications that want no requests made.
    pub fn closed() -> Self {
        Self::new(Arc::new(Closed))
    }

    /// A door with its own way to look names up, and roots to trust beyond those of the system.
    pub fn with_lookup(
        guard: Arc<dyn EgressGuard>,
        lookup: Arc<dyn Lookup>,
        roots: Vec<Certificate>,
    ) -> Self {
        Http { clients: Arc::new(Clients::new(guard, lookup, roots)) }
    }

    /// Where a URL leads, if the guard lets it pass. Its `access` is what a call must ask for.
    pub fn origin(&self, url: &str, reach: Reach) -> Result<Origin, ToolError> {
        self.clients.guard().url(url, reach).map_err(|blocked| fault::blocked(&blocked))
    }

    /// Sends a request of a call. Every host on the way must be in the call's permit.
    pub async fn send(&self, cx: &CallContext, request: Request) -> Result<Response, ToolError> {
        Exchange::new(&self.clients, Some(cx.permit()), cx.cancel().clone(), request)?.run().await
    }

    /// Sends a request that belongs to no call, to what the operator configured, such as an MCP server.
    pub async fn send_for_operator(
        &self,
        request: Request,
        cancel: CancellationToken,
    ) -> Result<Response, ToolError> {
        Exchange::new(&self.clients, None, cancel, request)?.run().await
    }
}

impl fmt::Debug for Http {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Http")
    }
}

/// Lets nothing pass.
struct Closed;

impl EgressGuard for Closed {
    fn url(&self, _: &str, _: Reach) -> Result<Origin, Blocked> {
        Err(Blocked::new("closed", "this application makes no web requests"))
    }

    fn address(&self, _: IpAddr, _: Reach) -> Result<(), Blocked> {
        Err(Blocked::new("closed", "this application makes no web requests"))
    }

    fn redirect(&self, _: &str, _: &str) -> Result<String, Blocked> {
        Err(Blocked::new("closed", "this application makes no web requests"))
    }
}
