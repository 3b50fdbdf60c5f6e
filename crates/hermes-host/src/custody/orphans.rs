//! What custodians kept that were killed: it falls to the keeper, which ends it.

use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, getpid, kill_process};

use super::tree::{below_but, children};

/// A custodian's sockets are closed before what it kept loses it.
const SOON: Duration = Duration::from_millis(1);
/// Where something does not end, it is looked after now and then.
const SELDOM: Duration = Duration::from_secs(1);

/// Whether there is any, as far as is known, and when to look again.
#[derive(Default)]
pub(super) struct Orphans(Option<Look>);

struct Look {
    due: Instant,
    pause: Duration,
    /// The one before found none.
    is_second: bool,
}

impl Orphans {
    /// A custodian was killed.
    pub(super) fn are_likely(&mut self) {
        self.0 = Some(Look { due: Instant::now(), pause: SOON, is_second: false });
    }

    /// When to look for them.
    pub(super) fn due(&self) -> Option<Instant> {
        self.0.as_ref().map(|look| look.due)
    }

    /// Ends all below this process but its custodians and what those keep. Nobody can look at all processes at once, and
    /// what is ended may have started something, so none is left only once none was found twice.
    pub(super) fn end_all_but(&mut self, custodians: &[Pid]) {
        let Some(Look { pause, is_second, .. }) = self.0.take() else { return };
        let found = below_but(getpid(), custodians);
        let mut is_left = found.as_ref().is_none_or(|found| !found.are_all);
        let unseen = children().into_iter().filter(|child| !custodians.contains(child));
        for orphan in found.into_iter().flat_map(|found| found.pids).chain(unseen) {
            // What is somebody else's now cannot be ended by us.
            is_left |= kill_process(orphan, Signal::KILL).is_ok();
        }
        if is_left || !is_second {
            let pause = (pause * 2).min(SELDOM);
            self.0 = Some(Look { due: Instant::now() + pause, pause, is_second: !is_left });
        }
    }
}
