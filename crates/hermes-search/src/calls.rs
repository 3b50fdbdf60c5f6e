//! Names in the forms that only calls have: `deploy({…})`, `functions.deploy`, `"name": "deploy"`.

/// What stands before the dot, colon or slash of a name in calls.
const NAMESPACES: &[&str] =
    &["functions", "function", "tools", "tool", "default_api", "multi_tool_use", "api", "mcp"];
/// What stands before the colon or the equals sign of a name.
const KEYS: &[&str] = &["name", "tool_name", "tool", "function", "select"];

/// The words of a query that are called or named as in a call, in their order.
pub(crate) fn called(query: &str) -> Vec<&str> {
    let words = query.split(|letter: char| !is_name_letter(letter)).filter(|word| !word.is_empty());
    let start = |word: &str| word.as_ptr() as usize - query.as_ptr() as usize;
    let is_called = |word: &&str| {
        let before = query.get(..start(word)).unwrap_or_default();
        let after = query.get(start(word) + word.len()..).unwrap_or_default();
        is_before_arguments(after) || is_in_namespace(before, after) || is_value_of_key(before)
    };
    words.filter(is_called).collect()
}

fn is_name_letter(letter: char) -> bool {
    letter.is_alphanumeric() || letter == '_' || letter == '-'
}

/// `({"a": 1})`, `(a='b')` and `()`, but not the `(s)` of `file(s)`.
fn is_before_arguments(after: &str) -> bool {
    let Some(inside) = after.strip_prefix('(') else { return false };
    let inside = inside.split(')').next().unwrap_or_default();
    inside.trim().is_empty() || inside.contains(['=', ':', '{', '[', '"', '\''])
}

/// `functions.` and the like before it, and no further part behind it.
fn is_in_namespace(before: &str, after: &str) -> bool {
    let ends = !after.starts_with('.') || after.chars().nth(1).is_none_or(|letter| !is_name_letter(letter));
    ends && before.strip_suffix(['.', ':', '/']).is_some_and(|before| ends_with_word(before, NAMESPACES))
}

/// `name=`, `name: ` or `"name": "` before it.
fn is_value_of_key(before: &str) -> bool {
    let is_quote = |letter: char| "\"'`\\".contains(letter);
    let before = before.trim_end_matches(is_quote).trim_end();
    let key = before.strip_suffix([':', '=']).map(|key| key.trim_end().trim_end_matches(is_quote));
    key.is_some_and(|key| ends_with_word(key, KEYS))
}

/// Whether the last word is one of these.
fn ends_with_word(text: &str, words: &[&str]) -> bool {
    let last = text.rsplit(|letter: char| !is_name_letter(letter)).next().unwrap_or_default();
    words.iter().any(|word| last.eq_ignore_ascii_case(word))
}
