//! A minimal valid example of what a schema describes: what a model reads after a refused call.

use std::collections::VecDeque;

use serde_json::{Map, Number, Value};

use super::children::positional_schema;
use super::text_example::text_example;
use crate::schema::{Flat, refs};

const MAX_DEPTH: usize = 12;
const MAX_NODES: usize = 500;
const MAX_ITEMS: u64 = 8;

/// A value that the schema accepts, with required fields only.
pub fn example(schema: &Value) -> Value {
    let mut builder = Builder { root: schema, nodes_left: MAX_NODES };
    builder.value(schema, 0)
}

struct Builder<'a> {
    root: &'a Value,
    nodes_left: usize,
}

impl<'a> Builder<'a> {
    fn value(&mut self, schema: &'a Value, depth: usize) -> Value {
        if depth > MAX_DEPTH || self.nodes_left == 0 {
            return Value::Null;
        }
        self.nodes_left -= 1;
        let Some(rules) = self.flattened(schema) else { return "text".into() };
        if let Some(given) = given(&rules) {
            return given;
        }
        match type_name(&rules) {
            "object" => self.object(&rules, depth),
            "array" => self.array(&rules, depth),
            "integer" => number(&rules, true),
            "number" => number(&rules, false),
            "boolean" => true.into(),
            "null" => Value::Null,
            _ => text_example(&rules).into(),
        }
    }

    fn object(&mut self, rules: &Flat<'a>, depth: usize) -> Value {
        let mut fields = Map::new();
        for name in rules.required() {
            let schema =
                rules.property(name).or_else(|| rules.get("additionalProperties")).unwrap_or(&Value::Null);
            let value = self.value(schema, depth + 1);
            fields.insert(name.to_owned(), value);
        }
        Value::Object(fields)
    }

    /// One item even where none is required: an empty list would show nothing.
    fn array(&mut self, rules: &Flat<'a>, depth: usize) -> Value {
        let most = rules.get("maxItems").and_then(Value::as_u64).unwrap_or(MAX_ITEMS);
        let least = rules.get("minItems").and_then(Value::as_u64).unwrap_or(0);
        let prefix = rules.list("prefixItems").or_else(|| rules.list("items"));
        let source = rules.with("prefixItems").or_else(|| rules.with("items"));
        let shown = prefix.map_or(1, |prefix| prefix.len() as u64).max(least).min(most).min(MAX_ITEMS);
        let schemas = (0..usize::try_from(shown).unwrap_or(0))
            .map(|index| source.and_then(|rules| positional_schema(rules, index)).unwrap_or(&Value::Null));
        Value::Array(schemas.map(|schema| self.value(schema, depth + 1)).collect())
    }

    /// The schema as one set of rules: references followed, `allOf` joined, the first real alternative
    /// of each union taken.
    fn flattened(&self, schema: &'a Value) -> Option<Flat<'a>> {
        let mut flat = Flat::default();
        let mut waiting = VecDeque::from([schema.as_object()?]);
        while let Some(rules) = waiting.pop_front() {
            if flat.len() >= refs::MAX_HOPS {
                break;
            }
            flat.add(rules);
            let list = |keyword: &str| rules.get(keyword).and_then(Value::as_array).into_iter().flatten();
            let is_real = |branch: &&Value| branch.get("type").is_none_or(|name| name != "null");
            let target = rules.get("$ref").and_then(Value::as_str).and_then(|r| refs::resolve(self.root, r));
            let parts = target.into_iter().chain(list("allOf"));
            let chosen = list("anyOf").find(is_real).into_iter().chain(list("oneOf").find(is_real));
            waiting.extend(parts.chain(chosen).filter_map(Value::as_object));
        }
        Some(flat)
    }
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

/// The smallest number that the bounds allow, 1 where they allow it.
fn number(rules: &Flat<'_>, whole: bool) -> Value {
    let bound = |keyword: &str| rules.get(keyword).and_then(Value::as_f64);
    let is_exclusive = |keyword: &str| rules.get(keyword) == Some(&Value::Bool(true));
    let above =
        bound("exclusiveMinimum").or_else(|| bound("minimum").filter(|_| is_exclusive("exclusiveMinimum")));
    let below =
        bound("exclusiveMaximum").or_else(|| bound("maximum").filter(|_| is_exclusive("exclusiveMaximum")));
    let least =
        above.map(|limit| if whole { limit.floor() + 1.0 } else { limit + 1.0 }).or_else(|| bound("minimum"));
    let most =
        below.map(|limit| if whole { limit.ceil() - 1.0 } else { limit - 1.0 }).or_else(|| bound("maximum"));
    let mut chosen = least.map_or(1.0, |least| least.max(1.0));
    if let Some(most) = most.filter(|most| chosen > *most) {
        chosen = match (above, below) {
            (Some(above), Some(below)) if !whole => f64::midpoint(above, below),
            _ => least.map_or(most, |least| least.min(most)),
        };
    }
    if let Some(step) = bound("multipleOf").filter(|step| *step > 0.0) {
        chosen = (chosen / step).ceil() * step;
    }
    if whole || chosen.fract() == 0.0 {
        // Saturates far outside of any honest bound.
        return ((if whole { chosen.ceil() } else { chosen }) as i64).into();
    }
    Number::from_f64(chosen).map_or(Value::Null, Value::Number)
}
