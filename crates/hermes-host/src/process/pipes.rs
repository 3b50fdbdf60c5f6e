//! The ends of the three streams: one of each for the program, one for us.

use std::fs::OpenOptions;
use std::io;
use std::os::fd::OwnedFd;

use rustix::pipe::{PipeFlags, pipe_with};
use tokio::net::unix::pipe::{Receiver, Sender};

use super::launch::{Launch, Stream};

/// The program's ends, in the order 0, 1, 2.
pub(super) type Theirs = [OwnedFd; 3];

/// Our ends, where there is a pipe.
pub(super) struct Ours {
    pub(super) stdin: Option<Sender>,
    pub(super) stdout: Option<Receiver>,
    pub(super) stderr: Option<Receiver>,
}

pub(super) fn open(launch: &Launch) -> io::Result<(Theirs, Ours)> {
    let (stdin, to_stdin) = match launch.stdin {
        Stream::Piped => {
            let (read, write) = pipe_with(PipeFlags::CLOEXEC)?;
            (read, Some(Sender::from_owned_fd(write)?))
        }
        Stream::Null | Stream::Merged => (null()?, None),
    };
    let (stdout, from_stdout) = output(launch.stdout)?;
    let (stderr, from_stderr) = match launch.stderr {
        Stream::Merged => (stdout.try_clone()?, None),
        stream => output(stream)?,
    };
    Ok(([stdin, stdout, stderr], Ours { stdin: to_stdin, stdout: from_stdout, stderr: from_stderr }))
}

fn output(stream: Stream) -> io::Result<(OwnedFd, Option<Receiver>)> {
    match stream {
        Stream::Piped => {
            let (read, write) = pipe_with(PipeFlags::CLOEXEC)?;
            Ok((write, Some(Receiver::from_owned_fd(read)?)))
        }
        Stream::Null | Stream::Merged => Ok((null()?, None)),
    }
}

fn null() -> io::Result<OwnedFd> {
    Ok(OpenOptions::new().read(true).write(true).open("/dev/null")?.into())
}
