//! The folders that wait to be looked at. Threads take from it and add to it until none is left.

use std::collections::VecDeque;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

pub(super) struct Queue<T> {
    state: Mutex<State<T>>,
    changed: Condvar,
}

struct State<T> {
    waiting: VecDeque<T>,
    /// Threads that are at work and may still add something.
    busy: usize,
    stopped: bool,
}

impl<T> Queue<T> {
    pub(super) fn new(first: T) -> Self {
        let state = State { waiting: VecDeque::from([first]), busy: 0, stopped: false };
        Queue { state: Mutex::new(state), changed: Condvar::new() }
    }

    /// The next one, newest first so that few wait at once; `None` when all is done or stopped.
    pub(super) fn take(&self) -> Option<T> {
        let mut state = self.lock();
        loop {
            if state.stopped {
                return None;
            }
            if let Some(next) = state.waiting.pop_back() {
                state.busy += 1;
                return Some(next);
            }
            if state.busy == 0 {
                return None;
            }
            state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// What was taken last is done and led to these.
    pub(super) fn done(&self, found: Vec<T>) {
        let mut state = self.lock();
        state.waiting.extend(found);
        state.busy -= 1;
        drop(state);
        self.changed.notify_all();
    }

    pub(super) fn stop(&self) {
        self.lock().stopped = true;
        self.changed.notify_all();
    }

    fn lock(&self) -> MutexGuard<'_, State<T>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Gives a taken place back, also when the work panics: the others must not wait for it for ever.
pub(super) struct Place<'a, T> {
    queue: &'a Queue<T>,
    found: Vec<T>,
}

impl<'a, T> Place<'a, T> {
    pub(super) fn new(queue: &'a Queue<T>) -> Self {
        Place { queue, found: Vec::new() }
    }

    pub(super) fn add(&mut self, found: T) {
        self.found.push(found);
    }
}

impl<T> Drop for Place<'_, T> {
    fn drop(&mut self) {
        self.queue.done(std::mem::take(&mut self.found));
    }
}
