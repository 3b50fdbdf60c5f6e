//! Replaces result handles in arguments by the values they stand for, before anything judges them.

use std::collections::BTreeMap;
use std::ops::ControlFlow;

use hermes_core::handle::{Handle, each_handle};
use hermes_core::{ErrorCode, ToolError};
use serde_json::Value;

use crate::session::Session;

/// Replaces every string that is a handle. Values come from this session's own results only.
pub(super) async fn resolve(session: &Session, arguments: &mut Value) -> Result<Vec<String>, ToolError> {
    let mut found = Vec::new();
    let _ = each_handle(arguments, &mut |text| {
        found.push(text.to_owned());
        ControlFlow::<()>::Continue(())
    });
    if found.is_empty() {
        return Ok(Vec::new());
    }
    let store = session.options().ports.results()?;
    let mut values = BTreeMap::new();
    for text in found {
        let Some(handle) = Handle::parse(&text).transpose()? else { continue };
        let stored = store.get(session.id(), &handle.id).await?.ok_or_else(|| {
            ToolError::new(ErrorCode::NotFound, format!("this session has no result '{handle}'"))
                .with_hint("Results are kept for a while only; run the call that made it again.")
        })?;
        values.insert(text, handle.select(&stored)?);
    }
    let notes = values.keys().map(|handle| format!("{handle} was replaced by its value")).collect();
    substitute(arguments, &values);
    Ok(notes)
}

/// Does not look into what it has put in: a stored result that contains a handle stays as it is.
fn substitute(value: &mut Value, values: &BTreeMap<String, Value>) {
    match value {
        Value::String(text) => {
            if let Some(replacement) = values.get(text.as_str()) {
                *value = replacement.clone();
            }
        }
        Value::Array(items) => items.iter_mut().for_each(|item| substitute(item, values)),
        Value::Object(fields) => fields.values_mut().for_each(|field| substitute(field, values)),
        _ => {}
    }
}
