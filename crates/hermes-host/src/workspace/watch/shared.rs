//! What the kernel's events, the keeper and whoever asks have in common.

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::Sender;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use notify::event::{ModifyKind, RenameMode};
use notify::{Event, EventKind};
use tokio::sync::Notify;

use super::known::Known;
use super::pending::Pending;
use crate::clock::Clock;

/// More changes than this are not kept until somebody asks.
pub(super) const MOST_PENDING: usize = 10_000;

/// What the keeper of a watch has to see to.
#[derive(Debug)]
pub(super) enum Signal {
    /// What was watched is gone from its place.
    Lost,
    /// A folder may have come, with things in it that were there before anybody watched it.
    Come(PathBuf),
    /// It came from another place that is watched too.
    Moved(PathBuf),
    /// Some of what the kernel had to say was lost.
    Unheard,
    Stop,
}

pub(super) struct Shared {
    pending: Mutex<Pending>,
    changed: Notify,
    polled: AtomicBool,
    clock: Clock,
    keeper: Mutex<Sender<Signal>>,
    /// What the kernel said has come, lately.
    come: Mutex<HashMap<PathBuf, Instant>>,
    /// What stands in the folder.
    known: Mutex<Known>,
}

/// How long it is remembered that something has come.
const LATELY: Duration = Duration::from_secs(10);

impl Shared {
    pub(super) fn new(clock: Clock, keeper: Sender<Signal>) -> Self {
        Shared {
            pending: Mutex::new(Pending::holding(MOST_PENDING)),
            changed: Notify::new(),
            polled: AtomicBool::new(false),
            clock,
            keeper: Mutex::new(keeper),
            come: Mutex::default(),
            known: Mutex::default(),
        }
    }

    /// For a watch that begins: what stands there before anything comes.
    pub(super) fn begin(&self, known: Known) {
        *self.known.lock().unwrap_or_else(PoisonError::into_inner) = known;
    }

    /// For a watch that missed something: what stands there now. It goes on while that is looked at.
    pub(super) fn learn(&self, found: Known) {
        self.known.lock().unwrap_or_else(PoisonError::into_inner).renew(found);
    }

    pub(super) fn lock(&self) -> MutexGuard<'_, Pending> {
        self.pending.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes in a change and wakes whoever waits for one.
    pub(super) fn note(&self, event: &Event) {
        self.take_in(event, false);
    }

    /// The same for an event in a folder, if it says more than is known.
    pub(super) fn note_inside(&self, event: &Event) {
        let replaces = self.replaces(event);
        if self.follow(event) {
            self.take_in(event, replaces);
        }
    }

    fn take_in(&self, event: &Event, replaces: bool) {
        self.lock().note(event, replaces, self.clock.now_ms(), Instant::now());
        self.changed.notify_one();
    }

    /// Whether what comes takes the place of something.
    fn replaces(&self, event: &Event) -> bool {
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(path) = event.paths.first() else { return false };
        match event.kind {
            EventKind::Create(_) | EventKind::Modify(ModifyKind::Name(RenameMode::To)) => known.comes(path),
            EventKind::Remove(_) | EventKind::Modify(ModifyKind::Name(RenameMode::From)) => {
                known.goes(path);
                false
            }
            _ => false,
        }
    }

    /// Remembers which names come and go, lately; whether the event says more than is known. A name that was not gone does not
    /// come a second time: who looked into its folder was faster than the kernel.
    fn follow(&self, event: &Event) -> bool {
        if event.need_rescan() {
            // Some names came and went unheard.
            self.come.lock().unwrap_or_else(PoisonError::into_inner).clear();
            self.signal(Signal::Unheard);
        }
        let Some(path) = event.paths.first() else { return true };
        let mut come = self.come.lock().unwrap_or_else(PoisonError::into_inner);
        match event.kind {
            EventKind::Create(_) | EventKind::Modify(ModifyKind::Name(RenameMode::To)) => {
                let now = Instant::now();
                if come.len() >= MOST_PENDING {
                    come.retain(|_, at| now.saturating_duration_since(*at) < LATELY);
                }
                let known = come.insert(path.clone(), now);
                let is_late = known.is_some_and(|at| now.saturating_duration_since(at) < LATELY);
                return !is_late || !matches!(event.kind, EventKind::Create(_));
            }
            EventKind::Remove(_) | EventKind::Modify(ModifyKind::Name(RenameMode::From)) => {
                come.remove(path);
            }
            _ => {}
        }
        true
    }

    /// For a watch that begins anew.
    pub(super) fn forget(&self) {
        self.come.lock().unwrap_or_else(PoisonError::into_inner).clear();
        self.begin(Known::default());
    }

    pub(super) fn lose(&self) {
        self.lock().dropped += 1;
        self.changed.notify_one();
    }

    pub(super) async fn changed(&self) {
        self.changed.notified().await;
    }

    pub(super) fn signal(&self, signal: Signal) {
        // The keeper that has ended has nothing to see to.
        let _ = self.keeper.lock().unwrap_or_else(PoisonError::into_inner).send(signal);
    }

    pub(super) fn is_polled(&self) -> bool {
        self.polled.load(Ordering::Relaxed)
    }

    pub(super) fn set_polled(&self, polled: bool) {
        self.polled.store(polled, Ordering::Relaxed);
    }
}
