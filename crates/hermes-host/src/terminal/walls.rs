//! From the rules in force to walls: what the profile lets file tools write, commands may write; what it
//! would not let them read without asking, commands do not see.

use std::collections::BTreeSet;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use hermes_core::ports::Conversation;
use hermes_core::{Access, Permission, Target, Verdict};

use super::agreed::Agreed;
use super::repository::Repository;
use super::settings::{Sandbox, SandboxMode};
use super::singled_out::{NESTED, Search};
use crate::process::Confinement;
use crate::workspace::SecondNames;

/// Places in the session's folder that make other programs run something later; what git runs is told by
/// [`Repository`].
const PROTECTED: &[&str] = &[".hermes"];
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

/// The walls around a command, and what to say to who meets them.
#[derive(Clone, Debug)]
pub(super) struct Walls {
    pub(super) confinement: Confinement,
    /// What one might expect to be open and is not.
    pub(super) closed: Vec<String>,
}

/// The walls for one command; `None` where the operator wants none. `effects`: what the command itself would
/// do, where somebody was asked about it and agreed.
pub(super) fn walls(
    ground: &Ground<'_>,
    sandbox: &Sandbox,
    rules: &dyn Conversation,
    effects: Option<&[Access]>,
) -> Option<Walls> {
    if sandbox.mode == SandboxMode::Off {
        return None;
    }
    let write = |path: &Path| Access::new(Permission::FILE_WRITE, Target::Resolved(path.to_owned()));
    let read = |path: &Path| Access::new(Permission::FILE_READ, Target::Resolved(path.to_owned()));
    let usual = rules.decision(&write(&ground.workspace.join(ANY_FILE)));
    // Whoever agreed to the command has agreed to this reason for asking, and to no other.
    let agreed_rule = effects.filter(|_| usual.verdict == Verdict::Ask).map(|_| usual.rule.as_str());
    let may_write = |path: &Path| {
        let decision = rules.decision(&write(path));
        match decision.verdict {
            Verdict::Allow => true,
            Verdict::Ask => agreed_rule == Some(decision.rule.as_str()),
            Verdict::Deny => false,
        }
    };
    let may_read = |path: &Path| rules.verdict(&read(path)) == Verdict::Allow;
    let patterns = rules.singled_out();
    let own = ground.workspace.canonicalize().unwrap_or_else(|_| ground.workspace.to_owned());
    let mut search = Search::new(ground.user_home, &own, &patterns);
    let mine = search.in_workspace();
    let agreed = effects.map(|effects| Agreed::of(effects, ground, rules)).unwrap_or_default();

    let temporary = TEMPORARY.iter().copied().chain(ground.tmpdir).map(PathBuf::from);
    let mut writable: Vec<PathBuf> = std::iter::once(ground.workspace.to_owned())
        .chain(temporary)
        .filter_map(|folder| folder.canonicalize().ok())
        .filter(|folder| may_write(&folder.join(ANY_FILE)))
        .collect();
    // The operator's own word needs no rule. What can be written anyway gets no mount of its own: a file that is
    // one cannot be replaced.
    let opened: Vec<PathBuf> = sandbox
        .writable
        .iter()
        .filter_map(|place| ground.workspace.join(place).canonicalize().ok())
        .collect();
    let named = agreed.written.iter().filter(|place| place.exists());
    let further = opened.iter().chain(named);
    let further = further.filter(|place| !writable.iter().any(|folder| place.starts_with(folder)));
    let further: Vec<PathBuf> = further.cloned().collect();
    writable.extend(further);

    let mut protected: Vec<PathBuf> = Vec::new();
    if let Some(workspace) = ground.workspace.canonicalize().ok().filter(|folder| writable.contains(folder)) {
        let stays = |path: &PathBuf| !opened.contains(path) && !agreed.gives_up(path);
        protected.extend(PROTECTED.iter().map(|name| workspace.join(name)).filter(stays));
        let below = mine.iter().filter(|path| path.parent() != Some(&own));
        for inner in below.filter(|path| !may_write(path) && !agreed.gives_up(path) && stays(path)) {
            // What git keeps is looked at below.
            if !inner.iter().any(|name| name == ".git") {
                writable.extend(agreed.written.iter().filter(|path| path.starts_with(inner)).cloned());
                protected.push(inner.clone());
            }
        }
        let above = mine.iter().filter(|path| path.parent() == Some(&own)).cloned();
        let above: BTreeSet<PathBuf> = above.chain(entries(&workspace)).collect();
        for entry in above.into_iter().filter(|entry| !may_write(entry) && !agreed.gives_up(entry)) {
            let is_denied = rules.verdict(&write(&entry)) == Verdict::Deny && !opened.contains(&entry);
            if !is_denied && Repository::is_at(&entry) {
                let repository = Repository::at(&entry, &workspace);
                writable.extend(repository.folders);
                protected.extend(repository.protected.into_iter().filter(stays));
            } else if stays(&entry) {
                // Single files in it that somebody agreed to are placed above it.
                writable.extend(agreed.written.iter().filter(|path| path.starts_with(&entry)).cloned());
                protected.push(entry);
            }
        }
    }
    writable.sort();
    writable.dedup();
    let mut hidden: Vec<PathBuf> = [ground.hermes_home.to_owned()]
        .into_iter()
        .chain(entries(ground.user_home).into_iter().filter(|entry| !may_read(entry)))
        .chain(
            NESTED
                .iter()
                .flat_map(|name| entries(&ground.user_home.join(name)))
                .filter(|entry| !may_read(entry)),
        )
        .chain(entries(Path::new("/etc")).into_iter().filter(|entry| !may_read(entry)))
        .chain(search.elsewhere().into_iter().filter(|place| !may_read(place)))
        // In its own folder a command reads what a tool would ask for, but not what is closed to everybody.
        .chain(mine.iter().filter(|place| rules.verdict(&read(place)) == Verdict::Deny).cloned())
        .filter(|path| !sandbox.readable.iter().any(|open| path.starts_with(open)))
        .filter(|path| !writable.iter().any(|folder| folder.starts_with(path)))
        .flat_map(|path| agreed.rest_of(path))
        .collect();
    // Of its own folder Hermes shows what the rules let everybody read, and hides what may come later.
    let shown = entries(ground.hermes_home)
        .into_iter()
        .filter(|_| hidden.iter().any(|path| path == ground.hermes_home))
        .filter(|entry| match std::fs::symlink_metadata(entry) {
            Ok(facts) if facts.is_dir() => may_read(&entry.join(ANY_FILE)),
            Ok(facts) => facts.is_file() && may_read(entry),
            Err(_) => false,
        })
        .collect();
    // What a command may write in is where a second name of a hidden file does harm.
    let second_names = SecondNames::of(ground.user_home, ground.hermes_home).below(&writable);
    let unseen = second_names.into_iter().filter(|(_, first)| !agreed.read.contains(first));
    hidden.extend(unseen.map(|(second, _)| second));
    hidden.sort();
    hidden.dedup();
    let mut closed = agreed.out_of_reach(&writable, &hidden);
    if usual.verdict == Verdict::Ask && effects.is_none() {
        closed.push(NOT_ASKED.to_owned());
    }
    let confinement = Confinement {
        writable,
        protected,
        hidden,
        shown,
        network: ground.attended && rules.verdict(&Access::any(Permission::NETWORK_FETCH)) == Verdict::Allow,
        local_services: sandbox.local_services,
        strict: sandbox.mode == SandboxMode::Strict,
    };
    Some(Walls { confinement, closed })
}

/// A name that no rule is about: what holds for it holds for the folder.
const ANY_FILE: &str = "x";
const NOT_ASKED: &str = "the rules ask before files are written, and nobody was asked about this command, so it \
                         could write nothing in the session's folder";

/// The names in a folder, to be judged one by one. Of a large folder only those that begin with a dot, where settings and
/// credentials are: what else the rules single out there, they name.
fn entries(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let mut all: Vec<PathBuf> = entries.map(|entry| entry.path()).collect();
    if all.len() > MANY_ENTRIES {
        let is_dotted =
            |path: &PathBuf| path.file_name().is_some_and(|name| name.as_bytes().starts_with(b"."));
        all.retain(is_dotted);
    }
    all
}

/// Judging more takes longer than most commands.
const MANY_ENTRIES: usize = 2_000;
