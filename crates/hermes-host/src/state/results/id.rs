//! Names made from content: the first 130 bits of a SHA-256, in lowercase base32.

use sha2::{Digest, Sha256};

const LENGTH: usize = 26;
const ALPHABET: &[u8; 32] = b"abcdefghijklmnopqrstuvwxyz234567";

/// The name of these bytes.
pub(super) fn of(bytes: &[u8]) -> String {
    let mut name = String::with_capacity(LENGTH);
    let (mut bits, mut held) = (0_u32, 0_u32);
    for byte in Sha256::digest(bytes) {
        bits = (bits << 8) | u32::from(byte);
        held += 8;
        while held >= 5 && name.len() < LENGTH {
            held -= 5;
            let digit = usize::try_from((bits >> held) & 31).unwrap_or_default();
            name.extend(ALPHABET.get(digit).map(|&letter| char::from(letter)));
        }
    }
    name
}

/// Whether this can be such a name. Nothing else ever becomes part of a path.
pub(super) fn is_valid(id: &str) -> bool {
    id.len() == LENGTH && id.bytes().all(|byte| ALPHABET.contains(&byte))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_the_base32_of_the_hash() {
        // printf hello | sha256sum | xxd -r -p | base32 | tr A-Z a-z | cut -c1-26
        assert_eq!(of(b"hello"), "ftze3os7wcrq4jxihmvmlopcty");
        assert!(is_valid(&of(b"")));
    }

    #[test]
    fn nothing_else_is_a_name() {
        for id in [
            "",
            "..",
            "../../../../etc/passwd2345",
            "ABCDEFGHIJKLMNOPQRSTUVWXYZ",
            "aaaaaaaaaaaaaaaaaaaaaaaaa/",
        ] {
            assert!(!is_valid(id), "{id}");
        }
    }
}
