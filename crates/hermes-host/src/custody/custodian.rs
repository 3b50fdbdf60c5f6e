//! A custodian has one program at a time: starts it, waits for its end or for the word to end it, and leaves nothing
//! of its tree behind.

use std::fs::File;
use std::io::{Read, Write};
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::net::UnixStream;
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags};
use rustix::io::Errno;
use rustix::process::{Pid, PidfdFlags, Signal, kill_process, kill_process_group, pidfd_open};

use super::bytes::read_frame;
use super::expected::Expected;
use super::first::ended;
use super::lasting::hold;
use super::order::Order;
use super::ready::Ready;
use super::report::Report;
use super::serve::Handed;
use super::start::{Started, start};
use super::tree;
use super::waiting::{give_up, wait_for_any};
use super::wanted::{Said, say};
use crate::process::Exit;

/// Makes the process one that keeps a program.
pub(super) fn settle() {
    // SAFETY: a process with one thread.
    unsafe {
        libc::signal(libc::SIGCHLD, libc::SIG_DFL);
        // Whatever the program leaves behind becomes our child, so none of it can hide.
        libc::prctl(libc::PR_SET_CHILD_SUBREAPER, 1);
        // One that was stopped goes on when nobody is left to wake it, and ends where nobody wants it.
        libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGCONT);
        libc::setsid();
    }
}

/// Starts what the runtime wants started, says to `keeper` what kind that is, and stays with it. Whether this process is
/// now as it was before, and could keep another program.
pub(super) fn keep(handed: Handed, keeper: &UnixStream, ready: Option<Ready>) -> bool {
    // The keeper's own socket: were it open here, the runtime could not tell that the keeper is gone. The number stays
    // taken, so that no stream of the program gets it by accident.
    // SAFETY: two open descriptors.
    unsafe { libc::dup2(1, 0) };
    let [control, stdin, stdout, stderr] = handed;
    let streams = [stdin, stdout, stderr];
    let mut control = File::from(control);
    let order = read_frame(&mut control).and_then(|frame| Order::decode(&frame));
    let expected = order
        .as_ref()
        .and_then(|order| order.confinement.as_ref())
        .map(|walls| Box::new(Expected::of(walls)));
    // Walls, limits and files of the program's own are not built twice in one process.
    let is_plain = order.as_ref().is_some_and(|order| {
        order.confinement.is_none() && order.lasting.is_none() && !order.limits.bound_a_tree()
    });
    let mut next = Some(expected.map_or(Said::NoWalls, Said::Walls));
    let mut call_next = || {
        if let Some(wanted) = next.take() {
            say(keeper, &wanted);
        }
    };
    if let Some((order, folder)) = order.as_ref().and_then(|order| Some((order, order.lasting.as_ref()?))) {
        drop(streams);
        call_next();
        hold(order, folder, control, ready);
        return false;
    }
    let Some(order) = order else { return false };
    match start(&order, &streams, ready, &|| is_wanted(&control)) {
        Ok(Started { root, held, told, mut kept }) => {
            drop(streams);
            tell(&mut control, &Report::started(root, held));
            if order.confinement.is_none() {
                // Without walls the next custodian is soon there, and nothing is waited for.
                call_next();
            }
            let report = watch(root, told, &mut control, &mut call_next);
            kept.put_back();
            tell(&mut control, &report);
            call_next();
            // Taking namespaces down takes the kernel a while, and nobody need wait for that.
            let _ = rustix::process::waitpid(Some(root), rustix::process::WaitOptions::empty());
            kept.remove();
            let_be_heard(&control);
            is_plain && tree::is_alone()
        }
        Err(reason) => {
            tell(&mut control, &Report::Failed { reason });
            call_next();
            false
        }
    }
}

/// What the first process of the program's namespaces said; it may have been killed before it could. Not read to its
/// end, which comes only once that process has ended too.
pub(super) fn read_end(mut told: File) -> Option<Report> {
    Report::decode(&read_frame(&mut told)?)
}

/// The runtime may be gone; then nobody wants to know.
pub(super) fn tell(control: &mut File, report: &Report) {
    let _ = control.write_all(&report.encode());
}

