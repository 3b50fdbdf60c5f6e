//! Bytes as one word of a POSIX shell. The only place where shell text is made from data.

/// The bytes in single quotes; a quote among them is closed, escaped and opened again.
pub(super) fn quoted(bytes: &[u8]) -> Vec<u8> {
    let mut word = Vec::with_capacity(bytes.len() + 2);
    word.push(b'\'');
    for byte in bytes {
        match byte {
            b'\'' => word.extend(br"'\''"),
            byte => word.push(*byte),
        }
    }
    word.push(b'\'');
    word
}

/// The text as one word.
pub(crate) fn quoted_text(text: &str) -> String {
    String::from_utf8_lossy(&quoted(text.as_bytes())).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_stay_one_word() {
        assert_eq!(quoted_text("a b"), "'a b'");
        assert_eq!(quoted_text("it's"), r"'it'\''s'");
        assert_eq!(quoted_text(""), "''");
        assert_eq!(quoted(b"\xff$(x)`y`\n"), b"'\xff$(x)`y`\n'");
    }
}
