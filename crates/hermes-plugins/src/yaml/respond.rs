//! What the model is told of an answer.

use hermes_core::{ErrorCode, ToolError};
use serde_json::{Value, json};

use super::spec::HttpSpec;
use crate::excerpt::excerpt;

/// Characters of a failed answer that are shown.
const MAX_EXCERPT: usize = 2_000;

/// An answer, read to its end.
pub(super) struct Answer {
    pub(super) status: u16,
    pub(super) body: Vec<u8>,
    /// Whether the server says that it is JSON. What merely looks like it stays text.
    pub(super) is_json: bool,
    pub(super) elapsed_ms: u64,
}

/// The tool's result. `secrets` are the values that were sent along; a server that repeats them is not.
pub(super) fn result(spec: &HttpSpec, answer: &Answer, secrets: &[String]) -> Result<Value, ToolError> {
    let text = String::from_utf8_lossy(&answer.body);
    if !(200..300).contains(&answer.status) {
        return Err(failure(spec, answer.status, &hidden(&text, secrets)));
    }
    let mut result = json!({"status_code": answer.status});
    let wanted = answer.is_json || spec.pick.is_some();
    let parsed: Option<Value> = serde_json::from_slice(&answer.body).ok().filter(|_| wanted);
    let (key, value) = match (&spec.pick, parsed) {
        (Some(pointer), Some(value)) => {
            let picked = value.pointer(pointer).cloned().ok_or_else(|| {
                ToolError::new(
                    ErrorCode::ExecFailed,
                    format!("the answer of {} has nothing at {pointer}", spec.origin),
                )
                .with_field("status_code", answer.status)
            })?;
            ("data", picked)
        }
        (Some(_), None) => {
            return Err(ToolError::new(
                ErrorCode::ExecFailed,
                format!("{} answered with no JSON", spec.origin),
            )
            .with_field("status_code", answer.status));
        }
        (None, Some(value)) => ("data", value),
        (None, None) => ("body", Value::String(text.into_owned())),
    };
    if let Some(object) = result.as_object_mut() {
        object.insert(key.into(), value);
        object.insert("elapsed_ms".into(), answer.elapsed_ms.into());
    }
    Ok(result)
}

/// Whether the same request may do better in a moment.
pub(super) fn is_passing(status: u16) -> bool {
    matches!(status, 408 | 425 | 429 | 500 | 502 | 503 | 504)
}

fn failure(spec: &HttpSpec, status: u16, body: &str) -> ToolError {
    let code = match status {
        300..400 => ErrorCode::Conflict,
        401 | 403 | 407 => ErrorCode::Auth,
        404 | 410 => ErrorCode::NotFound,
        400 | 422 => ErrorCode::InvalidArgument,
        409 | 412 => ErrorCode::Conflict,
        413 => ErrorCode::TooLarge,
        408 | 504 => ErrorCode::Timeout,
        425 | 429 | 500 | 502 | 503 => ErrorCode::Unavailable,
        _ => ErrorCode::ExecFailed,
    };
    let mut error = ToolError::new(code, format!("{} answered with status {status}", spec.origin))
        .with_field("status_code", status);
    if !body.trim().is_empty() {
        error = error.with_field("body", excerpt(body, MAX_EXCERPT));
    }
    // What was asked may have been done before the server failed.
    error.retryable = is_passing(status) && spec.idempotent;
    error
}

fn hidden(text: &str, secrets: &[String]) -> String {
    let long_enough = secrets.iter().filter(|secret| secret.len() >= 4);
    long_enough.fold(text.to_owned(), |text, secret| text.replace(secret.as_str(), "[hidden]"))
}
