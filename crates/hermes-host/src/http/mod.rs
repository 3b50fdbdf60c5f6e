//! The one door for HTTP. Every request and every redirect is judged as text before its name is looked up,
//! and every address the name leads to is judged before it is connected to; the connection goes to a judged
//! address and to no other. Nothing is read from proxy variables of the environment.

mod body;
mod clients;
mod credential;
mod door;
mod exchange;
mod fault;
mod hop;
mod lookup;
mod request;

pub use body::{Body, Response};
pub use credential::Credential;
pub use door::Http;
pub use hop::MAX_REDIRECTS;
pub use lookup::{Lookup, SystemLookup};
pub use request::{Limits, Redirects, Request};
pub use reqwest::header::{self, HeaderMap, HeaderName, HeaderValue};
pub use reqwest::{Certificate, Method, StatusCode};
