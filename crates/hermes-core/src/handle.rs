//! References to stored results: `hermes://result/<id>`, whole or in part.

use std::fmt;
use std::ops::ControlFlow;

use serde_json::Value;

use crate::error::ToolError;

/// How every handle begins.
pub const SCHEME: &str = "hermes://result/";

/// How long a text may be that an error quotes as it is.
const MAX_SHOWN_CHARS: usize = 120;

/// A reference to a stored result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Handle {
    pub id: String,
    pub part: Part,
}

/// Which part of the stored value is meant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Part {
    Whole,
    /// `#/a/0/b`, a JSON pointer.
    Pointer(String),
    /// `#L10-L40`, lines counted from 1, both ends included; `#L10` is one line.
    Lines(usize, usize),
    /// `#/content#L10-L40`, lines of the text at a JSON pointer.
    LinesAt(String, usize, usize),
}

impl Handle {
    /// Reads a handle. `None` if the text does not claim to be one, as a sentence that begins with one does not; an error
    /// if it does but is malformed.
    pub fn parse(text: &str) -> Option<Result<Handle, ToolError>> {
        let rest = text.strip_prefix(SCHEME).filter(|rest| !is_prose(rest))?;
        let (id, fragment) = match rest.split_once('#') {
            Some((id, fragment)) => (id, Some(fragment)),
            None => (rest, None),
        };
        if id.is_empty() || id.len() > 64 || !id.bytes().all(|byte| byte.is_ascii_alphanumeric()) {
            return Some(Err(malformed(text)));
        }
        let part = match fragment {
            None => Some(Part::Whole),
            Some(pointer) if pointer.starts_with('/') => Some(parse_pointer(pointer)),
            Some(lines) => parse_lines(lines),
        };
        Some(part.map(|part| Handle { id: id.to_owned(), part }).ok_or_else(|| malformed(text)))
    }

    /// The part of `value` that this handle means.
    pub fn select(&self, value: &Value) -> Result<Value, ToolError> {
        match &self.part {
            Part::Whole => Ok(value.clone()),
            Part::Pointer(pointer) => value.pointer(pointer).cloned().ok_or_else(|| {
                ToolError::not_found(format!("'{self}': the stored result has nothing at '{pointer}'"))
                    .with_hint(format!("It has: {}", describe_shape(value)))
            }),
            Part::Lines(first, last) => self.lines(one_text(value).unwrap_or(value), *first, *last),
            Part::LinesAt(pointer, first, last) => {
                // A field may be called so.
                if let Some(field) = value.pointer(&format!("{pointer}{}", LineSpan(*first, *last))) {
                    return Ok(field.clone());
                }
                let part = Part::Pointer(pointer.clone());
                self.lines(&Handle { id: self.id.clone(), part }.select(value)?, *first, *last)
            }
        }
    }

    fn lines(&self, value: &Value, first: usize, last: usize) -> Result<Value, ToolError> {
        let text = as_text(value);
        let lines: Vec<&str> = text.lines().skip(first - 1).take(last.saturating_sub(first - 1)).collect();
        if !lines.is_empty() {
            return Ok(Value::String(lines.join("\n")));
        }
        let total = text.lines().count();
        let error = ToolError::not_found(format!("'{self}': that has {total} lines"));
        Err(match value {
            Value::String(_) => error,
            _ => error.with_hint("Lines of one text: #/pointer/to/it#L10-L40."),
        })
    }
}

/// The one text of several lines in an object: what its lines are counted of.
fn one_text(value: &Value) -> Option<&Value> {
    let long = |field: &&Value| field.as_str().is_some_and(|text| text.contains('\n'));
    let mut texts = value.as_object()?.values().filter(long);
    texts.next().filter(|_| texts.next().is_none())
}

/// Lines as a handle spells them.
struct LineSpan(usize, usize);

impl fmt::Display for LineSpan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "#L{}-L{}", self.0, self.1)
    }
}

impl fmt::Display for Handle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{SCHEME}{}", self.id)?;
        match &self.part {
            Part::Whole => Ok(()),
            Part::Pointer(pointer) => write!(f, "#{pointer}"),
            Part::Lines(first, last) => LineSpan(*first, *last).fmt(f),
            Part::LinesAt(pointer, first, last) => write!(f, "#{pointer}{}", LineSpan(*first, *last)),
        }
    }
}

/// A stored value as lines: text as it is, everything else as indented JSON.
pub fn as_text(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        other => serde_json::to_string_pretty(other).unwrap_or_default(),
    }
}

/// Calls `visit` for every string in `value` that claims to be a handle, until it breaks.
pub fn each_handle(value: &Value, visit: &mut impl FnMut(&str) -> ControlFlow<()>) -> ControlFlow<()> {
    match value {
        Value::String(text) if text.strip_prefix(SCHEME).is_some_and(|rest| !is_prose(rest)) => visit(text),
        Value::Array(items) => items.iter().try_for_each(|item| each_handle(item, visit)),
        Value::Object(fields) => fields.values().try_for_each(|field| each_handle(field, visit)),
        _ => ControlFlow::Continue(()),
    }
}

