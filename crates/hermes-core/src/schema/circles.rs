//! References that lead in a circle without ever coming to a part of the value: such a schema means nothing, and who
//! follows it never ends. One that comes back to itself inside a field or an item is a tree, and fine.

use std::collections::HashMap;

use serde_json::{Map, Value};

use super::effort::parts;
use super::refs;

/// A chain of parts longer than this is not worth following.
const MAX_CHAIN: usize = 400;

/// Refuses a document with such a circle anywhere in it.
pub(super) fn check(document: &Value) -> Result<(), String> {
    let mut walk = Walk { document, known: HashMap::new() };
    match !has_reference(document) || walk.everywhere(document) {
        true => Ok(()),
        false => Err("its schema has references that lead in a circle".to_owned()),
    }
}

/// Most schemas have none, and need no closer look.
fn has_reference(value: &Value) -> bool {
    match value {
        Value::Array(items) => items.iter().any(has_reference),
        Value::Object(fields) => fields.iter().any(|(name, value)| name == "$ref" || has_reference(value)),
        _ => false,
    }
}

struct Walk<'a> {
    document: &'a Value,
    /// By the place of a schema: whether it is known to end. Until then it is being followed.
    known: HashMap<*const Value, bool>,
}

impl<'a> Walk<'a> {
    /// Whether every schema in this one, and itself, ends.
    fn everywhere(&mut self, schema: &'a Value) -> bool {
        let Value::Object(rules) = schema else { return true };
        self.ends(schema, 0)
            && rules.iter().all(|(keyword, rule)| parts(keyword, rule).all(|part| self.everywhere(part)))
    }

    /// Whether holding one value against the schema comes to an end.
    fn ends(&mut self, schema: &'a Value, depth: usize) -> bool {
        let Value::Object(rules) = schema else { return true };
        if let Some(ends) = self.known.get(&std::ptr::from_ref(schema)) {
            return *ends;
        }
        if depth > MAX_CHAIN {
            return false;
        }
        self.known.insert(schema, false);
        let ends = self.same_value(rules).into_iter().all(|part| self.ends(part, depth + 1));
        self.known.insert(schema, ends);
        ends
    }

    /// The schemas that speak of the very same value.
    fn same_value(&self, rules: &'a Map<String, Value>) -> Vec<&'a Value> {
        let target = rules.get("$ref").and_then(Value::as_str);
        let target = target.and_then(|reference| refs::resolve(self.document, reference));
        let lists =
            ["allOf", "anyOf", "oneOf"].into_iter().filter_map(|keyword| rules.get(keyword)?.as_array());
        let single = ["not", "if", "then", "else"].into_iter().filter_map(|keyword| rules.get(keyword));
        target.into_iter().chain(lists.flatten()).chain(single).collect()
    }
}
