//! Namespaces of their own for a program that is still to come, with the first process in them.
//!
//! Making them takes about as long as starting a shell does, and nothing of it depends on the program, so a custodian
//! without work makes them ahead.

use std::fs::File;
use std::io::Write;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::os::unix::net::UnixStream;

use rustix::process::{Pid, WaitOptions, waitpid};

use super::bytes::read_frame;
use super::confine::{Clone, clone_into_spaces};
use super::descriptors::send;
use super::expected::Ahead;
use super::first::{self, Answer, Failure};
use super::group::Group;
use super::order::Order;

/// The word on which the program begins.
const GO: u8 = b'!';

/// Why a program is not begun whose starter is gone.
pub(super) const UNWANTED: &str = "nobody waits for it any more";

/// A first process that waits for its program.
pub(super) struct Ready {
    first: Pid,
    link: UnixStream,
    /// Tells when mounts outside change.
    mounts: File,
}

impl Ready {
    /// Makes them with what can be done ahead; `None` where that cannot be.
    pub(super) fn ahead(ahead: &Ahead) -> Option<Self> {
        Ready::make(ahead).ok()
    }

    /// Makes them for this order; the rest is left until it comes.
    pub(super) fn now() -> Result<Self, Failure> {
        Ready::make(&Ahead::Nothing).map_err(Failure::Walls)
    }

    fn make(ahead: &Ahead) -> Result<Self, String> {
        let text = |error: std::io::Error| error.to_string();
        let (link, theirs) = UnixStream::pair().map_err(text)?;
        // Opened before the namespaces are made: whatever changes from here on shows.
        let mounts = File::open("/proc/self/mountinfo").map_err(text)?;
        match clone_into_spaces()? {
            Clone::Child(ids) => {
                drop((link, mounts));
                first::live(theirs, ids, ahead)
            }
            Clone::Parent(first) => Ok(Ready { first, link, mounts }),
        }
    }

    pub(super) fn mounts(&self) -> BorrowedFd<'_> {
        self.mounts.as_fd()
    }

    /// Hands the program over. Returns the first process, and where it tells how the program ended.
    /// `group` takes it in. `before` is done while the walls are built, and the program begins after it if it says so.
    pub(super) fn begin(
        mut self,
        order: &Order,
        streams: &[OwnedFd; 3],
        group: Option<&Group>,
        before: &mut dyn FnMut() -> bool,
    ) -> Result<(Pid, File), Failure> {
        if let Some(Err(reason)) = group.map(|group| group.admit(Some(self.first))) {
            self.give_up();
            return Err(Failure::Program(reason));
        }
        let answer = self.ask(order, streams, before);
        match answer {
            Some(Answer::Runs) => Ok((self.first, File::from(OwnedFd::from(self.link)))),
            Some(Answer::Failed(failure)) => {
                self.give_up();
                Err(failure)
            }
            None => {
                self.give_up();
                Err(Failure::Program("the first process of its namespaces was killed".to_owned()))
            }
        }
    }

    fn ask(
        &mut self,
        order: &Order,
        streams: &[OwnedFd; 3],
        before: &mut dyn FnMut() -> bool,
    ) -> Option<Answer> {
        let [stdin, stdout, stderr] = streams;
        // One that was killed while it waited has started nothing.
        let gone = || Some(Answer::Failed(Failure::Stale));
        if send(&self.link, &[stdin.as_fd(), stdout.as_fd(), stderr.as_fd()]).is_err()
            || self.link.write_all(&order.encode()).is_err()
        {
            return gone();
        }
        if !before() {
            return Some(Answer::Failed(Failure::Program(UNWANTED.to_owned())));
        }
        // One that could not build its walls does not listen any more, and has said why.
        let _ = self.link.write_all(&[GO]);
        Answer::decode(&read_frame(&mut self.link)?)
    }

    /// They are not wanted; taking them down may begin.
    pub(super) fn dismiss(&self) {
        let _ = rustix::process::kill_process(self.first, rustix::process::Signal::KILL);
    }

    /// Nothing is left of them afterwards.
    pub(super) fn give_up(self) {
        self.dismiss();
        let _ = waitpid(Some(self.first), WaitOptions::empty());
    }
}
