//! Names as archives write them.

use std::path::PathBuf;

use hermes_core::ToolError;

const MAX_DEPTH: usize = 64;
const MAX_NAME: usize = 255;

/// The path that an entry's name stands for, below the destination; `None` for the destination itself.
pub(super) fn checked(name: &str) -> Result<Option<PathBuf>, ToolError> {
    let refuse = |why: &str| {
        let shown: String = name.chars().take(120).collect();
        Err(ToolError::invalid(format!("the archive is refused: the entry {shown:?} {why}")))
    };
    if name.chars().any(char::is_control) {
        return refuse("has control characters in its name");
    }
    // A backslash separates names where some archives come from.
    if name.starts_with(['/', '\\']) || has_drive(name) {
        return refuse("has an absolute path");
    }
    if name.split(['/', '\\']).any(|part| part == "..") {
        return refuse("climbs out of the folder");
    }
    let parts: Vec<&str> = name.split('/').filter(|part| !part.is_empty() && *part != ".").collect();
    if parts.len() > MAX_DEPTH {
        return refuse("lies too deep");
    }
    if parts.iter().any(|part| part.len() > MAX_NAME) {
        return refuse("has a name that is too long");
    }
    Ok((!parts.is_empty()).then(|| parts.iter().collect()))
}

fn has_drive(name: &str) -> bool {
    let mut characters = name.chars();
    characters.next().is_some_and(|first| first.is_ascii_alphabetic())
        && characters.next() == Some(':')
        && characters.next().is_none_or(|third| matches!(third, '/' | '\\'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_plain_paths_below_pass() {
        for bad in [
            "/etc/passwd",
            "../x",
            "a/../../x",
            "a/..",
            "..",
            "\\x",
            "a\\..\\b",
            "C:/x",
            "c:\\x",
            "a\nb",
            "a\0b",
            "\u{1b}[2J",
            &"d/".repeat(100),
            &"n".repeat(300),
        ] {
            assert!(checked(bad).is_err(), "{bad:?}");
        }
        assert_eq!(checked("a/./b//c/").unwrap(), Some("a/b/c".into()));
        assert_eq!(checked("./").unwrap(), None);
        assert_eq!(checked("...").unwrap(), Some("...".into()));
        assert_eq!(checked("ordner/größe.txt").unwrap(), Some("ordner/größe.txt".into()));
    }
}
