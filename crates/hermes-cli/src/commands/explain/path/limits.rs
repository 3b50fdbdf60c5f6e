//! The folders that a case may touch, and what in them it may not.

use std::path::{Path, PathBuf};

use globset::{GlobBuilder, GlobMatcher};
use hermes_policy::paths::PathOp;
use serde::Deserialize;

/// The policy of a case, as globs.
#[derive(Clone, Debug, Default, Deserialize)]
pub(super) struct Policy {
    #[serde(default)]
    read: Vec<String>,
    #[serde(default)]
    write: Vec<String>,
    #[serde(default)]
    deny: Vec<String>,
    #[serde(default)]
    deny_write: Vec<String>,
    #[serde(default)]
    pub(super) cwd: Option<String>,
}

impl Policy {
    /// The policy that comes with the tree of the security cases.
    pub(super) fn of_the_security_cases() -> Self {
        let list = |globs: &[&str]| globs.iter().map(|glob| (*glob).to_owned()).collect();
        Policy {
            read: list(&["{W}/**", "{T}/**"]),
            write: list(&["{W}/**", "{T}/**"]),
            deny: list(&["{W}/.env", "{W}/secrets/**"]),
            deny_write: list(&["{W}/.git/**"]),
            cwd: Some("{W}".to_owned()),
        }
    }

    /// Only these folders, with all that is in them.
    pub(super) fn only(roots: &[PathBuf]) -> Self {
        let globs: Vec<String> = roots.iter().map(|root| root.display().to_string()).collect();
        Policy { read: globs.clone(), write: globs, ..Policy::default() }
    }
}

#[derive(Clone, Debug)]
enum Glob {
    /// A path and all below it.
    Tree(PathBuf),
    Pattern(Box<GlobMatcher>),
}

#[derive(Clone, Debug)]
pub(super) struct Limits {
    read: Vec<Glob>,
    write: Vec<Glob>,
    deny: Vec<Glob>,
    deny_write: Vec<Glob>,
}

impl Limits {
    /// `place` turns the text of a glob into an absolute one.
    pub(super) fn of(policy: &Policy, place: impl Fn(&str) -> String) -> Result<Limits, String> {
        let globs = |texts: &[String]| {
            texts.iter().map(|text| Glob::read(&place(text))).collect::<Result<Vec<_>, String>>()
        };
        Ok(Limits {
            read: globs(&policy.read)?,
            write: globs(&policy.write)?,
            deny: globs(&policy.deny)?,
            deny_write: globs(&policy.deny_write)?,
        })
    }

    /// The folders that may be written as a whole.
    pub(super) fn roots(&self) -> Vec<PathBuf> {
        let tree = |glob: &Glob| match glob {
            Glob::Tree(path) => Some(path.clone()),
            Glob::Pattern(_) => None,
        };
        self.write.iter().chain(&self.read).filter_map(tree).collect()
    }

    /// Whether the path is closed by name, in whatever form it comes.
    pub(super) fn names(&self, path: &Path, op: PathOp) -> Option<(&'static str, &'static str)> {
        let hit = |globs: &[Glob]| globs.iter().any(|glob| glob.matches(path));
        // Whoever moves or removes a folder moves and removes what is closed in it.
        let whole = matches!(op, PathOp::Delete | PathOp::Rename);
        let holds = |globs: &[Glob]| whole && globs.iter().any(|glob| glob.lies_in(path));
        if hit(&self.deny) || holds(&self.deny) {
            return Some(("denied", "the policy closes this path"));
        }
        (op.changes() && (hit(&self.deny_write) || holds(&self.deny_write)))
            .then_some(("write_protected", "the policy protects this path from changes"))
    }

    /// Whether the path lies outside what may be read or written.
    pub(super) fn is_outside(&self, path: &Path, op: PathOp) -> bool {
        let roots = if op.changes() { &self.write } else { &self.read };
        !roots.iter().any(|glob| glob.matches(path))
    }
}

impl Glob {
    fn read(text: &str) -> Result<Glob, String> {
        let plain = text.strip_suffix("/**").unwrap_or(text);
        if !plain.contains(['*', '?', '[', '{']) {
            return Ok(Glob::Tree(PathBuf::from(plain)));
        }
        let glob = GlobBuilder::new(text).literal_separator(true).build();
        glob.map(|glob| Glob::Pattern(Box::new(glob.compile_matcher()))).map_err(|error| error.to_string())
    }

    fn matches(&self, path: &Path) -> bool {
        match self {
            Glob::Tree(tree) => path.starts_with(tree),
            Glob::Pattern(pattern) => path.ancestors().any(|part| pattern.is_match(part)),
        }
    }

    fn lies_in(&self, folder: &Path) -> bool {
        match self {
            Glob::Tree(tree) => tree.starts_with(folder),
            Glob::Pattern(_) => false,
        }
    }
}
