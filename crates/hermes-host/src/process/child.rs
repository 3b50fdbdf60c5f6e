//! A program that runs: its streams, its end, and the promise that its whole tree ends with it.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};
use tokio::net::UnixStream;
use tokio::net::unix::pipe::{Receiver, Sender};
use tokio::time::timeout;

use super::begin::{Begun, begin, cannot_start};
use super::confinement::{Held, Level};
use super::control::Control;
use super::launch::Launch;
use super::limits::Bounds;
use super::pipes;
use crate::custody::{Order, Report};
use crate::places::{Taken, taken};

/// A running program. When this is dropped, or this process dies in whatever way, the program and
/// everything it started are killed.
#[derive(Debug)]
pub struct Child {
    pub stdin: Option<Sender>,
    pub stdout: Option<Receiver>,
    pub stderr: Option<Receiver>,
    /// The other end of standard input, where that is a socket.
    pub socket: Option<UnixStream>,
    /// What the program tells, where it was given a descriptor for that.
    pub told: Option<UnixStream>,
    control: Control,
    pid: u32,
    custodian: u32,
    held: Held,
    exit: Option<Exit>,
    /// The quarantine, and the name of the program's own.
    quarantine: Option<(PathBuf, String)>,
}

/// How a program ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Exit {
    /// `None` if a signal ended it.
    pub code: Option<i32>,
    pub signal: Option<i32>,
    /// Processes it had started that were still there; they were killed.
    pub left_behind: u32,
}

/// So long the end of a program may take before somebody looks whether who keeps it was stopped.
const PATIENCE: Duration = Duration::from_secs(2);
/// So often it may be found stopped and is woken; then it is killed, and the keeper ends the rest.
const MOST_STOPS: u32 = 5;
/// So long it may take in any case: a disk that does not answer keeps it as long as it likes.
const MOST_PATIENCE: Duration = Duration::from_secs(300);

impl Exit {
    /// The exit code as a shell would put it: 128 and the signal where a signal ended the program.
    pub fn shell_code(&self) -> i32 {
        self.code.unwrap_or_else(|| 128 + self.signal.unwrap_or_default())
    }
}

impl Child {
    /// Starts the program. An error says in one phrase why it could not be started.
    pub async fn start(launch: &Launch) -> Result<Child, String> {
        let order = Order::of(launch).map_err(|reason| cannot_start(launch, reason))?;
        let (theirs, ours) = pipes::open(launch).map_err(|error| cannot_start(launch, error))?;
        let Begun { control, pid, custodian, held } = begin(launch, &order, theirs).await?;
        let vacant = launch.confinement.as_ref().and_then(|walls| walls.vacant.as_ref());
        Ok(Child {
            stdin: ours.stdin,
            stdout: ours.stdout,
            stderr: ours.stderr,
            socket: ours.socket,
            told: ours.told,
            control,
            pid,
            custodian,
            held,
            exit: None,
            quarantine: vacant.map(|vacant| (vacant.quarantine.clone(), vacant.name.clone())),
        })
    }

    /// The process id of the program's root process, as this process sees it.
    pub fn id(&self) -> u32 {
        self.pid
    }

    /// How surely the program is held, and why not more surely where it is not.
    pub fn level(&self) -> (Level, Option<&str>) {
        (self.held.level, self.held.lacking.as_deref())
    }

    /// What the bounds on memory and processes hold for, where there are any.
    pub fn bounds(&self) -> Option<Bounds> {
        self.held.bounds
    }

    /// What the program put where nothing may be and what is not there any more, once it has ended.
    pub fn taken(&self) -> Vec<Taken> {
        self.quarantine.as_ref().map(|(quarantine, name)| taken(quarantine, name)).unwrap_or_default()
    }

    /// Waits for the program's end. Safe to call again, and to give up and call later.
    pub async fn wait(&mut self) -> Result<Exit, String> {
        if let Some(exit) = self.exit {
            return Ok(exit);
        }
        let exit = match self.control.report().await {
            Ok(Report::Ended(exit)) => exit,
            Ok(_) => return Err("the program's custodian lost count".to_owned()),
            Err(_) => return Err("the program's custodian was killed, and the program with it".to_owned()),
        };
        self.exit = Some(exit);
        Ok(exit)
    }

    /// Asks the program to end, and ends its whole tree by force after the grace.
    pub async fn stop(&mut self, grace: Duration) -> Result<Exit, String> {
        self.control.end_within(u32::try_from(grace.as_millis()).unwrap_or(u32::MAX));
        let mut patience = grace.saturating_add(PATIENCE);
        let last = Instant::now() + grace.saturating_add(MOST_PATIENCE);
        let mut stops = 0;
        while stops < MOST_STOPS {
            if let Ok(end) = timeout(patience, self.wait()).await {
                return end;
            }
            if self.is_custodian_stopped() {
                stops += 1;
                self.signal_custodian(Signal::CONT);
            }
            if Instant::now() > last {
                return Err("its custodian does not come to an end".to_owned());
            }
            patience = PATIENCE;
        }
        self.signal_custodian(Signal::KILL);
        self.wait().await
    }

    /// A program without walls may have stopped who keeps it. One that is only slow is not to be disturbed: it takes away
    /// what must not stay, and a program can have it take long.
    fn is_custodian_stopped(&self) -> bool {
        self.held.level != Level::Sealed && state(self.custodian).is_some_and(|state| "Tt".contains(state))
    }

    /// It is there as long as it has said no end, so the number is its own.
    fn signal_custodian(&self, signal: Signal) {
        if let Some(custodian) = i32::try_from(self.custodian).ok().and_then(Pid::from_raw) {
            let _ = kill_process(custodian, signal);
        }
    }

    /// Ends the program's whole tree by force and waits for that.
    pub async fn kill(&mut self) -> Result<Exit, String> {
        self.stop(Duration::ZERO).await
    }
}

/// What a process does, by the kernel's letter; `None` where nobody may look.
fn state(pid: u32) -> Option<char> {
    let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    // The name may hold anything, also brackets and blanks.
    stat.rsplit_once(')')?.1.trim_start().chars().next()
}
