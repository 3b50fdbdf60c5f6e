//! A watch on one folder or file.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use hermes_core::{CallContext, ErrorCode, Permission, ToolError};
use notify::{Config, ErrorKind, PollWatcher, RecommendedWatcher, RecursiveMode, Watcher};
use tokio::sync::Notify;

use super::pending::{Pending, WatchEvent};
use crate::clock::Clock;
use crate::workspace::Workspace;

/// More changes than this are not kept until somebody asks.
const MOST_PENDING: usize = 10_000;
/// How often a folder is looked at where the kernel cannot watch any more.
const POLL: Duration = Duration::from_secs(1);

/// Collects changes until it is dropped.
pub struct Watch {
    root: PathBuf,
    shared: Arc<Shared>,
    /// Whether the folder is looked at from time to time, because the kernel has no room for another watch.
    polled: bool,
    /// Only held, never used; the lock lets a watch be looked at from several threads.
    _watcher: Mutex<Box<dyn Watcher + Send>>,
}

struct Shared {
    pending: Mutex<Pending>,
    changed: Notify,
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, Pending> {
        self.pending.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Workspace {
    /// Begins to watch a folder or file that this call may read.
    pub fn watch(
        &self,
        cx: &CallContext,
        raw: &str,
        recursive: bool,
        clock: &Clock,
    ) -> Result<Watch, ToolError> {
        let root = self.judge(cx, raw, &Permission::FILE_READ)?;
        let shared =
            Arc::new(Shared { pending: Mutex::new(Pending::holding(MOST_PENDING)), changed: Notify::new() });
        let mode = if recursive { RecursiveMode::Recursive } else { RecursiveMode::NonRecursive };
        let handler = || {
            let (shared, clock) = (Arc::clone(&shared), clock.clone());
            move |event: notify::Result<notify::Event>| {
                match event {
                    Ok(event) => shared.lock().note(&event, clock.now_ms(), Instant::now()),
                    Err(_) => shared.lock().dropped += 1,
                }
                shared.changed.notify_one();
            }
        };
        // Links are not followed: they may lead where this call must not look.
        let config = Config::default().with_follow_symlinks(false);
        let by_kernel = RecommendedWatcher::new(handler(), config).and_then(|mut watcher| {
            watcher.watch(&root, mode)?;
            Ok(Box::new(watcher) as Box<dyn Watcher + Send>)
        });
        let (watcher, polled) = match by_kernel {
            Ok(watcher) => (watcher, false),
            Err(error) if matches!(error.kind, ErrorKind::MaxFilesWatch) => {
                let config = config.with_poll_interval(POLL);
                let watcher = PollWatcher::new(handler(), config).and_then(|mut watcher| {
                    watcher.watch(&root, mode)?;
                    Ok(Box::new(watcher) as Box<dyn Watcher + Send>)
                });
                (watcher.map_err(|error| failed(&root, &error))?, true)
            }
            Err(error) => return Err(failed(&root, &error)),
        };
        Ok(Watch { root, shared, polled, _watcher: Mutex::new(watcher) })
    }
}

impl Watch {
    /// The path with all links followed.
    pub fn root(&self) -> &Path {
        &self.root
    }

    pub fn is_polled(&self) -> bool {
        self.polled
    }

    /// Whether a change that is wanted has settled.
    pub fn has_settled(&self, settle: Duration, wanted: impl Fn(&WatchEvent) -> bool) -> bool {
        self.shared.lock().has_settled(settle, Instant::now(), wanted)
    }

    /// The wanted changes that have settled, and how many were lost since the last time.
    pub fn take(
        &self,
        settle: Duration,
        most: usize,
        wanted: impl Fn(&WatchEvent) -> bool,
    ) -> (Vec<WatchEvent>, u64) {
        let mut pending = self.shared.lock();
        let events = pending.take(settle, most, Instant::now(), wanted);
        (events, std::mem::take(&mut pending.dropped))
    }

    /// Resolves when a change may have settled. It may be too early; whoever waits asks again.
    pub async fn settled(&self, settle: Duration) {
        let next = self.shared.lock().next(settle, Instant::now());
        match next {
            Some(left) => tokio::time::sleep(left.max(Duration::from_millis(1))).await,
            None => self.shared.changed.notified().await,
        }
    }
}

fn failed(path: &Path, error: &notify::Error) -> ToolError {
    let shown = path.display();
    match &error.kind {
        ErrorKind::PathNotFound => ToolError::not_found(format!("'{shown}' does not exist")),
        ErrorKind::Io(io) if io.kind() == std::io::ErrorKind::NotFound => {
            ToolError::not_found(format!("'{shown}' does not exist"))
        }
        _ => ToolError::new(ErrorCode::Unavailable, format!("'{shown}' cannot be watched"))
            .with_operator(error.to_string()),
    }
}
