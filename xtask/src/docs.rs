//! `cargo xtask docs`: the pages that the binary writes about itself.

use std::path::PathBuf;

use crate::shell::{Outcome, capture, cargo_with, root, target_dir};

/// Pages of `docs/`, by the name that `hermes docs` knows them under.
const PAGES: &[&str] = &["tools", "config"];

/// Writes the pages.
pub(crate) fn write() -> Outcome {
    for page in PAGES {
        let (path, text) = (path_of(page), generate(page)?);
        std::fs::write(&path, text).map_err(|error| format!("{}: {error}", path.display()))?;
    }
    Ok(())
}

/// Compares the pages on disk with what the binary would write.
pub(crate) fn check() -> Outcome {
    let mut stale = Vec::new();
    for page in PAGES {
        let on_disk = std::fs::read_to_string(path_of(page)).unwrap_or_default();
        if let Some(difference) = first_difference(&on_disk, &generate(page)?) {
            stale.push(format!("docs/{page}.md is stale\n{difference}"));
        }
    }
    if stale.is_empty() { Ok(()) } else { Err(format!("{}\nrun: cargo xtask docs", stale.join("\n"))) }
}

fn path_of(page: &str) -> PathBuf {
    root().join("docs").join(format!("{page}.md"))
}

fn generate(page: &str) -> Outcome<String> {
    let mut hermes =
        cargo_with(&["run", "--quiet", "--locked", "--package", "hermes-cli", "--", "docs", page]);
    // A home of its own: the user's configuration must not show in the repository's pages.
    hermes.env("HERMES_HOME", target_dir().join("docs-home"));
    capture(hermes)
}

fn first_difference(old: &str, new: &str) -> Option<String> {
    if old == new {
        return None;
    }
    let (mut old_lines, mut new_lines) = (old.lines(), new.lines());
    for number in 1.. {
        let (was, is) = (old_lines.next(), new_lines.next());
        if was != is {
            let shown = |line: Option<&str>| line.unwrap_or("(nothing)").to_owned();
            return Some(format!(
                "  line {number} is     {}\n  line {number} should {}",
                shown(was),
                shown(is)
            ));
        }
        if was.is_none() {
            break;
        }
    }
    Some("  the ends of the lines differ".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_different_line_is_named() {
        assert_eq!(first_difference("a\nb\n", "a\nb\n"), None);
        assert!(first_difference("a\nb\n", "a\nc\n").unwrap().contains("line 2 is     b"));
        assert!(first_difference("", "a\n").unwrap().contains("(nothing)"));
        assert!(first_difference("a", "a\n").unwrap().contains("ends"));
    }
}
