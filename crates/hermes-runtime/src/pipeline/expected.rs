//! What a schema asked for, in the words after "expected".

use jsonschema::JsonType;
use jsonschema::ValidationError;
use jsonschema::error::{TypeKind, ValidationErrorKind as Kind};
use serde_json::Value;

/// Listed values beyond this many are not worth the model's time.
const MAX_LISTED: usize = 12;

/// Branches of a union beyond this many, too.
const MAX_ALTERNATIVES: usize = 4;

pub(super) fn expected(error: &ValidationError<'_>) -> String {
    match error.kind() {
        Kind::Type { kind: TypeKind::Single(kind @ (JsonType::Integer | JsonType::Number)) }
            if is_long(error.instance()) =>
        {
            format!("{} of at most 64 bits", with_article(*kind))
        }
        Kind::Type { kind: TypeKind::Single(kind) } => with_article(*kind).to_owned(),
        Kind::Type { kind: TypeKind::Multiple(kinds) } => {
            kinds.iter().map(with_article).collect::<Vec<_>>().join(" or ")
        }
        Kind::Enum { options } => one_of(options),
        Kind::Constant { expected_value } => expected_value.to_string(),
        Kind::Minimum { limit } => format!("at least {limit}"),
        Kind::Maximum { limit } => format!("at most {limit}"),
        Kind::ExclusiveMinimum { limit } => format!("more than {limit}"),
        Kind::ExclusiveMaximum { limit } => format!("less than {limit}"),
        Kind::MinLength { limit } => format!("at least {limit} characters"),
        Kind::MaxLength { limit } => format!("at most {limit} characters"),
        Kind::MinItems { limit } => format!("at least {limit} items"),
        Kind::MaxItems { limit } => format!("at most {limit} items"),
        Kind::MultipleOf { multiple_of } => format!("a multiple of {multiple_of}"),
        Kind::Pattern { pattern } => format!("text that matches {pattern}"),
        Kind::Format { format } => format!("text in the format {format}"),
        Kind::UniqueItems => "items that differ from each other".to_owned(),
        Kind::AnyOf { context } | Kind::OneOfNotValid { context } => alternatives(error, context),
        _ => format!("something else: {error}"),
    }
}

/// What the branches of a union would have had, each by the first thing that is wrong for it.
fn alternatives(error: &ValidationError<'_>, branches: &[Vec<ValidationError<'static>>]) -> String {
    let at = error.instance_path().as_str();
    let mut wanted: Vec<String> = Vec::new();
    for first in branches.iter().filter_map(|branch| branch.first()) {
        let field = first.instance_path().as_str();
        let place = field.strip_prefix(at).filter(|place| !place.is_empty());
        let one = match (first.kind(), place) {
            (Kind::Required { property }, _) => format!("an object with the field {property}"),
            (_, None) => expected(first),
            (_, Some(place)) => format!("{} at {place}", expected(first)),
        };
        if !wanted.contains(&one) {
            wanted.push(one);
        }
    }
    let more = if wanted.len() > MAX_ALTERNATIVES { " or something else" } else { "" };
    wanted.truncate(MAX_ALTERNATIVES);
    format!("{}{more}", wanted.join(" or "))
}

/// Whether this was a number that is kept as text: one that fits would have been read as the number it spells.
fn is_long(value: &Value) -> bool {
    let digits = value.as_str().map(|text| text.strip_prefix('-').unwrap_or(text));
    digits.is_some_and(|digits| digits.len() > 18 && digits.bytes().all(|byte| byte.is_ascii_digit()))
}

fn with_article(kind: JsonType) -> &'static str {
    match kind {
        JsonType::Array => "an array",
        JsonType::Boolean => "a boolean",
        JsonType::Integer => "an integer",
        JsonType::Null => "null",
        JsonType::Number => "a number",
        JsonType::Object => "an object",
        JsonType::String => "a string",
    }
}

fn one_of(options: &Value) -> String {
    let Value::Array(options) = options else { return options.to_string() };
    let shown = options.iter().take(MAX_LISTED).map(Value::to_string).collect::<Vec<_>>().join(", ");
    let more = if options.len() > MAX_LISTED { ", …" } else { "" };
    format!("one of {shown}{more}")
}
