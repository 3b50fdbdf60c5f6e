//! The end of a call, whatever step it came to: redacted, bounded, recorded.

use std::borrow::Cow;

use hermes_core::redact::Redactor;
use hermes_core::{Decision, ToolError, ToolOutcome, Verdict, text};
use serde_json::Value;

use super::bound;
use super::dispatch::Progress;
use super::record::{Named, Record};
use crate::session::Session;

/// Redacts, bounds and records what came of the call, whatever step it ended at.
pub(super) async fn close(
    session: &Session,
    progress: Progress,
    result: Result<Value, ToolError>,
) -> ToolOutcome {
    let runtime = session.runtime();
    let limit = progress.limit;
    let (mut outcome, record) = progress.finish(result);
    let record = record.or_else(|| refused_record(session, &outcome));
    match &mut outcome.result {
        Ok(value) => runtime.redactor().redact_value(value),
        Err(error) => {
            clean(error, runtime.redactor());
        }
    }
    for note in &mut outcome.notes {
        *note = runtime.redactor().redact_text(note).into_owned();
    }
    shorten(session, &mut outcome, limit).await;
    if let (Some(journal), Some(record)) = (runtime.journal(), record)
        && let Err(error) = record.close(&**journal, &outcome).await
    {
        tracing::error!(call = %outcome.call_id, %error, "the journal could not record an outcome");
        outcome.notes.push(format!("the journal could not record this outcome: {error}"));
    }
    outcome
}

/// Stores a result that is over `limit` and leaves the model an excerpt with its handle.
pub(crate) async fn shorten(session: &Session, outcome: &mut ToolOutcome, limit: usize) {
    let Ok(value) = &outcome.result else { return };
    if text::json_fits(value, limit) {
        return;
    }
    let stored = match session.options().ports.results() {
        Ok(store) => store.put(session.id(), value).await,
        Err(error) => Err(error),
    };
    let shown = match stored {
        Ok(id) => bound::bound(value, limit, Some(&id)),
        Err(error) => {
            outcome.notes.push(format!("the full result could not be kept: {error}"));
            bound::bound(value, limit, None)
        }
    };
    outcome.result = Ok(shown);
}

/// A call that ended before policy looked at it is recorded as denied by the step that stopped it.
fn refused_record(session: &Session, outcome: &ToolOutcome) -> Option<Record> {
    session.runtime().journal()?;
    let error = outcome.result.as_ref().err()?;
    let decision = Decision::new(Verdict::Deny, format!("pipeline: {}", error.code), error.message.clone());
    let named = Named { name: &outcome.tool, secret_arguments: &[] };
    Some(Record::new(session, &outcome.call_id, named, &Value::Null, &[], decision))
}

/// Takes framing tokens and secrets out of everything the model reads of an error.
fn clean(error: &mut ToolError, redactor: &Redactor) {
    let tidy = |text: &str| {
        let sanitised = text::sanitise_redacted(text, redactor);
        sanitised.strip_prefix(text::ERROR_PREFIX).unwrap_or(&sanitised).trim_end().to_owned()
    };
    error.message = tidy(&error.message);
    error.hint = error.hint.as_deref().map(tidy);
    for (name, value) in &mut error.data {
        match value {
            Value::String(text) => *text = tidy(text),
            nested => {
                unframe(name, nested);
                redactor.redact_value(nested);
            }
        }
    }
}

/// Fields of nested data that hold the text of a file, which the model needs as it is.
const FILE_TEXTS: [&str; 4] = ["content", "diff", "lines", "text"];

/// Takes framing tokens out of nested data, but for the texts of files.
fn unframe(name: &str, value: &mut Value) {
    match value {
        _ if FILE_TEXTS.contains(&name) => {}
        Value::String(text) => {
            if let Cow::Owned(clean) = text::unframed(text) {
                *text = clean;
            }
        }
        Value::Array(items) => items.iter_mut().for_each(|item| unframe(name, item)),
        Value::Object(fields) => fields.iter_mut().for_each(|(name, field)| unframe(name, field)),
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}
