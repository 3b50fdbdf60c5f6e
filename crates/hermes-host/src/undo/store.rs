//! The store: records in one folder, contents in another, one lock for both.

use std::fs::File;
use std::io;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use hermes_core::{CallContext, ErrorCode, ToolError};
use rustix::fs::FlockOperation;
use uuid::Uuid;

use super::objects::Objects;
use super::prune::prune;
use super::record::{FileState, MadeFolder, Touch, UndoFile, UndoRecord};
use crate::clock::Clock;
use crate::state::files::{self, Sync};

/// How much may be remembered, and for how long.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UndoLimits {
    /// All contents together. The oldest records go first.
    pub max_bytes: u64,
    /// A larger file can be changed, but the change cannot be taken back.
    pub max_file_bytes: u64,
    pub max_age_ms: i64,
}

impl Default for UndoLimits {
    fn default() -> Self {
        UndoLimits {
            max_bytes: 512 * 1024 * 1024,
            max_file_bytes: 10 * 1024 * 1024,
            max_age_ms: 7 * 24 * 60 * 60 * 1_000,
        }
    }
}

/// The memory of changes. Cheap to clone; nothing is created before the first change.
#[derive(Clone, Debug)]
pub struct UndoStore {
    pub(super) folder: PathBuf,
    pub(super) objects: Objects,
    pub(super) limits: UndoLimits,
    pub(super) clock: Clock,
    /// Bytes written by this process since it last pruned.
    written: Arc<AtomicU64>,
}

impl UndoStore {
    pub fn at(folder: PathBuf, limits: UndoLimits, clock: Clock) -> Self {
        let objects = Objects { folder: folder.join("objects") };
        UndoStore { folder, objects, limits, clock, written: Arc::default() }
    }

    /// Writes down what is about to change. Nothing may change if this fails: it could not be taken back.
    /// `made` are folders that were made for it, outermost first.
    pub(crate) fn remember(
        &self,
        cx: &CallContext,
        touches: &[Touch<'_>],
        made: &[PathBuf],
    ) -> Result<Remembered, ToolError> {
        let (call, turn, session) = (cx.call_id(), cx.turn(), cx.session().id.as_str());
        let record = self.record(&Origin { call, turn, session, undoes: &[] }, touches, made)?;
        Ok(Remembered(self.place_of(&record.id)))
    }

    pub(super) fn record(
        &self,
        origin: &Origin<'_>,
        touches: &[Touch<'_>],
        made: &[PathBuf],
    ) -> Result<UndoRecord, ToolError> {
        let recorded = self.try_record(origin, touches, made).map_err(|error| {
            ToolError::new(
                ErrorCode::ExecFailed,
                "nothing was changed, because the change could not be written down for undo",
            )
            .with_hint("Free some space, or ask the user to set undo.enabled to false.")
            .with_operator(format!("{}: {error}", self.folder.display()))
        })?;
        // Bounds are kept on the side; a full house must not stop the work.
        if let Err(error) = self.prune_when_due() {
            tracing::warn!(%error, "old undo records could not be removed");
        }
        Ok(recorded)
    }

    fn try_record(
        &self,
        origin: &Origin<'_>,
        touches: &[Touch<'_>],
        made: &[PathBuf],
    ) -> io::Result<UndoRecord> {
        for folder in [&self.folder, &self.objects.folder, &self.calls()] {
            files::private_dir(folder)?;
        }
        let _lock = self.lock(FlockOperation::LockShared)?;
        // One file is replaced as a whole, whatever happens. Only of several may a power cut leave a part, and
        // then this is the way back.
        let sync = if touches.len() > 1 { Sync::Yes } else { Sync::No };
        let mut touched = Vec::with_capacity(touches.len());
        for touch in touches {
            touched.push(UndoFile {
                path: touch.path.to_owned(),
                before: self.keep(touch, sync)?,
                after: match touch.after {
                    None => FileState::Absent,
                    Some((sha256, size)) => {
                        let mode = touch.before.as_ref().map_or(0, |before| before.mode);
                        let owner = touch.before.as_ref().map(|before| before.owner);
                        FileState::Content { sha256: sha256.to_owned(), size, mode, owner }
                    }
                },
            });
        }
        let id = Uuid::now_v7().simple().to_string();
        let record = UndoRecord {
            call: origin.call.to_owned(),
            turn: origin.turn.unwrap_or(&id).to_owned(),
            id,
            session: origin.session.to_owned(),
            at_ms: self.clock.now_ms(),
            files: touched,
            folders: made.iter().cloned().map(MadeFolder).collect(),
            undoes: origin.undoes.to_vec(),
        };
        let text = serde_json::to_vec(&record)?;
        files::replace(&self.place_of(&record.id), &text, sync)?;
        Ok(record)
    }

    fn keep(&self, touch: &Touch<'_>, sync: Sync) -> io::Result<FileState> {
        let Some(before) = &touch.before else { return Ok(FileState::Absent) };
        match before.content {
            Some(content) if before.size <= self.limits.max_file_bytes => {
                let sha256 = self.objects.put(content, sync)?;
                self.written.fetch_add(before.size, Ordering::Relaxed);
                let owner = Some(before.owner);
                Ok(FileState::Content { sha256, size: before.size, mode: before.mode, owner })
            }
            _ => Ok(FileState::NotKept { size: before.size }),
        }
    }

    fn prune_when_due(&self) -> io::Result<()> {
        const PAUSE_MS: i64 = 10 * 60 * 1_000;
        let stamp = self.folder.join("pruned");
        let last: i64 = std::fs::read_to_string(&stamp).ok().and_then(|text| text.parse().ok()).unwrap_or(0);
        let now = self.clock.now_ms();
        let much = self.written.load(Ordering::Relaxed) > self.limits.max_bytes / 8;
        if !much && (last..last.saturating_add(PAUSE_MS)).contains(&now) {
            return Ok(());
        }
        self.written.store(0, Ordering::Relaxed);
        files::replace(&stamp, now.to_string().as_bytes(), Sync::No)?;
        // Somebody else at it is as good as doing it.
        match self.lock(FlockOperation::NonBlockingLockExclusive) {
            Ok(_lock) => prune(self, now),
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => Ok(()),
            Err(error) => Err(error),
        }
    }

    pub(super) fn lock(&self, how: FlockOperation) -> io::Result<File> {
        let file = files::private_file(&self.folder.join("lock"))?;
        rustix::fs::flock(&file, how)?;
        Ok(file)
    }

    pub(super) fn calls(&self) -> PathBuf {
        self.folder.join("calls")
    }

    /// Where the record of this name is.
    pub(super) fn place_of(&self, id: &str) -> PathBuf {
        self.calls().join(format!("{id}.json"))
    }
}

/// A change that is written down and has not happened yet.
#[derive(Debug)]
pub(crate) struct Remembered(PathBuf);

impl Remembered {
    /// It does not happen: somebody else was faster. One that stays is harmless, so nobody is told.
    pub(crate) fn forget(self) {
        let _ = std::fs::remove_file(self.0);
    }
}

/// Who makes a change.
pub(super) struct Origin<'a> {
    pub(super) call: &'a str,
    /// `None` if the change is a turn of its own.
    pub(super) turn: Option<&'a str>,
    pub(super) session: &'a str,
    pub(super) undoes: &'a [String],
}
