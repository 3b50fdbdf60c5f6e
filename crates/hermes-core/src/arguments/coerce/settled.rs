//! Arguments that need no repair, seen without a walk. Most calls are right, and this look costs a tenth.

use serde_json::{Map, Value};

use super::convert::{is_type, spells_null};

/// Whether a coercion would surely change nothing. `false` means: not known without the walk.
pub(super) fn are_settled(schema: &Value, arguments: &Map<String, Value>) -> bool {
    let Value::Object(rules) = schema else { return false };
    let mut properties = None;
    for (keyword, rule) in rules {
        match keyword.as_str() {
            "properties" => properties = rule.as_object(),
            "type" if rule == "object" => {}
            // What holds for other fields does not matter: there must be none.
            "additionalProperties" | "required" => {}
            "$schema" | "title" | "description" | "$defs" | "definitions" => {}
            _ => return false,
        }
    }
    let Some(properties) = properties else { return false };
    arguments.iter().all(|(name, value)| {
        let schema = named(properties, name).and_then(Value::as_object);
        schema.is_some_and(|rules| is_settled(rules, value))
    })
}

/// To compare a few names takes less than to hash one.
fn named<'a>(properties: &'a Map<String, Value>, name: &str) -> Option<&'a Value> {
    match properties.len() {
        0..=8 => properties.iter().find_map(|(known, schema)| (known == name).then_some(schema)),
        _ => properties.get(name),
    }
}

/// Scalars of the type that is asked for, where nothing but bounds and remarks stands beside it.
fn is_settled(rules: &Map<String, Value>, value: &Value) -> bool {
    rules.iter().all(|(keyword, rule)| match keyword.as_str() {
        "type" => match rule {
            Value::String(name) => is_right(name, value),
            // A list of types is an order of preference.
            Value::Array(names) => {
                let preferred = names.first().and_then(Value::as_str);
                preferred.is_some_and(|name| is_right(name, value))
                    && !value.as_str().is_some_and(spells_null)
            }
            _ => false,
        },
        "description" | "title" | "default" | "format" | "examples" | "pattern" => true,
        "minimum" | "maximum" | "minLength" | "maxLength" => true,
        _ => false,
    }) && !matches!(value, Value::Array(_) | Value::Object(_))
}

fn is_right(name: &str, value: &Value) -> bool {
    match value {
        // 3.0 is an integer, but handlers decode it as one only when it is written so.
        Value::Number(number) if number.is_f64() => name == "number",
        _ => is_type(name, value),
    }
}

#[cfg(test)]
mod tests {
    use super::super::walk::walked;
    use super::*;
    use proptest::prelude::*;
    use serde_json::json;

    fn rule() -> impl Strategy<Value = (String, Value)> {
        let pick = |keyword: &'static str, rules: Vec<Value>| {
            prop::sample::select(rules).prop_map(move |rule| (keyword.to_owned(), rule)).boxed()
        };
        let types = ["string", "integer", "number", "boolean", "null", "array", "object"];
        let lists =
            [json!(["string", "null"]), json!(["null", "string"]), json!(["integer", "string"]), json!([])];
        prop::strategy::Union::new([
            pick("type", types.into_iter().map(Value::from).collect()),
            pick("type", lists.to_vec()),
            pick("enum", vec![json!(["a", 1, null]), json!([])]),
            pick("anyOf", vec![json!([{"type": "integer"}, {"type": "null"}])]),
            pick("nullable", vec![json!(true)]),
            pick("items", vec![json!({"type": "integer"})]),
            pick("minimum", vec![json!(1)]),
            pick("default", vec![json!("1")]),
        ])
    }

    fn value() -> impl Strategy<Value = Value> {
        let values = json!(["a", "1", "null", "true", "[1]", "", 1, 1.0, 1.5, true, null, ["1"], {"b": "1"}]);
        prop::sample::select(values.as_array().cloned().unwrap_or_default())
    }

    proptest! {
        #[test]
        fn the_walk_agrees(
            rules in prop::collection::vec(rule(), 0..3),
            beside in prop::collection::vec(rule(), 0..1),
            value in value(),
        ) {
            let mut schema: Map<String, Value> = beside.into_iter().collect();
            let field: Map<String, Value> = rules.into_iter().collect();
            schema.insert("properties".to_owned(), json!({"a": field}));
            let (schema, arguments) = (Value::Object(schema), Map::from_iter([("a".to_owned(), value)]));
            if are_settled(&schema, &arguments) {
                let mut coerced = arguments.clone();
                prop_assert!(walked(&schema, &mut coerced).is_empty(), "{schema}");
                prop_assert_eq!(coerced, arguments, "{}", schema);
            }
        }
    }

    #[test]
    fn plain_right_arguments_are_settled() {
        let schema = json!({"type": "object", "additionalProperties": false, "required": ["path"], "properties": {
            "path": {"type": "string", "description": "Where."}, "limit": {"type": ["integer", "null"], "minimum": 1},
            "all": {"type": "boolean", "default": false}}});
        let settled = |arguments: Value| are_settled(&schema, arguments.as_object().unwrap());
        assert!(settled(json!({"path": "a.txt", "limit": 10, "all": false})));
        assert!(settled(json!({})));
        for unsure in
            [json!({"limit": "10"}), json!({"limit": 10.0}), json!({"limit": null}), json!({"other": 1})]
        {
            assert!(!settled(unsure.clone()), "{unsure}");
        }
    }
}
