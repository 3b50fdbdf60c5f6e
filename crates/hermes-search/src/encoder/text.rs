//! What of a tool the encoder reads.

use crate::document::Document;
use crate::tokens::{pieces, words};

/// Letters of a description that are read.
const DESCRIPTION: usize = 500;
/// Letters of the argument names that are read.
const ARGUMENTS: usize = 200;
/// Tokens of a tool.
pub const TOOL_TOKENS: usize = 112;
/// Tokens of a query.
pub const QUERY_TOKENS: usize = 96;

/// `server words tool words: description (argument words)`.
pub fn tool_text(document: &Document) -> String {
    let mut text = spaced(&document.server);
    if !text.is_empty() {
        text.push(' ');
    }
    text.push_str(&spaced(&document.bare));
    text.push_str(": ");
    text.extend(document.description.chars().take(DESCRIPTION));
    let arguments: Vec<String> = document.properties().map(|(name, _)| spaced(name)).collect();
    let arguments: String = arguments.join(" ").chars().take(ARGUMENTS).collect();
    if !arguments.is_empty() {
        text.push_str(" (");
        text.push_str(&arguments);
        text.push(')');
    }
    text
}

/// The words of a name in lower case.
fn spaced(name: &str) -> String {
    let all: Vec<String> = pieces(name).flat_map(words).map(str::to_lowercase).collect();
    all.join(" ")
}
