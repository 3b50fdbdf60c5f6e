//! Where something ran, and how surely it was held there, as results tell it.

use std::time::Duration;

use hermes_host::terminal::{Ending, Place, Ran};
use serde::Serialize;

/// How long what runs may take to end when its call is cancelled, and to tell what it printed: it is asked first, then
/// what holds it up is killed, then the rest, on another machine too.
pub(crate) const STOP_GRACE: Duration = Duration::from_secs(10);

#[derive(Debug, Serialize)]
pub struct Where {
    pub(crate) backend: String,
    pub(crate) sandbox: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) lacking: Option<String>,
    /// What the bounds on memory and processes hold for, where there are any.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) bounds: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) identity: Option<String>,
}

impl From<Place> for Where {
    fn from(place: Place) -> Self {
        Where {
            backend: place.backend.to_owned(),
            sandbox: place.sandbox.to_owned(),
            lacking: place.lacking,
            bounds: place.bounds.map(str::to_owned),
            identity: place.identity,
        }
    }
}

/// What is said of processes that were left running, if there were any.
pub(crate) fn left_running(ran: &Ran) -> Option<String> {
    match ran.left_behind {
        _ if ran.ending != Ending::Exited => None,
        0 => None,
        1 => Some("a process it left running was ended".to_owned()),
        many => Some(format!("{many} processes it left running were ended")),
    }
}
