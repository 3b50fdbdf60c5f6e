//! Time as a door: wall-clock readings that tests can fix, waits on tokio's pausable timer.

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// Tells the wall-clock time.
#[derive(Clone, Debug, Default)]
pub struct Clock {
    /// Milliseconds since the epoch, if a test owns the clock.
    fixed: Option<Arc<AtomicI64>>,
}

impl Clock {
    pub fn system() -> Self {
        Clock::default()
    }

    /// A clock that stands still until [`Clock::advance`] is called.
    pub fn fixed_at_ms(ms: i64) -> Self {
        Clock { fixed: Some(Arc::new(AtomicI64::new(ms))) }
    }

    /// Moves a fixed clock; a system clock moves by itself.
    pub fn advance(&self, by: Duration) {
        if let Some(fixed) = &self.fixed {
            fixed.fetch_add(i64::try_from(by.as_millis()).unwrap_or(i64::MAX), Ordering::Relaxed);
        }
    }

    /// Milliseconds since the Unix epoch.
    pub fn now_ms(&self) -> i64 {
        match &self.fixed {
            Some(fixed) => fixed.load(Ordering::Relaxed),
            None => SystemTime::now()
                .duration_since(UNIX_EPOCH)
                .map_or(0, |since| i64::try_from(since.as_millis()).unwrap_or(i64::MAX)),
        }
    }

    /// Waits. Under tokio's paused test time this takes no real time.
    pub async fn sleep(&self, duration: Duration) {
        tokio::time::sleep(duration).await;
    }
}
