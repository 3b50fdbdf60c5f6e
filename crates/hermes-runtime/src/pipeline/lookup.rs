//! Finds the tool in what this session may see. Names outside its toolsets answer like unknown ones.

use hermes_core::{ErrorCode, ToolError};

use crate::catalog::{Catalog, Listed};

pub(super) struct Found<'a> {
    pub(super) listed: &'a Listed,
    pub(super) note: Option<String>,
}

pub(super) fn lookup<'a>(catalog: &'a Catalog, name: &str) -> Result<Found<'a>, ToolError> {
    if let Some(listed) = catalog.get(name) {
        return Ok(Found { listed, note: None });
    }
    // Policy will say no, and which rule says so.
    if let Some(listed) = catalog.get_shut_out(name) {
        return Ok(Found { listed, note: None });
    }
    if let Some(listed) = catalog.get_repaired(name) {
        let note = format!("tool name '{}' was read as '{}'", shorten(name), listed.shown_name);
        return Ok(Found { listed, note: Some(note) });
    }
    Err(unknown(catalog, name))
}

fn unknown(catalog: &Catalog, name: &str) -> ToolError {
    let shown = shorten(name);
    let error = ToolError::new(ErrorCode::NotFound, format!("there is no tool '{shown}' in this session"));
    match catalog.nearest(name, 3).as_slice() {
        [] => error,
        nearest => error.with_hint(format!("Did you mean {}?", nearest.join(" or "))),
    }
}

fn shorten(name: &str) -> String {
    name.chars().take(80).collect()
}
