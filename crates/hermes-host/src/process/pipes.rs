//! The ends of the three streams: one of each for the program, one for us.

use std::fs::OpenOptions;
use std::io;
use std::os::fd::OwnedFd;

use rustix::fs::{Mode, OFlags};
use rustix::pipe::{PipeFlags, pipe_with};
use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use rustix::termios::{LocalModes, OptionalActions, Winsize, tcgetattr, tcsetattr, tcsetwinsize};
use tokio::net::UnixStream;
use tokio::net::unix::pipe::{Receiver, Sender};

use super::launch::{Launch, Stream};

/// The size that programs see of a terminal.
const SIZE: Winsize = Winsize { ws_row: 30, ws_col: 120, ws_xpixel: 0, ws_ypixel: 0 };

/// The program's ends, in the order 0, 1, 2.
pub(super) type Theirs = [OwnedFd; 3];

/// Our ends, where there is a pipe.
pub(super) struct Ours {
    pub(super) stdin: Option<Sender>,
    pub(super) stdout: Option<Receiver>,
    pub(super) stderr: Option<Receiver>,
    pub(super) socket: Option<UnixStream>,
    pub(super) told: Option<UnixStream>,
}

pub(super) fn open(launch: &Launch) -> io::Result<(Theirs, Ours)> {
    let (mut theirs, mut ours) = if launch.pty { terminal(launch.tells)? } else { streams(launch)? };
    if launch.tells {
        let (told, telling) = std::os::unix::net::UnixStream::pair()?;
        told.set_nonblocking(true)?;
        let [_, _, third] = &mut theirs;
        *third = OwnedFd::from(telling);
        ours.told = Some(UnixStream::from_std(told)?);
    }
    Ok((theirs, ours))
}

fn streams(launch: &Launch) -> io::Result<(Theirs, Ours)> {
    let (stdin, to_stdin, socket) = match launch.stdin {
        Stream::Piped => {
            let (read, write) = pipe_with(PipeFlags::CLOEXEC)?;
            (read, Some(Sender::from_owned_fd(write)?), None)
        }
        Stream::Socket => {
            let (ours, theirs) = std::os::unix::net::UnixStream::pair()?;
            ours.set_nonblocking(true)?;
            (OwnedFd::from(theirs), None, Some(UnixStream::from_std(ours)?))
        }
        Stream::Null | Stream::Merged => (null()?, None, None),
    };
    let (stdout, from_stdout) = output(launch.stdout)?;
    let (stderr, from_stderr) = match launch.stderr {
        Stream::Merged => (stdout.try_clone()?, None),
        stream => output(stream)?,
    };
    let ours = Ours { stdin: to_stdin, stdout: from_stdout, stderr: from_stderr, socket, told: None };
    Ok(([stdin, stdout, stderr], ours))
}

fn output(stream: Stream) -> io::Result<(OwnedFd, Option<Receiver>)> {
    match stream {
        Stream::Piped => {
            let (read, write) = pipe_with(PipeFlags::CLOEXEC)?;
            Ok((write, Some(Receiver::from_owned_fd(read)?)))
        }
        Stream::Null | Stream::Merged | Stream::Socket => Ok((null()?, None)),
    }
}

/// A terminal. Where its program is first told something by it, it shows nothing of what is typed until the program wants
/// that.
fn terminal(shows: bool) -> io::Result<(Theirs, Ours)> {
    let (ours, theirs) = open_terminal()?;
    if !shows {
        let mut settings = tcgetattr(&theirs)?;
        settings.local_modes.remove(LocalModes::ECHO);
        tcsetattr(&theirs, OptionalActions::Now, &settings)?;
    }
    rustix::io::ioctl_fionbio(&ours, true)?;
    let typed = Sender::from_owned_fd_unchecked(ours.try_clone()?)?;
    let shown = Receiver::from_owned_fd_unchecked(ours)?;
    let ends = [theirs.try_clone()?, theirs.try_clone()?, theirs];
    Ok((ends, Ours { stdin: Some(typed), stdout: Some(shown), stderr: None, socket: None, told: None }))
}

/// Both ends of a terminal, ours first. What is written to it comes back as if typed.
pub(crate) fn open_terminal() -> io::Result<(OwnedFd, OwnedFd)> {
    let flags = OpenptFlags::RDWR | OpenptFlags::NOCTTY | OpenptFlags::CLOEXEC;
    let ours = openpt(flags)?;
    grantpt(&ours)?;
    unlockpt(&ours)?;
    tcsetwinsize(&ours, SIZE)?;
    let name = ptsname(&ours, Vec::new())?;
    let open = OFlags::RDWR | OFlags::NOCTTY | OFlags::CLOEXEC;
    let theirs = rustix::fs::open(&name, open, Mode::empty())?;
    Ok((ours, theirs))
}

pub(super) fn null() -> io::Result<OwnedFd> {
    Ok(OpenOptions::new().read(true).write(true).open("/dev/null")?.into())
}
