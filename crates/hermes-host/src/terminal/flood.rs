//! Reads the output of a program that prints without end, on a thread of its own.
//!
//! The reactor hears of every piece by itself and wakes whoever waits for it: for a flood that costs more than the
//! reading. Here the pipe is made larger, and whoever reads waits a moment for it to fill, so that neither side wakes
//! the other for every few kilobytes.

use std::io;
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::net::UnixStream;
use std::time::Duration;

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::Errno;
use rustix::pipe::fcntl_setpipe_size;
use tokio::task::JoinHandle;

use super::capture::Capture;

/// What the kernel lets anybody have.
const PIPE: usize = 1024 * 1024;
const PIECE: usize = 256 * 1024;
/// How long a pipe may fill.
const FILLING: Duration = Duration::from_micros(100);

/// Somebody who reads.
pub(super) struct Flood {
    reading: JoinHandle<Capture>,
    /// Closing it ends the reading.
    open: UnixStream,
}

/// What somebody needs who reads.
pub(super) struct Source {
    output: OwnedFd,
    open: UnixStream,
    stop: UnixStream,
}

impl Source {
    pub(super) fn of(stream: &impl AsFd) -> io::Result<Self> {
        let output = stream.as_fd().try_clone_to_owned()?;
        let (open, stop) = UnixStream::pair()?;
        Ok(Source { output, open, stop })
    }
}

impl Flood {
    pub(super) fn begin(source: Source, capture: Capture) -> Self {
        let Source { output, open, stop } = source;
        let reading = tokio::task::spawn_blocking(move || read(&output, &stop, capture));
        Flood { reading, open }
    }

    /// Until nobody is left who could print anything. May be given up at any moment. `None`: it was lost.
    pub(super) async fn end(&mut self) -> Option<Capture> {
        (&mut self.reading).await.ok()
    }

    /// Takes no more than has been taken.
    pub(super) async fn stop(self) -> Option<Capture> {
        drop(self.open);
        self.reading.await.ok()
    }
}

fn read(output: &OwnedFd, stop: &UnixStream, mut capture: Capture) -> Capture {
    // A terminal has no size, and who has many large pipes gets no more of them.
    let _ = fcntl_setpipe_size(output, PIPE);
    let mut piece = vec![0; PIECE];
    loop {
        let go_on = match rustix::io::read(output, &mut *piece) {
            Ok(0) => false,
            Ok(length) => {
                capture.push(piece.get(..length).unwrap_or_default());
                let rest = if length == piece.len() { Duration::ZERO } else { FILLING };
                !is_stopped(stop, None, Some(rest))
            }
            Err(Errno::AGAIN) => !is_stopped(stop, Some(output), None),
            Err(Errno::INTR) => true,
            // The other end of a terminal is closed.
            Err(_) => false,
        };
        if !go_on {
            return capture;
        }
    }
}

/// Waits until there is `more` to read, or for so long. Whether the reading is to end.
fn is_stopped(stop: &UnixStream, more: Option<&OwnedFd>, limit: Option<Duration>) -> bool {
    let mut waiting = vec![PollFd::new(stop, PollFlags::IN)];
    waiting.extend(more.map(|more| PollFd::new(more, PollFlags::IN)));
    let limit = limit.and_then(|limit| Timespec::try_from(limit).ok());
    let heard = poll(&mut waiting, limit.as_ref());
    // A wait that was interrupted says nothing.
    heard.is_ok() && waiting.first().is_some_and(|stop| !stop.revents().is_empty())
}
