//! Redirects: what the next request looks like, and what it must not carry on.

use hermes_core::egress::Origin;
use reqwest::header::{ACCEPT, ACCEPT_LANGUAGE, CONTENT_LENGTH, CONTENT_TYPE, HeaderMap, USER_AGENT};
use reqwest::{Method, StatusCode};

/// More hops than this are a loop or a game.
pub const MAX_REDIRECTS: usize = 10;

/// What goes along to another origin. Every other header may be meant for the first one only.
const NEUTRAL: &[reqwest::header::HeaderName] = &[ACCEPT, ACCEPT_LANGUAGE, CONTENT_TYPE, USER_AGENT];

/// The parts of a request that a redirect changes.
#[derive(Clone, Debug)]
pub(super) struct Outgoing {
    pub(super) method: Method,
    pub(super) headers: HeaderMap,
    pub(super) body: Option<Vec<u8>>,
}

pub(super) fn is_redirect(status: StatusCode) -> bool {
    matches!(status.as_u16(), 301 | 302 | 303 | 307 | 308)
}

/// Whether a redirect says that the same is to be asked elsewhere.
pub(super) fn keeps_method(status: StatusCode) -> bool {
    matches!(status.as_u16(), 307 | 308)
}

impl Outgoing {
    /// Follows what the Fetch standard says of methods and bodies, and leaves headers behind at the border.
    pub(super) fn redirected(mut self, status: StatusCode, from: &Origin, to: &Origin) -> Self {
        let becomes_get = match status.as_u16() {
            303 => self.method != Method::HEAD,
            301 | 302 => self.method == Method::POST,
            _ => false,
        };
        if becomes_get {
            self.method = Method::GET;
            self.body = None;
            self.headers.remove(CONTENT_TYPE);
            self.headers.remove(CONTENT_LENGTH);
        }
        if from != to {
            self.headers =
                self.headers.iter().filter(|(name, _)| NEUTRAL.contains(name)).map(owned).collect();
        }
        self
    }
}

fn owned(
    (name, value): (&reqwest::header::HeaderName, &reqwest::header::HeaderValue),
) -> (reqwest::header::HeaderName, reqwest::header::HeaderValue) {
    (name.clone(), value.clone())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn origin(host: &str) -> Origin {
        Origin { secure: true, host: host.to_owned(), port: 443 }
    }

    fn post() -> Outgoing {
        let mut headers = HeaderMap::new();
        headers.insert("x-api-key", "k".parse().unwrap());
        headers.insert(ACCEPT, "text/html".parse().unwrap());
        headers.insert(CONTENT_TYPE, "text/plain".parse().unwrap());
        Outgoing { method: Method::POST, headers, body: Some(b"b".to_vec()) }
    }

    #[test]
    fn headers_stay_behind_at_the_border() {
        let there = post().redirected(StatusCode::TEMPORARY_REDIRECT, &origin("a"), &origin("b"));
        assert_eq!(there.headers.len(), 2);
        assert!(!there.headers.contains_key("x-api-key"));
        let here = post().redirected(StatusCode::TEMPORARY_REDIRECT, &origin("a"), &origin("a"));
        assert_eq!(here.headers.len(), 3);
        assert_eq!((here.method, here.body.as_deref()), (Method::POST, Some(&b"b"[..])));
    }

    #[test]
    fn a_post_becomes_a_get_without_a_body_where_the_standard_says_so() {
        for status in [301, 302, 303] {
            let status = StatusCode::from_u16(status).unwrap();
            let next = post().redirected(status, &origin("a"), &origin("a"));
            assert_eq!((next.method, next.body), (Method::GET, None));
            assert!(!next.headers.contains_key(CONTENT_TYPE));
        }
    }
}
