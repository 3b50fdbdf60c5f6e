//! One place for versions, and no dependency that nobody names.

use std::path::Path;

use super::code::has_word;
use super::finding::Finding;
use super::packages::{Package, Use};
use super::source::Source;
use crate::shell::Outcome;

pub(super) fn check(root: &Path, packages: &[Package], sources: &[Source]) -> Outcome<Vec<Finding>> {
    let mut findings = Vec::new();
    for package in packages {
        let path = root.join(&package.manifest);
        let text = std::fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))?;
        findings.extend(own_versions(&text).into_iter().map(|(line, name)| {
            let text =
                format!("the version of {name} belongs into the root manifest; say {name}.workspace = true");
            Finding::failure(format!("{}:{line}", package.manifest), text)
        }));
        findings.extend(unnamed(package, sources));
    }
    Ok(findings)
}

/// Dependencies with a version or path of their own, by line.
fn own_versions(manifest: &str) -> Vec<(usize, String)> {
    let mut inside = false;
    let mut found = Vec::new();
    for (index, line) in manifest.lines().enumerate() {
        let line = line.trim();
        if line.starts_with('[') {
            inside = line.trim_end_matches(']').ends_with("dependencies");
        }
        let Some((name, value)) = line.split_once('=').filter(|_| inside && !line.starts_with('#')) else {
            continue;
        };
        let shared = name.trim().ends_with(".workspace") || value.contains("workspace = true");
        if !shared {
            found.push((index + 1, name.trim().to_owned()));
        }
    }
    found
}

/// Dependencies whose name stands nowhere in the package's own files.
fn unnamed(package: &Package, sources: &[Source]) -> Vec<Finding> {
    let own: Vec<&Source> =
        sources.iter().filter(|source| source.path.starts_with(package.folder())).collect();
    let named = |word: &str, everywhere: bool| {
        own.iter().filter(|source| everywhere || source.is_src()).any(|source| has_word(&source.code, word))
    };
    let unnamed = package
        .dependencies
        .iter()
        .filter(|dependency| !named(&dependency.name.replace('-', "_"), dependency.used == Use::Tests));
    unnamed
        .map(|dependency| {
            Finding::failure(&package.manifest, format!("{} is named in no file", dependency.name))
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tidy::packages::Dependency;

    #[test]
    fn versions_outside_the_root_are_found() {
        let manifest = "[package]\nversion = \"1\"\n[dependencies]\n# why = \"1\"\na.workspace = true\n\
                        b = { workspace = true, features = [\"x\"] }\nc = \"1\"\n[dev-dependencies]\nd = { path = \"../d\" }\n";
        assert_eq!(own_versions(manifest), [(7, "c".to_owned()), (9, "d".to_owned())]);
    }

    #[test]
    fn dependencies_that_nobody_names_are_found() {
        let dependency = |name: &str, used| Dependency { name: name.into(), used, local: false };
        let package = Package {
            name: "a".into(),
            manifest: "crates/a/Cargo.toml".into(),
            dependencies: vec![
                dependency("some-name", Use::Normal),
                dependency("other", Use::Normal),
                dependency("other", Use::Tests),
            ],
        };
        let sources = [
            Source::new("crates/a/src/lib.rs", "use some_name::x; // other"),
            Source::new("crates/a/tests/it/main.rs", "use other;"),
        ];
        let found = unnamed(&package, &sources);
        assert_eq!(found.len(), 1);
        assert!(found[0].text.starts_with("other"));
    }
}
