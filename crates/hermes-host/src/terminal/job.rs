//! One command: what is asked, and what came of it.

use std::collections::BTreeMap;
use std::io;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use super::capture::Captured;
use super::spill::Spill;
use crate::places::Taken;

/// For the line that says how much is left out.
const ROOM_FOR_NOTICE: usize = 100;

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

impl Command {
    /// The variables for this command only; a terminal of its own on this machine is one of a certain kind.
    pub(super) fn variables(&self, local: bool) -> BTreeMap<String, String> {
        let mut variables = self.env.clone();
        if self.pty && local {
            variables.insert("TERM".to_owned(), "xterm-256color".to_owned());
        }
        variables
    }
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
    /// What came after the head, where head and tail are not all of it.
    pub(super) rest: Option<Arc<Spill>>,
    pub exit_code: i32,
    /// What ended it, where that is known: a shell gives the same code to what another program ended with by itself.
    pub signal: Option<i32>,
    pub ending: Ending,
    /// Processes it left behind, which were ended.
    pub left_behind: u32,
    /// Whether it may still run where it ran: the other side did not say that it ended.
    pub unsure: bool,
    /// The folder that the next command starts in.
    pub cwd: PathBuf,
    pub place: Place,
    /// What one might expect to be open to it and was not.
    pub closed: Vec<String>,
    /// Places in the session's folder that it could not change.
    pub kept: Vec<PathBuf>,
    /// What it put where nothing may be, and what was taken away at its end.
    pub taken: Vec<Taken>,
    /// Exported variables that the next command will not have: they are too large, or no text.
    pub unkept: Vec<String>,
    /// The folder that it would have run in, where that is gone: it ran in the nearest one above.
    pub moved: Option<PathBuf>,
}

impl Ran {
    /// All that was printed, where more was printed than `output` shows and it could be kept: whole, or with a notice
    /// where the middle of a flood is missing. Touches the disk: not for async threads.
    pub fn whole(&self) -> io::Result<Option<Vec<u8>>> {
        let Some(rest) = &self.rest else { return Ok(None) };
        let Captured { head, tail, total, .. } = &self.output;
        let mut whole = rest.behind(head, tail.len() + ROOM_FOR_NOTICE)?;
        let missing = total.saturating_sub(whole.len() as u64);
        let end = tail.len().saturating_sub(usize::try_from(missing).unwrap_or(usize::MAX));
        let tail = tail.get(end..).unwrap_or_default();
        let gap = missing.saturating_sub(tail.len() as u64);
        if gap > 0 {
            whole.extend(format!("\n\n[{gap} of {total} bytes left out here]\n\n").into_bytes());
        }
        whole.extend(tail);
        Ok(Some(whole))
    }
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
