//! The hand-written pages: what they point to must be there. A link leads to a file; a name like
//! `crates/x/tests/it/y.rs::holds` leads to a function of that name.

use std::path::Path;

use super::finding::Finding;
use super::source::{Source, relative};
use crate::shell::Outcome;

pub(super) fn check(root: &Path, sources: &[Source]) -> Outcome<Vec<Finding>> {
    let mut findings = Vec::new();
    for folder in [root.to_owned(), root.join("docs")] {
        let Ok(entries) = std::fs::read_dir(&folder) else { continue };
        for entry in entries {
            let path = entry.map_err(|error| format!("{}: {error}", folder.display()))?.path();
            if path.extension().is_none_or(|kind| kind != "md") {
                continue;
            }
            let text =
                std::fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))?;
            findings.extend(page(&relative(root, &path), &text, &folder, sources));
        }
    }
    Ok(findings)
}

fn page(name: &str, text: &str, folder: &Path, sources: &[Source]) -> Vec<Finding> {
    let mut findings = Vec::new();
    for (index, line) in prose(text) {
        let mut say = |text: String| findings.push(Finding::failure(format!("{name}:{}", index + 1), text));
        for link in links(line).filter(|link| !folder.join(link).exists()) {
            say(format!("the link '{link}' leads nowhere"));
        }
        for missing in references(line).filter(|reference| !exists(reference, sources)) {
            say(format!("there is no '{missing}'"));
        }
    }
    findings
}

/// The lines outside fenced blocks.
fn prose(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut fenced = false;
    text.lines().enumerate().filter(move |(_, line)| {
        let fence = line.trim_start().starts_with("```");
        fenced ^= fence;
        !fenced && !fence
    })
}

/// Targets of `](…)` inside the repository, without their fragments.
fn links(line: &str) -> impl Iterator<Item = &str> {
    let targets = line.split("](").skip(1).filter_map(|rest| rest.split_once(')')).map(|(target, _)| target);
    targets
        .filter(|target| !target.contains("://"))
        .filter_map(|target| target.split('#').next())
        .filter(|target| !target.is_empty())
}

/// `path.rs` and `path.rs::name` between backticks, where the path starts at a folder of the root.
fn references(line: &str) -> impl Iterator<Item = &str> {
    let quoted = line.split('`').skip(1).step_by(2);
    quoted.filter(|text| {
        let path = text.split_once("::").map_or(*text, |(path, _)| path);
        path.ends_with(".rs")
            && !path.contains('<')
            && (path.starts_with("crates/") || path.starts_with("xtask/"))
    })
}

fn exists(reference: &str, sources: &[Source]) -> bool {
    let (path, function) = match reference.split_once("::") {
        Some((path, function)) => (path, Some(function)),
        None => (reference, None),
    };
    let found = sources.iter().find(|source| source.path == path);
    found.is_some_and(|source| function.is_none_or(|name| source.code.contains(&format!("fn {name}("))))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dead_links_and_dead_names_are_found() {
        let sources = [Source::new("crates/a/src/b.rs", "fn holds() {}")];
        let folder = Path::new(env!("CARGO_MANIFEST_DIR"));
        let found = |text: &str| page("P.md", text, folder, &sources).len();
        assert_eq!(found("[x](Cargo.toml) [y](src/main.rs#top) [z](https://x.org) [w](#here)"), 0);
        assert_eq!(found("[x](Nothing.md)"), 1);
        assert_eq!(found("`crates/a/src/b.rs::holds` `crates/a/src/b.rs` `b.rs`"), 0);
        assert_eq!(found("`crates/a/src/b.rs::held` `crates/a/src/c.rs`"), 2);
        assert_eq!(found("```\n[x](Nothing.md)\n```\n[x](Nothing.md)"), 1);
    }
}
