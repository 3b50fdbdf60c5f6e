//! The keeper: has a custodian ready for whatever the runtime hands over next, until the runtime is gone.

use std::os::fd::OwnedFd;

use rustix::event::{PollFd, PollFlags, poll};
use rustix::pipe::{PipeFlags, pipe_with};
use rustix::stdio::stdin;

use super::custodian;
use super::descriptors::receive;
use super::ready::Ready;

/// What comes with one request: the control socket and the three streams.
pub(super) type Handed = [OwnedFd; 4];

/// What a waiting custodian says once it knows what it is wanted for.
pub(super) enum Wanted {
    /// To start a program behind walls, or one without.
    Walls,
    NoWalls,
    /// For nothing more: the runtime is gone.
    Nothing,
}

/// So many programs without walls in a row, and namespaces are not made ahead any more.
const LASTING_HOPE: u8 = 8;

/// Never returns.
pub(super) fn serve() -> ! {
    // SAFETY: a process with one thread; the handlers are the system's own.
    unsafe {
        // Out of the terminal's reach: an interrupt is the runtime's to handle.
        libc::setsid();
        libc::signal(libc::SIGPIPE, libc::SIG_IGN);
        // Custodians report by their sockets; nobody waits for them.
        libc::signal(libc::SIGCHLD, libc::SIG_IGN);
        // Programs must not look into the one that starts them.
        libc::prctl(libc::PR_SET_DUMPABLE, 0);
    }
    // What was wanted lately will be wanted again; the first time nobody can know.
    let mut hope = 0_u8;
    loop {
        match have_one_ready(hope > 0) {
            Wanted::Walls => hope = LASTING_HOPE,
            Wanted::NoWalls => hope = hope.saturating_sub(1),
            // SAFETY: ends the process without running what `main` would have set up.
            Wanted::Nothing => unsafe { libc::_exit(0) },
        }
    }
}

/// Forks a custodian that waits for work, and waits until it has some.
fn have_one_ready(walls: bool) -> Wanted {
    let Ok((told, tell)) = pipe_with(PipeFlags::CLOEXEC) else { return refuse_one() };
    // SAFETY: one thread, so the child may do what it likes.
    match unsafe { libc::fork() } {
        0 => {
            drop(told);
            be_ready(walls, tell)
        }
        -1 => refuse_one(),
        _ => {
            drop(tell);
            let mut word = [Wanted::NoWalls as u8];
            while let Err(rustix::io::Errno::INTR) = rustix::io::read(&told, &mut word) {}
            match word {
                [word] if word == Wanted::Nothing as u8 => Wanted::Nothing,
                [word] if word == Wanted::Walls as u8 => Wanted::Walls,
                // Also where it was killed before it could say: the next one is wanted all the same.
                _ => Wanted::NoWalls,
            }
        }
    }
}

/// Whoever handed something over sees its control socket close.
fn refuse_one() -> Wanted {
    receive::<4>(stdin()).map_or(Wanted::Nothing, |_| Wanted::NoWalls)
}

/// Waits for work and does it. Never returns.
fn be_ready(walls: bool, tell: OwnedFd) -> ! {
    custodian::settle();
    let mut ready = walls.then(Ready::ahead).flatten();
    wait_for_work(&mut ready);
    match receive(stdin()) {
        Some(handed) => custodian::keep(handed, &tell, ready),
        None => {
            say(&tell, Wanted::Nothing);
            // SAFETY: as at the end of the keeper.
            unsafe { libc::_exit(0) }
        }
    }
}

pub(super) fn say(tell: &OwnedFd, wanted: Wanted) {
    let _ = rustix::io::write(tell, &[wanted as u8]);
}

/// Namespaces made ahead are given up as soon as something is mounted or taken away outside: they would show what is
/// not there any more, and keep it from being taken away.
fn wait_for_work(ready: &mut Option<Ready>) {
    while let Some(made) = ready.as_ref() {
        let mut waiting = [
            PollFd::from_borrowed_fd(stdin(), PollFlags::IN),
            PollFd::from_borrowed_fd(made.mounts(), PollFlags::PRI),
        ];
        let woken = poll(&mut waiting, None);
        let [work, mounts] = &waiting;
        if woken.is_ok() && !mounts.revents().is_empty() {
            if let Some(stale) = ready.take() {
                stale.give_up();
            }
        } else if woken.is_ok() && !work.revents().is_empty() {
            return;
        }
    }
}
