//! The door itself.

use std::path::PathBuf;

/// The door to the file system.
#[derive(Clone, Debug)]
pub struct Workspace {
    pub(super) user_home: PathBuf,
    pub(super) hermes_home: PathBuf,
}

impl Workspace {
    /// `user_home` is what `~` means; `hermes_home` is the runtime's own state, closed to file tools.
    pub fn new(user_home: PathBuf, hermes_home: PathBuf) -> Self {
        Workspace { user_home, hermes_home }
    }
}
