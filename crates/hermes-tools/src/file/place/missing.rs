//! A folder that is not there: which names beside it are like it.

use hermes_core::{ErrorCode, ToolError};
use hermes_host::files::FileDoor;

/// How many names are shown.
const SHOWN: usize = 5;

/// The refusal with the names that may have been meant.
pub(crate) fn with_similar_names<T>(
    found: Result<T, ToolError>,
    door: &FileDoor<'_>,
    path: &str,
) -> Result<T, ToolError> {
    found.map_err(|error| {
        if error.code != ErrorCode::NotFound {
            return error;
        }
        let similar = door.similar(path, SHOWN).unwrap_or_default();
        match similar.is_empty() {
            true => error.with_hint("Use directory_list to see what is there."),
            false => {
                error.with_hint("Did you mean one of similar_names?").with_field("similar_names", similar)
            }
        }
    })
}
