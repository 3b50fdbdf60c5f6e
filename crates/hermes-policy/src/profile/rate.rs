//! `max_calls_per_minute`: counting is state, so it lives behind a port; a policy only says what to count.

use std::collections::{HashMap, VecDeque};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use super::answer::Limit;

const MINUTE: Duration = Duration::from_secs(60);

/// Counts calls against limits.
pub trait RateLedger: Send + Sync {
    /// Counts one call against every limit, or against none.
    fn take<'a>(&self, limits: &'a [Limit]) -> Result<(), NotTaken<'a>>;
}

/// Why a call was not counted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NotTaken<'a> {
    UsedUp(&'a Limit),
    /// Nobody can say how many calls there were.
    Unknown(String),
}

/// A ledger in memory that looks back one minute at a time. The clock is whatever the caller brings.
pub struct MinuteLedger<C> {
    now: C,
    taken: Mutex<HashMap<String, VecDeque<Duration>>>,
}

impl<C: Fn() -> Duration + Send + Sync> MinuteLedger<C> {
    /// `now` tells the time since some fixed moment and never goes back.
    pub fn new(now: C) -> Self {
        MinuteLedger { now, taken: Mutex::default() }
    }
}

impl<C: Fn() -> Duration + Send + Sync> RateLedger for MinuteLedger<C> {
    fn take<'a>(&self, limits: &'a [Limit]) -> Result<(), NotTaken<'a>> {
        let now = (self.now)();
        let mut taken = self.taken.lock().unwrap_or_else(PoisonError::into_inner);
        for limit in limits {
            let calls = taken.entry(limit.rule.clone()).or_default();
            while calls.front().is_some_and(|first| now.saturating_sub(*first) >= MINUTE) {
                calls.pop_front();
            }
            if calls.len() >= limit.per_minute as usize {
                return Err(NotTaken::UsedUp(limit));
            }
        }
        for limit in limits {
            taken.entry(limit.rule.clone()).or_default().push_back(now);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicU64, Ordering};

    use super::*;

    #[test]
    fn a_minute_passes_and_all_or_nothing_is_counted() {
        let clock = AtomicU64::new(0);
        let ledger = MinuteLedger::new(|| Duration::from_secs(clock.load(Ordering::Relaxed)));
        let limit = |rule: &str, per_minute| Limit { rule: rule.into(), per_minute };
        let (wide, narrow) = (limit("wide", 3), limit("narrow", 1));
        let both = [wide.clone(), narrow.clone()];
        assert_eq!(ledger.take(&both), Ok(()));
        assert_eq!(ledger.take(&both), Err(NotTaken::UsedUp(&both[1])));
        assert_eq!(ledger.take(std::slice::from_ref(&wide)), Ok(()));
        clock.store(59, Ordering::Relaxed);
        assert_eq!(ledger.take(std::slice::from_ref(&wide)), Ok(()), "the refused call was not counted");
        assert!(ledger.take(std::slice::from_ref(&wide)).is_err());
        clock.store(60, Ordering::Relaxed);
        assert_eq!(ledger.take(&both), Ok(()));
    }
}
