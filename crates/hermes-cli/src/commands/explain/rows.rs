//! Cases by line: one JSON object in, one JSON object out, in order. A line that makes no sense gets an
//! answer that says so, and the rest goes on.

use std::path::PathBuf;

use hermes_core::arguments::parse_json_apart;
use serde_json::{Map, Value, json};

use crate::commands::lines::next_line;
use crate::failure::Failure;
use crate::render::print_json_line;

/// Fields that only identify a case are carried over to its answer.
const IDENTIFYING: &[&str] = &["id", "case", "group"];

/// Reads standard input and answers each line.
pub(super) fn each(mut answer: impl FnMut(&Map<String, Value>) -> Map<String, Value>) -> Result<(), Failure> {
    for line in lines() {
        print_json_line(&respond(line, |row| answer(row)))?;
    }
    Ok(())
}

/// The lines of standard input that are not blank. One that is no text is answered like one that is no JSON.
pub(super) fn lines() -> impl Iterator<Item = Result<String, String>> {
    let mut input = std::io::stdin().lock();
    let lines =
        std::iter::from_fn(move || next_line(&mut input)).map(|line| line.map_err(|unread| unread.why));
    lines.filter(|line| line.as_ref().map_or(true, |line| !line.trim().is_empty()))
}

/// Answers one line, with the case's identifying fields in front.
pub(super) fn respond(
    line: Result<String, String>,
    answer: impl FnOnce(&Map<String, Value>) -> Map<String, Value>,
) -> Value {
    match case(line) {
        Ok(row) => Value::Object(identified(&row, answer(&row))),
        Err(error) => json!({ "error": error }),
    }
}

/// The case that a line holds.
pub(super) fn case(line: Result<String, String>) -> Result<Map<String, Value>, String> {
    // As requests are read, so that numbers keep all their digits.
    match parse_json_apart(&line?, &["args"]) {
        Ok((Value::Object(row), _)) => Ok(row),
        Ok(_) => Err("a case is a JSON object".to_owned()),
        Err(error) => Err(format!("not JSON: {}", error.message)),
    }
}

pub(super) fn identified(row: &Map<String, Value>, answer: Map<String, Value>) -> Map<String, Value> {
    let mut whole: Map<String, Value> =
        IDENTIFYING.iter().filter_map(|key| Some(((*key).to_owned(), row.get(*key)?.clone()))).collect();
    whole.extend(answer);
    whole
}

/// A field that is a text where it is there at all.
pub(super) fn text<'a>(row: &'a Map<String, Value>, name: &str) -> Result<Option<&'a str>, String> {
    match row.get(name) {
        None | Some(Value::Null) => Ok(None),
        Some(Value::String(text)) => Ok(Some(text)),
        Some(_) => Err(format!("'{name}' is a text")),
    }
}

/// The roots that a case brings along: one folder or a list of them.
pub(super) fn roots(row: &Map<String, Value>) -> Result<Option<Vec<PathBuf>>, String> {
    let wrong = || "'root' is a folder or a list of folders".to_owned();
    match row.get("root").or_else(|| row.get("roots")) {
        None | Some(Value::Null) => Ok(None),
        Some(Value::String(root)) => Ok(Some(vec![root.into()])),
        Some(Value::Array(roots)) => {
            let all: Option<_> = roots.iter().map(|root| root.as_str().map(PathBuf::from)).collect();
            all.map(Some).ok_or_else(wrong)
        }
        Some(_) => Err(wrong()),
    }
}

/// An answer from pairs.
pub(super) fn fields<const N: usize>(pairs: [(&str, Value); N]) -> Map<String, Value> {
    pairs.into_iter().map(|(name, value)| (name.to_owned(), value)).collect()
}
