//! Replaces result handles in arguments by the values they stand for, before anything judges them.

use std::collections::BTreeMap;
use std::ops::ControlFlow;

use hermes_core::handle::{Handle, Part, as_text, each_handle};
use hermes_core::text::json_len;
use hermes_core::{ErrorCode, ToolError};
use serde_json::Value;

use crate::session::Session;

/// What the values that handles stand for may come to in one call, counted as JSON: a request of some kilobytes could
/// name a large one a thousand times.
const MOST_PUT_IN: usize = 32 << 20;

/// What became of the handles of a call.
#[derive(Default)]
pub(super) struct Resolved {
    pub(super) notes: Vec<String>,
    /// Handles of the texts in results that were put in as a whole.
    texts: Vec<String>,
    /// Handles of results without one, as the lines of their JSON.
    as_lines: Vec<String>,
}

impl Resolved {
    /// A refusal of the arguments, with what may have been meant by a handle.
    pub(super) fn point_to_parts(&self, error: ToolError) -> ToolError {
        let parts = match (self.texts.first(), self.as_lines.first()) {
            (Some(text), _) => format!("a handle stands for the whole result; for a text in it write {text}"),
            (None, Some(lines)) => {
                format!("a handle stands for the value itself; for it as JSON text write {lines}")
            }
            (None, None) => return error,
        };
        let hint = error.hint.as_ref().map_or_else(|| parts.clone(), |hint| format!("{parts}; {hint}"));
        error.with_hint(hint)
    }
}

/// Replaces every string that is a handle. Values come from this session's own results only.
pub(super) async fn resolve(session: &Session, arguments: &mut Value) -> Result<Resolved, ToolError> {
    let mut found: BTreeMap<String, usize> = BTreeMap::new();
    let _ = each_handle(arguments, &mut |text| {
        *found.entry(text.to_owned()).or_default() += 1;
        ControlFlow::<()>::Continue(())
    });
    if found.is_empty() {
        return Ok(Resolved::default());
    }
    let store = session.options().ports.results()?;
    let mut values = BTreeMap::new();
    let mut room = MOST_PUT_IN;
    for (text, times) in found {
        let Some(handle) = Handle::parse(&text).transpose()? else { continue };
        let stored = store.get(session.id(), &handle.id).await?.ok_or_else(|| {
            ToolError::new(ErrorCode::NotFound, format!("this session has no result '{handle}'"))
                .with_hint("Results are kept for a while only; run the call that made it again.")
        })?;
        let value = handle.select(&stored)?;
        room = json_len(&value)
            .checked_mul(times)
            .and_then(|size| room.checked_sub(size))
            .ok_or_else(too_much)?;
        values.insert(text, value);
    }
    let notes = values.keys().map(|handle| format!("{handle} was replaced by its value")).collect();
    let texts = values.iter().flat_map(|(handle, value)| texts_in(handle, value)).collect();
    let as_lines = values.iter().filter_map(|(handle, value)| lines_of(handle, value)).collect();
    substitute(arguments, &values);
    Ok(Resolved { notes, texts, as_lines })
}

fn too_much() -> ToolError {
    let text = format!("the handles of this call stand for more than {} MiB together", MOST_PUT_IN >> 20);
    ToolError::new(ErrorCode::TooLarge, text)
        .with_hint("Name fewer of them, or parts: #/json/pointer or #L10-L40.")
}

/// The handles of the texts of an object, the longest first.
fn texts_in(handle: &str, value: &Value) -> Vec<String> {
    let fields = value.as_object().into_iter().flatten();
    let mut texts: Vec<(usize, &String)> =
        fields.filter_map(|(name, value)| Some((value.as_str()?.len(), name))).collect();
    texts.sort_by_key(|(length, _)| std::cmp::Reverse(*length));
    let separator = if handle.contains('#') { "/" } else { "#/" };
    let part = |name: &str| name.replace('~', "~0").replace('/', "~1");
    texts.into_iter().map(|(_, name)| format!("{handle}{separator}{}", part(name))).collect()
}

/// The handle of an object or a list as text, if lines can be asked of this one.
fn lines_of(handle: &str, value: &Value) -> Option<String> {
    let is_made_of_parts = value.is_object() || value.is_array();
    let lines = is_made_of_parts.then(|| as_text(value).lines().count())?;
    let named = Handle::parse(handle)?.ok()?;
    matches!(named.part, Part::Whole | Part::Pointer(_)).then(|| format!("{handle}#L1-L{lines}"))
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
