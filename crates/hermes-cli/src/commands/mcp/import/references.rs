//! References of other clients, in our words: `${VAR}` and `${workspaceFolder}`.

use serde_json::{Map, Value};

/// A text with its references in our words. What has to be done about them is noted.
pub(super) fn translated(text: &str, notes: &mut Vec<String>) -> String {
    let mut filled = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, reference, after)) = next(rest) {
        filled.push_str(before);
        filled.push_str(&ours(reference, notes));
        rest = after;
    }
    filled.push_str(rest);
    filled
}

/// The next reference: what stands before it, itself, what stands behind it.
fn next(text: &str) -> Option<(&str, &str, &str)> {
    let opens = ["${{", "${", "{env:", "{file:"];
    let (at, open) =
        opens.iter().filter_map(|open| Some((text.find(open)?, *open))).min_by_key(|(at, open)| {
            // The longest of those that begin at the same place.
            (*at, usize::MAX - open.len())
        })?;
    let close = if open == "${{" { "}}" } else { "}" };
    let length = text.get(at..)?.find(close)? + close.len();
    Some((text.get(..at)?, text.get(at..at + length)?, text.get(at + length..)?))
}

fn ours(reference: &str, notes: &mut Vec<String>) -> String {
    let inside = reference.trim_start_matches(['$', '{']).trim_end_matches('}').trim();
    let (kind, name) = inside.split_once([':', '.']).unwrap_or(("", inside));
    match (kind, name) {
        ("input" | "secrets" | "inputs", name) => {
            let variable = variable(name);
            notes.push(format!("set the environment variable {variable}: it stands for {reference}"));
            format!("${{{variable}}}")
        }
        ("env", name) => format!("${{{name}}}"),
        ("", "userHome") => "${HOME}".to_owned(),
        ("file", _) => {
            notes.push(format!("{reference} was left as it is: texts of files are not filled in"));
            reference.to_owned()
        }
        _ => reference.to_owned(),
    }
}

/// A name that a variable can have.
fn variable(name: &str) -> String {
    let fit = |letter: char| if letter.is_ascii_alphanumeric() { letter } else { '_' };
    let name: String = name.chars().map(fit).collect();
    if name.starts_with(|first: char| first.is_ascii_digit()) { format!("_{name}") } else { name }
}

/// The same in all texts of a list.
pub(super) fn list(value: &Value, notes: &mut Vec<String>) -> Option<Value> {
    let texts = value.as_array()?.iter().map(|item| text(item, notes));
    Some(Value::Array(texts.collect::<Option<_>>()?))
}

/// The same in all texts of a map.
pub(super) fn map(value: &Value, notes: &mut Vec<String>) -> Option<Map<String, Value>> {
    let fields = value.as_object()?.iter().filter(|(_, field)| !field.is_null());
    fields.map(|(name, field)| Some((name.clone(), text(field, notes)?))).collect()
}

fn text(value: &Value, notes: &mut Vec<String>) -> Option<Value> {
    match value {
        Value::String(text) => Some(translated(text, notes).into()),
        Value::Number(_) | Value::Bool(_) => Some(value.to_string().into()),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn references_of_other_clients_become_ours() {
        for (theirs, ours, told) in [
            ("plain ${VAR} {x}", "plain ${VAR} {x}", false),
            ("${env:VAR}/{env:OTHER}", "${VAR}/${OTHER}", false),
            ("--key=${input:my-key}", "--key=${my_key}", true),
            ("${{ secrets.TOKEN }}", "${TOKEN}", true),
            ("${workspaceFolder}/a ${userHome}", "${workspaceFolder}/a ${HOME}", false),
            ("{file:~/key}", "{file:~/key}", true),
            ("${", "${", false),
        ] {
            let mut notes = Vec::new();
            assert_eq!(translated(theirs, &mut notes), ours);
            assert_eq!(!notes.is_empty(), told, "{theirs}: {notes:?}");
        }
    }
}
