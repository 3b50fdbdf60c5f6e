//! The terminal as a place to ask: typed lines with a deadline, and nothing typed before the question.

use std::io::{IsTerminal, Write};
use std::os::fd::AsFd;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::Errno;
use rustix::termios::{QueueSelector, tcflush, tcgetpgrp};

/// How long the terminal is waited for before the deadline and the caller are looked at again.
const SLICE: Duration = Duration::from_millis(100);

/// What was typed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::app) enum Typed {
    Line(String),
    /// The terminal has no more to say.
    End,
    /// Nothing in time.
    Late,
}

/// Whether a person is there: standard input and error are terminals, and this program may read. A program
/// in the background would be stopped for trying, and wait for ever.
pub(in crate::app) fn is_attended() -> bool {
    let stdin = std::io::stdin();
    stdin.is_terminal()
        && std::io::stderr().is_terminal()
        && tcgetpgrp(stdin.as_fd()).is_ok_and(|foreground| foreground == rustix::process::getpgrp())
}

/// Writes to the person.
pub(in crate::app) fn say(text: &str) {
    let mut err = std::io::stderr().lock();
    // A terminal that cannot be written to is found out by reading from it.
    let _ = err.write_all(text.as_bytes()).and_then(|()| err.flush());
}

/// Forgets what was typed before the question was there to be read.
pub(in crate::app) fn forget_typed() {
    let _ = tcflush(std::io::stdin().as_fd(), QueueSelector::IFlush);
}

/// The next line, until `deadline` or until `stop` is set.
pub(in crate::app) fn read_line(deadline: Instant, stop: &AtomicBool) -> Typed {
    let stdin = std::io::stdin();
    loop {
        let left = deadline.saturating_duration_since(Instant::now());
        if left.is_zero() || stop.load(Ordering::Relaxed) {
            return Typed::Late;
        }
        let slice = Timespec { tv_sec: 0, tv_nsec: i64::from(left.min(SLICE).subsec_nanos()) };
        let mut ready = [PollFd::from_borrowed_fd(stdin.as_fd(), PollFlags::IN)];
        match poll(&mut ready, Some(&slice)) {
            Ok(0) | Err(Errno::INTR) => continue,
            Err(_) => return Typed::End,
            Ok(_) => {}
        }
        // A terminal hands out whole lines.
        let mut line = [0; 4096];
        return match rustix::io::read(stdin.as_fd(), &mut line) {
            Ok(length) => match line.get(..length).and_then(|bytes| bytes.strip_suffix(b"\n")) {
                Some(bytes) => Typed::Line(String::from_utf8_lossy(bytes).into_owned()),
                None => Typed::End,
            },
            Err(Errno::INTR | Errno::AGAIN) => continue,
            Err(_) => Typed::End,
        };
    }
}
