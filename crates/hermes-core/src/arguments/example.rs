//! A minimal valid example of what a schema describes: what a model reads after a refused call.

use std::collections::VecDeque;

use serde_json::{Map, Value};

use super::children::positional_schema;
use super::number_example::{nearest_number, number_example};
use super::shape::Place;
use super::text_example::text_example;
use crate::schema::{Flat, refs};

const MAX_DEPTH: usize = 12;
const MAX_NODES: usize = 500;
const MAX_ITEMS: u64 = 8;

/// A value that the schema accepts, with required fields only.
pub fn example(schema: &Value) -> Value {
    example_with(schema, &[])
}

/// The same, with the fields at these places too.
pub(super) fn example_with(schema: &Value, places: &[Place]) -> Value {
    let mut builder = Builder { root: schema, nodes_left: MAX_NODES };
    builder.value(schema, 0, &places.iter().map(Vec::as_slice).collect::<Vec<_>>())
}

/// The allowed number that is nearest to the one that was said at this place; `None` where the bounds allow that one.
pub(super) fn nearest_at(schema: &Value, place: &[String], said: &Value) -> Option<Value> {
    let builder = Builder { root: schema, nodes_left: MAX_NODES };
    let mut rules = builder.flattened(schema, &[place])?;
    for (depth, step) in place.iter().enumerate() {
        let item = || rules.with("prefixItems").or_else(|| rules.with("items"));
        let inner = match type_name(&rules) {
            "array" => item().and_then(|source| positional_schema(source, step.parse().ok()?)),
            _ => rules.property(step).or_else(|| rules.get("additionalProperties")),
        };
        rules = builder.flattened(inner?, &[place.get(depth + 1..)?])?;
    }
    nearest_number(&rules, type_name(&rules) == "integer", said.as_f64()?)
}

struct Builder<'a> {
    root: &'a Value,
    nodes_left: usize,
}

impl<'a> Builder<'a> {
    /// `wanted` are places below this one.
    fn value(&mut self, schema: &'a Value, depth: usize, wanted: &[&[String]]) -> Value {
        if depth > MAX_DEPTH || self.nodes_left == 0 {
            return Value::Null;
        }
        self.nodes_left -= 1;
        let Some(rules) = self.flattened(schema, wanted) else { return "text".into() };
        if let Some(given) = given(&rules).filter(|_| wanted.iter().all(|place| place.is_empty())) {
            return given;
        }
        match type_name(&rules) {
            "object" => self.object(&rules, depth, wanted),
            "array" => self.array(&rules, depth, wanted),
            "integer" => number_example(&rules, true),
            "number" => number_example(&rules, false),
            "boolean" => true.into(),
            "null" => Value::Null,
            _ => text_example(&rules).into(),
        }
    }

    fn object(&mut self, rules: &Flat<'a>, depth: usize, wanted: &[&[String]]) -> Value {
        let mut fields = Map::new();
        let more = wanted.iter().filter_map(|place| Some(place.first()?.as_str()));
        let known = |name: &str| rules.property(name).or_else(|| rules.get("additionalProperties"));
        let more = more.filter(|name| known(name).is_some_and(Value::is_object));
        for name in rules.required().chain(more) {
            if fields.contains_key(name) {
                continue;
            }
            let below = below(wanted, |step| step == name);
            let value = self.value(known(name).unwrap_or(&Value::Null), depth + 1, &below);
            fields.insert(name.to_owned(), value);
        }
        Value::Object(fields)
    }

    /// One item even where none is required: an empty list would show nothing.
    fn array(&mut self, rules: &Flat<'a>, depth: usize, wanted: &[&[String]]) -> Value {
        let most = rules.get("maxItems").and_then(Value::as_u64).unwrap_or(MAX_ITEMS);
        let least = rules.get("minItems").and_then(Value::as_u64).unwrap_or(0);
        let prefix = rules.list("prefixItems").or_else(|| rules.list("items"));
        let source = rules.with("prefixItems").or_else(|| rules.with("items"));
        let shown = prefix.map_or(1, |prefix| prefix.len() as u64).max(least).min(most).min(MAX_ITEMS);
        let schemas = (0..usize::try_from(shown).unwrap_or(0))
            .map(|index| source.and_then(|rules| positional_schema(rules, index)).unwrap_or(&Value::Null));
        // What is wanted of any item is shown in each.
        let below = below(wanted, |_| true);
        Value::Array(schemas.map(|schema| self.value(schema, depth + 1, &below)).collect())
    }

