//! Hashes as a model passes them on.

use hermes_core::ToolError;

/// A SHA-256 in lower case, or what is wrong with it.
pub(crate) fn checked_hash(hash: &str) -> Result<String, ToolError> {
    let hash = hash.trim().to_ascii_lowercase();
    if hash.len() == 64 && hash.bytes().all(|byte| byte.is_ascii_hexdigit()) {
        return Ok(hash);
    }
    Err(ToolError::invalid("expected_hash must be a SHA-256 in hex: 64 digits, as read_file returns it"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hashes_are_checked_and_normalised() {
        assert_eq!(checked_hash(&format!(" {} ", "AB".repeat(32))), Ok("ab".repeat(32)));
        for bad in ["", "abc", &"g".repeat(64), &"a".repeat(63)] {
            assert!(checked_hash(bad).is_err(), "{bad}");
        }
    }
}
