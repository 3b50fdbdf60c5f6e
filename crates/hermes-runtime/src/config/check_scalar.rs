//! Single values: is it the right type, in range, one of the allowed ones; and if not, what to write.

use serde_json::Value;

use super::error::ErrorKind;
use super::formats;
use super::nearest::nearest;
use super::node::{Kind, Node, Scalar};
use super::shape::{Shape, TextRule};

/// What is wrong with a value: kind, message, hint.
pub(super) type Wrong = (ErrorKind, String, Option<String>);

pub(super) fn check_text(rule: &TextRule, text: &str) -> Option<Wrong> {
    if !rule.allowed.is_empty() {
        if rule.allowed.iter().any(|allowed| allowed == text) {
            return None;
        }
        let hint = nearest(text, rule.allowed.iter().map(String::as_str))
            .map(|near| format!("did you mean {near}?"));
        let message = format!("must be one of {}, not {}", rule.allowed.join(", "), quote(text));
        return Some((ErrorKind::NotAllowed, message, hint));
    }
    if text.is_empty() && !rule.may_be_empty {
        return Some((ErrorKind::NotAllowed, "must not be empty".to_owned(), None));
    }
    if let Some(pattern) = &rule.pattern
        && !regex::Regex::new(pattern).is_ok_and(|regex| regex.is_match(text))
    {
        let message = format!("must match {pattern}, which {} does not", quote(text));
        return Some((ErrorKind::NotAllowed, message, None));
    }
    let (message, hint) = formats::check(rule.format.as_deref()?, text)?;
    Some((ErrorKind::NotAllowed, message, hint))
}

pub(super) fn check_whole(scalar: &Scalar, min: u64, max: Option<u64>) -> Option<Wrong> {
    let expected = Shape::Whole { min, max }.expected();
    if let Value::Number(number) = &scalar.value {
        let fits = number.as_u64().is_some_and(|value| value >= min && max.is_none_or(|max| value <= max));
        // 8.0 and 1e3 are whole, but the reader behind this check wants them written so.
        let whole = number.as_f64().filter(|value| value.fract() == 0.0 && value.abs() < 1e15);
        return match (fits, number.is_f64(), whole) {
            (true, ..) => None,
            (false, true, Some(value)) => {
                let hint = format!("write {value:.0}");
                Some((ErrorKind::WrongType, format!("must be {expected}, not {}", scalar.raw), Some(hint)))
            }
            (false, true, None) if number.as_f64().is_some_and(|value| value.fract() != 0.0) => {
                Some((ErrorKind::WrongType, format!("must be {expected}, not {}", scalar.raw), None))
            }
            _ => Some((ErrorKind::OutOfRange, format!("must be {expected}, not {}", scalar.raw), None)),
        };
    }
    let message = format!("must be {expected}, not {}", written(&Kind::Scalar(scalar.clone())));
    Some((ErrorKind::WrongType, message, number_hint(scalar)))
}

fn number_hint(scalar: &Scalar) -> Option<String> {
    let digits: String = scalar.raw.chars().filter(|letter| !matches!(letter, '_' | ',' | ' ')).collect();
    let number = digits.parse::<u64>().ok()?;
    let quotes = if scalar.quoted { " without quotes" } else { "" };
    Some(format!("write {number}{quotes}"))
}

/// What to write for a single value of the wrong type.
pub(super) fn type_hint(shape: &Shape, scalar: &Scalar) -> Option<String> {
    match shape {
        Shape::Switch => {
            // Other formats, and YAML 1.1, take these words for booleans.
            let meant = match scalar.raw.to_ascii_lowercase().as_str() {
                "true" | "yes" | "on" | "y" | "1" => "true",
                "false" | "no" | "off" | "n" | "0" => "false",
                _ => return None,
            };
            Some(format!("write {meant}{}", if scalar.quoted { " without quotes" } else { "" }))
        }
        Shape::List { .. } if scalar.value.is_null() => Some("write [] for an empty list".to_owned()),
        Shape::List { .. } => {
            let simple =
                scalar.raw.chars().all(|letter| letter.is_alphanumeric() || "_-./:~".contains(letter));
            Some(if simple {
                format!("write [{}]", scalar.raw)
            } else {
                format!("write [{}]", quote(&scalar.raw))
            })
        }
        Shape::Text(rule) if rule.allowed.is_empty() && !scalar.value.is_null() => {
            Some(format!("write \"{}\" in quotes", scalar.raw))
        }
        _ => None,
    }
}

/// What was written, for messages.
pub(super) fn written(kind: &Kind) -> String {
    match kind {
        Kind::List(_) => "a list".to_owned(),
        Kind::Map(_) => "a table".to_owned(),
        Kind::Broken => "this".to_owned(),
        Kind::Scalar(scalar) => match &scalar.value {
            Value::Null => "empty".to_owned(),
            Value::String(text) => format!("the text {}", quote(text)),
            Value::Number(_) => format!("the number {}", scalar.raw),
            _ => scalar.raw.clone(),
        },
    }
}

/// Text from outside, safe to show: escaped, and not longer than a line.
pub(super) fn quote(text: &str) -> String {
    let mut shown: String = text.chars().take(60).collect();
    if shown.len() < text.len() {
        shown.push('…');
    }
    format!("{shown:?}")
}

impl Node {
    pub(super) fn is_empty_text(&self) -> bool {
        matches!(&self.kind, Kind::Scalar(scalar) if scalar.value.as_str() == Some(""))
    }
}

impl Shape {
    /// Whether a value of this kind could be meant for this shape.
    pub(super) fn takes(&self, kind: &Kind) -> bool {
        match (self, kind) {
            (Shape::Table(_) | Shape::Map(_), Kind::Map(_)) | (Shape::List { .. }, Kind::List(_)) => true,
            (Shape::Text(_), Kind::Scalar(scalar)) => scalar.value.is_string(),
            (Shape::Whole { .. }, Kind::Scalar(scalar)) => scalar.value.is_number(),
            (Shape::Switch, Kind::Scalar(scalar)) => scalar.value.is_boolean(),
            (Shape::Optional(inner), _) => inner.takes(kind),
            (Shape::Either(shapes), _) => shapes.iter().any(|shape| shape.takes(kind)),
            _ => false,
        }
    }

    /// What must be written, for messages.
    pub(super) fn expected(&self) -> String {
        match self {
            Shape::Table(_) | Shape::Map(_) => "a table".to_owned(),
            Shape::List { .. } => "a list".to_owned(),
            Shape::Text(rule) if rule.allowed.is_empty() => "text".to_owned(),
            Shape::Text(rule) => format!("one of {}", rule.allowed.join(", ")),
            Shape::Whole { min, max: Some(max) } => format!("a whole number from {min} to {max}"),
            Shape::Whole { min, max: None } => format!("a whole number from {min}"),
            Shape::Switch => "true or false".to_owned(),
            Shape::Optional(inner) => inner.expected(),
            Shape::Either(shapes) => shapes.iter().map(Shape::expected).collect::<Vec<_>>().join(" or "),
        }
    }
}
