//! The custodians that a keeper knows: the one whose turn is next, those that keep a program, and those that have kept
//! one and could keep another.
//!
//! A process takes the kernel as long to make and to take down as a small program runs, so custodians are used again as
//! long as nothing of what they kept can be left. Only the next one holds the keeper's socket: were it open in one that
//! is at work, the runtime could not tell that the keeper is gone.

use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::net::UnixStream;

use rustix::event::{PollFd, PollFlags, poll};

use super::descriptors::{receive, send};
use super::wanted::{Said, say};

/// So many wait in reserve: as many as a model has commands run at a time.
const MOST_IN_RESERVE: usize = 4;
/// Of so many at work it is heard whether they could do more.
const MOST_AT_WORK: usize = 64;

#[derive(Default)]
pub(super) struct Crew {
    next: Option<UnixStream>,
    at_work: Vec<UnixStream>,
    reserve: Vec<UnixStream>,
}

impl Crew {
    /// It is this one's turn now.
    pub(super) fn is_next(&mut self, custodian: UnixStream) {
        self.next = Some(custodian);
    }

    /// Makes one out of the reserve the next, and hands it the keeper's socket.
    pub(super) fn call_reserve(&mut self, socket: impl AsFd) -> bool {
        while let Some(custodian) = self.reserve.pop() {
            if send(&custodian, &[socket.as_fd()]).is_ok() {
                self.next = Some(custodian);
                return true;
            }
        }
        false
    }

    /// Those in reserve end.
    pub(super) fn dismiss_reserve(&mut self) {
        self.reserve.clear();
    }

    /// Waits until the next one says what it is wanted for, and hears meanwhile who could do more. `None` where it was
    /// killed before it could say.
    pub(super) fn hear_next(&mut self) -> Option<Said> {
        let next = self.next.take()?;
        loop {
            let all = std::iter::once(&next).chain(&self.at_work);
            let mut waiting: Vec<_> = all.map(|one| PollFd::new(one, PollFlags::IN)).collect();
            if poll(&mut waiting, None).is_err() {
                continue;
            }
            let spoke: Vec<bool> = waiting.iter().map(|one| !one.revents().is_empty()).collect();
            let (next_spoke, others_spoke) = spoke.split_first()?;
            self.hear_others(others_spoke);
            if *next_spoke {
                let said = Said::hear(&next);
                if matches!(said, Some(Said::NoWalls)) {
                    self.at_work.push(next);
                    // The oldest runs longest, and is missed least.
                    let too_many = self.at_work.len().saturating_sub(MOST_AT_WORK);
                    self.at_work.drain(..too_many);
                }
                return said;
            }
        }
    }

    fn hear_others(&mut self, spoke: &[bool]) {
        let others = std::mem::take(&mut self.at_work);
        for (custodian, spoke) in others.into_iter().zip(spoke) {
            if !spoke {
                self.at_work.push(custodian);
            } else if matches!(Said::hear(&custodian), Some(Said::Again))
                && self.reserve.len() < MOST_IN_RESERVE
            {
                self.reserve.push(custodian);
            }
        }
    }
}

/// Waits in reserve. The keeper's socket, when it is this custodian's turn; `None` if it is not needed any more.
pub(super) fn wait_for_turn(keeper: &UnixStream) -> Option<OwnedFd> {
    say(keeper, &Said::Again);
    let [socket] = receive(keeper)?;
    Some(socket)
}
