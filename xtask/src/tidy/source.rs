//! The files that the rules look at.

use std::path::Path;

use super::code::code_of;
use crate::shell::Outcome;

/// Folders that hold Rust files of ours.
const PLACES: &[&str] = &["benches", "crates", "fuzz", "xtask"];
/// Folders inside them that hold what machines made.
const MADE: &[&str] = &["artifacts", "corpus", "target"];

/// One Rust file.
pub(super) struct Source {
    /// Relative to the root, with `/` between the parts.
    pub(super) path: String,
    pub(super) text: String,
    /// The text without comments and the insides of literals.
    pub(super) code: String,
}

impl Source {
    pub(super) fn new(path: &str, text: &str) -> Self {
        Source { path: path.to_owned(), text: text.to_owned(), code: code_of(text) }
    }

    pub(super) fn file_name(&self) -> &str {
        self.path.rsplit('/').next().unwrap_or(&self.path)
    }

    /// Whether it belongs to the shipped part of a package, not to its tests.
    pub(super) fn is_src(&self) -> bool {
        self.path.contains("/src/")
    }

    /// Whether it is data in the shape of code.
    pub(super) fn is_fixture(&self) -> bool {
        self.path.contains("/fixtures/") || self.text.starts_with("// @generated")
    }
}

/// All Rust files of the repository, sorted by path.
pub(super) fn sources(root: &Path) -> Outcome<Vec<Source>> {
    let mut found = Vec::new();
    for place in PLACES {
        walk(&root.join(place), &mut |path| {
            if path.extension().is_none_or(|kind| kind != "rs") {
                return Ok(());
            }
            let text =
                std::fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))?;
            found.push(Source::new(&relative(root, path), &text));
            Ok(())
        })?;
    }
    found.sort_by(|a, b| a.path.cmp(&b.path));
    Ok(found)
}

pub(super) fn relative(root: &Path, path: &Path) -> String {
    let parts = path.strip_prefix(root).unwrap_or(path).components();
    parts.map(|part| part.as_os_str().to_string_lossy()).collect::<Vec<_>>().join("/")
}

fn walk(folder: &Path, visit: &mut impl FnMut(&Path) -> Outcome) -> Outcome {
    let Ok(entries) = std::fs::read_dir(folder) else { return Ok(()) };
    for entry in entries {
        let entry = entry.map_err(|error| format!("{}: {error}", folder.display()))?;
        let (path, name) = (entry.path(), entry.file_name());
        let is_ours = !MADE.iter().any(|made| name == *made);
        if path.is_dir() && is_ours {
            walk(&path, visit)?;
        } else if path.is_file() {
            visit(&path)?;
        }
    }
    Ok(())
}
