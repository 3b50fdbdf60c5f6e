//! The keeper: has a custodian ready for whatever the runtime hands over next, until the runtime is gone.

use std::fs::File;
use std::io::Read;
use std::os::fd::OwnedFd;

use rustix::event::{PollFd, PollFlags, poll};
use rustix::pipe::{PipeFlags, pipe_with};
use rustix::stdio::stdin;

use super::bytes::read_frame;
use super::custodian;
use super::descriptors::receive;
use super::expected::{Ahead, Expected};
use super::ready::Ready;

/// What comes with one request: the control socket and the three streams.
pub(super) type Handed = [OwnedFd; 4];

/// What a waiting custodian says once it knows what it is wanted for.
pub(super) enum Wanted {
    /// To start a program behind such walls, or one without.
    Walls(Box<Expected>),
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
    let mut outlook = Outlook::default();
    loop {
        match have_one_ready(&outlook.ahead()) {
            // SAFETY: ends the process without running what `main` would have set up.
            Wanted::Nothing => unsafe { libc::_exit(0) },
            wanted => outlook.learn(wanted),
        }
    }
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

    fn learn(&mut self, wanted: Wanted) {
        let Wanted::Walls(expected) = wanted else {
            self.hope = self.hope.saturating_sub(1);
            return;
        };
        self.hope = LASTING_HOPE;
        self.is_changing = self.last.as_ref().is_some_and(|last| *last != expected);
        self.last = Some(expected);
    }
}

/// Forks a custodian that waits for work, and waits until it has some.
fn have_one_ready(ahead: &Ahead) -> Wanted {
    let Ok((told, tell)) = pipe_with(PipeFlags::CLOEXEC) else { return refuse_one() };
    // SAFETY: one thread, so the child may do what it likes.
    match unsafe { libc::fork() } {
        0 => {
            drop(told);
            be_ready(ahead, &tell)
        }
        -1 => refuse_one(),
        _ => {
            drop(tell);
            // Also where it was killed before it could say: the next one is wanted all the same.
            hear(File::from(told)).unwrap_or(Wanted::NoWalls)
        }
    }
}

/// Whoever handed something over sees its control socket close.
fn refuse_one() -> Wanted {
    receive::<4>(stdin()).map_or(Wanted::Nothing, |_| Wanted::NoWalls)
}

/// Waits for work and does it. Never returns.
fn be_ready(ahead: &Ahead, tell: &OwnedFd) -> ! {
    custodian::settle();
    let mut ready = if let Ahead::Nothing = ahead { None } else { Ready::ahead(ahead) };
    wait_for_work(&mut ready);
    match receive(stdin()) {
        Some(handed) => custodian::keep(handed, tell, ready),
        None => {
            say(tell, &Wanted::Nothing);
            // SAFETY: as at the end of the keeper.
            unsafe { libc::_exit(0) }
        }
    }
}

const WALLS: u8 = 0;
const NO_WALLS: u8 = 1;
const NOTHING: u8 = 2;

pub(super) fn say(tell: &OwnedFd, wanted: &Wanted) {
    let words = match wanted {
        Wanted::Walls(expected) => [&[WALLS][..], &expected.encode()].concat(),
        Wanted::NoWalls => vec![NO_WALLS],
        Wanted::Nothing => vec![NOTHING],
    };
    let mut left = words.as_slice();
    while let Ok(written @ 1..) = rustix::io::retry_on_intr(|| rustix::io::write(tell, left)) {
        left = left.get(written..).unwrap_or_default();
    }
}

fn hear(mut told: File) -> Option<Wanted> {
    let mut word = [0];
    told.read_exact(&mut word).ok()?;
    Some(match word {
        [WALLS] => Wanted::Walls(Box::new(Expected::decode(&read_frame(&mut told)?)?)),
        [NOTHING] => Wanted::Nothing,
        _ => Wanted::NoWalls,
    })
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
