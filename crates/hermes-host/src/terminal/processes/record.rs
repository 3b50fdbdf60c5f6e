//! What is written down about a command in the background, and what has become of it.

use std::fs;
use std::io;
use std::path::Path;

use hermes_core::CallContext;
use serde::{Deserialize, Serialize};

use crate::process::{Exit, Lasting, Log};
use crate::terminal::door::CLIENT_FAILED;
use crate::terminal::job::{Background, Command, Place};

/// One command in the background. Its custodian is known by its number, the moment it began and the run of the
/// machine it began in: a number alone is given to another process some day.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Record {
    pub id: String,
    pub session: String,
    pub command: String,
    pub cwd: String,
    pub backend: String,
    pub sandbox: String,
    /// Why the sandbox is weaker than it could be, where it is.
    #[serde(default)]
    pub lacking: Option<String>,
    /// What the bounds on memory and processes hold for, where there are any.
    #[serde(default)]
    pub bounds: Option<String>,
    /// The machine or container, where it is not this one.
    #[serde(default)]
    pub identity: Option<String>,
    pub pid: u32,
    pub started_ms: i64,
    pub pty: bool,
    pub notify_on_complete: bool,
    pub watch_patterns: Vec<String>,
    pub(super) custodian: u32,
    pub(super) born: Option<u64>,
    pub(super) boot: String,
    /// Whether its end was told.
    pub(super) told: bool,
    /// How far its output was searched for patterns.
    pub(super) searched: u64,
    /// Whether the other side said that nothing of it is left.
    #[serde(default)]
    pub(super) ended_there: bool,
}

/// What has become of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    Running,
    Exited(Exit),
    /// It ended without anybody there to see how.
    Lost,
    /// The connection to where it runs was lost, and it may still run there.
    OutOfSight,
}

/// How long a command may take from being written down until somebody keeps it.
const TO_BEGIN_MS: i64 = 60_000;

impl Record {
    pub(in crate::terminal) fn new(
        id: String,
        command: &Command,
        background: &Background,
        place: &Place,
        cwd: &Path,
        cx: &CallContext,
    ) -> Self {
        Record {
            id,
            session: cx.session().id.clone(),
            command: command.line.clone(),
            cwd: cwd.display().to_string(),
            backend: place.backend.to_owned(),
            sandbox: place.sandbox.to_owned(),
            lacking: None,
            bounds: None,
            identity: place.identity.clone(),
            pid: 0,
            started_ms: 0,
            pty: command.pty,
            notify_on_complete: background.notify_on_complete,
            watch_patterns: background.watch_patterns.clone(),
            custodian: 0,
            born: None,
            boot: String::new(),
            told: false,
            searched: 0,
            ended_there: false,
        }
    }

    /// The file in the process's folder.
    pub(super) const FILE: &'static str = "record.json";

    pub(super) fn read(folder: &Path) -> Option<Self> {
        serde_json::from_slice(&fs::read(folder.join(Self::FILE)).ok()?).ok()
    }

    /// Whole or not at all.
    pub(super) fn write(&self, folder: &Path) -> io::Result<()> {
        let new = folder.join("record.new");
        fs::write(&new, serde_json::to_vec(self)?)?;
        fs::rename(new, folder.join(Self::FILE))
    }

    /// Takes down who keeps the process, so that it is known again.
    pub(super) fn identify(&mut self, custodian: u32) {
        self.custodian = custodian;
        self.born = born(custodian);
        self.boot = boot();
    }

    /// Whether it was just written down, and is about to begin.
    pub(super) fn begins(&self, now_ms: i64) -> bool {
        self.custodian == 0
            && (self.started_ms..self.started_ms.saturating_add(TO_BEGIN_MS)).contains(&now_ms)
    }

    pub(super) fn status(&self, program: &Lasting) -> Status {
        match self.status_here(program) {
            // The program here was only its client. One that failed or was killed knows nothing of it.
            Status::Exited(Exit { code: None | Some(CLIENT_FAILED), .. }) | Status::Lost
                if self.custodian != 0 && self.identity.is_some() && !self.ended_there =>
            {
                Status::OutOfSight
            }
            status => status,
        }
    }

    fn status_here(&self, program: &Lasting) -> Status {
        if let Some(exit) = program.end() {
            return Status::Exited(exit);
        }
        let alive = self.born.is_some() && born(self.custodian) == self.born && boot() == self.boot;
        if alive {
            return Status::Running;
        }
        // The end may have been written between the two looks.
        program.end().map_or(Status::Lost, Status::Exited)
    }
}

/// When a process began, in ticks since the machine did; `None` if it is not there.
fn born(pid: u32) -> Option<u64> {
    let stat = fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    // The name may hold anything, also brackets and blanks.
    stat.rsplit_once(')')?.1.split_whitespace().nth(19)?.parse().ok()
}

fn boot() -> String {
    fs::read_to_string("/proc/sys/kernel/random/boot_id").unwrap_or_default().trim().to_owned()
}

/// The output of a record's process as far as it is kept.
pub(super) fn log_of(folder: &Path) -> Log {
    Lasting::at(folder).log()
}
