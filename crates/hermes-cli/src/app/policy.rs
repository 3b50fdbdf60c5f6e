//! From the `permissions` section of the configuration to rules, with every path made absolute.

use std::path::{Path, PathBuf};

use globset::{GlobBuilder, GlobSet, GlobSetBuilder};
use hermes_core::ports::PathResolver;
use hermes_policy::{PathRoots, Pattern, Rules};
use hermes_runtime::config::Permissions;

use super::surroundings::Surroundings;
use crate::failure::Failure;

pub(crate) fn rules(surroundings: &Surroundings) -> Result<Rules, Failure> {
    let permissions: &Permissions = &surroundings.config().permissions;
    let patterns = |texts: &[String]| {
        texts
            .iter()
            .map(|text| Pattern::parse(text).map_err(|error| Failure::usage(format!("permissions: {error}"))))
            .collect::<Result<Vec<_>, _>>()
    };
    let roots = |texts: &[String]| {
        texts
            .iter()
            .map(|text| Ok(surroundings.host.workspace.resolve(&surroundings.cwd, text)?))
            .collect::<Result<Vec<PathBuf>, Failure>>()
    };
    Ok(Rules {
        name: "default".to_owned(),
        allow: patterns(&permissions.allow)?,
        deny: patterns(&permissions.deny)?,
        ask: patterns(&permissions.ask)?,
        roots: PathRoots {
            read: roots(&permissions.read_roots)?,
            write: roots(&permissions.write_roots)?,
            closed: vec![real(surroundings.home.root())],
            protected: protected(&permissions.protected_paths, surroundings)?,
        },
    })
}

/// Globs relative to the working folder become absolute; a bare name such as `.env` matches anywhere.
fn protected(globs: &[String], surroundings: &Surroundings) -> Result<GlobSet, Failure> {
    let mut set = GlobSetBuilder::new();
    let home = surroundings.host.env.get("HOME").unwrap_or("/");
    for text in globs {
        let absolute = match text.strip_prefix("~/") {
            Some(rest) => format!("{home}/{rest}"),
            None if text.starts_with('/') => text.clone(),
            None if !text.contains('/') => format!("**/{text}"),
            None => format!("{}/{text}", surroundings.cwd.display()),
        };
        let glob = GlobBuilder::new(&absolute).literal_separator(true).build();
        let glob = glob.map_err(|error| Failure::usage(format!("permissions.protected_paths: {error}")))?;
        set.add(glob);
    }
    set.build().map_err(|error| Failure::usage(format!("permissions.protected_paths: {error}")))
}

fn real(path: &Path) -> PathBuf {
    path.canonicalize().unwrap_or_else(|_| path.to_owned())
}
