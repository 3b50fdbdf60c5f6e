//! The keeper: has a custodian ready for whatever the runtime hands over next, until the runtime is gone.

use std::fs::File;
use std::io;
use std::os::fd::{AsRawFd, OwnedFd};
use std::os::unix::net::UnixStream;

use rustix::event::{PollFd, PollFlags};
use rustix::stdio::stdin;

use super::circumstances::Circumstances;
use super::crew::{Crew, wait_for_turn};
use super::custodian::{self, tell};
use super::descriptors::{Received, receive};
use super::expected::{Ahead, Expected};
use super::in_place::child;
use super::open_files;
use super::ready::Ready;
use super::report::Report;
use super::stopped;
use super::waiting::wait_for_any;
use super::wanted::{Said, say};

/// What comes with one request: the control socket and the three streams.
pub(super) type Handed = [OwnedFd; 4];

/// So many programs without walls in a row, and namespaces are not made ahead any more.
const LASTING_HOPE: u8 = 8;

/// Never returns.
pub(super) fn serve(usual_open_files: Option<u64>) -> ! {
    // SAFETY: a process with one thread; the handlers are the system's own.
    unsafe {
        // Out of the terminal's reach: an interrupt is the runtime's to handle.
        libc::setsid();
        libc::signal(libc::SIGPIPE, libc::SIG_IGN);
        // Programs must not look into the one that starts them.
        libc::prctl(libc::PR_SET_DUMPABLE, 0);
        // What a custodian kept that was killed falls to the keeper.
        libc::prctl(libc::PR_SET_CHILD_SUBREAPER, 1);
    }
    stopped::let_go_on();
    open_files::were_usual(usual_open_files);
    open_files::allow_all();
    let mut outlook = Outlook::default();
    let mut crew = Crew::default();
    loop {
        match have_one_ready(&mut crew, &outlook.ahead()) {
            Said::Nothing => leave(crew),
            wanted => outlook.learn(wanted),
        }
    }
}

/// Never returns.
fn leave(crew: Crew) -> ! {
    // The number stays taken; the runtime, where it is still there, is to see that nobody listens.
    // SAFETY: two open descriptors.
    unsafe { libc::dup2(1, 0) };
    crew.see_off();
    // SAFETY: ends the process without running what `main` would have set up.
    unsafe { libc::_exit(0) }
}

/// What was wanted lately will be wanted again; the first time nobody can know.
#[derive(Default)]
struct Outlook {
    hope: u8,
    last: Option<Box<Expected>>,
    /// Whether others were wanted than before. Walls that do not fit cost more than none.
    is_changing: bool,
}

impl Outlook {
    fn ahead(&self) -> Ahead {
        match &self.last {
            _ if self.hope == 0 => Ahead::Nothing,
            Some(last) if !self.is_changing => Ahead::Walls(last.clone()),
            _ => Ahead::Common,
        }
    }

    fn learn(&mut self, wanted: Said) {
        let Said::Walls(expected) = wanted else {
            self.hope = self.hope.saturating_sub(1);
            return;
        };
        self.hope = LASTING_HOPE;
        self.is_changing = self.last.as_ref().is_some_and(|last| *last != expected);
        self.last = Some(expected);
    }
}

/// Has a custodian wait for work, and waits until it has some.
fn have_one_ready(crew: &mut Crew, ahead: &Ahead) -> Said {
    if call_one(crew, ahead).is_err() {
        // Processes may be had again by the time that one is wanted.
        if !crew.wait_until_wanted() {
            return Said::Nothing;
        }
        if let Err(error) = call_one(crew, ahead) {
            return refuse_one(&error);
        }
    }
    // Also where it was killed before it could say: the next one is wanted all the same.
    crew.hear_next().unwrap_or(Said::NoWalls)
}

fn call_one(crew: &mut Crew, ahead: &Ahead) -> io::Result<()> {
    if let Ahead::Nothing = ahead {
        if crew.call_reserve(stdin()) {
            return Ok(());
        }
    } else {
        // What is wanted now takes one of its own.
        crew.dismiss_reserve();
    }
    fork_one(crew, ahead)
}

fn fork_one(crew: &mut Crew, ahead: &Ahead) -> io::Result<()> {
    let (ours, theirs) = UnixStream::pair()?;
    // SAFETY: one thread, so the child may do what it likes.
    let pid = unsafe { libc::fork() };
    if pid == 0 {
        drop(ours);
        // The others would not see the keeper's end.
        drop(std::mem::take(crew));
        be_ready(ahead, &theirs)
    }
    crew.is_next(child(pid)?, ours);
    Ok(())
}

/// Why nobody takes a program, where no process can be made.
const NO_CUSTODIAN: &str = "the machine or the user has no more processes for who would keep it";

/// Whoever handed something over is told why nobody takes it.
fn refuse_one(error: &io::Error) -> Said {
    match receive::<4>(stdin()) {
        Received::Set([control, ..]) => {
            let reason = match error.kind() {
                // Not in the kernel's words, which would be taken for a limit of the program's own.
                io::ErrorKind::WouldBlock => NO_CUSTODIAN.to_owned(),
                _ => error.to_string(),
            };
            tell(&mut File::from(control), &Report::Failed { reason });
            Said::NoWalls
        }
        // Another keeper may do better than one that cannot take anything.
        Received::Broken | Received::Nothing => Said::Nothing,
    }
}

/// A custodian keeps no more programs: starting each leaves a little memory behind.
const MOST_PROGRAMS: u32 = 256;

/// Waits for work and does it, as often as it is wanted. Never returns.
fn be_ready(ahead: &Ahead, keeper: &UnixStream) -> ! {
    custodian::settle();
    let own = Circumstances::now();
    let mut ready = if let Ahead::Nothing = ahead { None } else { Ready::ahead(ahead) };
    let mut kept = 0;
    loop {
        wait_for_work(&mut ready);
        let handed = match receive(stdin()) {
            Received::Set(handed) => handed,
            // What was handed over is lost where it could not be taken. Another keeper may do better.
            Received::Nothing | Received::Broken => {
                say(keeper, &Said::Nothing);
                break;
            }
        };
        kept += 1;
        if !custodian::keep(handed, keeper, ready.take()) || kept == MOST_PROGRAMS {
            break;
        }
        let Some(socket) = wait_for_turn(keeper) else { break };
        // Its own program or another one may have changed something.
        if Circumstances::now() != own {
            break;
        }
        // SAFETY: two open descriptors; nobody else looks at the first one meanwhile.
        unsafe { libc::dup2(socket.as_raw_fd(), 0) };
    }
    say(keeper, &Said::Done);
    // SAFETY: ends the process without running what `main` would have set up.
    unsafe { libc::_exit(0) }
}

/// Namespaces made ahead are given up as soon as something is mounted or taken away outside: they would show what is
/// not there any more, and keep it from being taken away.
fn wait_for_work(ready: &mut Option<Ready>) {
    while let Some(made) = ready.as_ref() {
        let mut waiting = [
            PollFd::from_borrowed_fd(stdin(), PollFlags::IN),
            PollFd::from_borrowed_fd(made.mounts(), PollFlags::PRI),
        ];
        let is_stale = wait_for_any(&mut waiting, None).is_none() || {
            let [_, mounts] = &waiting;
            !mounts.revents().is_empty()
        };
        match ready.take_if(|_| is_stale) {
            Some(stale) => stale.give_up(),
            None => return,
        }
    }
}