/// So long the runtime may take to hear of an end.
const SOON: Duration = Duration::from_millis(5);

/// Waits until the runtime has closed its side. To take a process down takes the kernel as long as a small program
/// runs, and whoever was just woken to hear of an end would often have to wait for the processor meanwhile.
fn let_be_heard(control: &File) {
    let _ = wait_for_any(&mut [PollFd::new(control, PollFlags::IN)], Some(Instant::now() + SOON));
}

/// Whether the runtime still waits for the program.
pub(super) fn is_wanted(control: &File) -> bool {
    let mut waiting = [PollFd::new(control, PollFlags::empty())];
    wait_for_any(&mut waiting, Some(Instant::now())) == Some(0)
}

/// So long a program has the machine to itself: walls for the next one take as long as many a program runs.
const BRIEFLY: Duration = Duration::from_millis(2);

/// Waits for the end of the program, and sees to it where the runtime says so or is gone. The first process of
/// namespaces tells when everything in them has ended. `lasts` is called for a program that has not ended soon.
fn watch(main: Pid, told: Option<File>, control: &mut File, lasts: &mut dyn FnMut()) -> Report {
    let ended = match &told {
        Some(told) => told.try_clone().map(OwnedFd::from).ok(),
        None => pidfd_open(main, PidfdFlags::empty()).ok(),
    };
    // Only where this process may not open anything any more.
    let Some(ended) = ended else { give_up() };
    if !matches!(wait_for(&ended, control, Some(Instant::now() + BRIEFLY)), Woken::Ended) {
        lasts();
    }
    let mut deadline: Option<Instant> = None;
    // How long it may take once more, when nothing holds it up any more.
    let mut once_more = None;
    loop {
        match wait_for(&ended, control, deadline) {
            Woken::Ended => return told.and_then(read_end).unwrap_or_else(|| Report::Ended(finish(main))),
            Woken::Deadline => match once_more.take().filter(|_| tree::free(main, told.is_some())) {
                Some(grace) => deadline = Some(Instant::now() + grace),
                None => return Report::Ended(end_by_force(main)),
            },
            Woken::Word => match grace(control) {
                Some(grace) if !grace.is_zero() => {
                    let _ = kill_process_group(main, Signal::TERM);
                    deadline = Some(Instant::now() + grace);
                    once_more = Some(grace);
                }
                _ => return Report::Ended(end_by_force(main)),
            },
        }
    }
}

enum Woken {
    Ended,
    Word,
    Deadline,
}

fn wait_for(ended: &OwnedFd, control: &File, deadline: Option<Instant>) -> Woken {
    let mut waiting = [
        PollFd::from_borrowed_fd(ended.as_fd(), PollFlags::IN),
        PollFd::from_borrowed_fd(control.as_fd(), PollFlags::IN),
    ];
    match wait_for_any(&mut waiting, deadline) {
        Some(0) => return Woken::Deadline,
        Some(_) => {}
        None => give_up(),
    }
    let [ended, _] = &waiting;
    if ended.revents().is_empty() { Woken::Word } else { Woken::Ended }
}

/// How long the program may take to end by itself; `None` if the runtime is gone.
fn grace(control: &mut File) -> Option<Duration> {
    let mut milliseconds = [0; 4];
    control.read_exact(&mut milliseconds).ok()?;
    Some(Duration::from_millis(u64::from(u32::from_le_bytes(milliseconds))))
}

/// Ends the program and what it left behind. One that became somebody else's cannot be ended by this process, so its end
/// is nothing to wait for.
pub(super) fn end_by_force(main: Pid) -> Exit {
    match kill_process(main, Signal::KILL) {
        Err(Errno::PERM) => ended(None, tree::sweep()),
        _ => finish(main),
    }
}

/// Reaps the program and ends what it left behind.
pub(super) fn finish(main: Pid) -> Exit {
    let status = rustix::process::waitpid(Some(main), rustix::process::WaitOptions::empty());
    let left_behind = tree::sweep();
    let status = status.ok().flatten().map(|(_, status)| status);
    ended(status, left_behind)
}