    /// The schema as one set of rules: references followed, `allOf` joined, of each union the first real
    /// alternative taken that knows a wanted field, or else the first.
    fn flattened(&self, schema: &'a Value, wanted: &[&[String]]) -> Option<Flat<'a>> {
        let mut flat = Flat::default();
        let mut waiting = VecDeque::from([schema.as_object()?]);
        while let Some(rules) = waiting.pop_front() {
            if flat.len() >= refs::MAX_HOPS {
                break;
            }
            flat.add(rules);
            let list = |keyword: &str| rules.get(keyword).and_then(Value::as_array).into_iter().flatten();
            let is_real = |branch: &&Value| branch.get("type").is_none_or(|name| name != "null");
            let fits = |branch: &&Value| is_real(branch) && self.knows(branch, wanted);
            let chosen = |keyword: &str| list(keyword).find(fits).or_else(|| list(keyword).find(is_real));
            let parts = self.target(rules).into_iter().chain(list("allOf"));
            let chosen = chosen("anyOf").into_iter().chain(chosen("oneOf"));
            waiting.extend(parts.chain(chosen).filter_map(Value::as_object));
        }
        Some(flat)
    }

    fn target(&self, rules: &Map<String, Value>) -> Option<&'a Value> {
        rules.get("$ref").and_then(Value::as_str).and_then(|r| refs::resolve(self.root, r))
    }

    /// Whether an alternative speaks of a wanted field itself.
    fn knows(&self, branch: &Value, wanted: &[&[String]]) -> bool {
        let branch = branch.as_object().and_then(|rules| self.target(rules)).unwrap_or(branch);
        let properties = branch.get("properties").and_then(Value::as_object);
        let required = branch.get("required").and_then(Value::as_array);
        let mut names = wanted.iter().filter_map(|place| place.first());
        names.any(|name| {
            properties.is_some_and(|properties| properties.contains_key(name))
                || required.is_some_and(|required| required.iter().any(|known| known == name))
        })
    }
}

/// The rest of the places that begin with a step.
fn below<'a>(wanted: &[&'a [String]], is_step: impl Fn(&str) -> bool) -> Vec<&'a [String]> {
    let begin = wanted.iter().filter_map(|place| place.split_first());
    begin.filter(|(step, _)| is_step(step)).map(|(_, rest)| rest).collect()
}

/// A value that the schema itself offers.
fn given(rules: &Flat<'_>) -> Option<Value> {
    let listed = |keyword: &str| rules.list(keyword).and_then(<[Value]>::first);
    let usable = |value: &&Value| !value.is_null() || type_name(rules) == "null";
    rules
        .get("const")
        .or_else(|| rules.get("default").filter(usable))
        .or_else(|| listed("examples").filter(usable))
        .or_else(|| rules.get("example").filter(usable))
        .or_else(|| listed("enum"))
        .cloned()
}

fn type_name<'a>(rules: &Flat<'a>) -> &'a str {
    let named = match rules.get("type") {
        Some(Value::String(name)) => Some(name.as_str()),
        Some(Value::Array(names)) => {
            let mut names = names.iter().filter_map(Value::as_str);
            names.clone().find(|name| *name != "null").or_else(|| names.next())
        }
        _ => None,
    };
    match named {
        Some(name) => name,
        None if rules.has("properties") || rules.has("required") => "object",
        None if rules.has("items") || rules.has("prefixItems") => "array",
        None if rules.has("minimum") || rules.has("maximum") => "number",
        None => "string",
    }
}
