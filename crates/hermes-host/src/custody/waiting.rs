//! Waits for several things at once, and what becomes of a process that cannot.

use std::time::{Duration, Instant};

use rustix::event::{PollFd, Timespec, poll};
use rustix::io::Errno;

/// Until the kernel may have again what it had not.
const MOMENT: Duration = Duration::from_millis(1);

/// Until something is there or the time is over; how many are there. `None` where this process cannot wait at all: a
/// program without walls may take its custodian's right to have so many files open.
pub(super) fn wait_for_any(waiting: &mut [PollFd<'_>], deadline: Option<Instant>) -> Option<usize> {
    loop {
        let left = deadline.map(|deadline| deadline.saturating_duration_since(Instant::now()));
        let timeout = left.and_then(|left| Timespec::try_from(left).ok());
        match poll(waiting, timeout.as_ref()) {
            Ok(there) => return Some(there),
            Err(Errno::INTR) => {}
            Err(Errno::AGAIN | Errno::NOMEM) => std::thread::sleep(MOMENT),
            Err(_) => return None,
        }
    }
}

/// Ends a custodian that cannot do its work any more, as if it were killed: the keeper sees to what it leaves.
pub(super) fn give_up() -> ! {
    // SAFETY: ends the process without running what `main` would have set up.
    unsafe { libc::_exit(1) }
}
