//! Arguments from the wire: an object, nothing, or text that holds an object.

use serde_json::{Map, Value};

use super::reader::{Dialect, Flaw, Forgiven, Kind, read};
use crate::error::ToolError;
use crate::redact::Redactor;

const NOT_RUN: &str = "The tool was not run.";
const SEND_OBJECT: &str = "send the arguments as one JSON object, for example {\"name\": \"value\"}";
/// Said of numbers whose digits matter more than their type.
pub(super) const KEPT_AS_TEXT: &str =
    "kept an integer of more than 64 bits as text, so that no digit is lost";
const FENCE: &str = "```";
/// How much of what was found an error quotes.
const MAX_VALUE_CHARS: usize = 60;
const MAX_FOUND_CHARS: usize = 20;

/// Arguments as an object, and what was repaired to read them so.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Parsed {
    pub arguments: Map<String, Value>,
    pub notes: Vec<String>,
}

/// Reads what a model sent as arguments. Repairs only what can be meant in one way; text that cannot
/// be read is an error, never an empty object, because the tool would run without its arguments. What an
/// error quotes goes through the redactor.
pub fn parse(raw: &Value, redactor: &Redactor) -> Result<Parsed, ToolError> {
    match raw {
        Value::Object(arguments) => Ok(Parsed { arguments: arguments.clone(), notes: Vec::new() }),
        Value::Null => Ok(Parsed::default()),
        Value::String(text) => {
            let mut notes = Vec::new();
            let arguments = from_text(text, &mut notes, true, redactor)?;
            Ok(Parsed { arguments, notes })
        }
        other => Err(not_an_object(other, redactor)),
    }
}

/// `may_unwrap`: whether a string found inside the text may be read once more.
fn from_text(
    text: &str,
    notes: &mut Vec<String>,
    may_unwrap: bool,
    redactor: &Redactor,
) -> Result<Map<String, Value>, ToolError> {
    let body = text.trim_start_matches('\u{feff}').trim();
    if body.is_empty() {
        notes.push("empty arguments were read as {}".to_owned());
        return Ok(Map::new());
    }
    let (value, forgiven) = match read(body, Dialect::JSON) {
        Ok(read) => read,
        Err(_) => {
            let inside = without_fence(body);
            if inside.len() < body.len() {
                notes.push("removed the Markdown fence around the arguments".to_owned());
            }
            read(inside, Dialect::LENIENT)
                .map_err(|flaw| unreadable(text, offset_in(text, inside), &flaw, redactor))?
        }
    };
    note_forgiven(&forgiven, notes);
    match value {
        Value::Object(arguments) => Ok(arguments),
        Value::Null => {
            notes.push("null arguments were read as {}".to_owned());
            Ok(Map::new())
        }
        Value::String(inner) if may_unwrap => {
            notes.push("the arguments were JSON text inside a JSON string".to_owned());
            from_text(&inner, notes, false, redactor)
        }
        other => Err(not_an_object(&other, redactor)),
    }
}

fn note_forgiven(forgiven: &Forgiven, notes: &mut Vec<String>) {
    let Forgiven { python, trailing_commas, raw_controls, loose_escapes, big_integers, .. } = forgiven;
    let wordings = [
        (python, "read Python literals in the arguments as JSON"),
        (trailing_commas, "ignored trailing commas in the arguments"),
        (raw_controls, "accepted raw control characters inside strings"),
        (loose_escapes, "kept backslashes that are no JSON escape as they were written"),
        (big_integers, KEPT_AS_TEXT),
    ];
    notes.extend(wordings.iter().filter(|(met, _)| **met).map(|(_, wording)| (*wording).to_owned()));
}

/// The text inside a Markdown fence. One end may be missing: whether the object inside is whole is for
/// the reader to say.
fn without_fence(body: &str) -> &str {
    let mut inside = body;
    if let Some(opened) = body.strip_prefix(FENCE) {
        let after = opened.trim_start_matches('`');
        let content =
            after.trim_start_matches(|c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '+'));
        inside = content.trim_start();
    }
    if inside.ends_with(FENCE) {
        inside = inside.trim_end_matches('`').trim_end();
    }
    inside
}

/// Where a part of the text begins in it.
fn offset_in(text: &str, part: &str) -> usize {
    (part.as_ptr() as usize).saturating_sub(text.as_ptr() as usize)
}

fn not_an_object(value: &Value, redactor: &Redactor) -> ToolError {
    let kind = match value {
        Value::Null => "null",
        Value::Bool(_) => "a boolean",
        Value::Number(_) => "a number",
        Value::String(_) => "text",
        Value::Array(_) => "an array",
        Value::Object(_) => "an object",
    };
    ToolError::invalid(format!(
        "the arguments must be a JSON object, found {kind}: {}. {NOT_RUN}",
        redactor.shortened_value(value, MAX_VALUE_CHARS)
    ))
    .with_hint(SEND_OBJECT)
}

/// `start` is where the text that was read begins in what the model sent.
fn unreadable(text: &str, start: usize, flaw: &Flaw, redactor: &Redactor) -> ToolError {
    let place = Place::of(text, start + flaw.at);
    let (at, found, expected) = (place.describe(), place.found(redactor), &flaw.expected);
    match &flaw.kind {
        Kind::Truncated => {
            let message =
                format!("the arguments are cut off: the text ends at {at}, expected {expected}. {NOT_RUN}");
            ToolError::invalid(message)
                .with_hint("send the complete arguments again, in smaller pieces if they were too long")
        }
        Kind::DuplicateKey(key) => {
            let key = redactor.shortened_value(&Value::String(key.clone()), MAX_VALUE_CHARS);
            let message = format!(
                "the arguments name the key {key} twice, again at {at}; expected {expected}. {NOT_RUN}"
            );
            ToolError::invalid(message).with_hint("send each key once, with the value that is meant")
        }
        Kind::Trailing if place.found_is(['{', '[', '"']) => {
            let message = format!(
                "the arguments hold a second value at {at}: expected {expected}, found {found}. {NOT_RUN}"
            );
            ToolError::invalid(message).with_hint("send one object per call, and one call per object")
        }
        Kind::Unexpected | Kind::NotFinite | Kind::TooDeep | Kind::Trailing => {
            let message = format!(
                "the arguments are not valid JSON: at {at} expected {expected}, found {found}. {NOT_RUN}"
            );
            ToolError::invalid(message).with_hint(SEND_OBJECT)
        }
    }
}

/// A position in the model's text, in the units that people and models count in.
struct Place<'a> {
    character: usize,
    line: usize,
    column: usize,
    text: &'a str,
    at: usize,
}

impl<'a> Place<'a> {
    fn of(text: &'a str, at: usize) -> Self {
        let at = text.floor_char_boundary(at);
        let before = text.get(..at).unwrap_or_default();
        let last_line = before.rsplit('\n').next().unwrap_or(before);
        Place {
            character: before.chars().count() + 1,
            line: before.matches('\n').count() + 1,
            column: last_line.chars().count() + 1,
            text,
            at,
        }
    }

    fn describe(&self) -> String {
        format!("character {} (line {}, column {})", self.character, self.line, self.column)
    }

    fn found(&self, redactor: &Redactor) -> String {
        match redactor.shortened_from(self.text, self.at, MAX_FOUND_CHARS) {
            start if start.is_empty() => "the end of the text".to_owned(),
            start => format!("{start:?}"),
        }
    }

    fn found_is(&self, first: [char; 3]) -> bool {
        self.text.get(self.at..).is_some_and(|rest| rest.starts_with(first))
    }
}
