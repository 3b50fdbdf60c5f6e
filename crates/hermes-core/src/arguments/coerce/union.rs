//! The choice between alternatives.

use serde_json::Value;

use super::convert::is_type;
use super::walk::{Bare, Walk};
use crate::schema::refs;

impl<'a> Walk<'a> {
    /// Coerces towards the alternative that the value fits best. A value that fits one already is left
    /// alone, whatever else it could be read as.
    pub(super) fn choose(&mut self, branches: &'a [Value], value: &mut Value, bare: Bare) {
        let is_schema = |branch: &&Value| branch.is_object() || branch.is_boolean();
        if branches.iter().filter(is_schema).any(|branch| self.accepts(branch, value)) {
            return;
        }
        for branch in branches {
            let Some(mut attempt) = self.copy(value) else { return };
            let noted = self.repairs.len();
            self.node(branch, &mut attempt, Bare::Keep);
            if self.repairs.len() > noted && self.accepts(branch, &attempt) {
                *value = attempt;
                return;
            }
            self.repairs.truncate(noted);
        }
        // Nothing fits as a whole. With a single candidate left, go as far towards it as possible: the
        // error then speaks of what is really wrong.
        let mut candidates = branches.iter().filter(|branch| self.is_candidate(branch, value));
        if let (Some(branch), None) = (candidates.next(), candidates.next()) {
            self.node(branch, value, bare);
        }
    }

    /// Whether the value could belong to the branch at all. Text could be anything but null, and a list
    /// or object only what it is.
    fn is_candidate(&self, branch: &Value, value: &Value) -> bool {
        let mut schema = branch;
        for _ in 0..refs::MAX_HOPS {
            match schema.get("$ref").and_then(Value::as_str).and_then(|r| refs::resolve(self.root, r)) {
                Some(target) => schema = target,
                None => break,
            }
        }
        match schema.get("type").and_then(Value::as_str) {
            Some("null") => false,
            Some(name) => !(value.is_array() || value.is_object()) || name == "array" || is_type(name, value),
            None => schema.is_object(),
        }
    }
}
