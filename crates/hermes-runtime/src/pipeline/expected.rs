//! What a schema asked for, in the words after "expected".

use jsonschema::JsonType;
use jsonschema::ValidationError;
use jsonschema::error::{TypeKind, ValidationErrorKind as Kind};
use serde_json::Value;

/// Listed values beyond this many are not worth the model's time.
const MAX_LISTED: usize = 12;

pub(super) fn expected(error: &ValidationError<'_>) -> String {
    match error.kind() {
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
        _ => format!("something else: {error}"),
    }
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
