//! The crates that do no I/O: no library that could, no call that would.

use std::collections::BTreeSet;

use super::code::words_at;
use super::finding::Finding;
use super::packages::{Package, find};
use super::source::Source;

const OWN_FILE: &str = "xtask/src/tidy/pure.rs";

/// Crates that do no I/O.
const PURE: &[&str] = &["hermes-core", "hermes-policy", "hermes-search"];

/// The libraries they may use beside crates of this workspace.
const LIBRARIES: &[&str] = &[
    "aho-corasick",
    "arc-swap",
    "base64",
    "futures-util",
    "globset",
    "memchr",
    "pulp",
    "regex",
    "rust-stemmers",
    "regex-syntax",
    "serde",
    "serde-saphyr",
    "serde_json",
    "sha2",
    "thiserror",
    "tokio-util",
    "unicode-normalization",
];

/// Names that reach outside. The libraries above have pure parts too, so their doors are named here.
const DOORS: &[&str] = &[
    "std::env",
    "std::fs",
    "std::net",
    "std::os",
    "std::process",
    "std::thread",
    "Instant::now",
    "SystemTime::now",
    "tokio::fs",
    "tokio::net",
    "tokio::process",
    "tokio::runtime",
    "tokio::spawn",
    "tokio::task",
    "tokio::time",
];

pub(super) fn check(packages: &[Package], sources: &[Source]) -> Vec<Finding> {
    let mut findings = Vec::new();
    let mut used = BTreeSet::new();
    for name in PURE {
        let Some(package) = find(packages, name) else {
            findings.push(Finding::failure(OWN_FILE, format!("stale: there is no {name}")));
            continue;
        };
        for library in package.normal().filter(|dependency| !dependency.local).map(|used| used.name.as_str())
        {
            used.insert(library);
            if !LIBRARIES.contains(&library) {
                let text = format!("{library} is not one of the libraries a pure crate may use ({OWN_FILE})");
                findings.push(Finding::failure(&package.manifest, text));
            }
        }
        let inside = format!("{}src/", package.folder());
        for source in sources.iter().filter(|source| source.path.starts_with(&inside)) {
            findings.extend(DOORS.iter().flat_map(|door| doors(source, door)));
        }
    }
    let unused = LIBRARIES.iter().filter(|library| !used.contains(*library));
    findings.extend(
        unused.map(|library| Finding::failure(OWN_FILE, format!("stale: no pure crate uses {library}"))),
    );
    findings
}

fn doors(source: &Source, door: &str) -> Vec<Finding> {
    let at = |line| {
        Finding::failure(format!("{}:{line}", source.path), format!("{door} in a crate that does no I/O"))
    };
    words_at(&source.code, door).map(at).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn doors_are_seen_in_code_only() {
        let source =
            Source::new("crates/hermes-core/src/a.rs", "//! std::fs\nuse std::fs::File;\nuse std::fmt;\n");
        assert_eq!(doors(&source, "std::fs").len(), 1);
        assert_eq!(doors(&source, "std::net").len(), 0);
    }
}
