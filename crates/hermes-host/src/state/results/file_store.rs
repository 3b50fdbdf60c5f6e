//! Results as files: `results/<hash of the session>/<hash of the content>`.

use std::fs::{File, OpenOptions};
use std::io::{self, Read};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, UNIX_EPOCH};

use futures_util::future::BoxFuture;
use hermes_core::ToolError;
use hermes_core::ports::ResultStore;
use serde_json::Value;

use super::limits::ResultLimits;
use super::recent::Recent;
use super::{id, prune};
use crate::clock::Clock;
use crate::home::Home;
use crate::state::files::{self, Sync};
use crate::state::options::{Durability, StateOptions};
use crate::state::{blocking, fault};

/// A result store that outlives the process.
#[derive(Clone, Debug)]
pub struct FileResultStore {
    inner: Arc<Inner>,
}

#[derive(Debug)]
struct Inner {
    folder: PathBuf,
    limits: ResultLimits,
    sync: Sync,
    clock: Clock,
    recent: Recent,
    /// Bytes stored, as far as this process knows; put right by every prune.
    stored: AtomicU64,
}

impl FileResultStore {
    /// Opens the store and drops what is too old or too much. Touches the disk: not for async threads.
    pub fn open(home: &Home, options: &StateOptions, limits: ResultLimits) -> Result<Self, ToolError> {
        home.ensure()?;
        let sync = if options.durability == Durability::Power { Sync::Yes } else { Sync::No };
        let store = FileResultStore {
            inner: Arc::new(Inner {
                folder: home.results_dir(),
                recent: Recent::new(limits.recent_bytes),
                sync,
                clock: options.clock.clone(),
                stored: AtomicU64::new(0),
                limits,
            }),
        };
        store.prune(store.inner.limits.max_bytes, store.inner.limits.max_age)?;
        Ok(store)
    }

    /// Removes results older than `max_age`, then the oldest until `max_bytes` are left; says how many
    /// bytes are. Touches the disk: not for async threads.
    pub fn prune(&self, max_bytes: u64, max_age: Duration) -> Result<u64, ToolError> {
        self.inner.prune(max_bytes, max_age)
    }
}

impl ResultStore for FileResultStore {
    fn put<'a>(&'a self, session: &'a str, value: &'a Value) -> BoxFuture<'a, Result<String, ToolError>> {
        Box::pin(async move {
            let bytes = self.inner.limits.encode(value)?;
            let (inner, session) = (Arc::clone(&self.inner), session.to_owned());
            blocking::run(move || inner.write(&session, &bytes)).await
        })
    }

    fn get<'a>(
        &'a self,
        session: &'a str,
        id: &'a str,
    ) -> BoxFuture<'a, Result<Option<Arc<Value>>, ToolError>> {
        Box::pin(async move {
            if !id::is_valid(id) {
                return Ok(None);
            }
            if let Some(value) = self.inner.recent.get(session, id) {
                return Ok(Some(value));
            }
            let (inner, session, id) = (Arc::clone(&self.inner), session.to_owned(), id.to_owned());
            blocking::run(move || inner.read(&session, &id)).await
        })
    }
}

impl Inner {
    fn write(&self, session: &str, bytes: &[u8]) -> Result<String, ToolError> {
        let id = id::of(bytes);
        let folder = self.folder.join(id::of(session.as_bytes()));
        let path = folder.join(&id);
        // Written even if it is there: that heals a damaged file and makes an old one young again.
        let write = || files::private_dir(&folder).and_then(|()| files::replace(&path, bytes, self.sync));
        write()
            // A prune may have taken the empty folder between the two steps.
            .or_else(|error| if error.kind() == io::ErrorKind::NotFound { write() } else { Err(error) })
            .map_err(|error| fault::file("the result could not be stored", &error))?;
        let size = bytes.len() as u64;
        if self.stored.fetch_add(size, Ordering::Relaxed) + size > self.limits.max_bytes {
            // A tenth below the bound, so that a full store is not swept at every put. The result is
            // stored either way; the next put sweeps again.
            let _ = self.prune(self.limits.max_bytes / 10 * 9, self.limits.max_age);
        }
        Ok(id)
    }

    fn read(&self, session: &str, id: &str) -> Result<Option<Arc<Value>>, ToolError> {
        let path = self.folder.join(id::of(session.as_bytes())).join(id);
        let unreadable = |error: io::Error| fault::file("the stored result could not be read", &error);
        let Some(file) = open(&path).map_err(unreadable)? else { return Ok(None) };
        let size = file.metadata().map_err(unreadable)?.len();
        self.limits.check(size)?;
        let mut bytes = Vec::with_capacity(usize::try_from(size).unwrap_or_default());
        file.take(self.limits.max_value_bytes).read_to_end(&mut bytes).map_err(unreadable)?;
        if id::of(&bytes) != id {
            return Err(damaged("its content does not match its name"));
        }
        let value = Arc::new(serde_json::from_slice(&bytes).map_err(damaged)?);
        self.recent.insert(session, id, Arc::clone(&value), size);
        Ok(Some(value))
    }

    fn prune(&self, max_bytes: u64, max_age: Duration) -> Result<u64, ToolError> {
        let now = UNIX_EPOCH + Duration::from_millis(u64::try_from(self.clock.now_ms()).unwrap_or(0));
        let left = prune::prune(&self.folder, max_bytes, max_age, now)
            .map_err(|error| fault::file("the stored results could not be pruned", &error))?;
        self.stored.store(left, Ordering::Relaxed);
        Ok(left)
    }
}

fn open(path: &Path) -> io::Result<Option<File>> {
    let flags =
        i32::try_from((rustix::fs::OFlags::NOFOLLOW | rustix::fs::OFlags::NONBLOCK).bits()).unwrap_or(0);
    match OpenOptions::new().read(true).custom_flags(flags).open(path) {
        Ok(file) => Ok(Some(file)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error),
    }
}

fn damaged(cause: impl std::fmt::Display) -> ToolError {
    fault::fault("the stored result is damaged", cause).with_hint("run the call that made it again")
}
