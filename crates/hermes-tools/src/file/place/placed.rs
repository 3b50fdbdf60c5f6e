//! Where a result comes from, for sessions whose files are on another machine.

use hermes_core::ToolError;
use hermes_host::files::FileDoor;
use serde::Serialize;
use serde_json::json;

/// A result, and where it was got if not on this machine.
#[derive(Debug, Serialize)]
pub struct Placed<T> {
    #[serde(flatten)]
    output: T,
    #[serde(skip_serializing_if = "Option::is_none")]
    ran: Option<Where>,
}

impl<T> Placed<T> {
    /// The result itself.
    pub(in crate::file) fn output(&mut self) -> &mut T {
        &mut self.output
    }
}

#[derive(Debug, Serialize)]
struct Where {
    backend: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    identity: Option<String>,
}

/// The result of a call, good or bad, with where it was got.
pub(in crate::file) fn placed<T>(
    door: &FileDoor<'_>,
    result: Result<T, ToolError>,
) -> Result<Placed<T>, ToolError> {
    let ran = door.place().map(|place| Where { backend: place.backend, identity: place.identity.clone() });
    match (result, ran) {
        (Ok(output), ran) => Ok(Placed { output, ran }),
        (Err(error), Some(ran)) => Err(error.with_field("ran", json!(ran))),
        (Err(error), None) => Err(error),
    }
}
