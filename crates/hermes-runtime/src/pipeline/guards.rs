//! Asks the pre-hooks. A rewrite goes back through coercion and validation before the next hook looks.

use hermes_core::ToolError;
use serde_json::Value;

use super::arguments::coerce_and_validate;
use crate::catalog::Listed;
use crate::hooks::{HookCall, PreVerdict, ask_guard};
use crate::session::Session;

/// What the guards left of a call.
#[derive(Default)]
pub(super) struct Guarded {
    pub(super) notes: Vec<String>,
    /// A guard wants a person to agree, and why.
    pub(super) ask: Option<String>,
}

pub(super) async fn ask_guards(
    session: &Session,
    listed: &Listed,
    call_id: &str,
    arguments: &mut Value,
) -> Result<Guarded, ToolError> {
    let mut guarded = Guarded::default();
    let hooks = session.runtime().hooks();
    if hooks.is_empty() {
        return Ok(guarded);
    }
    let info = listed.entry.info();
    for hook in hooks.matching(info) {
        let call = HookCall {
            call_id,
            tool: &info.name,
            toolset: &info.toolset,
            arguments,
            session: session.id(),
            cwd: &session.identity().cwd,
        };
        match ask_guard(&**hook, &call).await {
            PreVerdict::Continue => {}
            PreVerdict::Block(message) => {
                return Err(ToolError::denied(message).with_field("hook", hook.name()));
            }
            PreVerdict::Ask(reason) => guarded.ask = Some(reason),
            PreVerdict::Rewrite(fields) => {
                *arguments = Value::Object(fields);
                let repaired = coerce_and_validate(&listed.entry, arguments, session.runtime().redactor());
                guarded.notes.extend(repaired.map_err(|error| bad_rewrite(hook.name(), &error))?);
                guarded.notes.push(format!("the hook '{}' changed the arguments", hook.name()));
            }
        }
    }
    Ok(guarded)
}

/// A guard that failed: the call as it was sent was right, so whoever sent it has nothing to mend in it.
fn bad_rewrite(hook: &str, error: &ToolError) -> ToolError {
    let text = format!(
        "the hook '{hook}' changed the arguments to ones that the tool does not take: {}",
        error.message
    );
    ToolError::denied(text)
        .with_hint("The fault is in the hook, not in the call: whoever runs Hermes has to mend it.")
        .with_field("hook", hook)
}
