//! A pattern of file names, matched as the shell would match it: against what is there now.

use std::path::{Path, PathBuf};

use hermes_policy::shell::glob_matches;

/// More matches than this are not gathered; that there were more is said.
const MOST: usize = 512;

/// The paths below `folder` that match, in order; `None` where there are too many.
pub(super) fn expand(pattern: &str, folder: &Path) -> Option<Vec<PathBuf>> {
    let start = if pattern.starts_with('/') { PathBuf::from("/") } else { folder.to_owned() };
    let mut places = vec![start];
    for part in pattern.split('/').filter(|part| !part.is_empty()) {
        let mut next = Vec::new();
        for place in &places {
            match literal(part) {
                Some(name) => next.extend(Some(place.join(name)).filter(|path| path.exists())),
                None => next.extend(matching(place, part)),
            }
            if next.len() > MOST {
                return None;
            }
        }
        places = next;
    }
    Some(places)
}

/// Names that begin with a dot are taken too: a setting of the shell decides about them.
fn matching(folder: &Path, pattern: &str) -> Vec<PathBuf> {
    let names = std::fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.file_name());
    let taken = names.filter(|name| name.to_str().is_none_or(|name| glob_matches(pattern, name)));
    let mut found: Vec<PathBuf> = taken.map(|name| folder.join(name)).collect();
    found.sort();
    found
}

/// The name that a part without anything special stands for.
fn literal(part: &str) -> Option<String> {
    let mut name = String::new();
    let mut rest = part.chars();
    while let Some(letter) = rest.next() {
        match letter {
            '\\' => name.extend(rest.next()),
            '*' | '?' | '[' | ']' | '(' | ')' | '|' | '@' | '+' | '!' => return None,
            other => name.push(other),
        }
    }
    Some(name)
}
