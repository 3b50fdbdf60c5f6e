//! Validation problems as an answer that a model can act on.

use serde_json::{Map, Value};

use super::known_fields::known_fields;
use super::shape::{Place, Shape, Shown};
use crate::error::ToolError;
use crate::names;
use crate::redact::Redactor;

const MAX_PROBLEMS: usize = 5;
const MAX_KNOWN_SHOWN: usize = 12;
const MAX_PART_CHARS: usize = 160;

/// One thing that is wrong with the arguments.
///
/// A field that the schema does not know is a problem at the path of that field; a field that is
/// missing is a problem at the path of the object that lacks it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// JSON pointer into the arguments.
    pub path: String,
    pub expected: String,
    pub found: String,
    /// The field that is not there, where that is the problem.
    pub missing: Option<String>,
}

impl Problem {
    pub fn new(path: impl Into<String>, expected: impl Into<String>, found: impl Into<String>) -> Self {
        Problem { path: path.into(), expected: expected.into(), found: found.into(), missing: None }
    }

    /// A required field that is not there.
    pub fn missing(object: &str, field: &str) -> Self {
        let missing = Some(field.to_owned());
        Problem { missing, ..Problem::new(object, format!("field '{field}'"), "nothing") }
    }

    /// A field that the schema does not allow.
    pub fn unknown(object: &str, field: &str) -> Self {
        let escaped = field.replace('~', "~0").replace('/', "~1");
        Problem::new(format!("{object}/{escaped}"), "no such field", "a value")
    }
}

/// The refusal: path, expected and found of each problem, and as the hint a minimal example that is right for the
/// branch that the call took: the required fields, and those that were wrong with a value that is right.
///
/// `problems_of` says what is wrong with an example; one that would be refused is not shown. What the problems
/// quote of the call must be whole or redacted: a part of a secret is not known for one.
pub fn explain(
    shape: &Shape<'_>,
    arguments: &Value,
    problems: &[Problem],
    problems_of: impl Fn(&Value) -> Vec<Problem>,
    redactor: &Redactor,
) -> ToolError {
    let schema = shape.schema;
    let mut lines: Vec<String> = Vec::new();
    for problem in problems {
        let line = describe(schema, problem, redactor);
        if !lines.contains(&line) {
            lines.push(line);
        }
    }
    let more = lines.len().saturating_sub(MAX_PROBLEMS);
    lines.truncate(MAX_PROBLEMS);
    let more = if more > 0 { format!("; and {more} more") } else { String::new() };
    let message = format!("invalid arguments: {}{more}. The tool was not run.", lines.join("; "));
    let error = ToolError::invalid(message);
    let places: Vec<Place> = problems.iter().filter_map(|problem| place(schema, problem)).collect();
    let meant: Map<String, Value> =
        problems.iter().filter_map(|problem| meant(schema, arguments, problem)).collect();
    match shape.example_for(arguments, (&places, &meant), problems_of) {
        Some(Shown::Valid(example)) => error.with_hint(format!("a minimal valid example: {example}")),
        Some(Shown::Mended(call)) => error.with_hint(format!("this call with that put right: {call}")),
        None => error,
    }
}

/// Where an example shows what would be right: at the wrong field, or at the one that was meant.
fn place(schema: &Value, problem: &Problem) -> Option<Place> {
    let mut place: Place = problem.path.split('/').skip(1).map(unescaped).collect();
    place.extend(problem.missing.clone());
    if let Some((object, field)) = problem.path.rsplit_once('/').filter(|_| problem.missing.is_none())
        && let Some(known) = unknown_in(schema, object, &unescaped(field))
    {
        let meant = nearest(&unescaped(field), known)?;
        place.pop();
        place.push(meant);
    }
    Some(place)
}

/// What was said for a field that is not there, under the name that was meant, where nothing was said for that.
fn meant(schema: &Value, arguments: &Value, problem: &Problem) -> Option<(String, Value)> {
    let field = unescaped(problem.path.strip_prefix('/').filter(|_| problem.missing.is_none())?);
    let said = arguments.get(&field)?;
    let name = nearest(&field, unknown_in(schema, "", &field)?)?;
    arguments.get(&name).is_none().then(|| (name, said.clone()))
}

fn nearest(field: &str, known: Vec<&str>) -> Option<String> {
    names::nearest(field, known.into_iter(), 1).first().map(|name| (*name).to_owned())
}

fn unescaped(segment: &str) -> String {
    segment.replace("~1", "/").replace("~0", "~")
}

/// The fields that are known in an object, if the one named is not among them and no others are allowed.
fn unknown_in<'a>(schema: &'a Value, object: &str, field: &str) -> Option<Vec<&'a str>> {
    known_fields(schema, object).filter(|known| !known.contains(&field))
}

fn describe(schema: &Value, problem: &Problem, redactor: &Redactor) -> String {
    if let Some(line) = describe_unknown(schema, &problem.path, redactor) {
        return line;
    }
    let path = if problem.path.is_empty() { "the arguments" } else { &problem.path };
    let path = redactor.shortened_pointer(path, MAX_PART_CHARS);
    let short = |text: &str| redactor.shortened(text, MAX_PART_CHARS);
    format!("{path}: expected {}, found {}", short(&problem.expected), short(&problem.found))
}

fn describe_unknown(schema: &Value, path: &str, redactor: &Redactor) -> Option<String> {
    let (object, field) = path.rsplit_once('/')?;
    let field = unescaped(field);
    let known = unknown_in(schema, object, &field)?;
    let object = redactor.shortened_pointer(object, MAX_PART_CHARS);
    let place = if object.is_empty() { String::new() } else { format!(" in {object}") };
    let field = redactor.shortened(&field, MAX_PART_CHARS);
    Some(match names::nearest(&field, known.iter().copied(), 1).first() {
        Some(nearest) => format!("unknown field '{field}'{place} (did you mean '{nearest}'?)"),
        None if known.is_empty() => format!("unknown field '{field}'{place}: no fields are expected there"),
        None => {
            let shown = known.iter().take(MAX_KNOWN_SHOWN).copied().collect::<Vec<_>>().join(", ");
            format!("unknown field '{field}'{place}; known fields: {shown}")
        }
    })
}
