//! The commands in the background, as folders in the home of Hermes.

use std::fs::{self, DirBuilder, File, OpenOptions, TryLockError};
use std::io;
use std::os::unix::fs::DirBuilderExt;
use std::path::{Path, PathBuf};
use std::time::Duration;

use hermes_core::{ErrorCode, ToolError};
use tokio::time::Instant;

use super::notices::{self, Notice};
use super::record::{Record, Status, log_of};
use super::typed::{self, Judged};
use crate::clock::Clock;
use crate::process::{Lasting, Launch, Log};

/// Commands that one session may have running.
const MOST_RUNNING: usize = 32;
/// The file that who writes a command down has locked meanwhile.
const TURN: &str = ".turn";
/// So long others may have it locked; it takes a moment.
const TURN_COMES: Duration = Duration::from_secs(5);
/// How often it is looked whether it is free.
const TURN_LOOK: Duration = Duration::from_millis(10);
/// Bytes of input that are judged together.
const MOST_TYPED: usize = 256 * 1024;
/// Commands that are known to have ended, and longer ago than this, are forgotten.
const KEPT: Duration = Duration::from_hours(24);

/// All of them.
#[derive(Debug)]
pub(in crate::terminal) struct Registry {
    root: PathBuf,
    clock: Clock,
}

impl Registry {
    pub(in crate::terminal) fn new(hermes_home: &Path) -> Self {
        Registry { root: hermes_home.join("processes"), clock: Clock::system() }
    }

    /// Starts a command in the background. The record is on disk before the command runs.
    pub(in crate::terminal) async fn start(
        &self,
        mut record: Record,
        launch: &Launch,
    ) -> Result<Record, ToolError> {
        self.forget_old();
        let folder = self.folder(&record.id);
        let turn = self.turn().await?;
        self.write_down(&mut record, &folder)?;
        drop(turn);
        let started = match Lasting::at(&folder).start(launch).await {
            Ok(started) => started,
            Err(reason) => {
                let _ = fs::remove_dir_all(&folder);
                let text = format!("the command could not be started: {reason}");
                return Err(ToolError::new(ErrorCode::Unavailable, text));
            }
        };
        record.pid = started.pid;
        // The same as of one that is waited for.
        record.bounds = started.held.bounds.map(|bounds| bounds.as_str().to_owned());
        // Elsewhere only the client was started here.
        if record.identity.is_none() {
            started.held.level.as_str().clone_into(&mut record.sandbox);
            record.lacking.clone_from(&started.held.lacking);
        }
        record.identify(started.custodian);
        // Without this the process would be taken for lost after a restart, nothing worse.
        let _ = record.write(&folder);
        Ok(record)
    }

    /// Waits until nobody else writes a command down; nobody does as long as this is kept. Others may in other programs.
    async fn turn(&self) -> Result<File, ToolError> {
        private().create(&self.root).map_err(failed)?;
        let turn = OpenOptions::new().create(true).append(true).open(self.root.join(TURN)).map_err(failed)?;
        let latest = Instant::now() + TURN_COMES;
        loop {
            match turn.try_lock() {
                Ok(()) => return Ok(turn),
                Err(TryLockError::WouldBlock) if Instant::now() < latest => self.clock.sleep(TURN_LOOK).await,
                Err(TryLockError::WouldBlock) => {
                    let text = "another Hermes has been beginning a command in the background for too long";
                    return Err(ToolError::new(ErrorCode::Unavailable, text)
                        .with_operator(format!("'{}' stays locked", self.root.join(TURN).display()))
                        .with_hint("Try again; nothing was started."));
                }
                Err(TryLockError::Error(error)) => return Err(failed(error)),
            }
        }
    }

