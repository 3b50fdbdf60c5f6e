//! Where a result comes from, for sessions whose files are on another machine.

use hermes_core::ToolError;
use hermes_host::files::FileDoor;
use serde::{Serialize, Serializer};
use serde_json::json;

/// A result, and where it was got if not on this machine.
#[derive(Debug)]
pub struct Placed<T> {
    output: T,
    ran: Option<Where>,
}

impl<T: Serialize> Serialize for Placed<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        #[derive(Serialize)]
        struct Elsewhere<'a, T> {
            #[serde(flatten)]
            output: &'a T,
            ran: &'a Where,
        }
        let Placed { output, ran } = self;
        match ran {
            // As it is, with as many fields as it says that it has.
            None => output.serialize(serializer),
            Some(ran) => Elsewhere { output, ran }.serialize(serializer),
        }
    }
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
