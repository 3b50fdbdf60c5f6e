//! The keywords of one schema that Gemini takes, apart from fields and items.

use serde_json::{Map, Value};

use super::flat::Flat;

const MAX_LISTED: usize = 20;

/// Keywords by the type that they say something about.
#[rustfmt::skip]
const SPEAKS_OF: &[(&str, &[&str])] = &[
    ("object", &[
        "patternProperties", "additionalProperties", "propertyNames", "required", "minProperties",
        "maxProperties", "dependencies", "dependentRequired", "dependentSchemas",
    ]),
    ("array", &["contains", "minItems", "maxItems", "uniqueItems"]),
    ("string", &["pattern", "minLength", "maxLength"]),
    ("number", &["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"]),
];

/// The type, named or inferred. Nothing where only a union or nothing at all is said.
pub(super) fn kind(flat: &Flat<'_>) -> Option<&'static str> {
    if let Some(name) = flat.get("type").and_then(Value::as_str) {
        return super::unions::TYPES.iter().find(|known| **known == name).copied();
    }
    if flat.get("properties").is_some() {
        return Some("object");
    }
    if flat.get("items").is_some() || flat.get("prefixItems").is_some() {
        return Some("array");
    }
    // Any rule that speaks of one type means that type, unless there are alternatives.
    if flat.list("anyOf").or_else(|| flat.list("oneOf")).is_none() {
        let speaks = |keywords: &[&str]| keywords.iter().any(|keyword| flat.get(keyword).is_some());
        if let Some((kind, _)) = SPEAKS_OF.iter().find(|(_, keywords)| speaks(keywords)) {
            return Some(kind);
        }
    }
    let values = said(flat)?;
    let all = |is: fn(&Value) -> bool| values.iter().all(|value| value.is_null() || is(value));
    match &values {
        _ if all(Value::is_string) => Some("string"),
        _ if all(|value| value.is_i64() || value.is_u64()) => Some("integer"),
        _ if all(Value::is_number) => Some("number"),
        _ if all(Value::is_boolean) => Some("boolean"),
        _ => Some("string"),
    }
}

fn said<'a>(flat: &Flat<'a>) -> Option<&'a [Value]> {
    flat.list("enum")
        .or_else(|| flat.get("const").map(std::slice::from_ref))
        .filter(|values| !values.is_empty())
}

/// The values that are listed, also where each is an alternative of its own beside the type.
fn listed(flat: &Flat<'_>) -> Option<Vec<Value>> {
    if let Some(values) = said(flat) {
        return Some(values.to_vec());
    }
    let mut values = Vec::new();
    for branch in flat.list("anyOf").or_else(|| flat.list("oneOf"))? {
        match (branch.get("enum"), branch.get("const")) {
            (Some(Value::Array(several)), _) => values.extend(several.iter().cloned()),
            (_, Some(one)) => values.push(one.clone()),
            _ => return None,
        }
    }
    (!values.is_empty()).then_some(values)
}

/// Type, description, bounds and listed values.
pub(super) fn scalar_rules(flat: &Flat<'_>, kind: &'static str) -> Map<String, Value> {
    let mut rules = Map::new();
    let mut nullable = flat.get("nullable") == Some(&Value::Bool(true)) || kind == "null";
    // There is no null type: text that may be null comes closest.
    let kind = if kind == "null" { "string" } else { kind };
    let mut description = flat.get("description").and_then(Value::as_str).map(str::to_owned);
    if let Some(values) = listed(flat) {
        nullable |= values.iter().any(Value::is_null);
        list_values(&values, kind, &mut rules, &mut description);
    }
    let mut rules = headed(kind, description.map(Value::from), nullable, rules);
    let format = flat.get("format").and_then(Value::as_str).filter(|format| takes_format(kind, format));
    if let Some(format) = format {
        rules.insert("format".to_owned(), format.into());
    }
    let kept: &[&str] = match kind {
        "string" => &["minLength", "maxLength", "pattern"],
        "array" => &["minItems", "maxItems"],
        _ => &[],
    };
    for keyword in kept {
        if let Some(rule) = flat.get(keyword).filter(|rule| rule.is_number() || *keyword == "pattern") {
            rules.insert((*keyword).to_owned(), rule.clone());
        }
    }
    if matches!(kind, "integer" | "number") {
        bounds(flat, kind, &mut rules);
    }
    rules
}

/// Rules that begin with type, description and nullability, always in this order: what is converted
/// twice must come out the same to the byte.
fn headed(
    kind: &str,
    description: Option<Value>,
    nullable: bool,
    rest: Map<String, Value>,
) -> Map<String, Value> {
    let mut rules = Map::from_iter([("type".to_owned(), Value::from(kind))]);
    if let Some(description) = description {
        rules.insert("description".to_owned(), description);
    }
    if nullable {
        rules.insert("nullable".to_owned(), true.into());
    }
    rules.extend(
        rest.into_iter()
            .filter(|(keyword, _)| !matches!(keyword.as_str(), "type" | "description" | "nullable")),
    );
    rules
}

/// Moves what is said about a union into one of its branches.
pub(super) fn annotated(
    mut branch: Map<String, Value>,
    description: Option<&Value>,
    nullable: bool,
) -> Map<String, Value> {
    let Some(Value::String(kind)) = branch.get("type").cloned() else { return branch };
    let description = branch.shift_remove("description").or_else(|| description.cloned());
    let nullable = nullable || branch.contains_key("nullable");
    headed(&kind, description, nullable, branch)
}

/// Strings may be listed; other values only in words.
fn list_values(
    values: &[Value],
    kind: &str,
    rules: &mut Map<String, Value>,
    description: &mut Option<String>,
) {
    if kind == "string" {
        let texts: Vec<Value> =
            values.iter().filter(|value| value.as_str().is_some_and(|t| !t.is_empty())).cloned().collect();
        if !texts.is_empty() {
            rules.insert("enum".to_owned(), texts.into());
        }
        return;
    }
    let shown = values.iter().filter(|value| !value.is_null()).take(MAX_LISTED).map(Value::to_string);
    let words = format!("One of: {}.", shown.collect::<Vec<_>>().join(", "));
    *description = Some(match description.take() {
        Some(text) => format!("{text} {words}"),
        None => words,
    });
}

fn takes_format(kind: &str, format: &str) -> bool {
    match kind {
        "integer" => matches!(format, "int32" | "int64"),
        "number" => matches!(format, "float" | "double"),
        "string" => format == "date-time",
        _ => false,
    }
}

/// Exclusive bounds as inclusive ones: exact for integers, looser for other numbers. The lower one first, whichever of
/// them was exclusive.
fn bounds(flat: &Flat<'_>, kind: &str, rules: &mut Map<String, Value>) {
    for (exclusive, inclusive, step) in
        [("exclusiveMinimum", "minimum", 1), ("exclusiveMaximum", "maximum", -1)]
    {
        let number = |keyword| flat.get(keyword).filter(|rule| rule.is_number());
        let within = number(inclusive).cloned().or_else(|| {
            let bound = number(exclusive)?;
            let exact =
                bound.as_i64().filter(|_| kind == "integer").and_then(|bound| bound.checked_add(step));
            Some(exact.map_or_else(|| bound.clone(), Value::from))
        });
        rules.extend(within.map(|bound| (inclusive.to_owned(), bound)));
    }
}
