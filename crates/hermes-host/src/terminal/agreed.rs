//! What somebody agreed to when they were asked about a command: the places that it names, and nothing beside
//! them. What the rules deny stays closed, whoever agreed.

use std::path::{Path, PathBuf};

use hermes_core::ports::Conversation;
use hermes_core::{Access, Permission, Target, Verdict};

use super::walls::Ground;

/// Places that one command may use by somebody's word.
#[derive(Debug, Default)]
pub(super) struct Agreed {
    pub(super) read: Vec<PathBuf>,
    pub(super) written: Vec<PathBuf>,
    pub(super) deleted: Vec<PathBuf>,
}

impl Agreed {
    /// Picks from what the command would do. Whole trees around a home or the session's folder are no places.
    pub(super) fn of(effects: &[Access], ground: &Ground<'_>, rules: &dyn Conversation) -> Self {
        let kept = [ground.hermes_home, ground.user_home, ground.workspace];
        let mut agreed = Agreed::default();
        for access in effects {
            let Target::Resolved(path) = &access.target else { continue };
            let is_around = kept.iter().any(|folder| folder.starts_with(path));
            let is_own = path.starts_with(ground.hermes_home);
            if is_around || is_own || rules.verdict(access) == Verdict::Deny {
                continue;
            }
            if access.permission == Permission::FILE_READ {
                agreed.read.push(path.clone());
            } else if access.permission == Permission::FILE_WRITE {
                agreed.written.push(path.clone());
            } else if access.permission == Permission::FILE_DELETE {
                agreed.deleted.push(path.clone());
            }
        }
        agreed
    }

    /// Whether the command may take the place away, or change it as a whole.
    pub(super) fn gives_up(&self, path: &Path) -> bool {
        self.deleted.iter().any(|deleted| path.starts_with(deleted))
            || self.written.iter().any(|written| written == path)
    }

    /// What is still hidden of a hidden place.
    pub(super) fn rest_of(&self, hidden: PathBuf) -> Vec<PathBuf> {
        let real = hidden.canonicalize().unwrap_or_else(|_| hidden.clone());
        if self.read.iter().chain(&self.written).any(|open| *open == real) {
            return Vec::new();
        }
        if !self.read.iter().chain(&self.written).any(|open| open.starts_with(&real) && open.exists()) {
            return vec![hidden];
        }
        match std::fs::read_dir(&real).and_then(Iterator::collect::<std::io::Result<Vec<_>>>) {
            Ok(entries) => entries.into_iter().flat_map(|entry| self.rest_of(entry.path())).collect(),
            Err(_) => vec![hidden],
        }
    }

    /// What somebody agreed to and the sandbox cannot give, as sentences.
    pub(super) fn out_of_reach(&self, writable: &[PathBuf], hidden: &[PathBuf]) -> Vec<String> {
        let shut = |path: &&PathBuf| !writable.iter().any(|folder| path.starts_with(folder));
        let made = self.written.iter().filter(shut).filter(|path| !path.exists());
        let made = made.map(|path| {
            format!("{} is not there yet, and the sandbox opens only what is there", path.display())
        });
        let taken = self.deleted.iter().filter(shut);
        let taken = taken
            .map(|path| format!("{} cannot be removed without opening the folder around it", path.display()));
        let unseen = self.read.iter().filter(|path| hidden.iter().any(|hidden| path.starts_with(hidden)));
        let unseen =
            unseen.map(|path| format!("{} stays hidden, because no such file is there", path.display()));
        let told: Vec<String> = made.chain(taken).chain(unseen).collect();
        told.into_iter().map(|what| format!("approved, but {what}; {OPENED_BY}")).collect()
    }
}

/// What the user can do about it.
const OPENED_BY: &str =
    "the user can open places with terminal.sandbox.writable and terminal.sandbox.readable";