    /// Writes a command down that is about to begin, unless too many run. Whoever has the turn writes one down, and it
    /// counts from then on, so that no two take the last place.
    fn write_down(&self, record: &mut Record, folder: &Path) -> Result<(), ToolError> {
        let running = self.of_session(&record.session).into_iter();
        let running = running.filter(|record| self.status(record) == Status::Running).count();
        if running >= MOST_RUNNING {
            let text = format!("{running} commands of this session already run in the background");
            return Err(ToolError::new(ErrorCode::Conflict, text)
                .with_hint("End one with process, action kill, or wait for one to end."));
        }
        record.started_ms = self.clock.now_ms();
        private().create(folder).and_then(|()| record.write(folder)).map_err(failed)
    }

    /// The session's commands, the oldest first.
    pub(in crate::terminal) fn of_session(&self, session: &str) -> Vec<Record> {
        let mut records = self.all();
        records.retain(|record| record.session == session);
        records
    }

    /// Everybody's commands, the oldest first.
    pub(in crate::terminal) fn all(&self) -> Vec<Record> {
        let folders = fs::read_dir(&self.root).into_iter().flatten().flatten();
        let mut records: Vec<Record> = folders.filter_map(|folder| Record::read(&folder.path())).collect();
        records.sort_by(|a, b| (a.started_ms, &a.id).cmp(&(b.started_ms, &b.id)));
        records
    }

    pub(in crate::terminal) fn get(&self, session: &str, id: &str) -> Result<Record, ToolError> {
        let known = self.of_session(session);
        known.iter().find(|record| record.id == id).cloned().ok_or_else(|| {
            let ids: Vec<&str> = known.iter().map(|record| record.id.as_str()).collect();
            let hint = match ids.is_empty() {
                true => "This session has none; start one with terminal and background.".to_owned(),
                false => format!("This session has: {}.", ids.join(", ")),
            };
            ToolError::not_found(format!("there is no process '{id}' in this session")).with_hint(hint)
        })
    }

    pub(in crate::terminal) fn status(&self, record: &Record) -> Status {
        match record.status(&self.program(record)) {
            // Nobody keeps it yet.
            Status::Lost if record.begins(self.clock.now_ms()) => Status::Running,
            status => status,
        }
    }

    pub(in crate::terminal) fn program(&self, record: &Record) -> Lasting {
        Lasting::at(self.folder(&record.id))
    }

    pub(in crate::terminal) fn log(&self, record: &Record) -> Log {
        log_of(&self.folder(&record.id))
    }

    /// The command lines that do what `text` would do, typed after all that was typed before.
    pub(in crate::terminal) fn typed(&self, record: &Record, text: &str) -> Result<Judged, ToolError> {
        let before = typed::so_far(&self.folder(&record.id)).map_err(|error| {
            ToolError::internal("what was typed before is not known").with_operator(error.to_string())
        })?;
        if before.len() + text.len() > MOST_TYPED {
            return Err(ToolError::new(ErrorCode::TooLarge, "more was typed than can be judged as a whole")
                .with_hint("Write the text to a file and let the command read that."));
        }
        Ok(typed::judged(&record.command, record.pty, &before, text))
    }

    /// Gives text to its standard input.
    pub(in crate::terminal) fn type_in(&self, record: &Record, text: &str) -> Result<(), String> {
        // Remembered first: what was typed and forgotten would be judged without its beginning.
        typed::add(&self.folder(&record.id), text, record.pty).map_err(|error| error.to_string())?;
        self.program(record).type_in(text.as_bytes())
    }

    /// What has happened to the session's commands that nobody was told yet. Told once.
    pub(in crate::terminal) fn notices(&self, session: &str) -> Vec<Notice> {
        let wanted = |record: &Record| record.notify_on_complete || !record.watch_patterns.is_empty();
        let mut found = Vec::new();
        for mut record in self.of_session(session).into_iter().filter(wanted) {
            let before = record.clone();
            let status = self.status(&record);
            found.extend(notices::of(&mut record, status, || log_of(&self.folder(&before.id))));
            if record != before {
                let _ = record.write(&self.folder(&record.id));
            }
        }
        found
    }

    /// The other side said that nothing of it is left.
    pub(in crate::terminal) fn ended_there(&self, record: &mut Record) {
        record.ended_there = true;
        let _ = record.write(&self.folder(&record.id));
    }

