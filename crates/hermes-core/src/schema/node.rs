//! One schema node, rebuilt with every part in a form that the provider accepts.

use std::collections::HashSet;

use serde_json::{Map, Value};

use super::drafts;
use super::keyword::{Reading, read};
use super::pattern::{Engine, is_usable};
use super::positions::{Position, position};
use super::provider::Provider;
use super::unions::{collapse_nullable, rewrite_type_list, type_name};

const ABOUT_THE_DOCUMENT: [&str; 4] = ["$schema", "$id", "$comment", "$vocabulary"];

/// What this provider needs beyond well-formedness.
#[derive(Clone, Copy)]
pub(super) struct Style {
    /// Understands type lists and unions with null, so they stay.
    pub(super) modern: bool,
    /// Wants `items` to be one schema, always.
    pub(super) single_items: bool,
    /// Needs no keywords about the document, and may stumble over them.
    pub(super) bare: bool,
    /// Who matches its patterns: where calls are checked, nothing is changed but what means nothing.
    pub(super) engine: Engine,
}

impl Style {
    /// For checking calls.
    pub(super) const CHECKED: Style =
        Style { modern: true, single_items: false, bare: false, engine: Engine::Ours };

    pub(super) const fn of(provider: Provider) -> Self {
        let engine = Engine::Theirs;
        match provider {
            Provider::Generic => Style { modern: false, single_items: false, bare: false, engine },
            Provider::OpenAi | Provider::Gemini => {
                Style { modern: false, single_items: true, bare: true, engine }
            }
            Provider::Anthropic => Style { modern: true, single_items: false, bare: true, engine },
        }
    }

    fn is_for_checking(self) -> bool {
        self.engine == Engine::Ours
    }
}

/// The schema at a keyword position. What is no schema at all becomes one that accepts anything.
pub(super) fn node(schema: &Value, style: Style) -> Value {
    match schema {
        Value::Object(rules) => Value::Object(rebuilt(rules, style)),
        Value::Bool(_) => schema.clone(),
        Value::String(name) => of_type(type_name(name).unwrap_or("object"), style),
        _ => Value::Object(Map::new()),
    }
}

fn of_type(name: &'static str, style: Style) -> Value {
    let mut rules = Map::from_iter([("type".to_owned(), name.into())]);
    complete(&mut rules, style);
    Value::Object(rules)
}

pub(super) fn rebuilt(rules: &Map<String, Value>, style: Style) -> Map<String, Value> {
    let types = match rules.get("type") {
        Some(Value::Array(names)) => Some(known_types(names)),
        _ => None,
    };
    let kept_list = types.as_ref().filter(|types| style.modern && types.len() > 1);
    let mut built = Map::with_capacity(rules.len() + 1);
    for (keyword, rule) in rules {
        if style.bare && ABOUT_THE_DOCUMENT.contains(&keyword.as_str()) {
            continue;
        }
        let rule = match kept_list {
            // In its own place, so that an output gives itself.
            Some(types) if keyword == "type" => Some(types.clone().into()),
            _ => part(keyword, rule, style),
        };
        if let Some(rule) = rule {
            built.insert(keyword.clone(), rule);
        }
    }
    loosen(&mut built, rules);
    if let (Some(types), None) = (&types, kept_list) {
        rewrite_type_list(&mut built, types, |rules| complete(rules, style));
    }
    complete(&mut built, style);
    built
}

/// What a pattern that is gone would have let in, nothing else may keep out.
fn loosen(built: &mut Map<String, Value>, rules: &Map<String, Value>) {
    let count = |rules: &Map<String, Value>| rules.get("patternProperties")?.as_object().map(Map::len);
    if count(built) < count(rules) {
        built.shift_remove("additionalProperties");
        built.shift_remove("unevaluatedProperties");
    }
}

