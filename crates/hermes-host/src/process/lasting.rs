//! Programs that may outlive this process. They are known by a folder, where their custodian keeps their
//! newest output and the way they ended, and takes words for them.
//!
//! As long as this process lives they end with it, whatever ends it, unless it goes in peace: see [`let_go`].

use std::collections::BTreeMap;
use std::fs;
use std::io::{self, Read, Write};
use std::os::fd::AsRawFd;
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use super::begin::{Begun, begin, cannot_start};
use super::child::Exit;
use super::confinement::Held;
use super::launch::Launch;
use super::pipes;
use crate::custody::{END, LET_GO, LogBegins, Order, Report, SOCKET, Word};

/// Control sockets of programs that this process started, by folder. When one closes, its program ends.
static HELD: Mutex<BTreeMap<PathBuf, UnixStream>> = Mutex::new(BTreeMap::new());

/// How long a custodian may take to answer.
const PATIENCE: Duration = Duration::from_secs(5);

/// Lets every program go on that this process started and that may last. For the end of a run that ended well.
pub fn let_go() {
    let mut held = HELD.lock().unwrap_or_else(PoisonError::into_inner);
    for (_, mut control) in std::mem::take(&mut *held) {
        // One that has ended does not listen any more.
        let _ = control.set_nonblocking(false).and_then(|()| control.write_all(&LET_GO.to_le_bytes()));
    }
}

/// A program that may last, by its folder.
#[derive(Clone, Debug)]
pub struct Lasting {
    folder: PathBuf,
}

/// The newest part of an output.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Log {
    /// Where in the whole output the bytes begin.
    pub begins: u64,
    /// Lines that ended before that.
    pub lines_before: u64,
    pub bytes: Vec<u8>,
}

/// What is known of a program that was started.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LastingStart {
    pub pid: u32,
    /// The process that keeps it: as long as this one is there, the end is not written yet.
    pub custodian: u32,
    pub held: Held,
}

impl Lasting {
    /// The program whose files are in this folder.
    pub fn at(folder: impl Into<PathBuf>) -> Self {
        Lasting { folder: folder.into() }
    }

    /// Starts the program. The folder must be there, and belong to no other program.
    pub async fn start(&self, launch: &Launch) -> Result<LastingStart, String> {
        let failed = |error: io::Error| cannot_start(launch, error);
        let order = Order::of(launch).map_err(|reason| cannot_start(launch, reason))?;
        let nothing = || pipes::null().map_err(failed);
        let streams = [nothing()?, nothing()?, nothing()?];
        let order = order.lasting(self.folder.clone());
        let Begun { control, pid, custodian, held } = begin(launch, &order, streams).await?;
        let control = control.into_socket().map_err(failed)?;
        let mut programs = HELD.lock().unwrap_or_else(PoisonError::into_inner);
        programs.insert(self.folder.clone(), control);
        Ok(LastingStart { pid, custodian, held })
    }

    /// How it ended; `None` while it runs, and where nobody is left who could say.
    pub fn end(&self) -> Option<Exit> {
        let report = fs::read(self.folder.join(END)).ok()?;
        match Report::decode(report.get(4..)?)? {
            Report::Ended(exit) => Some(exit),
            Report::Started { .. } | Report::Failed { .. } | Report::Unfit => None,
        }
    }

    /// The newest part of what it printed.
    pub fn log(&self) -> Log {
        // The custodian may take a file away between our looking and our reading.
        for _ in 0..4 {
            if let Some(log) = self.read_log() {
                return log;
            }
        }
        Log::default()
    }

    fn read_log(&self) -> Option<Log> {
        let names = fs::read_dir(&self.folder).ok()?.flatten().map(|entry| entry.file_name());
        let mut files: Vec<LogBegins> = names.filter_map(|name| LogBegins::read(name.to_str()?)).collect();
        files.sort_unstable();
        let first = *files.first()?;
        let mut log = Log { begins: first.byte, lines_before: first.lines, bytes: Vec::new() };
        for file in files {
            log.bytes.extend(fs::read(self.folder.join(file.name())).ok()?);
        }
        Some(log)
    }

    /// Gives bytes to the program's standard input.
    pub fn type_in(&self, bytes: &[u8]) -> Result<(), String> {
        self.say(&Word::Type(bytes.to_vec()))
    }

    /// Ends the program's standard input.
    pub fn close_input(&self) -> Result<(), String> {
        self.say(&Word::Close)
    }

    /// Asks the program to end, by force after the grace. Does not wait for that.
    pub fn stop(&self, grace: Duration) -> Result<(), String> {
        self.say(&Word::Stop(u32::try_from(grace.as_millis()).unwrap_or(u32::MAX)))
    }

    fn say(&self, word: &Word) -> Result<(), String> {
        let said = || -> io::Result<bool> {
            let mut custodian = connect(&self.folder)?;
            custodian.set_read_timeout(Some(PATIENCE))?;
            word.write(&mut custodian)?;
            let mut answer = [0];
            custodian.read_exact(&mut answer)?;
            Ok(answer == [0])
        };
        match said() {
            Ok(true) => Ok(()),
            Ok(false) => Err("its input is closed or full".to_owned()),
            Err(error) => Err(format!("it cannot be reached: {error}")),
        }
    }
}

/// The name of a socket must be short, whatever the folder's own path is.
fn connect(folder: &Path) -> io::Result<UnixStream> {
    let folder = fs::File::open(folder)?;
    UnixStream::connect(format!("/proc/self/fd/{}/{SOCKET}", folder.as_raw_fd()))
}
