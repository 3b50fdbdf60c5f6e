//! Asking the kernel, or where it has no room looking again and again.

use std::sync::{Arc, PoisonError};
use std::time::Duration;

use notify::event::{CreateKind, ModifyKind, RenameMode};
use notify::{Config, ErrorKind, Event, EventKind, PollWatcher, RecommendedWatcher, RecursiveMode, Watcher};
use rustix::io::Errno;

use super::shared::{Shared, Signal};
use super::subject::Subject;

/// How often a folder is looked at where the kernel cannot watch any more.
const POLL: Duration = Duration::from_secs(1);

/// A watch that stands.
pub(super) struct Attached {
    watcher: Box<dyn Watcher + Send>,
    /// Which object it is on.
    pub(super) identity: Option<(u64, u64)>,
    pub(super) polled: bool,
}

impl Attached {
    /// Returns when everything that the kernel said until now was taken in, and new folders are watched.
    pub(super) fn catch_up(&mut self) {
        // Messages are answered in order by the thread that takes in events.
        let _ = self.watcher.configure(config());
    }
}

fn config() -> Config {
    // Links are not followed: they may lead where this call must not look.
    Config::default().with_follow_symlinks(false)
}

/// Begins to watch the subject's anchor.
pub(super) fn attach(subject: &Subject, shared: &Arc<Shared>) -> notify::Result<Attached> {
    let mode = if subject.recursive { RecursiveMode::Recursive } else { RecursiveMode::NonRecursive };
    let identity = subject.identity();
    let handler = || handler(subject.clone(), Arc::clone(shared));
    let by_kernel = RecommendedWatcher::new(handler(), config()).and_then(|mut watcher| {
        watcher.watch(&subject.anchor, mode)?;
        Ok(Box::new(watcher) as Box<dyn Watcher + Send>)
    });
    let (watcher, polled) = match by_kernel {
        Ok(watcher) => (watcher, false),
        Err(error) if is_full(&error) => {
            let mut watcher = PollWatcher::new(handler(), config().with_poll_interval(POLL))?;
            watcher.watch(&subject.anchor, mode)?;
            (Box::new(watcher) as Box<dyn Watcher + Send>, true)
        }
        Err(error) => return Err(error),
    };
    shared.set_polled(polled);
    Ok(Attached { watcher, identity, polled })
}

/// Whether there is no room for another watch, or for another who watches.
fn is_full(error: &notify::Error) -> bool {
    match &error.kind {
        ErrorKind::MaxFilesWatch => true,
        ErrorKind::Io(error) => Errno::from_io_error(error) == Some(Errno::MFILE),
        _ => false,
    }
}

fn handler(subject: Subject, shared: Arc<Shared>) -> impl FnMut(notify::Result<Event>) + Send {
    move |event| {
        let Ok(event) = event else { return shared.lose() };
        match &subject.single {
            None => shared.note_inside(&event),
            Some(single) => {
                let meant = single.lock().unwrap_or_else(PoisonError::into_inner).meant(&event);
                meant.iter().for_each(|event| shared.note(event));
            }
        }
        if subject.is_lost_by(&event) {
            shared.signal(Signal::Lost);
        }
        if subject.recursive {
            come(&event).into_iter().for_each(|signal| shared.signal(signal));
        }
    }
}

/// What an event says about folders that may have come with something in them.
fn come(event: &Event) -> Option<Signal> {
    let first = event.paths.first().cloned();
    match event.kind {
        EventKind::Create(CreateKind::Folder) | EventKind::Modify(ModifyKind::Name(RenameMode::To)) => {
            first.map(Signal::Come)
        }
        EventKind::Modify(ModifyKind::Name(RenameMode::Both)) => {
            event.paths.get(1).cloned().map(Signal::Moved)
        }
        _ => None,
    }
}
