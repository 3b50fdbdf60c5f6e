//! A tool as a function.

use hermes_core::ToolInfo;
use serde_json::Value;

/// Tools that make no sense in code: they would start code again, or wait for a person.
const NOT_IN_CODE: &[&str] = &["clarify", "execute_code", "repl"];

/// Whether code may call the tool.
pub(in crate::code_execution) fn callable(name: &str) -> bool {
    !NOT_IN_CODE.contains(&name)
}

/// Name and parameters of a function.
pub(super) struct Signature {
    pub(super) name: String,
    pub(super) required: Vec<String>,
    pub(super) optional: Vec<String>,
    pub(super) summary: String,
}

impl Signature {
    /// `None` for a tool whose name no language could spell.
    pub(super) fn of(info: &ToolInfo) -> Option<Self> {
        if !callable(&info.name) || !is_identifier(&info.name) {
            return None;
        }
        let listed = info.parameters.get("required").and_then(Value::as_array);
        let is_required = |name: &String| {
            listed.is_some_and(|names| names.iter().any(|required| required.as_str() == Some(name)))
        };
        let properties = info.parameters.get("properties").and_then(Value::as_object);
        let names: Vec<String> = properties
            .into_iter()
            .flatten()
            .map(|(name, _)| name.clone())
            .filter(|name| is_identifier(name))
            .collect();
        let (required, optional) = names.into_iter().partition(is_required);
        let summary =
            info.description.split(". ").next().unwrap_or_default().replace(['\n', '"', '\\', '*'], " ");
        Some(Signature { name: info.name.clone(), required, optional, summary })
    }
}

/// A word of every language we speak, and a keyword of none.
fn is_identifier(name: &str) -> bool {
    const KEYWORDS: &[&str] = &[
        "and", "as", "assert", "async", "await", "break", "case", "catch", "class", "const", "continue",
        "def", "default", "del", "delete", "do", "elif", "else", "enum", "except", "export", "extends",
        "finally", "for", "from", "function", "global", "if", "import", "in", "is", "lambda", "let", "new",
        "nonlocal", "not", "null", "or", "pass", "raise", "return", "super", "switch", "this", "throw",
        "true", "try", "typeof", "var", "void", "while", "with", "yield", "False", "None", "True", "false",
    ];
    let mut letters = name.chars();
    letters.next().is_some_and(|first| first.is_ascii_alphabetic() || first == '_')
        && letters.all(|letter| letter.is_ascii_alphanumeric() || letter == '_')
        && !KEYWORDS.contains(&name)
}
