//! What a program may reach, and how surely the kernel holds it to that.

use std::path::PathBuf;

use super::limits::Bounds;
use crate::places::Vacant;

/// The walls around a program. What is not named is read-only.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Confinement {
    /// Folders the program may write in.
    pub writable: Vec<PathBuf>,
    /// Places below writable folders that stay as they are, also those that are not there yet.
    pub protected: Vec<PathBuf>,
    /// Places that are not there, and where nothing that the program puts stays.
    pub vacant: Option<Vacant>,
    /// Files and folders the program cannot look into.
    pub hidden: Vec<PathBuf>,
    /// Files and folders in hidden folders that it can read all the same.
    pub shown: Vec<PathBuf>,
    /// Whether it may talk to the network.
    pub network: bool,
    /// Whether it may talk to local services (such as a container daemon or a key agent) by their sockets.
    pub local_services: bool,
    /// Run the program only if all walls stand; otherwise what the kernel offers will do, and is told.
    pub strict: bool,
}

/// How a program is held.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Held {
    pub level: Level,
    /// Why it is not held more surely, where it is not.
    pub lacking: Option<String>,
    /// What the bounds on memory and processes hold for, where there are any.
    pub bounds: Option<Bounds>,
}

/// How surely a program is held.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Level {
    /// Not at all: it can do whatever this process can.
    #[default]
    Open,
    /// Landlock and a system call filter. Modes, owners and times of files outside are not protected, nor
    /// are places below writable folders, and without network there is none at all.
    Fenced,
    /// That, in its own view of files, processes and network.
    Sealed,
}

impl Level {
    pub const fn as_str(self) -> &'static str {
        match self {
            Level::Open => "open",
            Level::Fenced => "fenced",
            Level::Sealed => "sealed",
        }
    }
}
