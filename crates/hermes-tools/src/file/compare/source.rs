//! One side of a comparison.

use std::io::Read;

use hermes_core::{ErrorCode, ToolError};
use hermes_host::files::FileDoor;

use crate::file::text::body::Body;

/// What is compared.
pub(crate) enum Side {
    Text(String),
    /// Not text; only whether it is the same can be said.
    Bytes(Vec<u8>),
}

impl Side {
    pub(crate) fn of(bytes: Vec<u8>) -> Self {
        match Body::decode(&bytes) {
            Ok(body) => Side::Text(body.text),
            Err(_) => Side::Bytes(bytes),
        }
    }

    pub(crate) fn is_same(&self, other: &Side) -> bool {
        match (self, other) {
            (Side::Text(a), Side::Text(b)) => a == b,
            (Side::Bytes(a), Side::Bytes(b)) => a == b,
            _ => false,
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
