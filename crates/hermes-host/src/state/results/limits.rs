//! How much a result store may hold.

use std::time::Duration;

use hermes_core::{ErrorCode, ToolError};
use serde_json::Value;

use crate::state::fault::fault;

/// As deep as a stored value can be read back.
const MAX_DEPTH: usize = 127;

/// Bounds of a result store.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ResultLimits {
    /// The largest single result.
    pub max_value_bytes: u64,
    /// All results together. Beyond it, the oldest go.
    pub max_bytes: u64,
    pub max_age: Duration,
    /// Results kept ready in memory.
    pub recent_bytes: u64,
}

impl Default for ResultLimits {
    fn default() -> Self {
        ResultLimits {
            max_value_bytes: 64 << 20,
            max_bytes: 1 << 30,
            max_age: Duration::from_secs(7 * 24 * 60 * 60),
            recent_bytes: 32 << 20,
        }
    }
}

impl ResultLimits {
    /// The bytes to store, if they may be stored.
    pub(super) fn encode(&self, value: &Value) -> Result<Vec<u8>, ToolError> {
        if is_deeper(value, MAX_DEPTH) {
            return Err(ToolError::new(ErrorCode::TooLarge, "the result is nested too deeply to be stored"));
        }
        let bytes = serde_json::to_vec(value)
            .map_err(|error| fault("the result could not be written as JSON", error))?;
        self.check(bytes.len() as u64)?;
        Ok(bytes)
    }

    pub(super) fn check(&self, bytes: u64) -> Result<(), ToolError> {
        if bytes <= self.max_value_bytes {
            return Ok(());
        }
        let text = format!(
            "the result has {bytes} bytes, more than the {} that can be stored",
            self.max_value_bytes
        );
        Err(ToolError::new(ErrorCode::TooLarge, text))
    }
}

fn is_deeper(value: &Value, depth: usize) -> bool {
    let Some(below) = depth.checked_sub(1) else { return true };
    match value {
        Value::Array(items) => items.iter().any(|item| is_deeper(item, below)),
        Value::Object(fields) => fields.values().any(|field| is_deeper(field, below)),
        _ => false,
    }
}
