//! What to send, and how long and how large the exchange may get.

use std::time::Duration;

use hermes_core::Permission;
use hermes_core::egress::Reach;
use reqwest::Method;
use reqwest::header::HeaderMap;

use super::credential::Credential;

/// One request. Written with struct update syntax over [`Request::new`].
#[derive(Clone, Debug)]
pub struct Request {
    pub method: Method,
    pub url: String,
    /// Never credentials of the operator: those go into `credential`, which is bound to an origin.
    pub headers: HeaderMap,
    pub body: Option<Vec<u8>>,
    pub credential: Option<Credential>,
    /// What the call must have been granted for every host that is asked.
    pub permission: Permission,
    /// Counts for the origin of `url` only; where a redirect leads elsewhere, the reach is public.
    pub reach: Reach,
    pub redirects: Redirects,
    pub limits: Limits,
}

impl Request {
    pub fn new(method: Method, url: impl Into<String>) -> Self {
        Request {
            method,
            url: url.into(),
            headers: HeaderMap::new(),
            body: None,
            credential: None,
            permission: Permission::NETWORK_FETCH,
            reach: Reach::Public,
            redirects: Redirects::Follow,
            limits: Limits::default(),
        }
    }
}

/// What to do when a server points elsewhere.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Redirects {
    /// Answer with the redirect itself.
    Return,
    /// Go there with the same method and body, if it is another path of the same origin; answer with the
    /// redirect itself otherwise.
    Within,
    /// Go there, if the guard and the permit of the call agree.
    Follow,
}

/// Where patience ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// From the first byte sent to the last byte read; `None` for streams without an end.
    pub total: Option<Duration>,
    /// Without a byte from the server.
    pub idle: Duration,
    /// Bytes of the body after decompression.
    pub max_body: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Limits {
            total: Some(Duration::from_secs(30)),
            idle: Duration::from_secs(30),
            max_body: 10 * 1024 * 1024,
        }
    }
}
