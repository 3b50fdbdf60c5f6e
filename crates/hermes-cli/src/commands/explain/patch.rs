//! `hermes explain patch`: what an edit would make of a text, or why it would be refused. Nothing is read
//! from disk and nothing is written.

use std::collections::BTreeMap;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use hermes_tools::patching;
use serde_json::{Map, Value};

use super::rows::fields;

/// Contents that JSON text cannot hold are written behind this.
const BYTES: &str = "b64:";
/// An executable file is written behind this.
const EXECUTABLE: &str = "mode755:";

/// `{"content", "old", "new", "replace_all"}` is a replacement, `{"before", "patch"}` a V4A patch.
pub(super) fn row(row: &Map<String, Value>) -> Map<String, Value> {
    let mut answer = match (row.get("patch"), row.get("content")) {
        (Some(patch), _) => folder(row, patch.as_str().unwrap_or_default()),
        (None, Some(content)) => replacement(row, content.as_str().unwrap_or_default()),
        (None, None) => fields([("error", "the case has neither 'content' nor 'patch'".into())]),
    };
    for name in ["tag", "name"] {
        if let Some(value) = row.get(name) {
            answer.insert(name.to_owned(), value.clone());
        }
    }
    answer
}

fn replacement(row: &Map<String, Value>, content: &str) -> Map<String, Value> {
    let text = |name: &str| row.get(name).and_then(Value::as_str).unwrap_or_default();
    let all = row.get("replace_all").and_then(Value::as_bool).unwrap_or(false);
    match patching::replace(content.as_bytes(), text("old"), text("new"), all) {
        Ok(made) => fields([
            ("action", "replace".into()),
            ("content", text_of(&made.content, false).into()),
            ("count", made.count.into()),
            ("strategy", made.strategy.into()),
        ]),
        Err(refused) => fields([
            ("action", "refuse".into()),
            ("kind", refused.kind.into()),
            ("error", refused.message.into()),
        ]),
    }
}

fn folder(row: &Map<String, Value>, patch: &str) -> Map<String, Value> {
    let given = row.get("before").and_then(Value::as_object).cloned().unwrap_or_default();
    let (mut before, mut executable, mut binary) = (BTreeMap::new(), Vec::new(), Vec::new());
    for (path, content) in &given {
        let content = content.as_str().unwrap_or_default();
        let bare = content.strip_prefix(EXECUTABLE);
        executable.extend(bare.map(|_| path.clone()));
        let content = bare.unwrap_or(content);
        binary.extend(content.starts_with(BYTES).then(|| path.clone()));
        before.insert(path.clone(), bytes_of(content));
    }
    match patching::apply(&before, patch) {
        Ok(after) => {
            let shown = after.files.iter().map(|(path, content)| {
                let origin = after.moved.get(path).unwrap_or(path);
                let prefix = if executable.contains(origin) { EXECUTABLE } else { "" };
                let text = text_of(content, binary.contains(origin));
                (path.clone(), format!("{prefix}{text}").into())
            });
            fields([("ok", true.into()), ("after", Value::Object(shown.collect()))])
        }
        Err(error) => {
            fields([("ok", false.into()), ("after", Value::Object(given)), ("error", error.into())])
        }
    }
}

fn bytes_of(text: &str) -> Vec<u8> {
    let decoded = text.strip_prefix(BYTES).and_then(|letters| STANDARD.decode(letters).ok());
    decoded.unwrap_or_else(|| text.as_bytes().to_vec())
}

/// What came as bytes goes as bytes, even if it could be read as text.
fn text_of(bytes: &[u8], as_bytes: bool) -> String {
    match std::str::from_utf8(bytes) {
        Ok(text) if !as_bytes => text.to_owned(),
        _ => format!("{BYTES}{}", STANDARD.encode(bytes)),
    }
}
