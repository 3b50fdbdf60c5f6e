//! Ends what a call leaves behind on the other side. The call itself may be given up at any moment, so this is done by
//! a task of its own; whoever ends the process waits for these.

use std::ops::ControlFlow;
use std::sync::LazyLock;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use tokio::runtime::Handle;
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use super::door::Terminals;
use super::elsewhere::Errand;
use super::quote::quoted_text;

static UNDER_WAY: LazyLock<TaskTracker> = LazyLock::new(TaskTracker::new);
/// How long the other side may take to remove a folder.
const PATIENCE: Duration = Duration::from_secs(60);
/// How their names begin.
const FOLDERS: &str = "/tmp/hermes-";
/// How long somebody waits for the other side to end something. It goes on trying afterwards.
const ANSWER: Duration = Duration::from_secs(5);
/// How long the end of a process may wait for the other side.
const AT_THE_END: Duration = Duration::from_secs(20);

/// Waits until everything that was to be ended on the other side is, for as long as that is worth it.
pub async fn ended_elsewhere() {
    UNDER_WAY.close();
    let _ = tokio::time::timeout(AT_THE_END, UNDER_WAY.wait()).await;
    UNDER_WAY.reopen();
}

/// Something that runs on the other side. It is ended there when this is dropped, unless it ended by itself.
pub(super) struct EndThere {
    there: Terminals,
    session: String,
    mark: String,
    /// A folder over there that goes with it.
    folder: Option<String>,
    due: AtomicBool,
}

impl EndThere {
    /// Nothing is to be done for what runs on this machine: its custodian does that.
    pub(super) fn new(there: &Terminals, session: &str, mark: &str) -> Self {
        EndThere {
            due: AtomicBool::new(!there.inner.is_local()),
            there: there.clone(),
            session: session.to_owned(),
            mark: mark.to_owned(),
            folder: None,
        }
    }

    /// The same, and a folder with it.
    pub(super) fn with_folder(mut self, folder: Option<String>) -> Self {
        self.folder = folder;
        self
    }

    /// It ended by itself.
    pub(super) fn disarm(&self) {
        self.due.store(false, Ordering::Relaxed);
    }

    /// Begins to end it, once.
    fn begin(&self) -> Option<JoinHandle<bool>> {
        if !self.due.swap(false, Ordering::Relaxed) {
            return None;
        }
        let reactor = Handle::try_current().ok()?;
        let (there, session, mark, folder) =
            (self.there.clone(), self.session.clone(), self.mark.clone(), self.folder.clone());
        let ending = async move {
            let is_done = there.inner.backend.end(&session, &mark).await;
            // What was told over there is no more than the name of one.
            let Some(folder) = folder.filter(|folder| folder.starts_with(FOLDERS) && !folder.contains("/.."))
            else {
                return is_done;
            };
            let errand = Errand {
                session: &session,
                script: &format!("rm -rf -- {}", quoted_text(&folder)),
                input: b"",
                patience: PATIENCE,
                // The caller may have gone; this is what is left to do.
                cancel: &CancellationToken::new(),
            };
            let _ = there.send(&errand, &mut |_| ControlFlow::Continue(())).await;
            is_done
        };
        Some(UNDER_WAY.spawn_on(ending, &reactor))
    }

    /// Ends it and waits for that, for as long as an answer may take; `None` where there is nothing to end, and else
    /// whether it is known to have ended.
    pub(super) async fn now(&self) -> Option<bool> {
        let ended = tokio::time::timeout(ANSWER, self.begin()?).await;
        Some(ended.is_ok_and(|ended| ended.unwrap_or_default()))
    }
}

impl Drop for EndThere {
    fn drop(&mut self) {
        drop(self.begin());
    }
}