    /// Nobody need be told of its end any more.
    pub(in crate::terminal) fn told(&self, record: &Record) {
        if !record.told {
            let _ = Record { told: true, ..record.clone() }.write(&self.folder(&record.id));
        }
    }

    /// What may still run there is kept until it is ended.
    fn forget_old(&self) {
        let oldest = self.clock.now_ms() - i64::try_from(KEPT.as_millis()).unwrap_or(i64::MAX);
        for record in self.all() {
            let folder = self.folder(&record.id);
            let changed = fs::metadata(folder.join(crate::custody::END)).and_then(|meta| meta.modified());
            let ended_ms = changed.ok().and_then(|at| at.duration_since(std::time::UNIX_EPOCH).ok());
            let ended_ms =
                ended_ms.and_then(|at| i64::try_from(at.as_millis()).ok()).unwrap_or(record.started_ms);
            if ended_ms < oldest && matches!(self.status(&record), Status::Exited(_) | Status::Lost) {
                let _ = fs::remove_dir_all(folder);
            }
        }
    }

    fn folder(&self, id: &str) -> PathBuf {
        self.root.join(id)
    }
}

/// Creates folders that only their user may look into.
fn private() -> DirBuilder {
    let mut builder = DirBuilder::new();
    builder.recursive(true).mode(0o700);
    builder
}

fn failed(error: io::Error) -> ToolError {
    ToolError::internal("the command could not be written down").with_operator(error.to_string())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn registry(home: &Path) -> Registry {
        let clock = Clock::fixed_at_ms(10 * i64::try_from(KEPT.as_millis()).unwrap());
        Registry { clock, ..Registry::new(home) }
    }

    /// Writes down a command of long ago whose custodian is gone and told nothing.
    fn left(registry: &Registry, id: &str, differing: serde_json::Value) {
        let mut record = json!({
            "id": id, "session": "s", "command": "sleep 1", "cwd": "/", "backend": "ssh", "sandbox": "none",
            "pid": 1, "started_ms": 1, "pty": false, "notify_on_complete": false, "watch_patterns": [],
            "custodian": 1, "born": 1, "boot": "another", "told": true, "searched": 0,
        });
        record.as_object_mut().unwrap().extend(differing.as_object().unwrap().clone());
        let (record, folder): (Record, _) = (serde_json::from_value(record).unwrap(), registry.folder(id));
        fs::create_dir_all(&folder).unwrap();
        record.write(&folder).unwrap();
    }

    #[test]
    fn only_what_is_known_to_have_ended_is_forgotten() {
        let home = tempfile::tempdir().unwrap();
        let registry = registry(home.path());
        left(&registry, "here", json!({}));
        left(&registry, "there", json!({"identity": "me@there"}));
        left(&registry, "ended-there", json!({"identity": "me@there", "ended_there": true}));
        left(&registry, "of-today", json!({"started_ms": registry.clock.now_ms() - 1000}));
        registry.forget_old();
        let kept: Vec<(String, Status)> =
            registry.all().iter().map(|record| (record.id.clone(), registry.status(record))).collect();
        let expected = [("there", Status::OutOfSight), ("of-today", Status::Lost)];
        assert_eq!(kept, expected.map(|(id, status)| (id.to_owned(), status)));
    }

    #[tokio::test]
    async fn nobody_waits_for_the_turn_without_end() {
        let home = tempfile::tempdir().unwrap();
        let (registry, other) = (registry(home.path()), registry(home.path()));
        let theirs = other.turn().await.unwrap();
        // Others go on meanwhile, on the only thread there is.
        let (refused, ()) = tokio::join!(registry.turn(), tokio::time::sleep(Duration::from_millis(1)));
        assert_eq!(refused.unwrap_err().code, ErrorCode::Unavailable);
        let (ours, ()) = tokio::join!(registry.turn(), async {
            tokio::time::sleep(Duration::from_millis(50)).await;
            drop(theirs);
        });
        assert!(ours.is_ok());
    }
}
