//! Keys of mappings as people write them: plain or in quotation marks, with a blank before the colon or without.

/// What stands after `key:` at the beginning of this text, if that is what it begins with.
pub(super) fn after<'t>(text: &'t str, key: &str) -> Option<&'t str> {
    let quoted = serde_json::Value::from(key).to_string();
    let single = format!("'{}'", key.replace('\'', "''"));
    let rest = [key, &quoted, &single].into_iter().find_map(|spelling| text.strip_prefix(spelling))?;
    let value = rest.trim_start_matches(' ').strip_prefix(':')?;
    let ends = value.is_empty() || value.starts_with([' ', '\t', '{', '[', '\n']);
    ends.then_some(value)
}

/// The value without the anchor and the tag in front of it.
pub(super) fn bare(value: &str) -> &str {
    let mut rest = value.trim_start();
    while rest.starts_with(['&', '!']) {
        let (_, after) = rest.split_once(char::is_whitespace).unwrap_or((rest, ""));
        rest = after.trim_start();
    }
    rest
}

/// Whether nothing but a comment is left of a line.
pub(super) fn is_over(rest: &str) -> bool {
    let rest = rest.trim();
    rest.is_empty() || rest.starts_with('#')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_known_however_they_are_written() {
        for line in ["a:", "a: 1", "'a' : 1", "\"a\":{b: 1}", "a:\t# c"] {
            assert!(after(line, "a").is_some(), "{line}");
        }
        for line in ["ab: 1", "a", "a:b", "- a: 1", "b: a:"] {
            assert!(after(line, "a").is_none(), "{line}");
        }
        assert_eq!(bare(" &x !!map {a: 1} # c"), "{a: 1} # c");
        assert!(is_over("  # c") && is_over("") && !is_over(" {}"));
    }
}
