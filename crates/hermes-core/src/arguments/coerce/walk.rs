//! The walk over a schema and a value side by side.

use std::mem;

use serde_json::{Map, Value};

use super::convert::{as_integer, from_text, is_type, round_trips, spells_null};
use super::listed::{Listed, allows_null, listed};
use super::repair::Repair;
use super::settled::are_settled;
use crate::arguments::children::{named_schemas, positional_schema};
use crate::schema::{refs, values_in};

/// Honest schemas nest far less; hostile ones end here instead of on the stack.
const MAX_DEPTH: usize = 96;
/// Schema visits: a fixed allowance, and more for more arguments. Recursive unions could ask for
/// exponentially many.
const BASE_VISITS: usize = 20_000;
const VISITS_PER_VALUE: usize = 32;
/// A copy of this many bytes of text costs as much as a visit.
const BYTES_PER_VISIT: usize = 1024;

/// Changes values to the type that the schema asks for, where nothing is lost by it. Values that the
/// schema accepts stay as they are, and what cannot be converted stays for validation to report.
pub fn coerce(schema: &Value, arguments: &mut Map<String, Value>) -> Vec<Repair> {
    if are_settled(schema, arguments) {
        return Vec::new();
    }
    walked(schema, arguments)
}

/// The same without the shorter way.
pub(super) fn walked(schema: &Value, arguments: &mut Map<String, Value>) -> Vec<Repair> {
    let mut value = Value::Object(mem::take(arguments));
    let mut walk = Walk::new(schema, &value);
    walk.node(schema, &mut value, Bare::Keep);
    if let Value::Object(coerced) = value {
        *arguments = coerced;
    }
    walk.repairs
}

/// What to do with a single value where a list is expected.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Bare {
    /// Make it a list of one.
    Wrap,
    Keep,
}

pub(super) struct Walk<'a> {
    pub(super) root: &'a Value,
    pub(super) repairs: Vec<Repair>,
    path: String,
    depth: usize,
    visits_left: usize,
}

impl<'a> Walk<'a> {
    fn new(root: &'a Value, value: &Value) -> Self {
        Walk {
            root,
            repairs: Vec::new(),
            path: String::new(),
            depth: 0,
            visits_left: BASE_VISITS + VISITS_PER_VALUE * values_in(value, MAX_DEPTH),
        }
    }

    /// Pays for one visit; refuses when the walk is too deep or too long.
    pub(super) fn enter(&mut self) -> bool {
        if self.depth >= MAX_DEPTH || self.visits_left == 0 {
            return false;
        }
        self.depth += 1;
        self.visits_left -= 1;
        true
    }

    /// Pays for a copy of the value; refuses when copies have cost too much.
    pub(super) fn copy(&mut self, value: &Value) -> Option<Value> {
        self.visits_left = self.visits_left.checked_sub(cost_of_copy(value))?;
        Some(value.clone())
    }

    /// Pays for a copy that is made in any case: whoever comes after it may have to do without.
    fn pay_for(&mut self, value: &Value) {
        self.visits_left = self.visits_left.saturating_sub(cost_of_copy(value));
    }

    pub(super) fn leave(&mut self) {
        self.depth -= 1;
    }

    pub(super) fn node(&mut self, schema: &'a Value, value: &mut Value, bare: Bare) {
        let Value::Object(rules) = schema else { return };
        if self.enter() {
            self.apply(rules, value, bare);
            self.leave();
        }
    }

