//! Text that was escaped once too often on its way here.

const WRITTEN_OUT: [(&str, &str); 4] = [("\\r\\n", "\n"), ("\\n", "\n"), ("\\t", "\t"), ("\\r", "\r")];

/// `\n`, `\t` and `\r` written out as two characters in `old`, read as the characters they mean; `new` is
/// read in the same way, but what `old` does not write out is meant as it stands. `None` if there are none.
pub(super) fn unescaped(old: &str, new: &str) -> Option<(String, String)> {
    let mut read = (old.to_owned(), new.to_owned());
    for (written, meant) in WRITTEN_OUT.iter().filter(|(written, _)| old.contains(written)) {
        read = (read.0.replace(written, meant), read.1.replace(written, meant));
    }
    (read.0 != old).then_some(read)
}

/// Quotes that carry a backslash nobody asked for. `None` if there are none.
pub(super) fn unquoted(text: &str) -> Option<String> {
    let read = text.replace("\\'", "'").replace("\\\"", "\"");
    (read != text).then_some(read)
}
