//! The narrowest rule worth storing for a call that somebody wants to approve for longer.

use serde::{Deserialize, Serialize};

use super::binding::NamedFile;
use super::glob::escape_glob;
use super::matching::Facts;
use super::model::Pattern;
use crate::access::{Access, Permission, Target};

/// Commands longer than this are stored by digest: nobody can compare them by eye.
const LONGEST_COMMAND: usize = 2_000;

/// The rule that "session", "project" or "always" would store.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Suggestion {
    pub permission: Option<Permission>,
    pub pattern: Pattern,
    pub files: Vec<NamedFile>,
}

/// A rule that covers this call: its command, its path or its host where that says it all, otherwise the
/// very call.
pub fn suggest(facts: &Facts<'_>) -> Suggestion {
    let access = facts.request.access;
    let readable = only_target(access).and_then(|target| match target {
        Target::Command(text) if text.len() <= LONGEST_COMMAND => Some(Pattern::Command(text.clone())),
        Target::Resolved(path) => path.to_str().map(|path| Pattern::Path(escape_glob(path))),
        Target::Host(host) => Some(Pattern::Host(host.clone())),
        _ => None,
    });
    let exact = || Pattern::Exact(facts.exact.to_owned());
    let pattern = readable.filter(|pattern| pattern.covers(facts)).unwrap_or_else(exact);
    // The digest of the very call has the files in it already.
    let files = match pattern {
        Pattern::Command(_) => facts.files.to_vec(),
        _ => Vec::new(),
    };
    Suggestion { permission: only_permission(access), pattern, files }
}

/// The target, if all accesses have the same.
fn only_target(access: &[Access]) -> Option<&Target> {
    let first = &access.first()?.target;
    access.iter().all(|access| access.target == *first).then_some(first)
}

fn only_permission(access: &[Access]) -> Option<Permission> {
    let first = &access.first()?.permission;
    access.iter().all(|access| access.permission == *first).then(|| first.clone())
}
