//! One side of a comparison.

use std::io::Read;

use hermes_core::{ErrorCode, ToolError};
use hermes_host::files::FileDoor;

use crate::file::text::body::Body;

/// What is compared.
pub(crate) enum Side {
    /// With the encoding that it has on disk, if it is there.
    Text(String, Option<&'static str>),
    /// Not text; only whether it is the same can be said.
    Bytes(Vec<u8>),
}

impl Side {
    pub(crate) fn of(bytes: Vec<u8>) -> Self {
        match Body::decode(&bytes) {
            Ok(body) => {
                let form = body.form();
                Side::Text(body.text, Some(form))
            }
            Err(_) => Side::Bytes(bytes),
        }
    }

    pub(crate) fn is_same(&self, other: &Side) -> bool {
        match (self, other) {
            (Side::Text(a, _), Side::Text(b, _)) => a == b && self.forms(other).is_none(),
            (Side::Bytes(a), Side::Bytes(b)) => a == b,
            _ => false,
        }
    }
}

impl Side {
    /// The encodings of two files, where they are not the same: then the same characters are other bytes.
    pub(crate) fn forms(&self, other: &Side) -> Option<[&'static str; 2]> {
        match (self, other) {
            (Side::Text(_, Some(one)), Side::Text(_, Some(another))) if one != another => {
                Some([one, another])
            }
            _ => None,
        }
    }
}

/// The whole content of a file.
pub(crate) fn read(door: &FileDoor<'_>, path: &str, most: u64) -> Result<Vec<u8>, ToolError> {
    let mut file = door.open_read(path)?;
    let mut bytes = Vec::new();
    let read = file.by_ref().take(most.saturating_add(1)).read_to_end(&mut bytes);
    read.map_err(|error| file.explain(error))?;
    if u64::try_from(bytes.len()).unwrap_or(u64::MAX) > most {
        return Err(ToolError::new(
            ErrorCode::TooLarge,
            format!("'{path}' has more than {most} bytes, and only so many are compared"),
        )
        .with_hint("Pass a larger max_bytes, or compare a part of it."));
    }
    Ok(bytes)
}
