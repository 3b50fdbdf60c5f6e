//! How much work it is to hold a value against a schema, known before anybody does it.
//!
//! Schemas come from foreign servers. A kilobyte of alternatives that refer to alternatives asks a validator
//! for 2^n visits, and where they refer to themselves, for as many again at every level of the value.

use serde_json::{Map, Value};

use super::positions::{Position, position};
use super::refs;

/// A schema that unfolds to at most this many parts costs each value of a call no more than that.
const MAX_UNFOLDED: usize = 2_000;
/// What a call may cost where the schema alone promises nothing.
const BASE_VISITS: usize = 4_000;
const VISITS_PER_VALUE: usize = 64;
/// A chain of parts longer than this is a loop.
const MAX_DEPTH: usize = 400;

/// What checking a value against one schema may cost.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effort {
    /// The schema is small when it is unfolded: any value may be checked.
    Small,
    /// It unfolds without a near end: each value has to be looked at first.
    Varies,
}

impl Effort {
    /// Of a schema. An error is the reason why that cannot be known: it refers to itself by names of its own.
    pub fn of(schema: &Value) -> Result<Effort, String> {
        let mut has = Has::default();
        look(schema, true, &mut has);
        if let Some(name) = has.foreign {
            return Err(super::normalise::unresolvable(&name));
        }
        if has.renamed && has.reference {
            return Err("its schema refers to parts of itself that have names of their own ($id)".to_owned());
        }
        let mut meter = Meter { root: schema, left: MAX_UNFOLDED };
        Ok(if meter.unfold(schema, 0) { Effort::Small } else { Effort::Varies })
    }

    /// Whether checking this value against the schema takes a reasonable number of steps.
    pub fn allows(self, schema: &Value, value: &Value) -> bool {
        if self == Effort::Small {
            return true;
        }
        let mut meter =
            Meter { root: schema, left: BASE_VISITS + VISITS_PER_VALUE * values_in(value, MAX_DEPTH) };
        meter.visit(schema, value, 0)
    }
}

struct Meter<'a> {
    root: &'a Value,
    left: usize,
}

impl<'a> Meter<'a> {
    fn pay(&mut self, depth: usize) -> bool {
        self.left = self.left.saturating_sub(1);
        self.left > 0 && depth < MAX_DEPTH
    }

    /// Pays for every part of the schema as often as it can be come to; false if that is too much.
    fn unfold(&mut self, schema: &'a Value, depth: usize) -> bool {
        let Value::Object(rules) = schema else { return self.pay(depth) };
        self.pay(depth)
            && rules.iter().all(|(keyword, rule)| match keyword.as_str() {
                // Counted where they are referred to.
                "$defs" | "definitions" => true,
                "$ref" => self.target(rule).is_some_and(|target| self.unfold(target, depth + 1)),
                _ => parts(keyword, rule).all(|part| self.unfold(part, depth + 1)),
            })
    }

    /// Pays for every part that a validator may hold against this value or a value in it.
    fn visit(&mut self, schema: &'a Value, value: &Value, depth: usize) -> bool {
        let Value::Object(rules) = schema else { return self.pay(depth) };
        self.pay(depth) && rules.iter().all(|(keyword, rule)| self.keyword(keyword, rule, value, depth + 1))
    }

    fn keyword(&mut self, keyword: &str, rule: &'a Value, value: &Value, depth: usize) -> bool {
        match keyword {
            "$defs" | "definitions" => true,
            "$ref" => self.target(rule).is_some_and(|target| self.visit(target, value, depth)),
            "properties" => fields(value).is_none_or(|fields| {
                let mut known = fields.iter().filter_map(|(name, field)| Some((rule.get(name)?, field)));
                known.all(|(part, field)| self.visit(part, field, depth))
            }),
            "additionalProperties" | "unevaluatedProperties" | "patternProperties" => fields(value)
                .is_none_or(|fields| {
                    fields
                        .values()
                        .all(|field| parts(keyword, rule).all(|part| self.visit(part, field, depth)))
                }),
            "propertyNames" => fields(value).is_none_or(|fields| {
                fields.keys().all(|_| parts(keyword, rule).all(|part| self.visit(part, &Value::Null, depth)))
            }),
            "items" | "additionalItems" | "prefixItems" | "contains" | "unevaluatedItems" => {
                self.items(rule, value, depth)
            }
            _ => parts(keyword, rule).all(|part| self.visit(part, value, depth)),
        }
    }

    fn items(&mut self, rule: &'a Value, value: &Value, depth: usize) -> bool {
        let Value::Array(items) = value else { return true };
        match rule {
            Value::Array(parts) => parts.iter().zip(items).all(|(part, item)| self.visit(part, item, depth)),
            part => items.iter().all(|item| self.visit(part, item, depth)),
        }
    }

    fn target(&self, rule: &Value) -> Option<&'a Value> {
        refs::resolve(self.root, rule.as_str()?)
    }
}

/// The schemas that a keyword holds.
pub(super) fn parts<'a>(keyword: &str, rule: &'a Value) -> Box<dyn Iterator<Item = &'a Value> + 'a> {
    match (position(keyword), rule) {
        (Position::Data, _) => Box::new(std::iter::empty()),
        (Position::One | Position::Items, Value::Object(_) | Value::Bool(_)) => {
            Box::new(std::iter::once(rule))
        }
        (Position::List | Position::Items, Value::Array(list)) => Box::new(list.iter()),
        (Position::Named | Position::Dependencies, Value::Object(schemas)) => Box::new(schemas.values()),
        _ => Box::new(std::iter::empty()),
    }
}

fn fields(value: &Value) -> Option<&Map<String, Value>> {
    value.as_object()
}

/// What stands in a schema that references need to be followed rightly.
#[derive(Default)]
struct Has {
    reference: bool,
    /// A part gives itself another base, so that `#` in it means another place.
    renamed: bool,
    /// A reference that is no place in the document.
    foreign: Option<String>,
}

/// Looks at everything, data too: a validator follows references to places that are no schemas by themselves.
fn look(value: &Value, outermost: bool, has: &mut Has) {
    match value {
        Value::Array(items) => items.iter().for_each(|item| look(item, false, has)),
        Value::Object(fields) => {
            if let Some(Value::String(reference)) = fields.get("$ref") {
                has.reference = true;
                if reference != "#" && !reference.starts_with("#/") {
                    has.foreign.get_or_insert_with(|| reference.clone());
                }
            }
            has.renamed |= !outermost && fields.get("$id").is_some_and(Value::is_string);
            fields.values().for_each(|field| look(field, false, has));
        }
        _ => {}
    }
}

/// How many values there are, down to so many levels.
pub(crate) fn values_in(value: &Value, levels: usize) -> usize {
    match value {
        _ if levels == 0 => 1,
        Value::Array(items) => 1 + items.iter().map(|item| values_in(item, levels - 1)).sum::<usize>(),
        Value::Object(fields) => 1 + fields.values().map(|field| values_in(field, levels - 1)).sum::<usize>(),
        _ => 1,
    }
}
