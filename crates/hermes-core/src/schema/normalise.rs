//! The one place where a tool's schema is made fit for a provider.

use serde_json::{Map, Value};

use super::node::Style;
use super::positions::{Position, position};
use super::provider::Provider;
use super::root::root;
use super::{circles, gemini, limits, pattern, refs};
use crate::names;

/// The parameters of a tool as the provider accepts them. The same input gives the same output, and an
/// output gives itself. An error is the reason why this tool must be kept out of the request.
pub fn normalise(parameters: &Value, provider: Provider) -> Result<Value, String> {
    limits::check(parameters)?;
    let mut built = root(parameters, Style::of(provider));
    if provider == Provider::Anthropic {
        drop_unnameable(&mut built)?;
    }
    let built = Value::Object(built);
    circles::check(&built)?;
    pattern::check(&built)?;
    match provider {
        Provider::Generic => Ok(built),
        Provider::OpenAi | Provider::Anthropic => {
            check_refs(&built, &built)?;
            Ok(built)
        }
        Provider::Gemini => gemini::convert(&built),
    }
}

/// Anthropic refuses the whole request for one property with a name that it would not take for a tool.
fn drop_unnameable(rules: &mut Map<String, Value>) -> Result<(), String> {
    let required = match rules.get("required") {
        Some(Value::Array(names)) => names.as_slice(),
        _ => &[],
    };
    if let Some(name) = required.iter().filter_map(Value::as_str).find(|name| !names::is_valid(name)) {
        return Err(format!("its required property {name:?} has a name that the provider refuses"));
    }
    if let Some(Value::Object(properties)) = rules.get_mut("properties") {
        properties.retain(|name, _| names::is_valid(name));
    }
    Ok(())
}

/// Every reference must lead somewhere: providers refuse the request otherwise.
fn check_refs(schema: &Value, document: &Value) -> Result<(), String> {
    let Value::Object(rules) = schema else { return Ok(()) };
    for (keyword, rule) in rules {
        match (position(keyword), rule) {
            (Position::Data, Value::String(reference))
                if keyword == "$ref" && refs::resolve(document, reference).is_none() =>
            {
                return Err(unresolvable(reference));
            }
            (Position::Data, _) => {}
            (Position::One, _) => check_refs(rule, document)?,
            (_, Value::Array(schemas)) => {
                schemas.iter().try_for_each(|schema| check_refs(schema, document))?
            }
            (Position::Items, _) => check_refs(rule, document)?,
            (_, Value::Object(schemas)) => {
                schemas.values().try_for_each(|schema| check_refs(schema, document))?
            }
            _ => {}
        }
    }
    Ok(())
}

pub(super) fn unresolvable(reference: &str) -> String {
    let shown: String = reference.chars().take(100).collect();
    format!("its schema refers to {shown:?}, which is not part of it")
}
