//! `hermes mcp import`: servers out of other clients' files.

use serde_json::{Map, Value};

use super::args::ImportArgs;
use super::config_text;
use crate::app::Surroundings;
use crate::failure::Failure;
use crate::render::{Style, print_text};

/// Where clients keep their servers: `mcpServers` in most, `servers` in editors of the VS Code family.
const SECTIONS: &[&str] = &["mcpServers", "mcp_servers", "servers", "context_servers"];

pub(super) fn run(args: &ImportArgs, surroundings: &Surroundings, style: Style) -> Result<(), Failure> {
    let shown = args.file.display().to_string();
    let text = std::fs::read_to_string(&args.file).map_err(Failure::io(&shown))?;
    // YAML reads JSON, and the comments and last commas that such files often have.
    let file: Value = serde_saphyr::from_str(&without_comments(&text))
        .map_err(|error| Failure::usage(format!("{shown}: {error}")))?;
    let section = SECTIONS.iter().find_map(|name| file.get(name)?.as_object());
    let section = section.ok_or_else(|| {
        Failure::usage(format!("{shown} has no servers"))
            .with_hint(format!("Looked for {}.", SECTIONS.join(", ")))
    })?;
    if let Some(unknown) = args.names.iter().find(|name| !section.contains_key(*name)) {
        return Err(Failure::usage(format!("{shown} has no server '{unknown}'")));
    }
    for (name, server) in
        section.iter().filter(|(name, _)| args.names.is_empty() || args.names.contains(*name))
    {
        let known = surroundings.config().mcp_servers.contains_key(name);
        match translate(server) {
            _ if known => print_text(&format!("{} {name}: there is one already\n", style.dim("left out")))?,
            Err(reason) => print_text(&format!("{} {name}: {reason}\n", style.warning("left out")))?,
            Ok(server) if args.dry_run => print_text(&format!("{name}: {server}\n"))?,
            Ok(server) => {
                config_text::put(surroundings, name, &server)?;
                print_text(&format!("{} {name}\n", style.good("imported")))?;
            }
        }
    }
    Ok(())
}

/// A server in our words, or why it cannot be had.
fn translate(server: &Value) -> Result<Value, String> {
    let mut fields = Map::new();
    let text = |key: &str| server.get(key).and_then(Value::as_str);
    match (text("command"), text("url").or(text("serverUrl")).or(text("httpUrl"))) {
        (Some(command), _) => fields.insert("command".to_owned(), references(command).into()),
        (None, Some(url)) => fields.insert("url".to_owned(), references(url).into()),
        (None, None) => return Err("it names neither a program nor an address".to_owned()),
    };
    if text("command").is_none() && text("type").or(text("transport")) == Some("sse") {
        fields.insert("transport".to_owned(), "sse".into());
    }
    for key in ["args", "env", "headers"] {
        if let Some(value) = server.get(key).filter(|value| !value.is_null()) {
            fields.insert(key.to_owned(), in_all(value));
        }
    }
    if let Some(cwd) = server.get("cwd").and_then(Value::as_str) {
        fields.insert("cwd".to_owned(), cwd.into());
    }
    if server.get("disabled").and_then(Value::as_bool) == Some(true) {
        fields.insert("enabled".to_owned(), false.into());
    }
    Ok(Value::Object(fields))
}

fn in_all(value: &Value) -> Value {
    match value {
        Value::String(text) => references(text).into(),
        Value::Array(items) => items.iter().map(in_all).collect(),
        Value::Object(fields) => {
            Value::Object(fields.iter().map(|(name, field)| (name.clone(), in_all(field))).collect())
        }
        Value::Number(_) | Value::Bool(_) => value.to_string().into(),
        Value::Null => Value::Null,
    }
}

/// Prompted inputs of other clients become variables of the same name.
fn references(text: &str) -> String {
    text.replace("${input:", "${")
}

/// The text without `//` and `/* */` comments outside of strings.
fn without_comments(text: &str) -> String {
    let mut kept = String::with_capacity(text.len());
    let mut letters = text.chars().peekable();
    let mut in_text = false;
    while let Some(letter) = letters.next() {
        match letter {
            '\\' if in_text => {
                kept.push(letter);
                kept.extend(letters.next());
            }
            '"' => {
                in_text = !in_text;
                kept.push(letter);
            }
            '/' if !in_text && letters.peek() == Some(&'/') => {
                while letters.next_if(|next| *next != '\n').is_some() {}
            }
            '/' if !in_text && letters.peek() == Some(&'*') => {
                let mut last = ' ';
                for next in letters.by_ref().skip(1) {
                    if last == '*' && next == '/' {
                        break;
                    }
                    last = next;
                }
            }
            other => kept.push(other),
        }
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_go_and_texts_stay() {
        let text = "{\"a\": \"http://x/*y*/\", // gone\n /* gone\n too */ \"b\": \"\\\"//\"}";
        let value: Value = serde_json::from_str(&without_comments(text)).unwrap();
        assert_eq!(value, serde_json::json!({"a": "http://x/*y*/", "b": "\"//"}));
    }
}
