//! What every process says of its servers, so that `hermes mcp list` can tell in another one: a file a process, which it
//! holds locked as long as it lives. How a server failed last outlives the process.

use std::collections::BTreeMap;
use std::fs::File;
use std::io;
use std::os::unix::fs::{FileExt, OpenOptionsExt};
use std::path::{Path, PathBuf};

use hermes_host::home::Home;
use hermes_host::private;
use serde::{Deserialize, Serialize};

use crate::client::{State, Status};

/// How often a file that is just being written is read again.
const TRIES: usize = 5;

/// The folders with what is known of running and of failed servers.
#[derive(Clone, Debug)]
pub struct Board {
    running: PathBuf,
    failed: PathBuf,
}

/// What one process says.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Posted {
    pub pid: u32,
    /// The servers that are more than known, by name.
    pub servers: BTreeMap<String, State>,
}

/// A server as all processes see it.
#[derive(Clone, Debug, Serialize)]
pub struct Overview {
    #[serde(flatten)]
    pub status: Status,
    /// The processes that use it now, and how.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub processes: Vec<Using>,
}

/// A process and what a server does in it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Using {
    pub pid: u32,
    #[serde(flatten)]
    pub state: State,
}

impl Board {
    pub fn of(home: &Home) -> Self {
        let folder = home.root().join("mcp");
        Board { running: folder.join("running"), failed: folder.join("failed") }
    }

    /// What the living say. What the dead left behind is taken away.
    pub fn posted(&self) -> Vec<Posted> {
        let files = std::fs::read_dir(&self.running).into_iter().flatten().flatten();
        let mut posted: Vec<Posted> = files.filter_map(|file| living(&file.path())).collect();
        posted.sort_by_key(|posted| posted.pid);
        posted
    }

    /// A place of this process's own.
    pub(crate) fn notice(&self) -> io::Result<Notice> {
        private::folder(&self.running)?;
        let id = uuid::Uuid::now_v7().simple().to_string();
        // Nobody may take it for a dead one's before it is locked.
        let unseen = self.running.join(format!(".{id}"));
        let file = File::options().create_new(true).write(true).mode(0o600).open(&unseen)?;
        file.lock()?;
        let path = self.running.join(format!("{id}.json"));
        std::fs::rename(&unseen, &path)?;
        Ok(Notice { file, path })
    }

    /// How a server failed last.
    pub(crate) fn failure(&self, server: &str) -> Option<String> {
        std::fs::read_to_string(self.failure_file(server)).ok()
    }

    /// Takes note of a failure, or that there is none any more. What cannot be written is missed in `hermes mcp list`
    /// only.
    pub(crate) fn set_failure(&self, server: &str, reason: Option<&str>) {
        let path = self.failure_file(server);
        let _ = match reason {
            Some(reason) => {
                private::folder(&self.failed).and_then(|()| private::replace(&path, reason.as_bytes()))
            }
            None => std::fs::remove_file(&path),
        };
    }

    /// Forgets a server that is configured no more.
    pub fn forget(&self, server: &str) {
        self.set_failure(server, None);
    }

    fn failure_file(&self, server: &str) -> PathBuf {
        self.failed.join(format!("{server}.txt"))
    }
}

/// What a process that lives says.
fn living(path: &Path) -> Option<Posted> {
    if path.extension().is_none_or(|extension| extension != "json") {
        return None;
    }
    let file = File::open(path).ok()?;
    if file.try_lock_shared().is_ok() {
        let _ = std::fs::remove_file(path);
        return None;
    }
    (0..TRIES).find_map(|_| serde_json::from_slice(&std::fs::read(path).ok()?).ok())
}

/// The place of one process. It is empty again when this is dropped.
pub(crate) struct Notice {
    file: File,
    path: PathBuf,
}

impl Notice {
    pub(crate) fn write(&self, servers: BTreeMap<String, State>) -> io::Result<()> {
        let posted = serde_json::to_vec(&Posted { pid: std::process::id(), servers })?;
        self.file.set_len(posted.len() as u64)?;
        self.file.write_all_at(&posted, 0)
    }
}

impl Drop for Notice {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.path);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_living_are_heard_and_the_dead_are_taken_away() {
        let folder = tempfile::tempdir().unwrap();
        let board = Board::of(&Home::at(folder.path().to_owned()));
        assert!(board.posted().is_empty());
        let notice = board.notice().unwrap();
        let servers = BTreeMap::from([("a".to_owned(), State::InUse { calls: 2 })]);
        notice.write(servers.clone()).unwrap();
        notice.write(BTreeMap::from([("a".to_owned(), State::Running)])).unwrap();
        assert_eq!(
            board.posted()[0].servers["a"],
            State::Running,
            "a shorter text leaves nothing of a longer one"
        );
        let dead = folder.path().join("mcp/running/dead.json");
        std::fs::write(&dead, serde_json::to_vec(&Posted { pid: 1, servers }).unwrap()).unwrap();
        assert_eq!(board.posted().len(), 1);
        assert!(!dead.exists());
        drop(notice);
        assert!(board.posted().is_empty());
    }

    #[test]
    fn the_last_failure_stays_until_it_is_over() {
        let folder = tempfile::tempdir().unwrap();
        let board = Board::of(&Home::at(folder.path().to_owned()));
        board.set_failure("a", Some("it ended"));
        assert_eq!(board.failure("a").as_deref(), Some("it ended"));
        board.set_failure("a", None);
        board.set_failure("a", None);
        assert_eq!(board.failure("a"), None);
    }
}
