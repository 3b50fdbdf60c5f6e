//! How much a server may ask of the people and models behind its calls. Who asks more is refused without anybody
//! being bothered.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::Instant;

/// Questions to a person or a model within [`WINDOW`].
const QUESTIONS: usize = 30;
/// How often a server may ask for folders within [`WINDOW`].
const ROOTS: usize = 30;
const WINDOW: Duration = Duration::from_secs(60);
/// Questions that wait for an answer at the same time. A client may leave one open for good, without a word.
const OPEN: usize = 16;
/// Questions during one call.
pub(super) const PER_CALL: usize = 20;

/// What one server has asked lately. It outlives the links to it: a new start is no new allowance. Clones share it.
#[derive(Clone)]
pub(crate) struct Allowance(Arc<Inner>);

struct Inner {
    questions: Mutex<VecDeque<Instant>>,
    roots: Mutex<VecDeque<Instant>>,
    open: Arc<Semaphore>,
}

impl Default for Allowance {
    fn default() -> Self {
        let open = Arc::new(Semaphore::new(OPEN));
        Allowance(Arc::new(Inner { questions: Mutex::default(), roots: Mutex::default(), open }))
    }
}

impl Allowance {
    /// Leave for so many questions that are put as one. They are open until it is dropped.
    pub(super) fn ask(&self, questions: usize) -> Result<OwnedSemaphorePermit, String> {
        let open = Arc::clone(&self.0.open).try_acquire_owned();
        let open = open.map_err(|_| format!("{OPEN} questions of yours wait for an answer already"))?;
        match take(&self.0.questions, questions, QUESTIONS) {
            true => Ok(open),
            false => Err(format!("you may ask {QUESTIONS} questions in {} s", WINDOW.as_secs())),
        }
    }

    pub(super) fn ask_for_roots(&self) -> Result<(), String> {
        match take(&self.0.roots, 1, ROOTS) {
            true => Ok(()),
            false => Err(format!("you may ask for folders {ROOTS} times in {} s", WINDOW.as_secs())),
        }
    }
}

/// Whether so many more fit into the window; then they are in it.
fn take(seen: &Mutex<VecDeque<Instant>>, more: usize, most: usize) -> bool {
    let (now, mut seen) = (Instant::now(), seen.lock().unwrap_or_else(PoisonError::into_inner));
    while seen.front().is_some_and(|at| now.duration_since(*at) >= WINDOW) {
        seen.pop_front();
    }
    let fits = seen.len() + more <= most;
    if fits {
        seen.extend(std::iter::repeat_n(now, more));
    }
    fits
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test(start_paused = true)]
    async fn a_window_fills_and_empties_and_few_questions_are_open() {
        let allowance = Allowance::default();
        let open: Vec<_> = (0..OPEN).map(|_| allowance.ask(1).unwrap()).collect();
        assert!(allowance.ask(1).is_err(), "too many are open");
        drop(open);
        let left = QUESTIONS - OPEN;
        assert!(allowance.ask(left + 1).is_err(), "all or none");
        assert!(allowance.ask(left).is_ok() && allowance.ask(1).is_err());
        assert!(allowance.ask_for_roots().is_ok(), "folders are counted by themselves");
        tokio::time::advance(WINDOW).await;
        assert!(allowance.ask(QUESTIONS).is_ok());
    }
}
