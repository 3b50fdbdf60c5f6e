//! A watch on one folder or file.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::mpsc::{Sender, channel};
use std::time::{Duration, Instant};

use hermes_core::{CallContext, ErrorCode, Permission, ToolError};
use notify::ErrorKind;

use super::attach::attach;
use super::keeper::Keeper;
use super::known::Known;
use super::pending::WatchEvent;
use super::shared::{Shared, Signal};
use super::subject::Subject;
use crate::clock::Clock;
use crate::workspace::{Found, Workspace};

/// Collects changes until it is dropped.
pub struct Watch {
    root: PathBuf,
    shared: Arc<Shared>,
    /// Ends the thread that holds on to the folder.
    keeper: Sender<Signal>,
}

impl Workspace {
    /// Begins to watch a folder or file that this call may read. It goes on when what is there is replaced, or removed
    /// and made again.
    pub fn watch(
        &self,
        cx: &CallContext,
        raw: &str,
        recursive: bool,
        clock: &Clock,
    ) -> Result<Watch, ToolError> {
        let root = self.judge(cx, raw, &Permission::FILE_READ)?;
        let (keeper, signals) = channel();
        let shared = Arc::new(Shared::new(clock.clone(), keeper.clone()));
        let mut subject = match self.look(cx, raw)? {
            Found::Nothing => {
                return Err(ToolError::not_found(format!("'{}' does not exist", root.display())));
            }
            Found::Folder => {
                shared.begin(Known::in_folder(&root, recursive));
                Subject::folder(&root, recursive)
            }
            Found::File | Found::Special => Subject::file(&root),
        };
        let mut attached = attach(&subject, &shared);
        if attached.is_err() && subject.stand_alone() {
            attached = attach(&subject, &shared);
        }
        let attached = attached.map_err(|error| failed(&root, &error))?;
        Keeper::start(subject, Arc::clone(&shared), attached, signals).map_err(|error| {
            ToolError::new(ErrorCode::Unavailable, format!("'{}' cannot be watched", root.display()))
                .with_operator(error.to_string())
        })?;
        Ok(Watch { root, shared, keeper })
    }
}

impl Watch {
    /// The path with all links followed.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// Whether the folder is looked at from time to time, because the kernel has no room for another watch.
    pub fn is_polled(&self) -> bool {
        self.shared.is_polled()
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
            None => self.shared.changed().await,
        }
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        let _ = self.keeper.send(Signal::Stop);
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

#[cfg(test)]
mod tests {
    use hermes_core::{Access, Target};
    use notify::event::Flag;
    use notify::{Event, EventKind};

    use super::*;
    use crate::workspace::ChangeKind;
    use crate::workspace::tests::granted;

    #[test]
    fn names_are_known_after_the_kernel_lost_some_of_what_it_had_to_say() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().canonicalize().unwrap();
        let workspace = Workspace::new(root.clone(), root.join(".hermes"));
        std::fs::write(root.join("a"), "old").unwrap();
        let cx = granted(&root, &[Access::new(Permission::FILE_READ, Target::Resolved(root.clone()))]);
        let watch = workspace.watch(&cx, ".", false, &Clock::default()).unwrap();
        watch.shared.note_inside(&Event::new(EventKind::Other).set_flag(Flag::Rescan));
        std::thread::sleep(Duration::from_millis(300));
        std::fs::write(root.join(".b"), "new").unwrap();
        std::fs::rename(root.join(".b"), root.join("a")).unwrap();
        std::thread::sleep(Duration::from_millis(300));
        let (events, lost) =
            watch.take(Duration::ZERO, 10, |event| event.path == root.join("a") || event.to.is_some());
        assert_eq!(lost, 1);
        let kinds: Vec<ChangeKind> = events.iter().map(|event| event.kind).collect();
        assert_eq!(kinds, [ChangeKind::Modify], "{events:?}");
    }
}
