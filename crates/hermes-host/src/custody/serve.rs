//! The keeper: has a custodian ready for whatever the runtime hands over next, until the runtime is gone.

use std::fs::File;
use std::io;
use std::os::fd::OwnedFd;
use std::os::unix::net::UnixStream;

use rustix::stdio::stdin;

use super::circumstances::Circumstances;
use super::crew::Crew;
use super::custodian::tell;
use super::descriptors::{Received, receive};
use super::expected::{Ahead, Expected};
use super::in_place::child;
use super::open_files;
use super::report::Report;
use super::stopped;
use super::turns::be_ready;
use super::wanted::Said;

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
    let own = Circumstances::now();
    let mut outlook = Outlook::default();
    let mut crew = Crew::default();
    let mut passed_on = None;
    loop {
        let said = match passed_on.take() {
            None => have_one_ready(&mut crew, (&outlook.ahead(), &own)),
            Some(handed) => have_one_keep(&mut crew, handed, &own),
        };
        match said {
            Said::Nothing => leave(crew),
            Said::Unfit(handed) => passed_on = Some(handed),
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
fn have_one_ready(crew: &mut Crew, how: (&Ahead, &Circumstances)) -> Said {
    if call_one(crew, how).is_err() {
        // Processes may be had again by the time that one is wanted.
        if !crew.wait_until_wanted() {
            return Said::Nothing;
        }
        if let Err(error) = call_one(crew, how) {
            return refuse_one(&error);
        }
    }
    // Also where it was killed before it could say: the next one is wanted all the same.
    crew.hear_next().unwrap_or(Said::NoWalls)
}

/// Has a new one do what another one was not fit for.
fn have_one_keep(crew: &mut Crew, handed: Handed, own: &Circumstances) -> Said {
    let [control, ..] = &handed;
    let control = control.try_clone();
    match (fork_one(crew, (&Ahead::Nothing, own), Some(handed)), control) {
        (Ok(()), _) => crew.hear_next().unwrap_or(Said::NoWalls),
        (Err(error), Ok(control)) => refuse(control, &error),
        (Err(_), Err(_)) => Said::NoWalls,
    }
}

fn call_one(crew: &mut Crew, (ahead, own): (&Ahead, &Circumstances)) -> io::Result<()> {
    if let Ahead::Nothing = ahead {
        if crew.call_reserve(stdin()) {
            return Ok(());
        }
    } else {
        // What is wanted now takes one of its own.
        crew.dismiss_reserve();
    }
    fork_one(crew, (ahead, own), None)
}

fn fork_one(
    crew: &mut Crew,
    (ahead, own): (&Ahead, &Circumstances),
    handed: Option<Handed>,
) -> io::Result<()> {
    let (ours, theirs) = UnixStream::pair()?;
    // SAFETY: one thread, so the child may do what it likes.
    let pid = unsafe { libc::fork() };
    if pid == 0 {
        drop(ours);
        // The others would not see the keeper's end.
        drop(std::mem::take(crew));
        be_ready((ahead, own), &theirs, handed)
    }
    crew.is_next(child(pid)?, ours);
    Ok(())
}

/// Why nobody takes a program, where no process can be made.
const NO_CUSTODIAN: &str = "the machine or the user has no more processes for who would keep it";

/// Whoever handed something over is told why nobody takes it.
fn refuse_one(error: &io::Error) -> Said {
    match receive::<4>(stdin()) {
        Received::Set([control, ..]) => refuse(control, error),
        // Another keeper may do better than one that cannot take anything.
        Received::Broken | Received::Nothing => Said::Nothing,
    }
}

fn refuse(control: OwnedFd, error: &io::Error) -> Said {
    let reason = match error.kind() {
        // Not in the kernel's words, which would be taken for a limit of the program's own.
        io::ErrorKind::WouldBlock => NO_CUSTODIAN.to_owned(),
        _ => error.to_string(),
    };
    tell(&mut File::from(control), &Report::Failed { reason });
    Said::NoWalls
}
