//! `tool_call(calls: [...])`: several calls in one, each through the whole pipeline by itself.

use std::time::Duration;

use futures_util::future::BoxFuture;
use hermes_core::arguments::parse;
use hermes_core::redact::Redactor;
use hermes_core::{ErrorCode, ToolCall, ToolError, ToolOutcome};
use serde_json::{Value, json};
use tokio_util::sync::CancellationToken;

use crate::session::Session;

/// Calls in one; more than any plan of a model needs.
const MOST_CALLS: usize = 32;

/// The calls inside, if this is such a call.
pub(super) fn several(call: &ToolCall, redactor: &Redactor) -> Option<Vec<ToolCall>> {
    if call.name != "tool_call" {
        return None;
    }
    let parsed;
    let arguments = match &call.arguments {
        Value::Object(fields) => fields,
        // What cannot be read is for unwrapping to refuse.
        other => {
            parsed = parse(other, redactor).ok()?;
            &parsed.arguments
        }
    };
    let inner = arguments.get("calls")?.as_array()?;
    // One call and several at once: unwrapping refuses it, rather than half of it being run.
    if arguments.get("name").is_some() && !inner.is_empty() {
        return None;
    }
    let calls = inner.iter().zip(1..).map(|(inner, number)| {
        let id = format!("{}.{number}", call.id);
        // Each goes through the bridge again, so that a bridge inside a bridge is refused as ever.
        ToolCall::new(id, "tool_call", inner.clone())
    });
    Some(calls.collect())
}

/// Runs them as a batch and answers with all results in call order.
pub(super) fn call_several<'a>(
    session: &'a Session,
    call: ToolCall,
    inner: Vec<ToolCall>,
    cancel: &'a CancellationToken,
) -> BoxFuture<'a, ToolOutcome> {
    Box::pin(run_several(session, call, inner, cancel))
}

async fn run_several(
    session: &Session,
    call: ToolCall,
    inner: Vec<ToolCall>,
    cancel: &CancellationToken,
) -> ToolOutcome {
    let ToolCall { id, name, .. } = call;
    let redactor = session.runtime().redactor();
    if inner.is_empty()
        || inner.len() > MOST_CALLS
        || inner.iter().any(|call| several(call, redactor).is_some())
    {
        let text = format!("'calls' takes 1 to {MOST_CALLS} calls, each with 'name' and 'arguments'");
        return ToolOutcome::refused(id, name, ToolError::new(ErrorCode::InvalidArgument, text));
    }
    let outcomes = session.call_all(inner, cancel).await;
    let ran = outcomes.iter().any(|outcome| outcome.ran);
    let duration = outcomes.iter().map(|outcome| outcome.duration).sum::<Duration>();
    let results: Vec<Value> = outcomes
        .iter()
        .map(|outcome| {
            let mut result = outcome.to_wire_with_status();
            result.shift_insert(0, "tool".to_owned(), outcome.tool.as_str().into());
            Value::Object(result)
        })
        .collect();
    let failed = outcomes.iter().filter(|outcome| !outcome.is_success()).count();
    let result = match failed {
        0 => json!({"results": results}),
        _ => json!({"failed": failed, "results": results}),
    };
    ToolOutcome {
        call_id: id,
        tool: name,
        result: Ok(result),
        notes: Vec::new(),
        duration,
        ran,
        inner: outcomes,
    }
}
