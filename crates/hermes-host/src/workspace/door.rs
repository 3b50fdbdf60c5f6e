//! The door itself.

use std::path::{Path, PathBuf};

use hermes_core::SessionIdentity;
use serde_json::Value;

use super::commit::Intents;
use super::looked_at::LookedAt;
use super::own_home::OwnHome;
use super::second_names::SecondNames;
use super::seen::{Eyes, SeenFiles};
use super::spare::Spare;
use super::sweep::Swept;
use crate::undo::UndoStore;

/// The door to the file system.
#[derive(Clone, Debug)]
pub struct Workspace {
    pub(super) user_home: PathBuf,
    pub(super) own_home: OwnHome,
    /// Where the content of files is kept before it changes.
    pub(super) undo: Option<UndoStore>,
    pub(super) swept: Swept,
    pub(super) intents: Intents,
    pub(super) second_names: SecondNames,
    seen: SeenFiles,
    pub(super) looked_at: LookedAt,
    pub(super) spare: Spare,
}

impl Workspace {
    /// `user_home` is what `~` means; `hermes_home` is the runtime's own state, closed to file tools.
    pub fn new(user_home: PathBuf, hermes_home: PathBuf) -> Self {
        let second_names = SecondNames::of(&user_home, &hermes_home);
        let intents = Intents::at(&hermes_home);
        // Nobody sees what a killed process left half done.
        intents.heal();
        let own_home = OwnHome::new(hermes_home);
        Workspace {
            user_home,
            own_home,
            undo: None,
            swept: Swept::default(),
            intents,
            second_names,
            seen: SeenFiles::default(),
            looked_at: LookedAt::default(),
            spare: Spare::default(),
        }
    }

    /// The same door, with a memory of what it changes; without one if `undo` is `None`.
    #[must_use]
    pub fn with_undo(self, undo: Option<UndoStore>) -> Self {
        Workspace { undo, ..self }
    }

    /// What `~` means.
    pub(crate) fn user_home(&self) -> &Path {
        &self.user_home
    }

    /// What a session has seen of this machine's files, or of those of another.
    pub(crate) fn eyes(&self, session: &SessionIdentity, place: Option<String>) -> Eyes {
        self.seen.eyes(&session.id, place)
    }

    /// What a session has seen of files, for the next process that goes on with it.
    pub fn seen_by(&self, session: &str) -> Value {
        self.seen.of_session(session)
    }

    /// Takes in what an earlier process of the session had seen.
    pub fn resume(&self, session: &str, seen: Value) {
        self.seen.resume(session, seen);
    }

    pub fn undo(&self) -> Option<&UndoStore> {
        self.undo.as_ref()
    }
}
