//! The packages of the workspace as `cargo metadata` tells them.

use std::path::Path;

use serde_json::Value;

use super::source::relative;
use crate::shell::{Outcome, capture, cargo_with};

/// When a dependency is used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Use {
    /// By the package itself, or by its build script.
    Normal,
    /// By its tests only.
    Tests,
}

#[derive(Clone, Debug)]
pub(super) struct Dependency {
    pub(super) name: String,
    pub(super) used: Use,
    /// Whether it is a package of this workspace.
    pub(super) local: bool,
}

#[derive(Clone, Debug)]
pub(super) struct Package {
    pub(super) name: String,
    /// The path of `Cargo.toml`, relative to the root.
    pub(super) manifest: String,
    pub(super) dependencies: Vec<Dependency>,
}

impl Package {
    pub(super) fn normal(&self) -> impl Iterator<Item = &Dependency> {
        self.dependencies.iter().filter(|dependency| dependency.used == Use::Normal)
    }

    /// The folder of the package, with a `/` at its end.
    pub(super) fn folder(&self) -> &str {
        self.manifest.trim_end_matches("Cargo.toml")
    }
}

pub(super) fn find<'a>(packages: &'a [Package], name: &str) -> Option<&'a Package> {
    packages.iter().find(|package| package.name == name)
}

/// Asks Cargo.
pub(super) fn packages(root: &Path) -> Outcome<Vec<Package>> {
    let text = capture(cargo_with(&["metadata", "--format-version", "1", "--no-deps", "--offline"]))?;
    let whole: Value = serde_json::from_str(&text).map_err(|error| format!("cargo metadata: {error}"))?;
    let listed = whole.get("packages").and_then(Value::as_array).ok_or("cargo metadata lists no packages")?;
    listed
        .iter()
        .map(|package| read(package, root).ok_or("cargo metadata has another form".to_owned()))
        .collect()
}

fn read(package: &Value, root: &Path) -> Option<Package> {
    let text = |value: &Value, key: &str| value.get(key).and_then(Value::as_str).map(str::to_owned);
    let dependencies = package.get("dependencies")?.as_array()?.iter().map(|dependency| {
        Some(Dependency {
            name: text(dependency, "name")?,
            used: if text(dependency, "kind").as_deref() == Some("dev") { Use::Tests } else { Use::Normal },
            local: text(dependency, "path").is_some(),
        })
    });
    Some(Package {
        name: text(package, "name")?,
        manifest: relative(root, Path::new(&text(package, "manifest_path")?)),
        dependencies: dependencies.collect::<Option<_>>()?,
    })
}
