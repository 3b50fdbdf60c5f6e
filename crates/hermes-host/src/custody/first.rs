//! The first process of a program's namespaces. When it ends, the kernel ends everything else in them, so
//! it ends with the program.

use std::io::{Read, Write};
use std::os::fd::{AsFd, AsRawFd, OwnedFd};
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicI32, Ordering};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::Errno;
use rustix::process::{Pid, WaitOptions, WaitStatus, wait};

use super::bytes::{Reader, Writer, read_frame};
use super::confine::{
    BuiltAhead, Ids, Lookout, common_view, gain_no_privileges, keep_all_as_they_are, keep_only_mounting,
    leave_network, map_ids, own_view,
};
use super::descriptors::receive;
use super::execute::{Walls, execute};
use super::expected::{Ahead, Expected};
use super::order::Order;
use super::reaper::Children;
use super::report::Report;
use crate::process::{Confinement, Exit};

/// Why there is no program.
pub(super) enum Failure {
    /// This machine does not have such walls.
    Walls(String),
    /// It does, but this program cannot be started, or not behind the walls that were asked for: what lies in the way is
    /// in the reach of programs, so weaker walls must not follow from it.
    Program(String),
    /// What was made ahead is not what this program needs.
    Stale,
}

/// What came of an order.
pub(super) enum Answer {
    Runs,
    Failed(Failure),
}

impl Answer {
    fn encode(&self) -> Vec<u8> {
        let (kind, reason) = match self {
            Answer::Runs => (0, ""),
            Answer::Failed(Failure::Walls(reason)) => (1, reason.as_str()),
            Answer::Failed(Failure::Program(reason)) => (2, reason.as_str()),
            Answer::Failed(Failure::Stale) => (3, ""),
        };
        let mut writer = Writer::default();
        writer.number(kind).bytes(reason.as_bytes()).framed()
    }

    pub(super) fn decode(body: &[u8]) -> Option<Self> {
        let mut reader = Reader(body);
        let (kind, reason) = (reader.number()?, String::from_utf8_lossy(reader.bytes()?).into_owned());
        Some(match kind {
            0 => Answer::Runs,
            1 => Answer::Failed(Failure::Walls(reason)),
            3 => Answer::Failed(Failure::Stale),
            _ => Answer::Failed(Failure::Program(reason)),
        })
    }
}

/// The program's own group, for whoever wants it to end by itself.
static PROGRAM: AtomicI32 = AtomicI32::new(0);

extern "C" fn pass_on(signal: libc::c_int) {
    let program = PROGRAM.load(Ordering::Relaxed);
    if program > 0 {
        // SAFETY: `kill` may be called from a handler.
        unsafe { libc::kill(-program, signal) };
    }
}

/// Waits for an order, builds the view, starts the program, and waits for its end. Never returns.
pub(super) fn live(mut link: UnixStream, ids: Option<Ids>, ahead: &Ahead) -> ! {
    close_all_but(link.as_raw_fd());
    let mapped = ids.map_or(Ok(()), map_ids);
    // SAFETY: a process with one thread; the handler only calls `kill`.
    unsafe {
        libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGKILL);
        libc::prctl(libc::PR_SET_DUMPABLE, 0);
        libc::setsid();
        let handler: extern "C" fn(libc::c_int) = pass_on;
        libc::signal(libc::SIGTERM, handler as libc::sighandler_t);
    }
    gain_no_privileges();
    let common = mapped.and_then(|()| if let Ahead::Nothing = ahead { Ok(()) } else { common_view(None) });
    let built = match ahead {
        Ahead::Walls(expected) if common.is_ok() => BuiltAhead::build(expected.confinement()),
        _ => None,
    };
    if let Some((order, streams)) = receive_order(&mut link) {
        let raw = streams.each_ref().map(AsRawFd::as_raw_fd);
        let confinement = order.confinement.clone().unwrap_or_default();
        let program = common
            .and_then(|()| match ahead {
                Ahead::Nothing => common_view(terminal_of(&order, raw).as_deref()),
                _ => Ok(()),
            })
            .map_err(Failure::Walls)
            .and_then(|()| match ahead {
                Ahead::Walls(expected) => complete(expected, built.as_ref(), &confinement, order.cwd()),
                _ => own_walls(&confinement, order.cwd()),
            })
            .and_then(|()| begin(&order, &confinement, raw, &mut link));
        drop(streams);
        match program {
            Err(failure) => drop(link.write_all(&Answer::Failed(failure).encode())),
            Ok(program) => {
                PROGRAM.store(program.as_raw_pid(), Ordering::Relaxed);
                let _ = link.write_all(&Answer::Runs.encode());
                let exit = outlive(program, Lookout::begin(&confinement).as_ref());
                let _ = link.write_all(&Report::Ended(exit).encode());
            }
        }
    }
    // SAFETY: ends the process without running what `main` would have set up.
    unsafe { libc::_exit(0) }
}

