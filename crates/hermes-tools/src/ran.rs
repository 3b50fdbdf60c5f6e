//! Where something ran, and how surely it was held there, as results tell it.

use hermes_host::terminal::Place;
use serde::Serialize;

#[derive(Debug, Serialize)]
pub struct Where {
    pub(crate) backend: String,
    pub(crate) sandbox: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) lacking: Option<String>,
    /// What the bounds on memory and processes hold for, where there are any.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) bounds: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) identity: Option<String>,
}

impl From<Place> for Where {
    fn from(place: Place) -> Self {
        Where {
            backend: place.backend.to_owned(),
            sandbox: place.sandbox.to_owned(),
            lacking: place.lacking,
            bounds: place.bounds,
            identity: place.identity,
        }
    }
}
