//! A secret and the one origin it may be sent to.

use std::fmt;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use hermes_core::ToolError;
use hermes_core::egress::Origin;
use reqwest::Url;
use reqwest::header::{AUTHORIZATION, HeaderMap, HeaderName, HeaderValue};

/// Attached to requests for its origin and to no others, whatever redirects say.
#[derive(Clone)]
pub struct Credential {
    origin: Origin,
    place: Place,
}

#[derive(Clone)]
enum Place {
    Header(HeaderName, HeaderValue),
    Query(String, String),
}

impl Credential {
    pub fn basic(origin: Origin, user: &str, password: &str) -> Result<Self, ToolError> {
        let pair = STANDARD.encode(format!("{user}:{password}"));
        Self::header(origin, AUTHORIZATION, &format!("Basic {pair}"))
    }

    pub fn bearer(origin: Origin, token: &str) -> Result<Self, ToolError> {
        Self::header(origin, AUTHORIZATION, &format!("Bearer {token}"))
    }

    pub fn header(origin: Origin, name: HeaderName, value: &str) -> Result<Self, ToolError> {
        let mut value = HeaderValue::from_str(value).map_err(|_| {
            ToolError::invalid(format!("the secret for the header {name} has characters no header may hold"))
        })?;
        value.set_sensitive(true);
        Ok(Credential { origin, place: Place::Header(name, value) })
    }

    pub fn query(origin: Origin, name: impl Into<String>, value: impl Into<String>) -> Self {
        Credential { origin, place: Place::Query(name.into(), value.into()) }
    }

    pub fn origin(&self) -> &Origin {
        &self.origin
    }

    /// Adds the secret, if the request goes to the origin it belongs to.
    pub(super) fn attach(&self, origin: &Origin, url: &mut Url, headers: &mut HeaderMap) {
        if *origin != self.origin {
            return;
        }
        match &self.place {
            Place::Header(name, value) => {
                headers.insert(name, value.clone());
            }
            Place::Query(name, value) => {
                let kept: Vec<(String, String)> = url
                    .query_pairs()
                    .filter(|(given, _)| given != name)
                    .map(|(given, value)| (given.into_owned(), value.into_owned()))
                    .collect();
                // Rewritten only where the name is there already, so that a query goes out as it was made.
                if kept.len() == url.query_pairs().count() {
                    url.query_pairs_mut().append_pair(name, value);
                } else {
                    url.query_pairs_mut().clear().extend_pairs(kept).append_pair(name, value);
                }
            }
        }
    }
}

impl fmt::Debug for Credential {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Credential for {}", self.origin)
    }
}
