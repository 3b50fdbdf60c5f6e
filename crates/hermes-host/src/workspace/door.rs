//! The door itself.

use std::path::{Path, PathBuf};

use super::commit::Intents;
use super::own_home::OwnHome;
use super::second_names::SecondNames;
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
}

impl Workspace {
    /// `user_home` is what `~` means; `hermes_home` is the runtime's own state, closed to file tools.
    pub fn new(user_home: PathBuf, hermes_home: PathBuf) -> Self {
        let second_names = SecondNames::of(&user_home, &hermes_home);
        let intents = Intents::at(&hermes_home);
        // Nobody sees what a killed process left half done.
        intents.heal();
        let own_home = OwnHome::new(hermes_home);
        Workspace { user_home, own_home, undo: None, swept: Swept::default(), intents, second_names }
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

    pub fn undo(&self) -> Option<&UndoStore> {
        self.undo.as_ref()
    }
}
