//! Breaks loops: a call that failed the same way several times is answered without running again.

use std::collections::HashMap;
use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash, Hasher};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use hermes_core::{Effect, ToolError};
use serde_json::Value;
use tokio::sync::Notify;
use tokio::time::Instant;

/// How many different failing calls are remembered; beyond that the memory starts afresh.
const MAX_REMEMBERED: usize = 1_000;

/// The pause after the first answer without a run, before the same call may run once more. The cause may lie outside,
/// and go away without a word: a file that a build makes, a server that comes back. Each failure after that doubles it,
/// so that a loop is stopped however slow it is.
const FIRST_PAUSE: Duration = Duration::from_secs(10);
const MOST_DOUBLINGS: u32 = 6;

/// What is this long past is no loop.
const FORGOTTEN: Duration = Duration::from_secs(60 * 60);

/// The failures of one call.
#[derive(Debug)]
struct Failed {
    times: u32,
    error: ToolError,
    last: Instant,
    /// When the call was first answered without running, since it failed last.
    answered: Option<Instant>,
}

/// The failures of one session.
#[derive(Debug)]
pub(crate) struct RepeatGuard {
    /// `None` switches the guard off.
    limit: Option<u32>,
    failures: Mutex<HashMap<u64, Failed>>,
    /// How many there are. Mostly none, which calls that run side by side learn without waiting for each other.
    remembered: AtomicUsize,
    attempts: Mutex<HashMap<u64, u32>>,
    ended: Notify,
}

/// A call that may run, counted among its equals until it is over.
#[derive(Debug)]
pub(crate) struct Attempt<'g> {
    guard: &'g RepeatGuard,
    signature: u64,
}

impl Drop for Attempt<'_> {
    fn drop(&mut self) {
        let mut attempts = self.guard.attempts.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(running) = attempts.get_mut(&self.signature) {
            *running -= 1;
            if *running == 0 {
                attempts.remove(&self.signature);
            }
        }
        drop(attempts);
        self.guard.ended.notify_waiters();
    }
}

impl RepeatGuard {
    pub(crate) fn new(limit: Option<u32>) -> Self {
        RepeatGuard {
            limit,
            failures: Mutex::default(),
            remembered: AtomicUsize::new(0),
            attempts: Mutex::default(),
            ended: Notify::new(),
        }
    }

    /// How often the same call may fail.
    pub(crate) fn limit(&self) -> Option<usize> {
        self.limit.and_then(|limit| usize::try_from(limit).ok())
    }

    /// The answer to a call that has failed too often already.
    pub(crate) fn answer(&self, tool: &str, arguments: &Value) -> Option<ToolError> {
        if self.has_none() {
            return None;
        }
        let mut failures = self.failures.lock().unwrap_or_else(PoisonError::into_inner);
        self.answer_to(failures.get_mut(&signature(tool, arguments))?)
    }

    fn has_none(&self) -> bool {
        self.remembered.load(Ordering::Acquire) == 0
    }

    fn answer_to(&self, failed: &mut Failed) -> Option<ToolError> {
        let Failed { times, error, last, answered } = failed;
        let beyond = times.checked_sub(self.limit?)?;
        let pause = FIRST_PAUSE * 2_u32.pow(beyond.min(MOST_DOUBLINGS));
        let waited = match answered {
            Some(since) => since.elapsed(),
            None if last.elapsed() >= FORGOTTEN => return None,
            None => {
                *answered = Some(Instant::now());
                Duration::ZERO
            }
        };
        if waited >= pause {
            return None;
        }
        let mut answer = error.clone();
        answer.retryable = false;
        answer.message = format!("not run again: this exact call failed {times} times: {}", error.message);
        let wait = (pause - waited).as_secs_f32().ceil();
        answer.hint = Some(format!(
            "Change the arguments or try another way; the same call is tried again from {wait} s from now on."
        ));
        Some(answer)
    }

    /// Lets a call run, unless it and its equals that run already could fail more often than the same call may:
    /// then it waits for what comes of them.
    pub(crate) async fn attempt(
        &self,
        tool: &str,
        arguments: &Value,
    ) -> Result<Option<Attempt<'_>>, ToolError> {
        let Some(limit) = self.limit else { return Ok(None) };
        let signature = signature(tool, arguments);
        loop {
            // Made before the look, so that no end is missed between the two.
            let ended = self.ended.notified();
            match self.try_attempt(signature, limit) {
                Some(decided) => return decided.map(Some),
                None => ended.await,
            }
        }
    }

    /// Nothing while it cannot be told.
    fn try_attempt(&self, signature: u64, limit: u32) -> Option<Result<Attempt<'_>, ToolError>> {
        let mut attempts = self.attempts.lock().unwrap_or_else(PoisonError::into_inner);
        let mut failures = self.failures.lock().unwrap_or_else(PoisonError::into_inner);
        let failed = failures.get_mut(&signature);
        let times = failed.as_ref().map_or(0, |failed| failed.times);
        if let Some(answer) = failed.and_then(|failed| self.answer_to(failed)) {
            return Some(Err(answer));
        }
        let running = attempts.get(&signature).copied().unwrap_or_default();
        if running > 0 && times + running >= limit {
            return None;
        }
        attempts.insert(signature, running + 1);
        Some(Ok(Attempt { guard: self, signature }))
    }

    /// Remembers a failure that another try would not mend; a success of anything that changes the world forgets them
    /// all, because it may have mended the cause.
    pub(crate) fn observe(&self, tool: &str, effect: Effect, arguments: &Value, error: Option<&ToolError>) {
        if self.limit.is_none() || error.map_or_else(|| self.has_none(), |error| error.retryable) {
            return;
        }
        let mut failures = self.failures.lock().unwrap_or_else(PoisonError::into_inner);
        match error {
            Some(error) => {
                if failures.len() >= MAX_REMEMBERED {
                    failures.clear();
                }
                let known = failures.get(&signature(tool, arguments));
                let recent = known.filter(|failed| failed.last.elapsed() < FORGOTTEN);
                let times = recent.map_or(1, |failed| failed.times + 1);
                let failed = Failed { times, error: error.clone(), last: Instant::now(), answered: None };
                failures.insert(signature(tool, arguments), failed);
            }
            None if effect >= Effect::Session => failures.clear(),
            None => {
                failures.remove(&signature(tool, arguments));
            }
        }
        self.remembered.store(failures.len(), Ordering::Release);
    }
}

/// Equal for equal calls, whatever the order of their fields: a map is hashed in the order of its keys.
fn signature(tool: &str, arguments: &Value) -> u64 {
    let mut hasher = DefaultHasher::new();
    (tool, arguments).hash(&mut hasher);
    hasher.finish()
}