    fn apply(&mut self, rules: &'a Map<String, Value>, value: &mut Value, bare: Bare) {
        let target = rules.get("$ref").and_then(Value::as_str).and_then(|r| refs::resolve(self.root, r));
        if let Some(target) = target {
            self.node(target, value, bare);
        }
        for branch in rules.get("allOf").and_then(Value::as_array).into_iter().flatten() {
            self.node(branch, value, bare);
        }
        if let Value::String(text) = &*value {
            match listed(rules, text) {
                Listed::AsText => return,
                Listed::As(member) => return self.replace(value, member),
                Listed::No if spells_null(text) && allows_null(rules) => {
                    return self.replace(value, Value::Null);
                }
                Listed::No => {}
            }
        }
        for keyword in ["anyOf", "oneOf"] {
            if let Some(Value::Array(branches)) = rules.get(keyword) {
                self.choose(branches, value, bare);
            }
        }
        match rules.get("type") {
            Some(Value::String(name)) => self.towards(name, value, bare),
            Some(Value::Array(names)) => self.towards_first(names, value, bare),
            _ => {}
        }
        self.descend(rules, value);
    }

    fn towards(&mut self, name: &str, value: &mut Value, bare: Bare) {
        if is_type(name, value) {
            if let Some(integer) = as_integer(value).filter(|_| name == "integer") {
                self.replace(value, integer);
            }
            return;
        }
        let spelled = value.as_str().and_then(|text| from_text(text, name));
        match spelled {
            Some(spelled) => self.replace(value, spelled),
            None if name == "array" => self.wrap(value, bare),
            None => {}
        }
    }

    /// A list of types is an order of preference: the first that accepts the value, or that its text
    /// spells, wins.
    fn towards_first(&mut self, names: &[Value], value: &mut Value, bare: Bare) {
        let names = || names.iter().filter_map(Value::as_str);
        let takes_text = names().any(|name| name == "string");
        for name in names() {
            if is_type(name, value) {
                return;
            }
            let spelled = value.as_str().and_then(|text| {
                from_text(text, name).filter(|spelled| !takes_text || round_trips(text, spelled))
            });
            if let Some(spelled) = spelled {
                return self.replace(value, spelled);
            }
        }
        if names().all(|name| matches!(name, "array" | "null")) && names().any(|name| name == "array") {
            self.wrap(value, bare);
        }
    }

    fn wrap(&mut self, value: &mut Value, bare: Bare) {
        if bare == Bare::Wrap && !value.is_null() {
            let list = Value::Array(vec![value.clone()]);
            self.replace(value, list);
        }
    }

    fn replace(&mut self, value: &mut Value, with: Value) {
        self.pay_for(&with);
        let from = mem::replace(value, with);
        self.repairs.push(Repair { path: self.path.clone(), from, to: value.clone() });
    }

    fn descend(&mut self, rules: &'a Map<String, Value>, value: &mut Value) {
        match value {
            Value::Object(fields) => {
                for (name, field) in fields {
                    for schema in named_schemas(rules, name).into_iter().flatten() {
                        self.child(name, schema, field);
                    }
                }
            }
            Value::Array(items) => {
                for (index, item) in items.iter_mut().enumerate() {
                    if let Some(schema) = positional_schema(rules, index) {
                        self.child(&index.to_string(), schema, item);
                    }
                }
            }
            _ => {}
        }
    }

    fn child(&mut self, name: &str, schema: &'a Value, value: &mut Value) {
        if !schema.is_object() {
            return;
        }
        let parent = self.path.len();
        self.path.push('/');
        for c in name.chars() {
            match c {
                '~' => self.path.push_str("~0"),
                '/' => self.path.push_str("~1"),
                _ => self.path.push(c),
            }
        }
        self.node(schema, value, Bare::Wrap);
        self.path.truncate(parent);
    }
}

fn cost_of_copy(value: &Value) -> usize {
    1 + text_bytes(value, MAX_DEPTH) / BYTES_PER_VISIT
}

fn text_bytes(value: &Value, levels: usize) -> usize {
    match value {
        Value::String(text) => text.len(),
        Value::Array(items) if levels > 0 => items.iter().map(|item| text_bytes(item, levels - 1)).sum(),
        Value::Object(fields) if levels > 0 => {
            fields.iter().map(|(name, field)| name.len() + text_bytes(field, levels - 1)).sum()
        }
        _ => 0,
    }
}
