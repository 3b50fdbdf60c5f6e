//! One command: what is asked, and what came of it.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::Duration;

use super::capture::Captured;

/// A command as a tool asks for it.
#[derive(Clone, Debug, Default)]
pub struct Command {
    pub line: String,
    /// Where to run it, this time only.
    pub workdir: Option<String>,
    /// Variables for this command only.
    pub env: BTreeMap<String, String>,
    pub timeout: Option<Duration>,
    /// Whether it gets a terminal of its own.
    pub pty: bool,
}

/// How a command in the background is looked after.
#[derive(Clone, Debug, Default)]
pub struct Background {
    pub notify_on_complete: bool,
    /// Lines with one of these in them are told about.
    pub watch_patterns: Vec<String>,
}

/// How a command ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    Exited,
    TimedOut(Duration),
    Interrupted,
}

/// What came of a command.
#[derive(Clone, Debug)]
pub struct Ran {
    pub output: Captured,
    pub exit_code: i32,
    pub ending: Ending,
    /// Processes it left behind, which were ended.
    pub left_behind: u32,
    /// The folder that the next command starts in.
    pub cwd: PathBuf,
    pub place: Place,
    /// What one might expect to be open to it and was not.
    pub closed: Vec<String>,
}

/// Where a command ran, and how surely it was held there.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Place {
    pub backend: &'static str,
    pub sandbox: &'static str,
    /// Why the sandbox is weaker than it could be, where it is.
    pub lacking: Option<String>,
    /// What the bounds on memory and processes hold for, where this machine holds to any.
    pub bounds: Option<&'static str>,
    /// The machine or container, where it is not this one.
    pub identity: Option<String>,
}

impl Place {
    /// A path there, as people are shown it: `ssh ada@box:/srv/app`.
    pub fn shown(&self, path: &std::path::Path) -> String {
        match &self.identity {
            Some(identity) => format!("{} {identity}:{}", self.backend, path.display()),
            None => format!("{}:{}", self.backend, path.display()),
        }
    }
}
