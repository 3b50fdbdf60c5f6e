//! Calls that were given up before they answered.

use hermes_core::{ErrorCode, ToolError, ToolInfo};

/// The answer to such a call: by what its tool does, nobody knows what came of it, or `otherwise`.
pub(crate) fn cut_short(info: &ToolInfo, said: &str, otherwise: ErrorCode) -> ToolError {
    if info.effect.leaves_traces() && !info.idempotent {
        return ToolError::new(
            ErrorCode::OutcomeUnknown,
            format!("{said}; what was asked may have been done"),
        )
        .with_hint("look at the state of things before asking for the same again");
    }
    ToolError::new(otherwise, said)
}
