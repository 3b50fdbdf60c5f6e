//! Short ways to say what a test expects.

use hermes_core::{ErrorCode, ToolError, ToolOutcome};
use serde_json::Value;

/// The value of a call that must have worked.
#[track_caller]
pub(crate) fn value(outcome: ToolOutcome) -> Value {
    match outcome.result {
        Ok(value) => value,
        Err(error) => panic!("{} failed: {} {error}", outcome.tool, error.code),
    }
}

/// The error of a call that must have failed.
#[track_caller]
pub(crate) fn failure(outcome: ToolOutcome) -> ToolError {
    match outcome.result {
        Ok(value) => panic!("{} worked: {value}", outcome.tool),
        Err(error) => error,
    }
}

#[track_caller]
pub(crate) fn code(outcome: ToolOutcome) -> ErrorCode {
    failure(outcome).code
}
