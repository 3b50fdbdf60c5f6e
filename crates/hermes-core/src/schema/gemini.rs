//! Gemini's subset: OpenAPI-like, without references, with few keywords and with string enums only.

use serde_json::{Map, Value};

use super::flat::Flat;
use super::normalise::unresolvable;
use super::{gemini_rules, refs};

const MAX_NODES: usize = 5_000;
const MAX_BYTES: usize = 1 << 20;
/// References written out can nest deeper than the document they come from.
const MAX_DEPTH: usize = 48;

/// Converts a schema that is normalised otherwise.
pub(super) fn convert(document: &Value) -> Result<Value, String> {
    let mut converter =
        Converter { document, nodes_left: MAX_NODES, bytes_left: MAX_BYTES, trail: Vec::new(), depth: 0 };
    let mut converted = converter.schema(document)?;
    if let Value::Object(rules) = &mut converted {
        rules.entry("properties").or_insert_with(|| Value::Object(Map::new()));
    }
    Ok(converted)
}

struct Converter<'a> {
    document: &'a Value,
    nodes_left: usize,
    bytes_left: usize,
    /// The references that are being followed.
    trail: Vec<&'a str>,
    depth: usize,
}

impl<'a> Converter<'a> {
    fn schema(&mut self, schema: &'a Value) -> Result<Value, String> {
        let Value::Object(rules) = schema else { return Ok(anything()) };
        let outer = self.trail.len();
        let mut flat = Flat::default();
        let is_finite = self.flatten(rules, &mut flat)? && self.depth < MAX_DEPTH;
        let converted = if is_finite {
            self.depth += 1;
            let converted = self.flat(&flat)?;
            self.depth -= 1;
            converted
        } else {
            recursive(&flat)
        };
        self.trail.truncate(outer);
        Ok(converted)
    }

    /// Follows references and `allOf`; false if a reference leads back into itself.
    fn flatten(&mut self, rules: &'a Map<String, Value>, flat: &mut Flat<'a>) -> Result<bool, String> {
        self.nodes_left = self.nodes_left.checked_sub(1).ok_or_else(too_large)?;
        flat.add(rules);
        if let Some(Value::String(reference)) = rules.get("$ref") {
            if self.trail.contains(&reference.as_str()) || self.trail.len() > refs::MAX_HOPS * 2 {
                return Ok(false);
            }
            self.trail.push(reference);
            match refs::resolve(self.document, reference) {
                Some(Value::Object(target)) => {
                    if !self.flatten(target, flat)? {
                        return Ok(false);
                    }
                }
                Some(_) => {}
                None => return Err(unresolvable(reference)),
            }
        }
        for part in rules.get("allOf").and_then(Value::as_array).into_iter().flatten() {
            if let Value::Object(part) = part
                && !self.flatten(part, flat)?
            {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn flat(&mut self, flat: &Flat<'a>) -> Result<Value, String> {
        let union = flat.list("anyOf").or_else(|| flat.list("oneOf"));
        let kind = match (gemini_rules::kind(flat), union) {
            (None, Some(branches)) => return self.union(flat, branches),
            (kind, _) => kind.unwrap_or("string"),
        };
        let mut rules = gemini_rules::scalar_rules(flat, kind);
        self.pay(&rules)?;
        match kind {
            "object" => self.fields(flat, &mut rules)?,
            "array" => {
                let items = self.items(flat)?;
                rules.insert("items".to_owned(), items);
            }
            _ => {}
        }
        Ok(Value::Object(rules))
    }

    fn fields(&mut self, flat: &Flat<'a>, rules: &mut Map<String, Value>) -> Result<(), String> {
        let mut fields = Map::new();
        for (name, schema) in flat.properties() {
            if *schema != Value::Bool(false) {
                self.bytes_left = self.bytes_left.checked_sub(name.len()).ok_or_else(too_large)?;
                fields.insert(name.clone(), self.schema(schema)?);
            }
        }
        let required: Vec<Value> =
            flat.required().filter(|name| fields.contains_key(*name)).map(Value::from).collect();
        // An object without fields is accepted only when it does not say so.
        if !fields.is_empty() {
            rules.insert("properties".to_owned(), Value::Object(fields));
        }
        if !required.is_empty() {
            rules.insert("required".to_owned(), required.into());
        }
        Ok(())
    }

    fn items(&mut self, flat: &Flat<'a>) -> Result<Value, String> {
        match (flat.get("items"), flat.list("prefixItems")) {
            (Some(Value::Object(items)), Some(tuple)) if items.is_empty() => {
                self.union(&Flat::default(), tuple)
            }
            (Some(items), _) => self.schema(items),
            (None, Some(tuple)) => self.union(&Flat::default(), tuple),
            (None, None) => Ok(anything()),
        }
    }

    /// A union must stand alone, so what is said beside it moves into its branches.
    fn union(&mut self, flat: &Flat<'a>, branches: &'a [Value]) -> Result<Value, String> {
        let mut nullable = flat.get("nullable") == Some(&Value::Bool(true));
        let mut choices: Vec<Value> = Vec::new();
        for branch in branches {
            if branch.get("type").is_some_and(|name| name == "null") {
                nullable = true;
                continue;
            }
            // A branch may be a union itself.
            match self.schema(branch)? {
                Value::Object(mut rules) if rules.contains_key("anyOf") => {
                    if let Some(Value::Array(inner)) = rules.remove("anyOf") {
                        choices.extend(inner);
                    }
                }
                choice => choices.push(choice),
            }
        }
        let mut description = flat.get("description").filter(|text| text.is_string());
        let mut distinct: Vec<Value> = Vec::with_capacity(choices.len());
        for choice in choices {
            let Value::Object(rules) = choice else { continue };
            let choice = Value::Object(gemini_rules::annotated(rules, description.take(), nullable));
            if !distinct.contains(&choice) {
                distinct.push(choice);
            }
        }
        Ok(match distinct.len() {
            0 => anything(),
            1 => distinct.swap_remove(0),
            _ => Value::Object(Map::from_iter([("anyOf".to_owned(), distinct.into())])),
        })
    }

    fn pay(&mut self, rules: &Map<String, Value>) -> Result<(), String> {
        let text = |value: &Value| value.as_str().map_or(8, str::len);
        let size =
            |value: &Value| value.as_array().map_or_else(|| text(value), |list| list.iter().map(text).sum());
        let cost: usize = rules.values().map(size).sum();
        self.bytes_left = self.bytes_left.checked_sub(cost).ok_or_else(too_large)?;
        Ok(())
    }
}

/// Every schema needs a type; text can at least carry whatever is meant.
fn anything() -> Value {
    Value::Object(Map::from_iter([("type".to_owned(), "string".into())]))
}

fn recursive(flat: &Flat<'_>) -> Value {
    let name =
        flat.get("$ref").and_then(Value::as_str).and_then(|r| r.rsplit('/').next()).unwrap_or_default();
    let note = format!(
        "Recursive: the same shape again as the enclosing {}.",
        if name.is_empty() { "object" } else { name }
    );
    let note = match flat.get("description").and_then(Value::as_str) {
        Some(description) => format!("{description} {note}"),
        None => note,
    };
    Value::Object(Map::from_iter([
        ("type".to_owned(), "object".into()),
        ("description".to_owned(), note.into()),
    ]))
}

fn too_large() -> String {
    "its schema is too large once its references are written out".to_owned()
}
