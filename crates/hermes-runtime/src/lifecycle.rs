//! Setup before the first call, teardown after the last: once each, whatever panics or times out.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use futures_util::FutureExt;
use hermes_core::{ErrorCode, ToolError};
use tokio::sync::{Mutex, Notify};
use tokio::time::Instant;

use crate::registry::Entry;

/// How long a failed setup is remembered before it is tried again.
const SETUP_RETRY: Duration = Duration::from_secs(30);
/// How long a teardown may take before it is given up.
const TEARDOWN_LIMIT: Duration = Duration::from_secs(5);

/// The life of one entry.
#[derive(Debug, Default)]
pub struct Lifecycle {
    running: AtomicUsize,
    idle: Notify,
    state: Mutex<State>,
}

#[derive(Debug, Default)]
enum State {
    #[default]
    Fresh,
    Ready,
    Failed {
        at: Instant,
        error: ToolError,
    },
    Ended,
}

impl Lifecycle {
    pub(crate) fn new() -> Self {
        Lifecycle::default()
    }
}

/// Holds an entry alive: teardown waits until every stay has ended.
pub(crate) struct Stay(Arc<Entry>);

impl Drop for Stay {
    fn drop(&mut self) {
        if self.0.lifecycle.running.fetch_sub(1, Ordering::AcqRel) == 1 {
            self.0.lifecycle.idle.notify_waiters();
        }
    }
}

/// Starts a stay; the first one runs the tool's setup, and concurrent first stays share it.
pub(crate) async fn enter(entry: &Arc<Entry>) -> Result<Stay, ToolError> {
    entry.lifecycle.running.fetch_add(1, Ordering::AcqRel);
    let stay = Stay(Arc::clone(entry));
    if entry.tool.has_lifecycle() {
        set_up(entry).await?;
    }
    Ok(stay)
}

async fn set_up(entry: &Arc<Entry>) -> Result<(), ToolError> {
    let mut state = entry.lifecycle.state.lock().await;
    match &*state {
        State::Ready => return Ok(()),
        State::Failed { at, error } if at.elapsed() < SETUP_RETRY => return Err(error.clone()),
        State::Ended => {
            let text = format!("'{}' was removed while this call was waiting", entry.info().name);
            return Err(ToolError::new(ErrorCode::Unavailable, text));
        }
        State::Fresh | State::Failed { .. } => {}
    }
    let result = std::panic::AssertUnwindSafe(entry.tool.setup()).catch_unwind().await;
    match result.unwrap_or_else(|_| Err(ToolError::internal("its setup panicked"))) {
        Ok(()) => {
            *state = State::Ready;
            Ok(())
        }
        Err(cause) => {
            let name = &entry.info().name;
            let error =
                ToolError::new(ErrorCode::Unavailable, format!("'{name}' could not be set up: {cause}"));
            *state = State::Failed { at: Instant::now(), error: error.clone() };
            Err(error)
        }
    }
}

/// Tears an entry down in the background once its last call has ended.
pub(crate) fn retire(entry: Arc<Entry>) {
    if !entry.tool.has_lifecycle() {
        return;
    }
    // Without a reactor nothing was ever set up, because setup itself is async.
    if let Ok(reactor) = tokio::runtime::Handle::try_current() {
        reactor.spawn(tear_down(entry));
    }
}

/// Waits for the last call, then runs teardown if setup had run.
pub(crate) async fn tear_down(entry: Arc<Entry>) {
    loop {
        let idle = entry.lifecycle.idle.notified();
        if entry.lifecycle.running.load(Ordering::Acquire) == 0 {
            break;
        }
        idle.await;
    }
    let mut state = entry.lifecycle.state.lock().await;
    let was_ready = matches!(*state, State::Ready);
    *state = State::Ended;
    if was_ready {
        let teardown = std::panic::AssertUnwindSafe(entry.tool.teardown()).catch_unwind();
        if !matches!(tokio::time::timeout(TEARDOWN_LIMIT, teardown).await, Ok(Ok(()))) {
            tracing::warn!(tool = %entry.info().name, "teardown panicked or took too long; given up");
        }
    }
}