/// Whether what stands behind the scheme is part of a text that somebody wrote. Only a pointer, which names fields of
/// others, may have blanks, and nothing goes on in a second line.
fn is_prose(rest: &str) -> bool {
    let (id, fragment) = rest.split_once('#').unwrap_or((rest, ""));
    let odd = |c: char| c.is_whitespace() || matches!(c, '<' | '>' | '`' | '"' | '\'' | '…');
    let of_lines = if fragment.starts_with('/') { "" } else { fragment };
    rest.contains(['\n', '\r']) || id.contains(odd) || of_lines.contains(odd)
}

/// A pointer, or lines of what is there.
fn parse_pointer(text: &str) -> Part {
    match text.rsplit_once('#').map(|(pointer, lines)| (pointer, parse_lines(lines))) {
        Some((pointer, Some(Part::Lines(first, last)))) => Part::LinesAt(pointer.to_owned(), first, last),
        _ => Part::Pointer(text.to_owned()),
    }
}

fn parse_lines(text: &str) -> Option<Part> {
    let number = |text: &str| text.strip_prefix('L')?.parse::<usize>().ok().filter(|line| *line >= 1);
    let (first, last) = match text.split_once('-') {
        Some((first, last)) => (number(first)?, number(last)?),
        None => (number(text)?, number(text)?),
    };
    (first <= last).then_some(Part::Lines(first, last))
}

fn malformed(text: &str) -> ToolError {
    // Not cut: half a secret would not be known for one.
    let shown = match text.chars().count() {
        long if long > MAX_SHOWN_CHARS => format!("a text of {long} characters that starts with {SCHEME}"),
        _ => format!("'{text}'"),
    };
    ToolError::invalid(format!("{shown} is not a valid result handle"))
        .with_hint("A handle is hermes://result/<id>, optionally followed by #/json/pointer, #L10-L40 or both: #/content#L10-L40.")
}

fn describe_shape(value: &Value) -> String {
    match value {
        Value::Object(fields) => {
            let names: Vec<_> = fields.keys().take(20).map(|name| format!("/{name}")).collect();
            names.join(", ")
        }
        Value::Array(items) => format!("an array of {} items (/0 …)", items.len()),
        Value::String(text) => format!("a text of {} lines (#L1-L{0})", text.lines().count()),
        other => other.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn parses_whole_pointer_and_lines() {
        let parse = |text: &str| Handle::parse(text).map(|handle| handle.map(|handle| handle.part));
        assert_eq!(parse("plain text"), None);
        assert_eq!(parse("hermes://result/abc"), Some(Ok(Part::Whole)));
        assert_eq!(parse("hermes://result/abc#/a/0"), Some(Ok(Part::Pointer("/a/0".into()))));
        assert_eq!(parse("hermes://result/abc#L10-L40"), Some(Ok(Part::Lines(10, 40))));
        assert_eq!(parse("hermes://result/abc#L3"), Some(Ok(Part::Lines(3, 3))));
        for bad in ["", "../x", "abc#", "abc#L0", "abc#L4-L2", "abc#x"] {
            assert!(matches!(parse(&format!("{SCHEME}{bad}")), Some(Err(_))), "{bad}");
        }
        for prose in
            ["<id> is a handle.", "abc is one", "abc\nmore", "abc#/a\nmore", "abc#L3 is a line", "…`"]
        {
            assert_eq!(parse(&format!("{SCHEME}{prose}")), None, "{prose}");
        }
        assert!(matches!(parse("hermes://result/abc#/a field"), Some(Ok(Part::Pointer(_)))));
    }

    #[test]
    fn selects_parts() {
        let value = json!({"content": "a\nb\nc", "n": [1, 2]});
        let select = |text: &str| Handle::parse(text).unwrap().unwrap().select(&value);
        assert_eq!(select("hermes://result/x#/n/1").unwrap(), json!(2));
        assert!(select("hermes://result/x#/missing").is_err());
        let text = json!("a\nb\nc");
        let lines = Handle::parse("hermes://result/x#L2-L9").unwrap().unwrap();
        assert_eq!(lines.select(&text).unwrap(), json!("b\nc"));
    }

    #[test]
    fn lines_are_those_of_the_text() {
        let value = json!({"path": "a.txt", "content": "a\nb\nc", "lines": 3, "x#L1-L1": "own", "x": "d\ne"});
        let select = |text: &str, value: &Value| Handle::parse(text).unwrap().unwrap().select(value);
        assert_eq!(select("hermes://result/x#/content#L2-L3", &value).unwrap(), json!("b\nc"));
        assert_eq!(select("hermes://result/x#/content#L2", &value).unwrap(), json!("b"));
        assert_eq!(select("hermes://result/x#/x#L1", &value).unwrap(), json!("own"));
        assert!(select("hermes://result/x#/content#L4", &value).unwrap_err().message.contains("3 lines"));
        assert!(select("hermes://result/x#/none#L1", &value).is_err());
        let read = json!({"path": "a.txt", "content": "a\nb\nc", "is_binary": false});
        assert_eq!(select("hermes://result/x#L2-L3", &read).unwrap(), json!("b\nc"));
        assert_eq!(select("hermes://result/x#L1", &value).unwrap(), json!("{"), "no text stands out");
        for text in ["hermes://result/x#/a/b#L3-L4", "hermes://result/x#/a#b"] {
            assert_eq!(Handle::parse(text).unwrap().unwrap().to_string(), text);
        }
    }
}
