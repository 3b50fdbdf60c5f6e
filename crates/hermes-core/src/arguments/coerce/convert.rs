//! One value against one type name.

use serde_json::{Number, Value};

use crate::arguments::equality::integer;
use crate::arguments::number::Decimal;
use crate::arguments::reader::{Dialect, read};

/// Whether the value is of the JSON Schema type.
pub(super) fn is_type(name: &str, value: &Value) -> bool {
    match name {
        "string" => value.is_string(),
        "number" => value.is_number(),
        "integer" => value.as_number().is_some_and(is_whole),
        "boolean" => value.is_boolean(),
        "null" => value.is_null(),
        "array" => value.is_array(),
        "object" => value.is_object(),
        _ => false,
    }
}

fn is_whole(number: &Number) -> bool {
    number.as_f64().is_some_and(|float| float.fract() == 0.0)
}

/// The value that the text spells in the given type, if it spells one without loss.
pub(super) fn from_text(text: &str, name: &str) -> Option<Value> {
    let word = text.trim();
    match name {
        "integer" => Decimal::parse(word)?.integer().map(Value::Number),
        "number" => Decimal::parse(word)?.number().map(Value::Number),
        "boolean" if word.eq_ignore_ascii_case("true") => Some(Value::Bool(true)),
        "boolean" if word.eq_ignore_ascii_case("false") => Some(Value::Bool(false)),
        "null" if spells_null(text) => Some(Value::Null),
        "array" if word.starts_with(['[', '(']) => container(word).filter(Value::is_array),
        "object" if word.starts_with('{') => container(word).filter(Value::is_object),
        _ => None,
    }
}

pub(super) fn spells_null(text: &str) -> bool {
    text.trim().eq_ignore_ascii_case("null")
}

/// JSON, or else a Python literal. Nothing in between: text that is neither means itself.
pub(super) fn container(text: &str) -> Option<Value> {
    read(text, Dialect::JSON).or_else(|_| read(text, Dialect::PYTHON)).ok().map(|(value, _)| value)
}

/// Whether writing the converted value gives the same text again. Where text is welcome too, `007` and
/// `1.0` mean more than the numbers 7 and 1.
pub(super) fn round_trips(text: &str, value: &Value) -> bool {
    match value {
        Value::Number(number) => number.to_string() == text,
        _ => true,
    }
}

/// The same number written as an integer, if it is a float that is one: handlers decode 3.0 as an
/// integer only in this form.
pub(super) fn as_integer(value: &Value) -> Option<Value> {
    let number = value.as_number().filter(|number| number.is_f64())?;
    i64::try_from(integer(number)?).ok().map(Value::from)
}
