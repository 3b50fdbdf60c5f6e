//! From the rules in force to walls: what the profile lets file tools write, commands may write; what it
//! would not let them read without asking, commands do not see.

use std::path::{Path, PathBuf};

use hermes_core::ports::Conversation;
use hermes_core::{Access, Permission, Target, Verdict};

use super::settings::{Sandbox, SandboxMode};
use crate::process::Confinement;

/// Places below a writable folder that make other programs run something later.
const PROTECTED: &[&str] = &[".git/config", ".git/hooks", ".hermes"];
/// Folders in the home folder whose entries are looked at one by one.
const NESTED: &[&str] = &[".cache", ".config", ".local/share"];
const TEMPORARY: &[&str] = &["/tmp", "/var/tmp"];

/// Who asks and where.
pub(super) struct Ground<'a> {
    pub(super) workspace: &'a Path,
    pub(super) user_home: &'a Path,
    pub(super) hermes_home: &'a Path,
    pub(super) tmpdir: Option<&'a str>,
    /// Whether the session is a person's own.
    pub(super) attended: bool,
}

/// The walls for one command; `None` where the operator wants none.
pub(super) fn walls(ground: &Ground<'_>, sandbox: &Sandbox, rules: &dyn Conversation) -> Option<Confinement> {
    if sandbox.mode == SandboxMode::Off {
        return None;
    }
    let allows = |permission: Permission, target: Target| {
        rules.verdict(&Access::new(permission, target)) == Verdict::Allow
    };
    let may_write = |path: &Path| allows(Permission::FILE_WRITE, Target::Resolved(path.to_owned()));
    let may_read = |path: &Path| allows(Permission::FILE_READ, Target::Resolved(path.to_owned()));

    let temporary = TEMPORARY.iter().copied().chain(ground.tmpdir).map(PathBuf::from);
    let mut writable: Vec<PathBuf> = std::iter::once(ground.workspace.to_owned())
        .chain(temporary)
        .filter_map(|folder| folder.canonicalize().ok())
        .filter(|folder| may_write(&folder.join("x")))
        .collect();
    // The operator's own word needs no rule. What can be written anyway gets no mount of its own: a file that is
    // one cannot be replaced.
    let opened: Vec<PathBuf> = sandbox
        .writable
        .iter()
        .filter_map(|place| ground.workspace.join(place).canonicalize().ok())
        .collect();
    let further = opened.iter().filter(|place| !writable.iter().any(|folder| place.starts_with(folder)));
    let further: Vec<PathBuf> = further.cloned().collect();
    writable.extend(further);
    writable.dedup();

    let mut protected: Vec<PathBuf> = Vec::new();
    if let Some(workspace) = ground.workspace.canonicalize().ok().filter(|folder| writable.contains(folder)) {
        let lasting = PROTECTED.iter().map(|name| workspace.join(name)).filter(|path| !opened.contains(path));
        protected.extend(lasting.filter(|path| path.parent().is_some_and(Path::is_dir)));
        protected.extend(entries(&workspace).filter(|entry| !may_write(entry) && !opened.contains(entry)));
    }
    let mut hidden: Vec<PathBuf> = [ground.hermes_home.to_owned()]
        .into_iter()
        .chain(entries(ground.user_home).filter(|entry| !may_read(entry)))
        .chain(
            NESTED
                .iter()
                .flat_map(|name| entries(&ground.user_home.join(name)))
                .filter(|entry| !may_read(entry)),
        )
        .chain(entries(Path::new("/etc")).filter(|entry| !may_read(entry)))
        .filter(|path| !sandbox.readable.iter().any(|open| path.starts_with(open)))
        .filter(|path| !writable.iter().any(|folder| folder.starts_with(path)))
        .collect();
    hidden.sort();
    hidden.dedup();
    Some(Confinement {
        writable,
        protected,
        hidden,
        network: ground.attended && allows(Permission::NETWORK_FETCH, Target::Any),
        local_services: sandbox.local_services,
        strict: sandbox.mode == SandboxMode::Strict,
    })
}

/// The names in a folder that begin with a dot or are few: where settings and credentials are.
fn entries(folder: &Path) -> impl Iterator<Item = PathBuf> + use<> {
    std::fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path()).take(MOST_ENTRIES)
}

/// A folder with more is no settings folder.
const MOST_ENTRIES: usize = 2_000;
