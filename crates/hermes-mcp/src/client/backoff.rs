//! When a server that failed may be tried again.

use std::time::Duration;

use tokio::time::Instant;

const FIRST: Duration = Duration::from_millis(500);
const LONGEST: Duration = Duration::from_secs(60);

/// Failures in a row, and until when the server is left alone.
#[derive(Clone, Debug, Default)]
pub(crate) struct Backoff {
    failures: u32,
    until: Option<Instant>,
    reason: String,
}

impl Backoff {
    /// The first failure is tried again at once: a server that was killed is back with the next call.
    pub(crate) fn failed(&mut self, reason: String) {
        self.reason = reason;
        let wait = match self.failures {
            0 => None,
            n => Some(FIRST.saturating_mul(1 << (n - 1).min(7)).min(LONGEST)),
        };
        self.failures = self.failures.saturating_add(1);
        self.until = wait.map(|wait| Instant::now() + wait);
    }

    /// The server did its job.
    pub(crate) fn worked(&mut self) {
        *self = Backoff::default();
    }

    /// How long to leave the server alone still, and what it failed with.
    pub(crate) fn waiting(&self) -> Option<(Duration, &str)> {
        let left = self.until?.checked_duration_since(Instant::now()).filter(|left| !left.is_zero())?;
        Some((left, &self.reason))
    }

    pub(crate) fn last_failure(&self) -> Option<&str> {
        (self.failures > 0).then_some(self.reason.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test(start_paused = true)]
    async fn waits_grow_to_a_limit_and_end_with_success() {
        let mut backoff = Backoff::default();
        backoff.failed("one".into());
        assert!(backoff.waiting().is_none(), "the first failure costs nothing");
        let mut last = Duration::ZERO;
        for _ in 0..12 {
            backoff.failed("more".into());
            let (left, reason) = backoff.waiting().unwrap();
            assert!(left >= last && left <= LONGEST && reason == "more");
            last = left;
        }
        assert_eq!(last, LONGEST);
        tokio::time::advance(LONGEST).await;
        assert!(backoff.waiting().is_none());
        backoff.worked();
        assert!(backoff.last_failure().is_none());
    }
}
