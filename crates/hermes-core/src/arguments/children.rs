//! Which schemas apply to the fields of an object and to the items of a list.

use serde_json::{Map, Value};

/// The schemas for a field: its own, one for its name's pattern, else the one for all other fields.
pub(super) fn named_schemas<'a>(rules: &'a Map<String, Value>, name: &str) -> [Option<&'a Value>; 2] {
    let own = rules.get("properties").and_then(|properties| properties.get(name));
    let patterns = rules.get("patternProperties").and_then(Value::as_object);
    let mut unsure = false;
    let by_pattern = patterns.and_then(|patterns| {
        patterns.iter().find_map(|(pattern, schema)| match simple_match(pattern, name) {
            Some(matches) => matches.then_some(schema),
            None => {
                unsure = true;
                None
            }
        })
    });
    if own.is_some() || by_pattern.is_some() || unsure {
        return [own, by_pattern];
    }
    [rules.get("additionalProperties"), None]
}

/// Matches the patterns that are in use for property names: text with anchors, or anything at all.
/// `None` means a pattern that this does not understand.
fn simple_match(pattern: &str, name: &str) -> Option<bool> {
    if matches!(pattern, "" | ".*" | "^.*$" | "^.*" | ".*$") {
        return Some(true);
    }
    if matches!(pattern, ".+" | "^.+$") {
        return Some(!name.is_empty());
    }
    let start = pattern.strip_prefix('^');
    let rest = start.unwrap_or(pattern);
    let end = rest.strip_suffix('$');
    let text = end.unwrap_or(rest);
    if text.contains(|c: char| !(c.is_alphanumeric() || matches!(c, '_' | '-' | ' ' | ':' | '/' | '@'))) {
        return None;
    }
    Some(match (start.is_some(), end.is_some()) {
        (true, true) => name == text,
        (true, false) => name.starts_with(text),
        (false, true) => name.ends_with(text),
        (false, false) => name.contains(text),
    })
}

/// The schema for the item at an index, in the spelling of draft 7 (`items` list, `additionalItems`) or
/// of 2020-12 (`prefixItems`, `items`).
pub(super) fn positional_schema(rules: &Map<String, Value>, index: usize) -> Option<&Value> {
    let prefix = rules.get("prefixItems").and_then(Value::as_array);
    if let Some(schema) = prefix.and_then(|prefix| prefix.get(index)) {
        return Some(schema);
    }
    match rules.get("items") {
        Some(Value::Array(prefix)) => prefix.get(index).or_else(|| rules.get("additionalItems")),
        other => other,
    }
}
