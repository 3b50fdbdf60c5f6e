//! Helpers for authors whose tools answer with JSON text, such as plugins and scripts.

use serde::Serialize;
use serde_json::{Map, Value};

use crate::error::{ErrorCode, ToolError};

/// A success value from anything serialisable.
pub fn tool_result(data: impl Serialize) -> Result<Value, ToolError> {
    serde_json::to_value(data).map_err(|error| {
        ToolError::internal("the tool's result could not be written as JSON").with_operator(error.to_string())
    })
}

/// An error with extra fields for the model.
pub fn tool_error(code: ErrorCode, message: impl Into<String>, extra: Map<String, Value>) -> ToolError {
    ToolError { data: extra, ..ToolError::new(code, message) }
}
