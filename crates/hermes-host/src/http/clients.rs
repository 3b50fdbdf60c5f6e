//! The clients behind the door. One for each reach, because a pooled connection that was opened under a
//! wider reach must not serve a narrower one; made when first needed, because loading roots takes time.

use std::sync::{Arc, OnceLock};
use std::time::Duration;

use hermes_core::egress::{EgressGuard, Reach};
use hermes_core::{ErrorCode, ToolError};
use reqwest::redirect::Policy;
use reqwest::{Certificate, Client};

use super::lookup::{JudgedLookup, Lookup};

/// Far above any honest server's.
const MAX_HEADERS: usize = 200;
const MAX_HEADER_BYTES: u32 = 256 * 1024;
const CONNECT: Duration = Duration::from_secs(10);
const IDLE_POOL: Duration = Duration::from_secs(30);

pub(super) struct Clients {
    guard: Arc<dyn EgressGuard>,
    lookup: Arc<dyn Lookup>,
    /// Beyond those of the system.
    roots: Vec<Certificate>,
    made: [OnceLock<Result<Client, String>>; 4],
}

impl Clients {
    pub(super) fn new(guard: Arc<dyn EgressGuard>, lookup: Arc<dyn Lookup>, roots: Vec<Certificate>) -> Self {
        Clients { guard, lookup, roots, made: Default::default() }
    }

    pub(super) fn guard(&self) -> &dyn EgressGuard {
        &*self.guard
    }

    pub(super) fn get(&self, reach: Reach, secure: bool) -> Result<&Client, ToolError> {
        let [plain_public, plain_local, secure_public, secure_local] = &self.made;
        let slot = match (reach, secure) {
            (Reach::Public, false) => plain_public,
            (Reach::Local, false) => plain_local,
            (Reach::Public, true) => secure_public,
            (Reach::Local, true) => secure_local,
        };
        slot.get_or_init(|| self.make(reach, secure)).as_ref().map_err(|error| {
            ToolError::new(ErrorCode::Unavailable, "the HTTP client could not be set up")
                .with_operator(error.clone())
        })
    }

    fn make(&self, reach: Reach, secure: bool) -> Result<Client, String> {
        // One crypto provider for the whole process; a second installation of the same is no news.
        let _ = rustls::crypto::ring::default_provider().install_default();
        let resolver =
            JudgedLookup { lookup: Arc::clone(&self.lookup), guard: Arc::clone(&self.guard), reach };
        let builder = Client::builder()
            .no_proxy()
            .redirect(Policy::none())
            .referer(false)
            .retry(reqwest::retry::never())
            .dns_resolver(Arc::new(resolver))
            .user_agent(concat!("hermes/", env!("CARGO_PKG_VERSION")))
            .tcp_nodelay(true)
            .connect_timeout(CONNECT)
            .pool_idle_timeout(IDLE_POOL)
            .http1_max_headers(MAX_HEADERS)
            .http2_max_header_list_size(MAX_HEADER_BYTES);
        let builder = match secure {
            // Nothing is verified on plain connections, so no roots are loaded for them.
            false => builder.tls_certs_only([]).http1_only(),
            true => builder.https_only(true).tls_certs_merge(self.roots.iter().cloned()),
        };
        builder.build().map_err(|error| format!("{error:?}"))
    }
}
