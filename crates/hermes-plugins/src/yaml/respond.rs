//! What the model is told of an answer.

use hermes_core::redact::Redactor;
use hermes_core::{ErrorCode, ToolError};
use serde_json::{Value, json};

use super::answer::{Answer, Shown};
use super::spec::HttpSpec;
use crate::excerpt::excerpt;

/// Characters of a failed answer that are shown.
const MAX_EXCERPT: usize = 2_000;

/// The tool's result. A server may repeat what it was sent; `secrets` takes the credentials out of it.
pub(super) fn result(
    spec: &HttpSpec,
    answer: &Answer,
    elapsed_ms: u64,
    secrets: &Redactor,
) -> Result<Value, ToolError> {
    if !(200..300).contains(&answer.status) {
        return Err(failure(spec, answer, secrets));
    }
    let (key, mut value) = content(spec, answer)?;
    secrets.redact_value(&mut value);
    let mut result = json!({"status_code": answer.status});
    if let Some(object) = result.as_object_mut() {
        if key == "base64" {
            object.insert("content_type".into(), answer.media_type().into());
        }
        object.insert(key.into(), value);
        object.insert("elapsed_ms".into(), elapsed_ms.into());
    }
    Ok(result)
}

/// The answer's content and what it is called.
fn content(spec: &HttpSpec, answer: &Answer) -> Result<(&'static str, Value), ToolError> {
    let unfit =
        |why: String| ToolError::new(ErrorCode::ExecFailed, why).with_field("status_code", answer.status);
    match (&spec.pick, answer.json(spec.pick.is_some())) {
        (Some(pointer), Some(value)) => match value.pointer(pointer) {
            Some(picked) => Ok(("data", picked.clone())),
            None => Err(unfit(format!("the answer of {} has nothing at {pointer}", spec.origin))),
        },
        (Some(_), None) => Err(unfit(format!("{} answered with no JSON", spec.origin))),
        (None, Some(value)) => Ok(("data", value)),
        (None, None) => Ok(match answer.shown() {
            Shown::Text(text) => ("body", text.into()),
            Shown::Base64(text) => ("base64", text.into()),
        }),
    }
}

/// Whether the same request may do better in a moment.
pub(super) fn is_passing(status: u16) -> bool {
    matches!(status, 408 | 425 | 429 | 500 | 502 | 503 | 504)
}

fn failure(spec: &HttpSpec, answer: &Answer, secrets: &Redactor) -> ToolError {
    let status = answer.status;
    let code = match status {
        300..400 => ErrorCode::Conflict,
        401 | 403 | 407 => ErrorCode::Auth,
        404 | 410 => ErrorCode::NotFound,
        400 | 422 => ErrorCode::InvalidArgument,
        409 | 412 => ErrorCode::Conflict,
        413 => ErrorCode::TooLarge,
        // A gateway that lost whoever it passed the request on to cannot say what became of it.
        502 | 504 if !spec.is_safe() && !spec.idempotent => ErrorCode::OutcomeUnknown,
        408 | 504 => ErrorCode::Timeout,
        425 | 429 | 500 | 502 | 503 => ErrorCode::Unavailable,
        _ => ErrorCode::ExecFailed,
    };
    let mut error = ToolError::new(code, format!("{} answered with status {status}", spec.origin));
    let body = answer.text_of_failure();
    if !body.trim().is_empty() {
        error = error.with_field("body", excerpt(&secrets.redact_text(&body), MAX_EXCERPT));
    }
    // What was asked may have been done before the server failed.
    error.retryable = is_passing(status) && spec.idempotent;
    error.with_field("status_code", status)
}
