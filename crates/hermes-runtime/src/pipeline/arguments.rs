//! Repairs arguments where nothing is lost, then validates them against the tool's own schema.

use hermes_core::arguments::{Problem, Shape, coerce, explain};
use hermes_core::redact::Redactor;
use hermes_core::{ErrorCode, ToolError};
use jsonschema::error::ValidationErrorKind;
use serde_json::Value;

use super::expected::expected;
use crate::registry::{Checker, Entry};

/// How many problems one error names; more would not help the model.
const MAX_PROBLEMS: usize = 5;
/// How much of a wrong value an error quotes.
const MAX_FOUND_CHARS: usize = 80;

/// Coerces in place and returns a note per repair, or an error that says what to send instead.
/// What either quotes of the arguments goes through the redactor.
pub(super) fn coerce_and_validate(
    entry: &Entry,
    arguments: &mut Value,
    redactor: &Redactor,
) -> Result<Vec<String>, ToolError> {
    let schema = &entry.info().parameters;
    let mut notes: Vec<String> = match arguments {
        Value::Object(fields) => coerce(schema, fields).iter().map(|repair| repair.note(redactor)).collect(),
        _ => Vec::new(),
    };
    if let Err(refusal) = validate_for(entry, arguments, redactor) {
        let (fewer, left_out) = without_nulls(schema, arguments).ok_or(refusal)?;
        validate_for(entry, &fewer, redactor)?;
        *arguments = fewer;
        notes.extend(left_out);
    }
    Ok(notes)
}

/// The arguments without optional fields that are null, and a note on each. Callers that must send every field send
/// null for those they don't use.
fn without_nulls(schema: &Value, arguments: &Value) -> Option<(Value, Vec<String>)> {
    let required = schema.get("required").and_then(Value::as_array);
    let is_required = |name: &str| required.is_some_and(|names| names.iter().any(|needed| needed == name));
    let mut fewer = arguments.as_object()?.clone();
    let mut notes = Vec::new();
    fewer.retain(|name, value| {
        let stays = !value.is_null() || is_required(name);
        if !stays {
            notes.push(format!("/{name}: null left out"));
        }
        stays
    });
    (!notes.is_empty()).then_some((Value::Object(fewer), notes))
}

/// Validates arguments of a tool, as a call would.
pub fn validate_for(entry: &Entry, arguments: &Value, redactor: &Redactor) -> Result<(), ToolError> {
    let checker = entry.checker().map_err(|cause| {
        let text = format!("the schema of '{}' is broken, so it cannot be called", entry.info().name);
        ToolError::new(ErrorCode::Unavailable, text).for_good().with_operator(cause)
    })?;
    let schema = &entry.info().parameters;
    if is_valid(checker, schema, arguments)? {
        return Ok(());
    }
    Err(refusal(checker, &Shape { schema, examples: &entry.tool.examples() }, arguments, redactor))
}

/// A refusal by the tool itself, with a call of the same kind that works where it says nothing better.
pub(super) fn with_example(error: ToolError, entry: &Entry, arguments: &Value) -> ToolError {
    if error.code != ErrorCode::InvalidArgument || error.hint.is_some() {
        return error;
    }
    let shape = Shape { schema: &entry.info().parameters, examples: &entry.tool.examples() };
    match shape.example_in_branch(arguments).filter(|example| example != arguments) {
        Some(example) => error.with_hint(format!("a valid example: {example}")),
        None => error,
    }
}

/// Validates arguments against any schema, as a call would.
pub fn validate(schema: &Value, arguments: &Value, redactor: &Redactor) -> Result<(), ToolError> {
    let checker = crate::registry::compile(schema).map_err(|cause| {
        ToolError::new(ErrorCode::Unavailable, "the schema is broken").for_good().with_operator(cause)
    })?;
    match is_valid(&checker, schema, arguments)? {
        true => Ok(()),
        false => Err(refusal(&checker, &Shape { schema, examples: &[] }, arguments, redactor)),
    }
}

/// Holds arguments against a schema, unless that would take longer than any honest schema does: this is done
/// before any deadline.
fn is_valid(checker: &Checker, schema: &Value, arguments: &Value) -> Result<bool, ToolError> {
    match checker.effort.allows(schema, arguments) {
        true => Ok(checker.validator.is_valid(arguments)),
        false => {
            let text = "to check these arguments takes too long: the tool's schema unfolds without end. \
                        The tool was not run.";
            Err(ToolError::new(ErrorCode::Unavailable, text).for_good())
        }
    }
}

fn refusal(checker: &Checker, shape: &Shape<'_>, arguments: &Value, redactor: &Redactor) -> ToolError {
    let problems_of = |value: &Value| -> Vec<Problem> {
        if !checker.effort.allows(shape.schema, value) {
            // An example that cannot be checked is not shown.
            return vec![Problem::new("", "less to check", "this")];
        }
        checker
            .validator
            .iter_errors(value)
            .flat_map(|error| problems(&error, redactor))
            .take(MAX_PROBLEMS)
            .collect()
    };
    explain(shape, arguments, &problems_of(arguments), problems_of, redactor)
}

fn problems(error: &jsonschema::ValidationError<'_>, redactor: &Redactor) -> Vec<Problem> {
    let path = error.instance_path().to_string();
    match error.kind() {
        // One problem per name, so that each gets its nearest known field.
        ValidationErrorKind::AdditionalProperties { unexpected }
        | ValidationErrorKind::UnevaluatedProperties { unexpected } => {
            unexpected.iter().map(|name| Problem::unknown(&path, name)).collect()
        }
        ValidationErrorKind::Required { property } => {
            let name = property.as_str().map_or_else(|| property.to_string(), str::to_owned);
            vec![Problem::missing(&path, &name)]
        }
        _ => {
            let found = redactor.shortened_value(error.instance(), MAX_FOUND_CHARS);
            vec![Problem::new(path, expected(error), found)]
        }
    }
}
