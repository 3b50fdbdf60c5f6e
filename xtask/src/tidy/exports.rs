//! `lib.rs` and `mod.rs` hold `mod` lines, exports and constants: whoever opens one sees what is in the
//! folder, and nothing hides there.

use super::finding::Finding;
use super::source::Source;

/// What such a file may say.
const ALLOWED: &[&str] = &["const", "extern", "mod", "use"];

pub(super) fn check(source: &Source) -> Option<Finding> {
    if !source.is_src() || !matches!(source.file_name(), "lib.rs" | "mod.rs") {
        return None;
    }
    let (word, line) = first_foreign_item(&source.code)?;
    let text = format!("'{word}' does not belong here: move it to a file with a name of its own");
    Some(Finding::failure(format!("{}:{line}", source.path), text))
}

/// The first item that is none of the allowed, and its line.
fn first_foreign_item(code: &str) -> Option<(String, usize)> {
    let mut rest = code;
    loop {
        rest = skip_attributes(rest);
        if rest.is_empty() {
            return None;
        }
        let line = code.get(..code.len() - rest.len())?.matches('\n').count() + 1;
        let item = skip_visibility(rest);
        let word: String = item.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
        let end = item.find(';').unwrap_or(item.len());
        let inline_module = word == "mod" && item.find('{').is_some_and(|brace| brace < end);
        if !ALLOWED.contains(&word.as_str()) || inline_module {
            return Some((if inline_module { "mod {…}".to_owned() } else { word }, line));
        }
        rest = item.get(end + 1..).unwrap_or_default();
    }
}

/// Skips `#[…]` and `#![…]`, which may nest brackets.
fn skip_attributes(text: &str) -> &str {
    let mut rest = text.trim_start();
    while let Some(attribute) = rest.strip_prefix('#') {
        let mut depth = 0_usize;
        let end = attribute.char_indices().find_map(|(at, c)| {
            match c {
                '[' => depth += 1,
                ']' => depth = depth.saturating_sub(1),
                _ => return None,
            }
            (depth == 0).then_some(at)
        });
        rest = end.and_then(|end| attribute.get(end + 1..)).unwrap_or_default().trim_start();
    }
    rest
}

fn skip_visibility(text: &str) -> &str {
    let Some(rest) = text.strip_prefix("pub").filter(|rest| rest.starts_with([' ', '('])) else {
        return text;
    };
    let rest = match rest.strip_prefix('(') {
        Some(inside) => inside.split_once(')').map_or("", |(_, rest)| rest),
        None => rest,
    };
    rest.trim_start()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tidy::code::code_of;

    fn found(text: &str) -> Option<String> {
        first_foreign_item(&code_of(text)).map(|(word, line)| format!("{word}:{line}"))
    }

    #[test]
    fn mod_lines_exports_and_constants_pass() {
        let text = "//! Head.\n#![allow(x, reason = \"]\")]\n\nmod a;\n#[cfg(unix)]\npub(crate) mod b;\n\
                    pub use a::{B, c::{D, E}};\npub const TEXT: &str = include_str!(\"t.yaml\");\n\
                    const LIST: &[&str] = &[\"fn\"];\nuse hermes_tools as _;\n";
        assert_eq!(found(text), None);
    }

    #[test]
    fn everything_else_is_named_with_its_line() {
        assert_eq!(found("mod a;\n\npub struct B;\n"), Some("struct:3".into()));
        assert_eq!(found("mod a;\npub(super) async fn f() { g(); }\n"), Some("async:2".into()));
        assert_eq!(found("#[derive(Debug)]\nenum E { A }\nmod a;"), Some("enum:2".into()));
        assert_eq!(found("mod tests { use super::*; }"), Some("mod {…}:1".into()));
    }
}
