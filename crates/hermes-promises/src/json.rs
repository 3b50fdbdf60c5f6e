//! JSON from raw bytes. Text that is JSON already is taken as it is, so that seeds are readable; any
//! other input is spent on building values and schemas that are likely to mean something.

use std::sync::LazyLock;

use arbitrary::{Result, Unstructured};
use serde_json::{Map, Value, json};

const MAX_DEPTH: usize = 6;

/// Texts that are likely to mean something, the same that the property tests use.
static TEXTS: LazyLock<Vec<String>> = LazyLock::new(|| {
    let texts = include_str!("../../hermes-core/tests/fixtures/telling_texts.json");
    serde_json::from_str(texts).expect("a list of texts")
});
const NAMES: &[&str] = &["a", "b", "c", "pattern", "type", "properties", "a/b", "~", "é", ""];
const TYPES: &[&str] = &["string", "integer", "number", "boolean", "null", "array", "object", "int"];
const REFS: &[&str] = &["#/$defs/a", "#/definitions/b", "#", "#/$defs/none", "#/properties/a", "#/%24defs/a"];
const PATTERNS: &[&str] = &["^a", ".*", "[", "(?=a)", "^(a+)+$", ""];

/// The two halves of a case: the JSON fields of the text, or two made-up values.
pub fn pair(
    data: &[u8],
    fields: [&str; 2],
    make: impl FnOnce(&mut Unstructured<'_>) -> Result<[Value; 2]>,
) -> Option<[Value; 2]> {
    if let Ok(Value::Object(case)) = serde_json::from_slice(data) {
        return Some([case.get(fields[0])?.clone(), case.get(fields[1])?.clone()]);
    }
    make(&mut Unstructured::new(data)).ok()
}

/// Any value.
pub fn value(from: &mut Unstructured<'_>) -> Result<Value> {
    nested_value(from, MAX_DEPTH)
}

fn nested_value(from: &mut Unstructured<'_>, depth: usize) -> Result<Value> {
    let kinds = if depth == 0 { 7 } else { 9 };
    Ok(match from.int_in_range(0..=kinds)? {
        0 => Value::Null,
        1 => Value::Bool(from.arbitrary()?),
        2 => Value::from(from.arbitrary::<i64>()?),
        3 => Value::from(from.arbitrary::<u64>()?),
        4 => Value::from(from.arbitrary::<f64>()?),
        5 => Value::from(from.arbitrary::<i8>()?),
        6 => Value::from(from.choose(&TEXTS)?.as_str()),
        7 => Value::from(from.arbitrary::<String>()?),
        8 => many(from, |from| nested_value(from, depth - 1))?.into(),
        _ => object(from, |from| nested_value(from, depth - 1))?.into(),
    })
}

/// A schema: mostly sound, sometimes not one at all.
pub fn schema(from: &mut Unstructured<'_>) -> Result<Value> {
    let mut root = nested_schema(from, MAX_DEPTH)?;
    if let Value::Object(rules) = &mut root
        && from.ratio(1, 2)?
    {
        rules.insert("$defs".to_owned(), object(from, |from| nested_schema(from, 2))?.into());
        rules.insert("definitions".to_owned(), object(from, |from| nested_schema(from, 2))?.into());
    }
    Ok(root)
}

fn nested_schema(from: &mut Unstructured<'_>, depth: usize) -> Result<Value> {
    if from.ratio(1, 24)? {
        return nested_value(from, 1);
    }
    let mut rules = Map::new();
    for _ in 0..from.int_in_range(0..=4)? {
        let (keyword, rule) = rule(from, depth)?;
        rules.insert(keyword.to_owned(), rule);
    }
    Ok(Value::Object(rules))
}

fn rule(from: &mut Unstructured<'_>, depth: usize) -> Result<(&'static str, Value)> {
    let kinds = if depth == 0 { 10 } else { 24 };
    let deeper = |from: &mut Unstructured<'_>| nested_schema(from, depth - 1);
    Ok(match from.int_in_range(0..=kinds)? {
        0 | 1 => ("type", (*from.choose(TYPES)?).into()),
        2 => ("type", many(from, |from| Ok(Value::from(*from.choose(TYPES)?)))?.into()),
        3 => ("enum", many(from, |from| nested_value(from, 1))?.into()),
        4 => ("const", nested_value(from, 1)?),
        5 => ("$ref", (*from.choose(REFS)?).into()),
        6 => ("required", many(from, |from| Ok(Value::from(*from.choose(NAMES)?)))?.into()),
        7 => ("default", nested_value(from, 1)?),
        8 => ("nullable", from.arbitrary::<bool>()?.into()),
        9 => ("pattern", (*from.choose(PATTERNS)?).into()),
        10 => {
            let bounds = ["minimum", "maximum", "minLength", "maxItems", "exclusiveMinimum", "format"];
            (from.choose(&bounds)?, nested_value(from, 0)?)
        }
        11..=14 => ("properties", object(from, deeper)?.into()),
        15 => ("items", deeper(from)?),
        16 => ("items", many(from, deeper)?.into()),
        17 => ("prefixItems", many(from, deeper)?.into()),
        18 => ("anyOf", many(from, deeper)?.into()),
        19 => ("oneOf", many(from, deeper)?.into()),
        20 => ("allOf", many(from, deeper)?.into()),
        21 => ("additionalProperties", deeper(from)?),
        22 => {
            let pattern = from.choose(PATTERNS)?;
            ("patternProperties", json!({ *pattern: deeper(from)? }))
        }
        23 => ("dependencies", object(from, deeper)?.into()),
        _ => (from.choose(&["not", "if", "then", "contains", "propertyNames"])?, deeper(from)?),
    })
}

/// An object, whatever the bytes say.
pub fn object(
    from: &mut Unstructured<'_>,
    mut field: impl FnMut(&mut Unstructured<'_>) -> Result<Value>,
) -> Result<Map<String, Value>> {
    let mut fields = Map::new();
    for _ in 0..from.int_in_range(0..=4)? {
        let name = match from.ratio(1, 8)? {
            true => from.arbitrary::<String>()?,
            false => (*from.choose(NAMES)?).to_owned(),
        };
        fields.insert(name, field(from)?);
    }
    Ok(fields)
}

fn many(
    from: &mut Unstructured<'_>,
    mut item: impl FnMut(&mut Unstructured<'_>) -> Result<Value>,
) -> Result<Vec<Value>> {
    (0..from.int_in_range(0..=3)?).map(|_| item(from)).collect()
}

/// Equal as JSON Schema means it: 3 and 3.0 are the same number.
pub fn same(left: &Value, right: &Value) -> bool {
    match (left, right) {
        (Value::Number(left), Value::Number(right)) => left == right || left.as_f64() == right.as_f64(),
        (Value::Array(left), Value::Array(right)) => {
            left.len() == right.len() && left.iter().zip(right).all(|(left, right)| same(left, right))
        }
        (Value::Object(left), Value::Object(right)) => {
            left.len() == right.len()
                && left.iter().all(|(key, value)| right.get(key).is_some_and(|other| same(value, other)))
        }
        _ => left == right,
    }
}
