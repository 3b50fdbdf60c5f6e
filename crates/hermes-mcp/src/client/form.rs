//! Whether what somebody filled in is what a server asked for. Forms of the protocol are flat: texts, numbers, choices.

use serde_json::Value;

use crate::assistant::{Elicitation, Elicited};

/// The answer, if it fits the question. A form that is not filled in as it asks counts as not answered.
pub(super) fn fitting(asked: &Elicitation, answer: Elicited) -> Elicited {
    match (asked, &answer) {
        (Elicitation::Form { schema, .. }, Elicited::Accepted(content)) => {
            let empty = Value::Object(Default::default());
            match is_filled_in(schema, content.as_ref().unwrap_or(&empty)) {
                true => answer,
                false => Elicited::Cancelled,
            }
        }
        _ => answer,
    }
}

fn is_filled_in(schema: &Value, content: &Value) -> bool {
    let Some(given) = content.as_object() else { return false };
    let required = schema.get("required").and_then(Value::as_array).into_iter().flatten();
    let fields = schema.get("properties").and_then(Value::as_object);
    let field = |name: &str| fields.and_then(|fields| fields.get(name));
    required.filter_map(Value::as_str).all(|name| given.contains_key(name))
        && given.iter().all(|(name, value)| field(name).is_some_and(|field| fits(field, value)))
}

fn fits(field: &Value, value: &Value) -> bool {
    let limit = |key: &str| field.get(key).and_then(Value::as_f64);
    let within = |size: f64, least: &str, most: &str| {
        limit(least).is_none_or(|least| size >= least) && limit(most).is_none_or(|most| size <= most)
    };
    let kind = field.get("type").and_then(Value::as_str);
    let shape = match value {
        Value::String(text) => {
            kind.is_none_or(|kind| kind == "string")
                && within(text.chars().count() as f64, "minLength", "maxLength")
        }
        Value::Number(number) => {
            let number = number.as_f64().unwrap_or(f64::NAN);
            kind.is_none_or(|kind| kind == "number" || kind == "integer" && number.fract() == 0.0)
                && within(number, "minimum", "maximum")
        }
        Value::Bool(_) => kind.is_none_or(|kind| kind == "boolean"),
        Value::Array(items) => {
            kind.is_none_or(|kind| kind == "array")
                && within(items.len() as f64, "minItems", "maxItems")
                && items.iter().all(|item| field.get("items").is_none_or(|field| fits(field, item)))
        }
        Value::Null | Value::Object(_) => false,
    };
    shape && is_chosen(field, value)
}

/// Choices stand in `enum`, or each with its title in `oneOf` or `anyOf`.
fn is_chosen(field: &Value, value: &Value) -> bool {
    let plain = field.get("enum").and_then(Value::as_array).is_none_or(|all| all.contains(value));
    let titled = ["oneOf", "anyOf"].into_iter().filter_map(|key| field.get(key)?.as_array());
    plain && titled.into_iter().all(|all| all.iter().any(|choice| choice.get("const") == Some(value)))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_form_is_filled_in_as_it_asks_or_not_at_all() {
        let schema = json!({"type": "object", "required": ["name"], "properties": {
            "name": {"type": "string", "minLength": 1},
            "age": {"type": "integer", "minimum": 0},
            "c": {"type": "string", "enum": ["a", "b"]},
            "t": {"type": "string", "oneOf": [{"const": "x", "title": "X"}]},
            "m": {"type": "array", "maxItems": 1, "items": {"anyOf": [{"const": "p"}, {"const": "q"}]}},
            "yes": {"type": "boolean"},
        }});
        for (content, fits) in [
            (json!({"name": "Ada"}), true),
            (json!({"name": "Ada", "age": 3, "c": "a", "t": "x", "m": ["q"], "yes": true}), true),
            (json!({}), false),
            (json!({"name": 5}), false),
            (json!({"name": ""}), false),
            (json!({"name": "B", "age": -4}), false),
            (json!({"name": "B", "age": 1.5}), false),
            (json!({"name": "B", "zzz": 1}), false),
            (json!({"name": "B", "c": "q"}), false),
            (json!({"name": "B", "t": "X"}), false),
            (json!({"name": "B", "m": ["p", "q"]}), false),
            (json!({"name": "B", "yes": "true"}), false),
            (json!(["Ada"]), false),
        ] {
            let asked = Elicitation::Form { message: "?".into(), schema: schema.clone() };
            let answer = fitting(&asked, Elicited::Accepted(Some(content.clone())));
            assert_eq!(answer != Elicited::Cancelled, fits, "{content}");
        }
    }
}
