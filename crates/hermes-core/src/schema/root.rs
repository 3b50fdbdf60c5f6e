//! The top level of a schema: always a plain object, because that is all that providers accept there.

use std::borrow::Cow;

use serde_json::{Map, Value};

use super::node::{Style, rebuilt};
use super::refs;

/// Combined or nested deeper than this, a top level is not worth understanding.
const MAX_NESTING: usize = 8;
const REFUSED: [&str; 8] = ["allOf", "anyOf", "oneOf", "enum", "const", "not", "nullable", "$ref"];

pub(super) fn root(parameters: &Value, style: Style) -> Map<String, Value> {
    let Value::Object(rules) = parameters else { return empty() };
    let flat = flattened(rules, parameters);
    let mut built = rebuilt(&flat, style);
    if has_refused(&built) {
        built.retain(|keyword, _| !REFUSED.contains(&keyword.as_str()));
    }
    if built.get("type").is_none_or(|name| name != "object") {
        built.insert("type".to_owned(), "object".into());
    }
    if !built.get("properties").is_some_and(Value::is_object) {
        built.insert("properties".to_owned(), Value::Object(Map::new()));
        built.shift_remove("required");
    }
    built
}

fn has_refused(rules: &Map<String, Value>) -> bool {
    rules.keys().any(|keyword| REFUSED.contains(&keyword.as_str()))
}

fn empty() -> Map<String, Value> {
    Map::from_iter([
        ("type".to_owned(), "object".into()),
        ("properties".to_owned(), Value::Object(Map::new())),
    ])
}

/// The rules with the fields of all references, parts and alternatives moved up, so that no parameter
/// is lost with the combinator that held it.
fn flattened<'a>(rules: &'a Map<String, Value>, document: &Value) -> Cow<'a, Map<String, Value>> {
    if !has_refused(rules) {
        return Cow::Borrowed(rules);
    }
    let mut fields = Fields::default();
    fields.collect(rules, document, 0);
    let mut flat = rules.clone();
    flat.retain(|keyword, _| !REFUSED.contains(&keyword.as_str()));
    if !fields.properties.is_empty() {
        flat.insert("properties".to_owned(), Value::Object(fields.properties));
    }
    if !fields.required.is_empty() {
        flat.insert("required".to_owned(), fields.required.into());
    }
    Cow::Owned(flat)
}

/// What an object may hold and must hold.
#[derive(Default)]
struct Fields {
    properties: Map<String, Value>,
    required: Vec<String>,
}

impl Fields {
    /// Of one part or alternative. One that only requires speaks of conditions that the model cannot see here.
    fn of_part(part: &Map<String, Value>, document: &Value, depth: usize) -> Self {
        let mut fields = Fields::default();
        fields.collect(part, document, depth);
        fields.required.retain(|name| fields.properties.contains_key(name));
        fields
    }

    fn collect(&mut self, rules: &Map<String, Value>, document: &Value, depth: usize) {
        if depth > MAX_NESTING {
            return;
        }
        if let Some(Value::Object(own)) = rules.get("properties") {
            for (name, schema) in own {
                self.properties.entry(name.clone()).or_insert_with(|| schema.clone());
            }
        }
        if let Some(Value::Array(names)) = rules.get("required") {
            self.require(names.iter().filter_map(Value::as_str));
        }
        let target = rules.get("$ref").and_then(Value::as_str).and_then(|r| refs::resolve(document, r));
        for part in target.into_iter().chain(branches(rules, "allOf")).filter_map(Value::as_object) {
            let fields = Fields::of_part(part, document, depth + 1);
            for (name, schema) in fields.properties {
                self.properties.entry(name).or_insert(schema);
            }
            self.require(fields.required.iter().map(String::as_str));
        }
        for keyword in ["anyOf", "oneOf"] {
            self.collect_alternatives(branches(rules, keyword), document, depth);
        }
    }

    /// Fields of alternatives are all offered; only what every alternative requires stays required.
    fn collect_alternatives<'v>(
        &mut self,
        branches: impl Iterator<Item = &'v Value>,
        document: &Value,
        depth: usize,
    ) {
        let mut offered: Map<String, Value> = Map::new();
        let mut common: Option<Vec<String>> = None;
        for branch in branches.filter_map(Value::as_object) {
            if branch.get("type").is_some_and(|name| name != "object") {
                continue;
            }
            let fields = Fields::of_part(branch, document, depth + 1);
            for (name, schema) in fields.properties {
                match offered.get_mut(&name) {
                    Some(other) => offer_also(other, schema),
                    None => {
                        offered.insert(name, schema);
                    }
                }
            }
            match &mut common {
                Some(common) => common.retain(|name| fields.required.contains(name)),
                None => common = Some(fields.required),
            }
        }
        for (name, schema) in offered {
            self.properties.entry(name).or_insert(schema);
        }
        self.require(common.unwrap_or_default().iter().map(String::as_str));
    }

    fn require<'n>(&mut self, names: impl Iterator<Item = &'n str>) {
        for name in names {
            if !self.required.iter().any(|other| other == name) {
                self.required.push(name.to_owned());
            }
        }
    }
}

fn branches<'v>(rules: &'v Map<String, Value>, keyword: &str) -> impl Iterator<Item = &'v Value> {
    rules.get(keyword).and_then(Value::as_array).into_iter().flatten()
}

/// One field that two alternatives describe differently: listed values add up, else either schema fits.
fn offer_also(schema: &mut Value, other: Value) {
    if *schema == other {
        return;
    }
    if let (Some(mut values), Some(more)) = (listed(schema), listed(&other)) {
        values.extend(
            more.into_iter().filter(|value| !listed(schema).is_some_and(|known| known.contains(value))),
        );
        if let Value::Object(rules) = schema {
            rules.shift_remove("const");
            rules.insert("enum".to_owned(), values.into());
        }
        return;
    }
    if let Some(Value::Array(choices)) = schema.get_mut("anyOf") {
        if !choices.contains(&other) {
            choices.push(other);
        }
        return;
    }
    let choices = vec![schema.take(), other];
    *schema = Value::Object(Map::from_iter([("anyOf".to_owned(), choices.into())]));
}

fn listed(schema: &Value) -> Option<Vec<Value>> {
    match (schema.get("const"), schema.get("enum")) {
        (Some(constant), _) => Some(vec![constant.clone()]),
        (None, Some(Value::Array(values))) => Some(values.clone()),
        _ => None,
    }
}
