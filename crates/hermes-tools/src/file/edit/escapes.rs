//! Text that was escaped once too often on its way here.

/// `\n`, `\t` and `\r` written out as two characters, read as the characters they mean. `None` if there
/// are none.
pub(super) fn unescaped(text: &str) -> Option<String> {
    let read = text.replace("\\n", "\n").replace("\\t", "\t").replace("\\r", "\r");
    (read != text).then_some(read)
}

/// Quotes that carry a backslash nobody asked for. `None` if there are none.
pub(super) fn unquoted(text: &str) -> Option<String> {
    let read = text.replace("\\'", "'").replace("\\\"", "\"");
    (read != text).then_some(read)
}
