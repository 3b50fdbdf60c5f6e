//! The first process of a program's namespaces. When it ends, the kernel ends everything else in them, so
//! it ends with the program.

use std::io::Write;
use std::os::fd::{AsRawFd, OwnedFd};
use std::sync::atomic::{AtomicI32, Ordering};

use rustix::io::Errno;
use rustix::process::{Pid, WaitOptions, WaitStatus, wait};

use super::confine::{Ids, bring_up, build_view, drop_privileges, map_ids};
use super::execute::{Walls, execute};
use super::order::Order;
use super::report::Report;
use crate::process::{Confinement, Exit};

/// Why there is no program.
pub(super) enum Failure {
    /// The walls do not stand.
    Walls(String),
    /// They do, but the program cannot be started.
    Program(String),
}

impl Failure {
    fn bytes(&self) -> Vec<u8> {
        match self {
            Failure::Walls(reason) => [b"w", reason.as_bytes()].concat(),
            Failure::Program(reason) => [b"p", reason.as_bytes()].concat(),
        }
    }

    /// `None` if nothing was written: the program runs.
    pub(super) fn read(bytes: &[u8]) -> Option<Self> {
        let (kind, reason) = bytes.split_first()?;
        let reason = String::from_utf8_lossy(reason).into_owned();
        Some(if *kind == b'w' { Failure::Walls(reason) } else { Failure::Program(reason) })
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

/// What it lives for.
pub(super) struct First<'a> {
    pub(super) order: &'a Order,
    pub(super) confinement: &'a Confinement,
    pub(super) streams: [i32; 3],
    pub(super) ids: Option<Ids>,
}

/// Builds the view, starts the program, and waits for its end. Never returns.
pub(super) fn live(first: First<'_>, failure: OwnedFd, tell: OwnedFd) -> ! {
    let First { order, confinement, streams, ids } = first;
    let [stdin, stdout, stderr] = streams;
    close_all_but([stdin, stdout, stderr, failure.as_raw_fd(), tell.as_raw_fd()]);
    let mapped = ids.map_or(Ok(()), map_ids);
    // SAFETY: a process with one thread; the handler only calls `kill`.
    unsafe {
        libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGKILL);
        libc::prctl(libc::PR_SET_DUMPABLE, 0);
        libc::setsid();
        let handler: extern "C" fn(libc::c_int) = pass_on;
        libc::signal(libc::SIGTERM, handler as libc::sighandler_t);
    }
    if !confinement.network {
        bring_up();
    }
    let terminal =
        order.pty.then(|| std::fs::read_link(format!("/proc/self/fd/{stdin}"))).and_then(Result::ok);
    let started = mapped
        .and_then(|()| build_view(confinement, order.cwd(), terminal.as_deref()))
        .and_then(|()| drop_privileges())
        .map_err(Failure::Walls)
        .and_then(|()| execute(order, streams, Walls::Sealed(confinement)).map_err(Failure::Program));
    match started {
        Err(reason) => {
            let _ = std::fs::File::from(failure).write_all(&reason.bytes());
        }
        Ok(program) => {
            drop(failure);
            PROGRAM.store(program.as_raw_pid(), Ordering::Relaxed);
            for stream in streams {
                // SAFETY: handed over by number and used by nobody else here.
                unsafe { libc::close(stream) };
            }
            let exit = outlive(program);
            // SAFETY: an open descriptor and bytes valid for their length.
            let report = Report::Ended(exit).encode();
            unsafe { libc::write(tell.as_raw_fd(), report.as_ptr().cast(), report.len()) };
        }
    }
    // SAFETY: ends the process without running what `main` would have set up.
    unsafe { libc::_exit(0) }
}

/// The custodian's own descriptors came along; here they would keep pipes open that it wants to close.
fn close_all_but(mut kept: [i32; 5]) {
    kept.sort_unstable();
    let mut from = 0;
    for descriptor in kept.into_iter().filter_map(|descriptor| u32::try_from(descriptor).ok()) {
        if descriptor > from {
            // SAFETY: nothing here uses the descriptors that are closed.
            unsafe { libc::close_range(from, descriptor - 1, 0) };
        }
        from = descriptor + 1;
    }
    // SAFETY: as above.
    unsafe { libc::close_range(from, u32::MAX, 0) };
}

/// Reaps whatever ends until the program does, then ends the rest.
fn outlive(program: Pid) -> Exit {
    let status = loop {
        match wait(WaitOptions::empty()) {
            Ok(Some((pid, status))) if pid == program => break Some(status),
            Err(Errno::CHILD) => break None,
            Ok(_) | Err(_) => {}
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

pub(super) fn ended(status: Option<WaitStatus>, left_behind: u32) -> Exit {
    Exit {
        code: status.and_then(|status| status.exit_status()),
        signal: status.and_then(|status| status.terminating_signal()),
        left_behind,
    }
}
