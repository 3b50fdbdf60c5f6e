//! Whether a value fits a schema, judged by shape: types, enums, bounds, required fields, containers, unions.
//! Used to choose between alternatives only; real validation comes after coercion.

use serde_json::{Map, Value};

use super::bounds::keeps;
use super::convert::is_type;
use super::walk::Walk;
use crate::arguments::children::{named_schemas, positional_schema};
use crate::arguments::equality::same;
use crate::schema::refs;

impl<'a> Walk<'a> {
    /// A value that is too deep or too costly to judge counts as fitting: it is then left alone.
    pub(super) fn accepts(&mut self, schema: &'a Value, value: &Value) -> bool {
        let rules = match schema {
            Value::Bool(anything) => return *anything,
            Value::Object(rules) => rules,
            _ => return true,
        };
        if !self.enter() {
            return true;
        }
        let fits = self.fits(rules, value);
        self.leave();
        fits
    }

    fn fits(&mut self, rules: &'a Map<String, Value>, value: &Value) -> bool {
        if value.is_null() && rules.get("nullable") == Some(&Value::Bool(true)) {
            return true;
        }
        if !type_fits(rules.get("type"), value) || !is_listed(rules, value) {
            return false;
        }
        let target = rules.get("$ref").and_then(Value::as_str).and_then(|r| refs::resolve(self.root, r));
        if target.is_some_and(|target| !self.accepts(target, value)) {
            return false;
        }
        let branches = |keyword| rules.get(keyword).and_then(Value::as_array);
        if branches("allOf").is_some_and(|all| !all.iter().all(|branch| self.accepts(branch, value))) {
            return false;
        }
        for keyword in ["anyOf", "oneOf"] {
            if branches(keyword).is_some_and(|any| !any.iter().any(|branch| self.accepts(branch, value))) {
                return false;
            }
        }
        match value {
            Value::String(text) => keeps(rules, text),
            Value::Object(fields) => self.fields_fit(rules, fields),
            Value::Array(items) => items.iter().enumerate().all(|(index, item)| {
                positional_schema(rules, index).is_none_or(|schema| self.accepts(schema, item))
            }),
            _ => true,
        }
    }

    fn fields_fit(&mut self, rules: &'a Map<String, Value>, fields: &Map<String, Value>) -> bool {
        let required = rules.get("required").and_then(Value::as_array);
        let has_all = required
            .is_none_or(|names| names.iter().filter_map(Value::as_str).all(|name| fields.contains_key(name)));
        has_all
            && fields.iter().all(|(name, value)| {
                named_schemas(rules, name).into_iter().flatten().all(|schema| self.accepts(schema, value))
            })
    }
}

fn type_fits(expected: Option<&Value>, value: &Value) -> bool {
    match expected {
        Some(Value::String(name)) => is_type(name, value),
        Some(Value::Array(names)) if !names.is_empty() => {
            names.iter().filter_map(Value::as_str).any(|name| is_type(name, value))
        }
        _ => true,
    }
}

fn is_listed(rules: &Map<String, Value>, value: &Value) -> bool {
    let listed = match rules.get("enum") {
        Some(Value::Array(members)) => members.iter().any(|member| same(member, value)),
        _ => true,
    };
    listed && rules.get("const").is_none_or(|constant| same(constant, value))
}
