//! How work grows with what it is done on. Only what this thread does on the processor counts: a busy machine makes
//! everything take longer, and nothing grow faster.

use std::time::Duration;

/// What is measured takes at least this long, so that the ticks of the clock do not matter.
const ENOUGH: Duration = Duration::from_millis(30);
/// The best of so many counts: caches that others have used make some of them worse.
const TRIES: usize = 3;
/// Four times as much may take so many times as long. If everything were looked at anew for each part of it, it would
/// be sixteen.
const MOST: u32 = 9;

/// Fails where four times as much takes far more than four times as long.
pub fn grows_in_proportion(what: &str, some: impl Fn(), four_times: impl Fn()) {
    let mut rounds = 1;
    while cost(&some, rounds) < ENOUGH {
        rounds *= 2;
    }
    let best = |work: &dyn Fn()| (0..TRIES).map(|_| cost(work, rounds)).min().unwrap_or_default();
    let (some, many) = (best(&some), best(&four_times));
    assert!(many <= MOST * some, "{what}: {some:?}, and four times as much takes {many:?}");
}

fn cost(work: &dyn Fn(), rounds: usize) -> Duration {
    let before = on_processor();
    (0..rounds).for_each(|_| work());
    on_processor().saturating_sub(before)
}

/// How long this thread has run so far.
fn on_processor() -> Duration {
    let told =
        std::fs::read_to_string("/proc/thread-self/schedstat").expect("Linux says how long a thread ran");
    let ran = told.split(' ').next().and_then(|ran| ran.parse().ok());
    Duration::from_nanos(ran.expect("nanoseconds come first"))
}
