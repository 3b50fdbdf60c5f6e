//! A path as it was written, made absolute by its letters alone.

use std::fmt;
use std::path::{Path, PathBuf};

use hermes_core::path::clean;

/// What no file system here takes in one name, and in one path.
const LONGEST_NAME: usize = 255;
const LONGEST_PATH: usize = 4_095;

/// Why a text names no path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PathRefusal {
    Empty,
    Nul,
    OtherHome,
    TooLong,
}

impl PathRefusal {
    pub fn category(self) -> &'static str {
        match self {
            PathRefusal::Empty => "empty",
            PathRefusal::Nul => "nul",
            PathRefusal::OtherHome => "other_home",
            PathRefusal::TooLong => "too_long",
        }
    }
}

impl fmt::Display for PathRefusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            PathRefusal::Empty => "the path is empty",
            PathRefusal::Nul => "the path contains a NUL character",
            PathRefusal::OtherHome => {
                "the path names another user's home folder; write the absolute path instead"
            }
            PathRefusal::TooLong => "a name in the path, or the path, is longer than any file system takes",
        })
    }
}

impl std::error::Error for PathRefusal {}

/// Expands `~`, joins to `cwd`, and takes out `.`, `..` and double slashes. Looks at no file system and
/// decodes nothing: `%2e%2e`, `$HOME`, backslashes and wide dots are letters of a name.
pub fn lexical(raw: &str, home: &Path, cwd: &Path) -> Result<PathBuf, PathRefusal> {
    if raw.is_empty() {
        return Err(PathRefusal::Empty);
    }
    if raw.contains('\0') {
        return Err(PathRefusal::Nul);
    }
    let whole = match raw.strip_prefix('~') {
        None => cwd.join(raw),
        Some("") => home.to_owned(),
        Some(rest) if rest.starts_with('/') => home.join(rest.trim_start_matches('/')),
        Some(_) => return Err(PathRefusal::OtherHome),
    };
    let clean = clean(&whole);
    let long_name = clean.components().any(|name| name.as_os_str().len() > LONGEST_NAME);
    if long_name || clean.as_os_str().len() > LONGEST_PATH {
        return Err(PathRefusal::TooLong);
    }
    Ok(clean)
}

/// Whether the text can only mean a folder: it ends in a slash, `.` or `..`.
pub fn names_folder(raw: &str) -> bool {
    matches!(raw.rsplit('/').next(), Some("" | "." | ".." | "~") | None)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_alone_decide() {
        let at = |raw: &str| {
            lexical(raw, Path::new("/home/a"), Path::new("/home/a/p")).map(|path| path.display().to_string())
        };
        for (raw, expected) in [
            ("x", "/home/a/p/x"),
            ("~", "/home/a"),
            ("~/", "/home/a"),
            ("~//etc", "/home/a/etc"),
            ("./s/../.env", "/home/a/p/.env"),
            ("//dev//zero", "/dev/zero"),
            ("/etc/../../x", "/x"),
            ("../../../../..", "/"),
            ("%2e%2e/x", "/home/a/p/%2e%2e/x"),
            ("$HOME/x", "/home/a/p/$HOME/x"),
            ("..\\x", "/home/a/p/..\\x"),
            ("．．/x", "/home/a/p/．．/x"),
            (".../x", "/home/a/p/.../x"),
            ("a~/x", "/home/a/p/a~/x"),
        ] {
            assert_eq!(at(raw).as_deref(), Ok(expected), "{raw}");
        }
        assert_eq!(at(""), Err(PathRefusal::Empty));
        assert_eq!(at("a\0b"), Err(PathRefusal::Nul));
        assert_eq!(at("~root/x"), Err(PathRefusal::OtherHome));
        assert_eq!(at(&"x".repeat(256)), Err(PathRefusal::TooLong));
        assert_eq!(at(&"x/".repeat(3_000)), Err(PathRefusal::TooLong));
    }
}
