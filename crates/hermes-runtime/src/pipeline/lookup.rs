//! Finds the tool in what this session may see. Names outside its toolsets answer like unknown ones.

use hermes_core::redact::Redactor;
use hermes_core::{ErrorCode, ToolError};

use crate::catalog::{Catalog, Hidden, Listed};

/// How much of a name that is not known an answer quotes.
const MAX_NAME_CHARS: usize = 80;

pub(super) struct Found<'a> {
    pub(super) listed: &'a Listed,
    pub(super) note: Option<String>,
}

pub(super) fn lookup<'a>(
    catalog: &'a Catalog,
    name: &str,
    redactor: &Redactor,
) -> Result<Found<'a>, ToolError> {
    let shown = || redactor.shortened(name, MAX_NAME_CHARS);
    if let Some(listed) = catalog.get(name) {
        return Ok(Found { listed, note: None });
    }
    // Policy will say no, and which rule says so.
    if let Some(listed) = catalog.get_shut_out(name) {
        return Ok(Found { listed, note: None });
    }
    // Before any guess: a call of what is gone, or cannot work now, means nothing else.
    if let Some(generation) = catalog.removed_at(name) {
        let text = format!("the tool '{}' was removed at generation {generation}", shown());
        return Err(ToolError::new(ErrorCode::NotFound, text));
    }
    if let Some(hidden) = catalog.get_hidden(name) {
        return Err(missing(hidden, &shown()));
    }
    if let Some(listed) = catalog.get_repaired(name) {
        let note = format!("tool name '{}' was read as '{}'", shown(), listed.shown_name);
        return Ok(Found { listed, note: Some(note) });
    }
    Err(match catalog.get_hidden_repaired(name) {
        Some(hidden) => missing(hidden, &shown()),
        None => unknown(catalog, name, &shown()),
    })
}

/// Why a tool that this session asked for cannot be called.
fn missing(hidden: &Hidden, shown: &str) -> ToolError {
    let text = format!("the tool '{shown}' cannot be used now: {}", hidden.text());
    match hidden {
        Hidden::Unavailable(_) => ToolError::new(ErrorCode::Unavailable, text),
        Hidden::Quarantined(_) => ToolError::new(ErrorCode::Unavailable, text).for_good(),
        // The answer that the tool itself would give.
        Hidden::KeptBack(_) | Hidden::Denied(_) | Hidden::ByHook(_) => ToolError::denied(text),
    }
}

fn unknown(catalog: &Catalog, name: &str, shown: &str) -> ToolError {
    let error = ToolError::new(ErrorCode::NotFound, format!("there is no tool '{shown}' in this session"));
    match catalog.nearest(name, 3).as_slice() {
        [] => error,
        nearest => error.with_hint(format!("Did you mean {}?", nearest.join(" or "))),
    }
}