fn receive_order(link: &mut UnixStream) -> Option<(Order, [OwnedFd; 3])> {
    let streams = receive(&*link).set()?;
    Some((Order::decode(&read_frame(link)?)?, streams))
}

/// The name of the terminal that the program was given.
fn terminal_of(order: &Order, [stdin, ..]: [i32; 3]) -> Option<PathBuf> {
    order.pty.then(|| std::fs::read_link(format!("/proc/self/fd/{stdin}")).ok())?
}

/// Walls for this program.
fn own_walls(confinement: &Confinement, cwd: &Path) -> Result<(), Failure> {
    let alone = if confinement.network { Ok(()) } else { leave_network() };
    alone.map_err(Failure::Walls)?;
    own_view(confinement, cwd).map_err(Failure::Program)
}

/// The same with those that stand already.
fn complete(
    expected: &Expected,
    built: Option<&BuiltAhead>,
    confinement: &Confinement,
    cwd: &Path,
) -> Result<(), Failure> {
    if !expected.fits(confinement) || !built.is_some_and(BuiltAhead::stand) {
        return Err(Failure::Stale);
    }
    keep_all_as_they_are(confinement, cwd).map_err(Failure::Program)
}

fn begin(
    order: &Order,
    confinement: &Confinement,
    streams: [i32; 3],
    link: &mut UnixStream,
) -> Result<Pid, Failure> {
    // Walls that fall while the program runs are to be put back.
    keep_only_mounting().map_err(Failure::Walls)?;
    // The custodian looks meanwhile at what the program must not change.
    link.read_exact(&mut [0]).map_err(|error| Failure::Program(error.to_string()))?;
    execute(order, streams, Walls::Sealed(confinement), None).map_err(Failure::Program)
}

/// What the custodian holds came along; here it would stay open when the custodian wants it closed. The three standard
/// numbers stay taken, so that no stream of the program gets one by accident.
fn close_all_but(link: i32) {
    let link = link.unsigned_abs();
    // SAFETY: nothing here uses the descriptors that are closed.
    unsafe {
        libc::dup2(1, 0);
        if link > 3 {
            libc::close_range(3, link - 1, 0);
        }
        libc::close_range(link + 1, u32::MAX, 0);
    }
}

/// Reaps whatever ends until the program does, and keeps the walls meanwhile; then ends the rest.
fn outlive(program: Pid, lookout: Option<&Lookout<'_>>) -> Exit {
    let watched = lookout.zip(Children::watch());
    let how = if watched.is_some() { WaitOptions::NOHANG } else { WaitOptions::empty() };
    let status = loop {
        match (wait(how), &watched) {
            (Ok(Some((pid, status))), _) if pid == program => break Some(status),
            (Err(Errno::CHILD), _) => break None,
            (Ok(None), Some((lookout, children))) => keep_walls(lookout, children),
            (Ok(_) | Err(_), _) => {}
        }
    };
    // In one step, under the lock that every fork takes: nothing can slip through.
    // SAFETY: within its namespace -1 means everything but this process.
    unsafe { libc::kill(-1, libc::SIGKILL) };
    let mut left_behind = 0;
    loop {
        match wait(WaitOptions::empty()) {
            Ok(_) => left_behind += 1,
            Err(Errno::INTR) => {}
            Err(_) => return ended(status, left_behind),
        }
    }
}

/// Until a child has ended.
fn keep_walls(lookout: &Lookout<'_>, children: &Children) {
    let mut waiting = [PollFd::from_borrowed_fd(children.as_fd(), PollFlags::IN)];
    let _ = poll(&mut waiting, Timespec::try_from(lookout.rest()).ok().as_ref());
    lookout.look_when_due();
    children.heard();
}

pub(super) fn ended(status: Option<WaitStatus>, left_behind: u32) -> Exit {
    Exit {
        code: status.and_then(|status| status.exit_status()),
        signal: status.and_then(|status| status.terminating_signal()),
        left_behind,
    }
}
