//! The doors of one application, handed to every tool when it is made.

use std::path::PathBuf;

use crate::clock::Clock;
use crate::env::Env;
use crate::system::System;
use crate::terminal::{TerminalSettings, Terminals};
use crate::workspace::Workspace;

/// Everything a tool may use to touch the world.
#[derive(Clone, Debug)]
pub struct Host {
    pub env: Env,
    pub clock: Clock,
    pub workspace: Workspace,
    pub system: System,
    pub terminals: Terminals,
    /// The folder of Hermes's own state, see [`crate::home::Home`].
    pub home: PathBuf,
}

impl Host {
    /// Doors onto this process's real surroundings.
    pub fn new(env: Env, home: PathBuf) -> Self {
        let user_home = env.get("HOME").map_or_else(|| PathBuf::from("/"), PathBuf::from);
        Host {
            clock: Clock::system(),
            workspace: Workspace::new(user_home, home.clone()),
            system: System::default(),
            terminals: Terminals::new(TerminalSettings::default(), env.clone(), home.clone()),
            env,
            home,
        }
    }
}
