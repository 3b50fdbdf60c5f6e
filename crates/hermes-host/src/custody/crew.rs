//! The custodians that a keeper knows: the one whose turn is next, those that keep a program, and those that have kept
//! one and could keep another.
//!
//! A process takes the kernel as long to make and to take down as a small program runs, so custodians are used again as
//! long as nothing of what they kept can be left. Only the next one holds the keeper's socket: were it open in one that
//! is at work, the runtime could not tell that the keeper is gone.

use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::net::UnixStream;

use rustix::event::{PollFd, PollFlags, poll};
use rustix::process::Pid;
use rustix::stdio::stdin;

use super::descriptors::{receive, send};
use super::orphans::Made;
use super::wanted::{Said, say};

/// So many wait in reserve: as many as a model has commands run at a time.
const MOST_IN_RESERVE: usize = 4;
/// Of so many at work it is heard whether they could do more.
const MOST_AT_WORK: usize = 64;

struct Custodian {
    pid: Pid,
    socket: UnixStream,
}

#[derive(Default)]
pub(super) struct Crew {
    next: Option<Custodian>,
    at_work: Vec<Custodian>,
    reserve: Vec<Custodian>,
    made: Made,
}

impl Crew {
    /// One was made, and it is its turn now.
    pub(super) fn is_next(&mut self, pid: Pid, socket: UnixStream) {
        self.made.note(pid);
        self.next = Some(Custodian { pid, socket });
    }

    /// Makes one out of the reserve the next, and hands it the keeper's socket.
    pub(super) fn call_reserve(&mut self, socket: impl AsFd) -> bool {
        while let Some(custodian) = self.reserve.pop() {
            if send(&custodian.socket, &[socket.as_fd()]).is_ok() {
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
            match self.wait_beside(Some(&next)) {
                // Whatever the next one waits for, nobody does any more.
                Woken::Alone => return Some(Said::Nothing),
                Woken::Wanted => {}
                Woken::NextSpoke => {
                    let said = Said::hear(&next.socket);
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
    }

    /// Without a next one: waits until one is wanted, and whether somebody is still there to want it.
    pub(super) fn wait_until_wanted(&mut self) -> bool {
        !matches!(self.wait_beside(None), Woken::Alone)
    }

    /// Waits until something is to be done, and hears meanwhile those at work. Where there is a next one, what is wanted
    /// is for it to hear.
    fn wait_beside(&mut self, next: Option<&Custodian>) -> Woken {
        loop {
            // That the runtime is gone is heard in any case.
            let wanted = if next.is_some() { PollFlags::empty() } else { PollFlags::IN };
            let custodians = next.into_iter().chain(&self.at_work);
            let mut waiting: Vec<_> = std::iter::once(PollFd::from_borrowed_fd(stdin(), wanted))
                .chain(custodians.map(|one| PollFd::new(&one.socket, PollFlags::IN)))
                .collect();
            if poll(&mut waiting, None).is_err() {
                continue;
            }
            let mut woken = waiting.iter().map(PollFd::revents);
            let runtime = woken.next().unwrap_or(PollFlags::empty());
            let next_spoke = next.is_some() && woken.next().is_some_and(|said| !said.is_empty());
            let others: Vec<bool> = woken.map(|said| !said.is_empty()).collect();
            self.hear_others(&others);
            if next_spoke {
                return Woken::NextSpoke;
            }
            if runtime.contains(PollFlags::IN) {
                return Woken::Wanted;
            }
            if !runtime.is_empty() {
                return Woken::Alone;
            }
        }
    }

    fn hear_others(&mut self, spoke: &[bool]) {
        let others = std::mem::take(&mut self.at_work);
        for (custodian, spoke) in others.into_iter().zip(spoke) {
            if !spoke {
                self.at_work.push(custodian);
                continue;
            }
            match Said::hear(&custodian.socket) {
                Some(Said::Again) if self.reserve.len() < MOST_IN_RESERVE => self.reserve.push(custodian),
                Some(_) => {}
                None => self.made.end_what_is_left(custodian.pid),
            }
        }
    }
}

enum Woken {
    NextSpoke,
    /// The runtime wants something.
    Wanted,
    /// The runtime is gone.
    Alone,
}

/// Waits in reserve. The keeper's socket, when it is this custodian's turn; `None` if it is not needed any more.
pub(super) fn wait_for_turn(keeper: &UnixStream) -> Option<OwnedFd> {
    say(keeper, &Said::Again);
    let [socket] = receive(keeper).set()?;
    Some(socket)
}
