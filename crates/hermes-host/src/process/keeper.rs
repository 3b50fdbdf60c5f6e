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

use crate::custody::{KEEPER, send_descriptors};

use super::pipes::Theirs;

/// The keeper of this process and the socket it listens on.
static RUNNING: Mutex<Option<(Child, UnixStream)>> = Mutex::new(None);

/// Gives an order to a custodian, with these ends of the program's streams. Returns our end of its control socket, and
/// what is still to be written there: nearly always nothing, so that nobody has to wait for his turn to write.
pub(super) fn custodian<'a>(streams: &Theirs, order: &'a [u8]) -> io::Result<(UnixStream, &'a [u8])> {
    let (ours, theirs) = UnixStream::pair()?;
    ours.set_nonblocking(true)?;
    let written = match (&ours).write(order) {
        Err(error) if error.kind() == io::ErrorKind::WouldBlock => 0,
        written => written?,
    };
    let rest = order.get(written..).unwrap_or_default();
    let control = OwnedFd::from(theirs);
    let mut running = RUNNING.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some((keeper, socket)) = running.as_mut() {
        if hand_over(socket, &control, streams).is_ok() {
            return Ok((ours, rest));
        }
        keeper.wait()?;
    }
    // The first program, or the keeper was killed: programs it started are with their custodians.
    let (keeper, socket) = start()?;
    let handed = hand_over(&socket, &control, streams);
    *running = Some((keeper, socket));
    handed?;
    Ok((ours, rest))
}

fn hand_over(keeper: &UnixStream, control: &OwnedFd, streams: &Theirs) -> io::Result<()> {
    let [stdin, stdout, stderr] = streams;
    let descriptors = [control.as_fd(), stdin.as_fd(), stdout.as_fd(), stderr.as_fd()];
    Ok(send_descriptors(keeper, &descriptors)?)
}

/// Nothing of ours goes to the keeper: it is a fresh image, without our environment and memory.
fn start() -> io::Result<(Child, UnixStream)> {
    let (ours, theirs) = UnixStream::pair()?;
    let keeper = Command::new("/proc/self/exe")
        .arg0(KEEPER)
        .env_clear()
        .current_dir("/")
        .stdin(OwnedFd::from(theirs))
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()?;
    Ok((keeper, ours))
}
