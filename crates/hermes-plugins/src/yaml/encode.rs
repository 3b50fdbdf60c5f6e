//! How a value is written where it goes, so that it cannot become anything else there.

use std::fmt::Write as _;

/// A value within a path segment: everything but letters, digits and `-._~` is escaped, slashes too.
pub(crate) fn segment(text: &str) -> String {
    escaped(text, |byte| byte.is_ascii_alphanumeric() || b"-._~".contains(&byte))
}

/// A name or value of a query or form. Blanks are `%20`, which every reader takes, unlike `+`.
pub(crate) fn query(text: &str) -> String {
    segment(text)
}

/// Whether a rendered path segment would move to another folder or vanish.
pub(crate) fn is_step(segment: &str) -> bool {
    // Readers of URLs take an escaped dot for a dot.
    let plain = segment.to_ascii_lowercase().replace("%2e", ".");
    matches!(plain.as_str(), "" | "." | "..")
}

/// A word of a command line, for eyes and for policy: nothing ever runs it as text.
pub(crate) fn shell_word(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_./=:,@%+".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        return word.to_owned();
    }
    format!("'{}'", word.replace('\'', "'\\''"))
}

fn escaped(text: &str, plain: impl Fn(u8) -> bool) -> String {
    let mut out = String::with_capacity(text.len());
    for byte in text.bytes() {
        if plain(byte) {
            out.push(char::from(byte));
        } else {
            let _ = write!(out, "%{byte:02X}");
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_that_separates_gets_through() {
        assert_eq!(segment("a/b?c#d%2F é"), "a%2Fb%3Fc%23d%252F%20%C3%A9");
        assert_eq!(query("a&b=c+d;"), "a%26b%3Dc%2Bd%3B");
        assert!(["", ".", "..", "%2e", ".%2E", "%2E%2e"].iter().all(|step| is_step(step)));
        assert!(!["...", "a", "%252e", ".a"].iter().any(|step| is_step(step)));
        assert_eq!(shell_word("it's"), "'it'\\''s'");
        assert_eq!(shell_word(""), "''");
    }
}
