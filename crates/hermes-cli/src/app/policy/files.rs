//! Which policy texts count. The user's own always does; a project's only as the user agreed to it.

use std::path::{Path, PathBuf};

use hermes_core::ports::PathResolver;
use hermes_runtime::config::{Origin, ProjectTrust, project_trust};

use crate::app::{Surroundings, TrustStore, digest};
use crate::failure::Failure;

/// The name of policy files, in the Hermes home folder and in a project's `.hermes`.
const FILE_NAME: &str = "hermes_permissions.yaml";

/// Where a project keeps its policy.
const PROJECT_FILE: &str = ".hermes/hermes_permissions.yaml";

/// A policy text and where it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct PolicyText {
    pub(crate) path: PathBuf,
    pub(crate) text: String,
}

/// A project's policy and whether the user agreed to it as it is.
pub(crate) struct ProjectPolicy {
    pub(crate) path: PathBuf,
    pub(crate) text: Option<String>,
    pub(crate) trust: ProjectTrust,
}

/// The files that are looked at, whether they are there or not.
#[derive(Clone, Debug)]
pub(super) struct Files {
    /// The user's own, and whether the configuration names it: then it must be there.
    own: PathBuf,
    named: bool,
    /// The configuration that names it is the project's: then the file needs the user's word as well.
    named_by_project: bool,
    project: PathBuf,
    trust: TrustStore,
}

impl Files {
    pub(super) fn of(surroundings: &Surroundings) -> Result<Self, Failure> {
        let named = surroundings.config().permissions.file.as_deref();
        let origin = surroundings.loaded.why("permissions.file").ok().map(|why| why.origin.origin);
        // A file that the user's own configuration names must not depend on the folder somebody happens to stand in.
        let base = match &origin {
            Some(Origin::UserFile(_)) => surroundings.home.root(),
            _ => &surroundings.cwd,
        };
        let own = match named {
            Some(text) => surroundings.host.workspace.resolve(base, text)?,
            None => surroundings.home.root().join(FILE_NAME),
        };
        Ok(Files {
            own,
            named: named.is_some(),
            named_by_project: matches!(origin, Some(Origin::ProjectFile(_))),
            project: surroundings.cwd.join(PROJECT_FILE),
            trust: TrustStore::of(&surroundings.home),
        })
    }

    /// Everything that decides which texts count.
    pub(super) fn paths(&self) -> [PathBuf; 3] {
        [self.own.clone(), self.project.clone(), self.trust.path()]
    }

    /// The texts that count now, the user's first.
    pub(super) fn read(&self) -> Result<Vec<PolicyText>, Failure> {
        let mut texts = Vec::new();
        match read_optional(&self.own)? {
            Some(text) => {
                if self.named_by_project && !self.is_trusted(&text)? {
                    let message = format!(
                        "permissions.file names {}, which you have not agreed to",
                        self.own.display()
                    );
                    return Err(Failure::usage(message).with_hint(
                        "Look at it, and run 'hermes policy trust FILE' if its rules are what you want.",
                    ));
                }
                texts.push(PolicyText { path: self.own.clone(), text });
            }
            None if self.named => {
                return Err(Failure::usage(format!("permissions.file: there is no {}", self.own.display())));
            }
            None => {}
        }
        // Started in the home folder, the "project's" file is the user's own.
        if self.project != self.own
            && let Some(text) = read_optional(&self.project)?
            && self.is_trusted(&text)?
        {
            texts.push(PolicyText { path: self.project.clone(), text });
        }
        Ok(texts)
    }

    /// The texts that would count if the user's own were this one.
    pub(super) fn in_place_of_own(&self, text: PolicyText) -> Result<Vec<PolicyText>, Failure> {
        let others = self.read()?.into_iter().filter(|other| other.path != self.own);
        Ok(std::iter::once(text).chain(others).collect())
    }

    fn is_trusted(&self, text: &str) -> Result<bool, Failure> {
        Ok(project_trust(Some(&digest(text)), &self.trust.digests()?) == ProjectTrust::Trusted)
    }
}

/// The policy of the project in the working folder.
pub(crate) fn project_policy(surroundings: &Surroundings) -> Result<ProjectPolicy, Failure> {
    let path = surroundings.cwd.join(PROJECT_FILE);
    let own = surroundings.home.root().join(FILE_NAME);
    let text = if path == own { None } else { read_optional(&path)? };
    let trusted = TrustStore::of(&surroundings.home).digests()?;
    let trust = project_trust(text.as_deref().map(digest).as_deref(), &trusted);
    Ok(ProjectPolicy { path, text, trust })
}

fn read_optional(path: &Path) -> Result<Option<String>, Failure> {
    match path.metadata() {
        // A pipe or a device would never end.
        Ok(meta) if !meta.is_file() => {
            return Err(Failure::usage(format!("{} is not a file", path.display())));
        }
        // A link that leads nowhere is a policy that got lost, not one that was never written.
        Err(error) if error.kind() == std::io::ErrorKind::NotFound && !path.is_symlink() => return Ok(None),
        _ => {}
    }
    match std::fs::read_to_string(path) {
        Ok(text) => Ok(Some(text)),
        // Unreadable is not the same as absent: the rules in it must not be skipped.
        Err(error) => Err(Failure::io(&path.display().to_string())(error)),
    }
}
