//! Names as archives write them.

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::path::PathBuf;

use hermes_core::ToolError;

const MAX_DEPTH: usize = 64;
const MAX_NAME: usize = 255;

/// The path that an entry's name stands for, below the destination; `None` for the destination itself. Names need not
/// be text.
pub(super) fn checked(name: &OsStr) -> Result<Option<PathBuf>, ToolError> {
    let refuse = |why: &str| {
        let shown: String = name.to_string_lossy().chars().take(120).collect();
        Err(ToolError::invalid(format!("the archive is refused: the entry {shown:?} {why}")))
    };
    let bytes = name.as_bytes();
    if bytes.utf8_chunks().any(|part| part.valid().contains(char::is_control)) {
        return refuse("has control characters in its name");
    }
    // A backslash separates names where some archives come from.
    if bytes.starts_with(b"/") || bytes.starts_with(b"\\") || has_drive(bytes) {
        return refuse("has an absolute path");
    }
    if bytes.split(|byte| matches!(byte, b'/' | b'\\')).any(|part| part == b"..") {
        return refuse("climbs out of the folder");
    }
    let parts = bytes.split(|byte| *byte == b'/').filter(|part| !part.is_empty() && *part != b".");
    let parts: Vec<&OsStr> = parts.map(OsStr::from_bytes).collect();
    if parts.len() > MAX_DEPTH {
        return refuse("lies too deep");
    }
    if parts.iter().any(|part| part.len() > MAX_NAME) {
        return refuse("has a name that is too long");
    }
    Ok((!parts.is_empty()).then(|| parts.iter().collect()))
}

fn has_drive(name: &[u8]) -> bool {
    match name {
        [letter, b':', rest @ ..] => {
            letter.is_ascii_alphabetic() && rest.first().is_none_or(|next| matches!(next, b'/' | b'\\'))
        }
        _ => false,
    }
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
            assert!(checked(bad.as_ref()).is_err(), "{bad:?}");
        }
        assert_eq!(checked("a/./b//c/".as_ref()).unwrap(), Some("a/b/c".into()));
        assert_eq!(checked("./".as_ref()).unwrap(), None);
        assert_eq!(checked("...".as_ref()).unwrap(), Some("...".into()));
        assert_eq!(checked("ordner/größe.txt".as_ref()).unwrap(), Some("ordner/größe.txt".into()));
        let odd = OsStr::from_bytes(b"d\xff/caf\xe9.txt");
        assert_eq!(checked(odd).unwrap(), Some(odd.into()));
        for bad in [&b"\xff/../../x"[..], b"\xff\n", b"\xff/\x1b[2J", b"/\xff"] {
            assert!(checked(OsStr::from_bytes(bad)).is_err());
        }
    }
}
