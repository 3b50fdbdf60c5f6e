//! The custodians of a keeper: the one whose turn is next, those that keep a program, and those that have kept one and
//! could keep another.
//!
//! A process takes the kernel as long to make and to take down as a small program runs, so custodians are used again as
//! long as nothing of what they kept can be left. Only the next one holds the keeper's socket: were it open in one that
//! is at work, the runtime could not tell that the keeper is gone.

use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::net::UnixStream;
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags};
use rustix::process::Pid;
use rustix::stdio::stdin;

use super::descriptors::{receive, send};
use super::orphans::Orphans;
use super::waiting::wait_for_any;
use super::wanted::{Said, say};

/// So many wait in reserve: as many as a model has commands run at a time.
const MOST_IN_RESERVE: usize = 4;
/// So long custodians have to end what they keep once the runtime is gone.
const LAST_CARE: Duration = Duration::from_secs(2);

struct Custodian {
    pid: Pid,
    socket: UnixStream,
}

#[derive(Default)]
pub(super) struct Crew {
    next: Option<Custodian>,
    at_work: Vec<Custodian>,
    reserve: Vec<Custodian>,
    orphans: Orphans,
}

impl Crew {
    /// One was made, and it is its turn now.
    pub(super) fn is_next(&mut self, pid: Pid, socket: UnixStream) {
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

    /// Waits until the next one says what it is wanted for, and hears the others meanwhile. `None` where it was killed
    /// before it could say.
    pub(super) fn hear_next(&mut self) -> Option<Said> {
        let next = self.next.take()?;
        if !self.wait_beside(Some(&next)) {
            // Whatever the next one waits for, nobody does any more.
            return Some(Said::Nothing);
        }
        let said = Said::hear(&next.socket);
        match said {
            Some(Said::Walls(_) | Said::NoWalls) => self.at_work.push(next),
            Some(_) => {}
            None => self.orphans.are_likely(),
        }
        said
    }

    /// Without a next one: waits until one is wanted, and whether somebody is still there to want it.
    pub(super) fn wait_until_wanted(&mut self) -> bool {
        self.wait_beside(None)
    }

    /// Waits until the next one has spoken or, where there is none, until one is wanted; hears the others meanwhile, and
    /// ends what they leave. Whether the runtime is still there.
    fn wait_beside(&mut self, next: Option<&Custodian>) -> bool {
        // That the runtime is gone is heard in any case.
        let wanted = if next.is_some() { PollFlags::empty() } else { PollFlags::IN };
        loop {
            self.end_orphans_when_due(next);
            let first = [PollFd::from_borrowed_fd(stdin(), wanted)];
            let custodians = next.into_iter().chain(&self.at_work);
            let mut waiting: Vec<_> = first.into_iter().chain(custodians.map(Custodian::speaks)).collect();
            if wait_for_any(&mut waiting, self.orphans.due()).is_none() {
                return false;
            }
            let mut woken = waiting.iter().map(PollFd::revents);
            let runtime = woken.next().unwrap_or(PollFlags::empty());
            let next_spoke = next.is_some() && woken.next().is_some_and(|said| !said.is_empty());
            let others: Vec<bool> = woken.map(|said| !said.is_empty()).collect();
            self.hear_others(&others);
            if next_spoke || runtime.contains(PollFlags::IN) {
                return true;
            }
            if !runtime.is_empty() {
                return false;
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
                None => self.orphans.are_likely(),
            }
        }
    }

    fn end_orphans_when_due(&mut self, next: Option<&Custodian>) {
        if self.orphans.due().is_some_and(|due| due <= Instant::now()) {
            let all = next.into_iter().chain(&self.at_work).chain(&self.reserve);
            let custodians: Vec<Pid> = all.map(|custodian| custodian.pid).collect();
            self.orphans.end_all_but(&custodians);
        }
    }

    /// The runtime is gone: waits for those that end what they keep now, and ends what killed ones leave. Programs that
    /// may last are not waited for longer.
    pub(super) fn see_off(mut self) {
        self.dismiss_reserve();
        let deadline = Instant::now() + LAST_CARE;
        while Instant::now() < deadline && !(self.at_work.is_empty() && self.orphans.due().is_none()) {
            self.end_orphans_when_due(None);
            let mut waiting: Vec<_> = self.at_work.iter().map(Custodian::speaks).collect();
            let until = self.orphans.due().map_or(deadline, |due| due.min(deadline));
            if wait_for_any(&mut waiting, Some(until)).is_none() {
                return;
            }
            let spoke: Vec<bool> = waiting.iter().map(|one| !one.revents().is_empty()).collect();
            self.hear_others(&spoke);
        }
    }
}

impl Custodian {
    fn speaks(&self) -> PollFd<'_> {
        PollFd::new(&self.socket, PollFlags::IN)
    }
}

/// Waits in reserve. The keeper's socket, when it is this custodian's turn; `None` if it is not needed any more.
pub(super) fn wait_for_turn(keeper: &UnixStream) -> Option<OwnedFd> {
    say(keeper, &Said::Again);
    let [socket] = receive(keeper).set()?;
    Some(socket)
}
