//! The way to the keeper: a small process of our own binary that starts every program for us.
//!
//! Starting a program by `fork` costs time with the memory of the one that forks, and preparing the child
//! needs `fork`. So the runtime spawns one small keeper, once, and asks it. The keeper has a custodian for
//! each program, a fork of itself; the custodian ends the program's whole tree when our end of its control socket closes,
//! however that comes about. See [`crate::custody`].

use std::io::{self, Write};
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::net::UnixStream;
use std::os::unix::process::CommandExt;
use std::process::{Child, Command, Stdio};
use std::sync::{Mutex, PoisonError};

use rustix::process::{Pid, Signal, kill_process};

use crate::custody::{KEEPER, allow_all_open_files, is_all_taken, send_descriptors, usual_open_files};

use super::pipes::Theirs;

/// The keeper of this process and the socket it listens on.
static RUNNING: Mutex<Option<(Child, UnixStream)>> = Mutex::new(None);

/// Tells one keeper from those before it.
pub(super) type KeeperId = u32;

/// Gives an order to a custodian, with these ends of the program's streams. Returns our end of its control socket, what
/// is still to be written there (nearly always nothing, so that nobody has to wait for his turn to write), and by which
/// keeper.
pub(super) fn custodian<'a>(
    streams: &Theirs,
    order: &'a [u8],
) -> io::Result<(UnixStream, &'a [u8], KeeperId)> {
    let (ours, theirs) = UnixStream::pair()?;
    ours.set_nonblocking(true)?;
    let written = match (&ours).write(order) {
        Err(error) if error.kind() == io::ErrorKind::WouldBlock => 0,
        written => written?,
    };
    let rest = order.get(written..).unwrap_or_default();
    let control = OwnedFd::from(theirs);
    let mut running = RUNNING.lock().unwrap_or_else(PoisonError::into_inner);
    // The socket of one that was killed is still open in the custodian whose turn it was, and that one may be stopped.
    if let Some((keeper, socket)) = running.as_mut()
        && is_there(keeper)
    {
        match hand_over(socket, &control, streams) {
            Ok(()) => return Ok((ours, rest, keeper.id())),
            Err(error) if !is_gone(&error) => return Err(error),
            Err(_) => {}
        }
    }
    // The first program, or the keeper was killed: programs it started are with their custodians.
    if let Some((keeper, _)) = running.take() {
        bury(keeper)?;
    }
    let (keeper, socket) = start().map_err(no_keeper)?;
    allow_all_open_files();
    let id = keeper.id();
    let handed = hand_over(&socket, &control, streams);
    *running = Some((keeper, socket));
    handed?;
    Ok((ours, rest, id))
}

/// In words of its own: by its kind, that no process can be had would be taken for a queue that is full.
fn no_keeper(error: io::Error) -> io::Error {
    io::Error::other(format!("no process can be made that starts programs ({error})"))
}

/// Lets a keeper go on that somebody stopped.
pub(super) fn go_on() {
    let mut running = RUNNING.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some((keeper, _)) = running.as_mut()
        && is_there(keeper)
    {
        signal(keeper, Signal::CONT);
    }
}

fn is_there(keeper: &mut Child) -> bool {
    matches!(keeper.try_wait(), Ok(None))
}

/// Gives up a keeper that takes nothing any more: the one that is asked, where it is known. Programs are with their
/// custodians. One that has taken everything is not to blame.
pub(super) fn give_up(which: Option<KeeperId>) {
    let mut running = RUNNING.lock().unwrap_or_else(PoisonError::into_inner);
    let is_meant = |(keeper, socket): &mut (Child, UnixStream)| {
        which.is_none_or(|id| id == keeper.id()) && !is_all_taken(socket)
    };
    if let Some((keeper, _)) = running.take_if(is_meant) {
        let _ = bury(keeper);
    }
}

/// Whoever starts a program next does so by another keeper than this one.
pub(super) fn replace(which: KeeperId) {
    let mut running = RUNNING.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some((keeper, _)) = running.take_if(|(keeper, _)| keeper.id() == which) {
        let _ = bury(keeper);
    }
}

/// Nobody has waited for it yet, so the number is still its own.
fn signal(keeper: &Child, signal: Signal) {
    if let Some(keeper) = i32::try_from(keeper.id()).ok().and_then(Pid::from_raw) {
        let _ = kill_process(keeper, signal);
    }
}

fn is_gone(error: &io::Error) -> bool {
    use io::ErrorKind::{BrokenPipe, ConnectionRefused, ConnectionReset, NotConnected};
    matches!(error.kind(), BrokenPipe | ConnectionRefused | ConnectionReset | NotConnected)
}

/// Ends a keeper, if it has not ended yet.
fn bury(mut keeper: Child) -> io::Result<()> {
    keeper.kill()?;
    keeper.wait().map(drop)
}

fn hand_over(keeper: &UnixStream, control: &OwnedFd, streams: &Theirs) -> io::Result<()> {
    let [stdin, stdout, stderr] = streams;
    let descriptors = [control.as_fd(), stdin.as_fd(), stdout.as_fd(), stderr.as_fd()];
    Ok(send_descriptors(keeper, &descriptors)?)
}

/// Nothing of ours goes to the keeper: it is a fresh image, without our environment and memory.
/// It is told how many open files are usual, since this process may have raised that.
fn start() -> io::Result<(Child, UnixStream)> {
    let (ours, theirs) = UnixStream::pair()?;
    let keeper = Command::new("/proc/self/exe")
        .arg0(KEEPER)
        .args(usual_open_files().map(|usual| usual.to_string()))
        .env_clear()
        .current_dir("/")
        .stdin(OwnedFd::from(theirs))
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()?;
    Ok((keeper, ours))
}
