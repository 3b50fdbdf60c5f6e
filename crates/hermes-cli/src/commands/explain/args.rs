//! `hermes explain args`: how arguments would be repaired, and whether they would then be valid.

use hermes_core::arguments::{coerce, parse};
use hermes_core::names;
use hermes_core::redact::Redactor;
use hermes_core::schema::Provider;
use hermes_runtime::registry::{Entry, Snapshot};
use hermes_runtime::{validate, validate_for};
use serde_json::{Map, Value};

use super::rows::{fields, lines, respond};
use super::{name, schema};
use crate::app::App;
use crate::failure::Failure;
use crate::render::{print_json, print_json_line, print_text};

/// `{"schema", "args"}` and `{"tool", "args"}` are arguments; `{"name"}` is a name to repair and
/// `{"in"}` a schema to normalise, because they are the other halves of reading a call.
pub(super) async fn rows(app: &App) -> Result<(), Failure> {
    let mut valid = name::offered(app).await;
    for line in lines() {
        let answer = respond(line, |row| {
            if row.contains_key("args") {
                arguments(row, app)
            } else if row.contains_key("in") {
                schema::row_with(row, Provider::Generic)
            } else if row.contains_key("name") || row.contains_key("names") {
                name::row(row, &mut valid)
            } else {
                fields([("error", "the case has no 'args', 'in' or 'name'".into())])
            }
        });
        print_json_line(&answer)?;
    }
    Ok(())
}

fn arguments(row: &Map<String, Value>, app: &App) -> Map<String, Value> {
    let registered = app.runtime.registry().snapshot();
    let of_tool = row.get("tool").and_then(Value::as_str).and_then(|tool| registered.get(tool));
    let schema = match (row.get("schema"), of_tool) {
        (Some(schema), _) => schema,
        (None, Some(entry)) => &entry.info().parameters,
        (None, None) => {
            return fields([("error", "the case has neither 'schema' nor a known 'tool'".into())]);
        }
    };
    // Whoever wrote the case knows what is in it, and compares the answer to the letter.
    let entry = of_tool.filter(|_| !row.contains_key("schema"));
    let given = row.get("args").unwrap_or(&Value::Null);
    explain_with(schema, entry.map(|entry| &**entry), given, &Redactor::none())
}

/// The same without secrets.
fn explain(entry: &Entry, given: &Value, redactor: &Redactor) -> Map<String, Value> {
    let mut answer = Value::Object(explain_with(&entry.info().parameters, Some(entry), given, redactor));
    redactor.redact_value(&mut answer);
    match answer {
        Value::Object(answer) => answer,
        _ => Map::new(),
    }
}

/// The coerced arguments under both names that case files use for them.
fn explain_with(
    schema: &Value,
    entry: Option<&Entry>,
    given: &Value,
    redactor: &Redactor,
) -> Map<String, Value> {
    let parsed = match parse(given, redactor) {
        Ok(parsed) => parsed,
        Err(error) => return fields([("valid", false.into()), ("error", Value::Object(error.to_wire()))]),
    };
    let mut coerced = parsed.arguments;
    let mut notes = parsed.notes;
    notes.extend(coerce(schema, &mut coerced).iter().map(|repair| repair.note(redactor)));
    let coerced = Value::Object(coerced);
    let checked = match entry {
        Some(entry) => validate_for(entry, &coerced, redactor),
        None => validate(schema, &coerced, redactor),
    };
    let problem = checked.err().map(|error| Value::Object(error.to_wire()));
    let mut answer = fields([
        ("expected", coerced.clone()),
        ("args", coerced),
        ("repairs", notes.into()),
        ("valid", problem.is_none().into()),
    ]);
    answer.extend(problem.map(|error| ("error".to_owned(), error)));
    answer
}

fn unknown(tool: &str, registered: &Snapshot) -> Failure {
    let failure = Failure::usage(format!("there is no tool '{tool}'"));
    match names::nearest(tool, registered.entries().map(|entry| entry.info().name.as_str()), 3).as_slice() {
        [] => failure,
        nearest => failure.with_hint(format!("Did you mean {}?", nearest.join(" or "))),
    }
}

pub(super) async fn one(
    tool: Option<String>,
    arguments: Option<String>,
    app: &App,
    json: bool,
) -> Result<(), Failure> {
    let (Some(tool), Some(arguments)) = (tool, arguments) else {
        return Err(Failure::usage("name a tool and its arguments")
            .with_hint(r#"Such as: hermes explain args read_file '{"path": "a.txt", "limit": "5"}'"#));
    };
    let registered = app.runtime.registry().snapshot();
    let entry = registered.get(&tool).ok_or_else(|| unknown(&tool, &registered))?;
    let answer = explain(entry, &Value::String(arguments), app.runtime.redactor());
    if json {
        return print_json(&answer);
    }
    // What could not be read has no form to show.
    if let Some(shown) = answer.get("args") {
        print_text(&format!("{shown}\n"))?;
    }
    for repair in answer.get("repairs").and_then(Value::as_array).into_iter().flatten() {
        print_text(&format!("repaired {}\n", repair.as_str().unwrap_or_default()))?;
    }
    match answer.get("error") {
        None => print_text("valid\n"),
        Some(error) => {
            let text = |key: &str| error.get(key).and_then(Value::as_str).unwrap_or_default().to_owned();
            Err(Failure::answer_is_no(text("error")).with_hint(text("hint")))
        }
    }
}
