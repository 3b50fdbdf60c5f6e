//! Where the command of a call would run. Policy, approvals and grants ask here, so that they cannot differ.

use std::path::{Path, PathBuf};

use crate::access::Target;
use crate::policy::AccessRequest;

/// Arguments that say where a command runs, the stronger first.
pub(super) const FOLDERS: &[&str] = &["workdir", "cwd"];

/// The folder that the arguments name, from where the session's shell stands on, or that folder itself. Only calls
/// that run a command have one of their own.
pub fn folder_of(request: &AccessRequest<'_>, home: &Path) -> PathBuf {
    let runs = request.access.iter().any(|access| matches!(access.target, Target::Command(_)));
    let named = FOLDERS.iter().find_map(|name| request.arguments.get(name)?.as_str());
    let standing = request.shell.unwrap_or(request.cwd);
    let Some(named) = named.filter(|named| runs && !named.is_empty()) else { return standing.to_owned() };
    match Path::new(named).strip_prefix("~") {
        Ok(rest) => home.join(rest),
        Err(_) => standing.join(named),
    }
}
