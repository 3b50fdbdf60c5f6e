//! The doors of one application, handed to every tool when it is made.

use std::path::PathBuf;

use crate::clock::Clock;
use crate::env::Env;
use crate::files::Files;
use crate::home::Home;
use crate::http::Http;
use crate::keys::Keys;
use crate::system::System;
use crate::terminal::{TerminalSettings, Terminals};
use crate::undo::{UndoLimits, UndoStore};
use crate::workspace::Workspace;

/// Everything a tool may use to touch the world.
#[derive(Clone, Debug)]
pub struct Host {
    pub env: Env,
    pub keys: Keys,
    pub clock: Clock,
    pub workspace: Workspace,
    pub system: System,
    /// Closed until the application says by which rules requests are judged.
    pub http: Http,
    pub terminals: Terminals,
    /// The folder of Hermes's own state, see [`crate::home::Home`].
    pub home: PathBuf,
}

impl Host {
    /// The files of sessions, wherever their commands run.
    pub fn files(&self) -> Files {
        Files::new(self.workspace.clone(), self.terminals.clone())
    }

    /// Doors onto this process's real surroundings.
    pub fn new(env: Env, home: PathBuf) -> Self {
        let user_home = env.get("HOME").map_or_else(|| PathBuf::from("/"), PathBuf::from);
        let clock = Clock::system();
        let undo = UndoStore::at(Home::at(&home).undo_dir(), UndoLimits::default(), clock.clone());
        Host {
            clock,
            workspace: Workspace::new(user_home, home.clone()).with_undo(Some(undo)),
            system: System::default(),
            http: Http::closed(),
            keys: Keys::new(env.clone(), Home::at(home.clone())),
            terminals: Terminals::new(TerminalSettings::default(), env.clone(), home.clone()),
            env,
            home,
        }
    }
}
