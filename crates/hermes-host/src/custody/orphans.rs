//! What a custodian kept when it was killed: it falls to the keeper, which ends it.

use std::thread::sleep;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, getpid, kill_process};

use super::tree::{began, below, children};

/// So long the keeper sees to one custodian that is gone; others wait for it meanwhile.
const LIMIT: Duration = Duration::from_secs(2);
const MOMENT: Duration = Duration::from_millis(1);

/// The custodians that were made, by their numbers and by when they began: numbers come round again.
#[derive(Default)]
pub(super) struct Made(Vec<(Pid, u64)>);

impl Made {
    pub(super) fn note(&mut self, custodian: Pid) {
        self.0.extend(began(custodian).map(|began| (custodian, began)));
    }

    /// Ends what `gone` has left.
    pub(super) fn end_what_is_left(&mut self, gone: Pid) {
        let deadline = Instant::now() + LIMIT;
        // Its sockets are closed before what it kept loses it.
        while self.has(gone) && Instant::now() < deadline {
            sleep(MOMENT);
        }
        self.0.retain(|(custodian, then)| began(*custodian) == Some(*then));
        loop {
            let orphans: Vec<Pid> =
                children(getpid()).into_iter().filter(|child| !self.has(*child)).collect();
            if orphans.is_empty() || Instant::now() >= deadline {
                return;
            }
            for one in orphans.into_iter().flat_map(|orphan| below(orphan).into_iter().chain([orphan])) {
                let _ = kill_process(one, Signal::KILL);
            }
            sleep(MOMENT);
        }
    }

    /// Whether it is one of them, and there.
    fn has(&self, pid: Pid) -> bool {
        let Some(began) = began(pid) else { return false };
        self.0.contains(&(pid, began))
    }
}
