//! A schema as calls can be checked against it.

use serde_json::Value;

use super::node::{Style, node};
use super::{limits, pattern};

/// The schema without what means nothing to draft 7 or to our patterns, and with spellings of other languages
/// understood: for one that no validator can be made of as it is.
pub fn checked(parameters: &Value) -> Result<Value, String> {
    limits::check(parameters)?;
    pattern::check(parameters)?;
    Ok(node(parameters, Style::CHECKED))
}
