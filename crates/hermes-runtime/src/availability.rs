//! Which tools can do their job now. Checks run at the same time, each with its own deadline; answers
//! are kept for a while, and one failure soon after a success does not take a tool away.

use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::time::Duration;

use futures_util::FutureExt;
use futures_util::future::{BoxFuture, CatchUnwind, join_all};
use hermes_core::Need;
use hermes_core::ports::Ports;
use tokio::sync::MutexGuard;
use tokio::time::Instant;

use crate::registry::Entry;

/// How long to wait and how long to remember.
#[derive(Clone, Copy, Debug)]
pub struct AvailabilitySettings {
    pub deadline: Duration,
    pub ttl: Duration,
    /// A failure this soon after a success is not believed.
    pub grace: Duration,
}

impl Default for AvailabilitySettings {
    fn default() -> Self {
        AvailabilitySettings {
            deadline: Duration::from_millis(500),
            ttl: Duration::from_secs(30),
            grace: Duration::from_secs(60),
        }
    }
}

/// What is known about one tool.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Availability {
    pub available: bool,
    /// Why not, or why nevertheless.
    pub reason: Option<String>,
    /// When the answer must be asked for again.
    pub valid_until: Instant,
}

/// Asks tools, and remembers with each what it answered.
pub struct AvailabilityCache {
    settings: AvailabilitySettings,
}

type Check<'a> = CatchUnwind<AssertUnwindSafe<BoxFuture<'a, Result<(), String>>>>;

/// How far a check got at once.
enum Asked<'a> {
    Answered(Availability),
    Pending(MutexGuard<'a, Slot>, Check<'a>),
}

/// What is remembered with an entry, and gone with it: another one under the same name is asked anew.
#[derive(Default)]
pub(crate) struct Slot {
    answer: Option<Availability>,
    last_success: Option<Instant>,
}

impl AvailabilityCache {
    pub fn new(settings: AvailabilitySettings) -> Self {
        AvailabilityCache { settings }
    }

    /// Answers for all entries, in order. Checks of different tools run concurrently; a check already
    /// under way is waited for, not started again.
    pub async fn of_all(&self, entries: &[Arc<Entry>], ports: &Ports) -> Vec<Availability> {
        let mut answers: Vec<Option<Availability>> = Vec::with_capacity(entries.len());
        let mut waiting = Vec::new();
        for (index, entry) in entries.iter().enumerate() {
            // Most checks answer at once; only the others are worth a timer.
            match self.ask(entry, ports) {
                Some(Asked::Answered(answer)) => answers.push(Some(answer)),
                asked => {
                    answers.push(None);
                    waiting.push(async move { (index, self.wait(entry, asked).await) });
                }
            }
        }
        for (index, answer) in join_all(waiting).await {
            if let Some(place) = answers.get_mut(index) {
                *place = Some(answer);
            }
        }
        answers.into_iter().flatten().collect()
    }

    /// The answer for one tool, asked for now if none is fresh.
    pub async fn of(&self, entry: &Arc<Entry>, ports: &Ports) -> Availability {
        self.wait(entry, self.ask(entry, ports)).await
    }

    /// Starts a check, if one is needed, and sees how far it gets without waiting. Nothing where somebody else has
    /// one under way.
    fn ask<'a>(&self, entry: &'a Arc<Entry>, ports: &Ports) -> Option<Asked<'a>> {
        if let Some(missing) = missing_port(entry, ports) {
            let valid_until = Instant::now() + self.settings.ttl;
            let answer = Availability { available: false, reason: Some(missing), valid_until };
            return Some(Asked::Answered(answer));
        }
        entry.availability.try_lock().ok().map(|slot| self.ask_in(slot, entry))
    }

    fn ask_in<'a>(&self, mut slot: MutexGuard<'a, Slot>, entry: &'a Arc<Entry>) -> Asked<'a> {
        if let Some(answer) = slot.answer.as_ref().filter(|answer| answer.valid_until > Instant::now()) {
            return Asked::Answered(answer.clone());
        }
        let mut check = AssertUnwindSafe(entry.tool.check()).catch_unwind();
        match (&mut check).now_or_never() {
            Some(answer) => Asked::Answered(slot.remember(outcome(answer), &self.settings)),
            None => Asked::Pending(slot, check),
        }
    }

    /// Waits for what [`Self::ask`] has begun.
    async fn wait<'a>(&self, entry: &'a Arc<Entry>, asked: Option<Asked<'a>>) -> Availability {
        let asked = match asked {
            Some(asked) => asked,
            None => self.ask_in(entry.availability.lock().await, entry),
        };
        let (mut slot, check) = match asked {
            Asked::Answered(answer) => return answer,
            Asked::Pending(slot, check) => (slot, check),
        };
        let deadline = self.settings.deadline;
        let outcome = match tokio::time::timeout(deadline, check).await {
            Ok(answer) => outcome(answer),
            Err(_) => Err(format!("its availability check did not answer within {deadline:?}")),
        };
        slot.remember(outcome, &self.settings)
    }
}

impl Slot {
    fn remember(&mut self, outcome: Result<(), String>, settings: &AvailabilitySettings) -> Availability {
        let now = Instant::now();
        match outcome {
            Ok(()) => {
                self.last_success = Some(now);
                let answer = Availability { available: true, reason: None, valid_until: now + settings.ttl };
                self.answer = Some(answer.clone());
                answer
            }
            Err(reason) if self.last_success.is_some_and(|at| now - at < settings.grace) => {
                // A flap: believed only if it lasts, so nothing is cached and the next look asks again.
                self.answer = None;
                let reason = Some(format!("one check failed ({reason}), but an earlier one just succeeded"));
                Availability { available: true, reason, valid_until: now }
            }
            Err(reason) => {
                let answer =
                    Availability { available: false, reason: Some(reason), valid_until: now + settings.ttl };
                self.answer = Some(answer.clone());
                answer
            }
        }
    }
}

fn outcome(checked: std::thread::Result<Result<(), String>>) -> Result<(), String> {
    checked.unwrap_or_else(|_| Err("its availability check panicked".to_owned()))
}

fn missing_port(entry: &Entry, ports: &Ports) -> Option<String> {
    entry.info().needs.iter().find_map(|need| match need {
        Need::Port(name) if !ports.has(name) => {
            Some(format!("this runtime was started without the '{name}' port"))
        }
        _ => None,
    })
}
