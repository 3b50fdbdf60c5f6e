//! Text that was escaped once too often on its way here.

const WRITTEN_OUT: [(&str, &str); 4] = [("\\r\\n", "\n"), ("\\n", "\n"), ("\\t", "\t"), ("\\r", "\r")];

/// `\n`, `\t` and `\r` written out as two characters in `old`, read as the characters they mean; `new` is
/// read in the same way. Others that `new` writes out stand as they are if `old` has the real characters; `None` if it
/// has not, since then nobody knows how they are meant, and if there is nothing to read.
pub(super) fn unescaped(old: &str, new: &str) -> Option<(String, String)> {
    let mut read = (old.to_owned(), new.to_owned());
    for (written, meant) in WRITTEN_OUT.iter().filter(|(written, _)| old.contains(written)) {
        read = (read.0.replace(written, meant), read.1.replace(written, meant));
    }
    let is_open = WRITTEN_OUT.iter().any(|(written, meant)| read.1.contains(written) && !old.contains(meant));
    (read.0 != old && !is_open).then_some(read)
}

/// Quotes that carry a backslash nobody asked for. `None` if there are none.
pub(super) fn unquoted(text: &str) -> Option<String> {
    let read = text.replace("\\'", "'").replace("\\\"", "\"");
    (read != text).then_some(read)
}
