//! What the value of a keyword may be, where it is no schema. A value that a keyword cannot have says nothing, and
//! a provider that checks schemas refuses the whole request for it.

use serde_json::Value;

use super::pattern::{Engine, is_usable};

/// What a rule comes to.
#[derive(Debug, PartialEq)]
pub(super) enum Reading {
    Right,
    /// It is clear what was meant.
    Meant(Value),
    /// Nothing that the keyword could mean.
    Nothing,
}

/// Reads the value of a keyword, as far as it is no schema itself.
pub(super) fn read(keyword: &str, rule: &Value, engine: Engine) -> Reading {
    match keyword {
        "anyOf" | "oneOf" | "allOf" | "enum" | "prefixItems" => right_if(is_filled(rule)),
        // A tuple of nothing; whatever else is no schema is made one.
        "items" => right_if(!rule.is_array() || is_filled(rule)),
        "minimum" | "maximum" => number(rule, |_| true),
        // Draft 4 says only whether, with the bound beside it.
        "exclusiveMinimum" | "exclusiveMaximum" if rule.is_boolean() => Reading::Right,
        "exclusiveMinimum" | "exclusiveMaximum" => number(rule, |_| true),
        "multipleOf" => number(rule, |step| step > 0.0),
        "minLength" | "maxLength" | "minItems" | "maxItems" | "minProperties" | "maxProperties"
        | "minContains" | "maxContains" => number(rule, |count| count >= 0.0 && count.fract() == 0.0),
        "uniqueItems" => right_if(rule.is_boolean()),
        "pattern" => right_if(rule.as_str().is_some_and(|pattern| is_usable(pattern, engine))),
        "$ref" | "title" | "description" | "format" => right_if(rule.is_string()),
        "examples" => right_if(rule.is_array()),
        // Of an older draft, and made either of two keywords.
        "dependencies" => right_if(
            rule.as_object()
                .is_some_and(|named| named.values().all(|needed| !needed.is_array() || are_texts(needed))),
        ),
        "dependentRequired" => right_if(rule.as_object().is_some_and(|named| named.values().all(are_texts))),
        _ => Reading::Right,
    }
}

fn right_if(is_right: bool) -> Reading {
    if is_right { Reading::Right } else { Reading::Nothing }
}

fn is_filled(rule: &Value) -> bool {
    rule.as_array().is_some_and(|list| !list.is_empty())
}

fn are_texts(names: &Value) -> bool {
    names.as_array().is_some_and(|names| names.iter().all(Value::is_string))
}

/// A number, also one that is written as text.
fn number(rule: &Value, fits: impl Fn(f64) -> bool) -> Reading {
    let fitting = |number: &Value| number.as_f64().is_some_and(&fits);
    match rule {
        Value::Number(_) => right_if(fitting(rule)),
        Value::String(text) => match serde_json::from_str::<Value>(text.trim()) {
            Ok(meant @ Value::Number(_)) if fitting(&meant) => Reading::Meant(meant),
            _ => Reading::Nothing,
        },
        _ => Reading::Nothing,
    }
}
