//! Bytes as one word on a line, for `printf %b` on the other side.

/// The word for these bytes. Bytes that mean nothing to any shell stay, the others are numbers.
pub(super) fn word(bytes: &[u8]) -> String {
    let mut word = String::with_capacity(bytes.len());
    for byte in bytes {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'/' | b'.' | b'_' | b'-' => {
                word.push(char::from(*byte))
            }
            byte => word.push_str(&format!("\\0{byte:03o}")),
        }
    }
    word
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_byte_but_nul_arrives() {
        let all: Vec<u8> = (1..=255).collect();
        for shell in ["sh", "bash"] {
            let script = "W=$(printf '%bx' \"$1\"); printf %s \"${W%x}\"";
            let printed =
                std::process::Command::new(shell).args(["-c", script, "x", &word(&all)]).output().unwrap();
            assert_eq!(printed.stdout, all, "{shell}");
        }
        assert_eq!(word(b"a b\n'"), "a\\0040b\\0012\\0047");
        assert_eq!(word(b"ends in a line break\n"), "ends\\0040in\\0040a\\0040line\\0040break\\0012");
    }
}
