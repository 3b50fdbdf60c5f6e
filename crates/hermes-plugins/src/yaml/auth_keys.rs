//! `auth`: which secrets a request carries. The file names environment variables and never holds a secret.

use hermes_core::yaml::{Node, Reader, quote};
use hermes_host::http::HeaderName;

use super::parameter::one_of;
use super::spec::Auth;

pub(super) const KEYS: &[&str] = &["type", "username_env", "password_env", "token_env", "name", "value_env"];
pub(super) const TYPES: &[&str] = &["none", "basic", "bearer", "header", "query"];
/// What people write when they mean the secret itself.
const LITERALS: &[(&str, &str)] = &[
    ("username", "username_env"),
    ("user", "username_env"),
    ("password", "password_env"),
    ("token", "token_env"),
    ("value", "value_env"),
    ("key", "value_env"),
    ("api_key", "value_env"),
    ("secret", "value_env"),
];

pub(super) fn auth(reader: &mut Reader, node: &Node) -> Auth {
    let all = reader.entries(node, "auth");
    let mut known = Vec::new();
    for (key, value) in all {
        match LITERALS.iter().find(|(literal, _)| *literal == key.name) {
            Some((_, better)) => {
                let hint = format!("put it into the environment and name the variable with {better}");
                reader.error(key.at, "a secret may not stand in the file", Some(hint));
            }
            None if KEYS.contains(&key.name.as_str()) => known.push((key, value)),
            None => {
                let near = hermes_core::names::nearest(&key.name, KEYS.iter().copied(), 1);
                let hint = match near.first() {
                    Some(near) => format!("did you mean {near}?"),
                    None => format!("known here: {}", KEYS.join(", ")),
                };
                reader.error(key.at, format!("unknown key {} in auth", quote(&key.name)), Some(hint));
            }
        }
    }
    let find = |name: &str| known.iter().find(|(key, _)| key.name == name).map(|(_, value)| *value);
    let Some(kind) = find("type") else {
        reader.error(node.at, "auth needs a type", Some(format!("known: {}", TYPES.join(", "))));
        return Auth::None;
    };
    let Some(kind) = one_of(reader, kind, "type", TYPES) else { return Auth::None };
    let wanted: &[&str] = match kind.as_str() {
        "basic" => &["username_env", "password_env"],
        "bearer" => &["token_env"],
        "header" | "query" => &["name", "value_env"],
        _ => &[],
    };
    for (key, _) in known.iter().filter(|(key, _)| key.name != "type" && !wanted.contains(&key.name.as_str()))
    {
        reader.error(key.at, format!("{} means nothing for auth of type {kind}", key.name), None);
    }
    let mut texts = Vec::new();
    for name in wanted {
        match find(name) {
            None => reader.error(node.at, format!("auth of type {kind} needs {name}"), None),
            Some(value) => texts.extend(named(reader, value, name, &kind)),
        }
    }
    match (kind.as_str(), texts.as_slice()) {
        ("basic", [username_env, password_env]) => {
            Auth::Basic { username_env: username_env.clone(), password_env: password_env.clone() }
        }
        ("bearer", [token_env]) => Auth::Bearer { token_env: token_env.clone() },
        ("header", [name, value_env]) => Auth::Header { name: name.clone(), value_env: value_env.clone() },
        ("query", [name, value_env]) => Auth::Query { name: name.clone(), value_env: value_env.clone() },
        _ => Auth::None,
    }
}

fn named(reader: &mut Reader, node: &Node, what: &str, kind: &str) -> Option<String> {
    let text = reader.text(node, what)?.value;
    let fits = match (what, kind) {
        ("name", "header") => HeaderName::from_bytes(text.as_bytes()).is_ok(),
        ("name", _) => !text.is_empty(),
        _ => is_variable(&text),
    };
    if fits {
        return Some(text);
    }
    let hint = what.ends_with("_env").then(|| "name a variable, such as SERVICE_TOKEN".to_owned());
    // What stands here may be the secret itself: it is not repeated.
    reader.error(
        node.at,
        format!("this is no {}", if hint.is_some() { "name of a variable" } else { "name" }),
        hint,
    );
    None
}

/// Whether the text is a name of an environment variable.
pub(super) fn is_variable(text: &str) -> bool {
    text.len() <= 128
        && text.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
        && text.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
}