/// One keyword of a schema; nothing if it has to go.
fn part(keyword: &str, rule: &Value, style: Style) -> Option<Value> {
    if keyword == "type" {
        // Lists are handled together with the unions beside them.
        return rule.as_str().and_then(type_name).map(Value::from);
    }
    match read(keyword, rule, style.engine) {
        Reading::Right => {}
        Reading::Meant(rule) => return Some(rule),
        Reading::Nothing => return None,
    }
    Some(match (position(keyword), rule) {
        (Position::Data, _) => rule.clone(),
        (Position::Items | Position::List, Value::Array(list)) => {
            list.iter().map(|schema| node(schema, style)).collect()
        }
        (Position::One | Position::Items, _) => node(rule, style),
        (Position::Named, Value::Object(schemas)) => schemas
            .iter()
            .filter(|(name, _)| keyword != "patternProperties" || is_usable(name, style.engine))
            .map(|(name, schema)| (name.clone(), node(schema, style)))
            .collect(),
        (Position::Dependencies, Value::Object(schemas)) => {
            let needed = |rule: &Value| if rule.is_array() { rule.clone() } else { node(rule, style) };
            schemas.iter().map(|(name, rule)| (name.clone(), needed(rule))).collect()
        }
        (Position::List | Position::Named | Position::Dependencies, _) => return None,
    })
}

fn known_types(names: &[Value]) -> Vec<&'static str> {
    let mut known = Vec::with_capacity(names.len());
    for name in names.iter().filter_map(Value::as_str).filter_map(type_name) {
        if !known.contains(&name) {
            known.push(name);
        }
    }
    known
}

/// The repairs that need the whole node.
fn complete(rules: &mut Map<String, Value>, style: Style) {
    // A repair can take away what kept a union from collapsing.
    while repaired(rules, style) {}
}

/// Makes the repairs once; tells whether a union collapsed after them.
fn repaired(rules: &mut Map<String, Value>, style: Style) -> bool {
    // Most nodes need none of them: one look at the keywords is cheaper than asking for each.
    let mut present = Present::of(rules);
    if present.draft_4_bounds {
        drafts::numeric_bounds(rules);
    }
    if style.modern && present.older && !style.is_for_checking() {
        drafts::to_2020(rules);
    }
    if !style.modern && present.union {
        collapse_nullable(rules);
        present = Present::of(rules);
    }
    if style.single_items && (present.older || present.list) {
        drafts::single_items(rules);
    }
    if present.reference {
        // A default beside a reference is refused by some and ignored by the rest.
        rules.shift_remove("default");
    }
    if present.object && !rules.contains_key("properties") {
        rules.insert("properties".to_owned(), Value::Object(Map::new()));
    }
    if present.required {
        prune_required(rules, style);
    }
    !style.modern && present.union && collapse_nullable(rules)
}

/// Which repairs a node may need.
#[derive(Default)]
struct Present {
    draft_4_bounds: bool,
    older: bool,
    union: bool,
    reference: bool,
    required: bool,
    object: bool,
    list: bool,
}

impl Present {
    fn of(rules: &Map<String, Value>) -> Self {
        let mut present = Present::default();
        for (keyword, rule) in rules {
            match keyword.as_str() {
                "exclusiveMinimum" | "exclusiveMaximum" => present.draft_4_bounds |= rule.is_boolean(),
                "items" => present.older |= rule.is_array(),
                "dependencies" => present.older = true,
                "anyOf" | "oneOf" => present.union = true,
                "$ref" => present.reference = true,
                "required" => present.required = true,
                "type" => {
                    present.object = rule == "object";
                    present.list = rule == "array";
                }
                _ => {}
            }
        }
        present
    }
}

/// Drops required names that are no properties, where the properties are known and a model is to give them.
fn prune_required(rules: &mut Map<String, Value>, style: Style) {
    let Some(mut required) = rules.get_mut("required").map(Value::take) else { return };
    if let Value::Array(names) = &mut required {
        let properties = rules.get("properties").filter(|_| !style.is_for_checking());
        let properties = properties.and_then(Value::as_object);
        let known = |name: &str| properties.is_none_or(|properties| properties.contains_key(name));
        names.retain(|name| name.as_str().is_some_and(known));
        dedup(names);
    }
    match &required {
        Value::Array(names) if !names.is_empty() => {
            rules.insert("required".to_owned(), required);
        }
        _ => {
            rules.shift_remove("required");
        }
    }
}

fn dedup(names: &mut Vec<Value>) {
    let mut seen = HashSet::with_capacity(names.len());
    names.retain(|name| seen.insert(name.as_str().map(str::to_owned)));
}
