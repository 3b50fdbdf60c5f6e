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
const PIECE: usize = 64 * 1024;
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

    /// Takes what has been printed, and waits for no more.
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
            break;
        }
    }
    take_rest(output, &mut piece, &mut capture);
    capture
}

/// Keeping a piece may take long where the disk is slow, and whoever printed the rest had ended before the reading was:
/// all that is in the pipe then. Somebody else may still print into it, but before what was there is read there is no
/// more of it than a pipe holds.
fn take_rest(output: &OwnedFd, piece: &mut [u8], capture: &mut Capture) {
    let mut taken = 0;
    while taken < PIPE {
        match rustix::io::read(output, &mut *piece) {
            Ok(0) => return,
            Ok(length) => {
                capture.push(piece.get(..length).unwrap_or_default());
                taken += length;
            }
            Err(Errno::INTR) => {}
            Err(_) => return,
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

#[cfg(test)]
mod tests {
    use std::io::Write as _;

    use rustix::io::ioctl_fionbio;

    use super::*;

    /// The reading was ended while much was still to be read, as it is where a disk takes too long.
    fn read_after_the_end(output: &OwnedFd) -> u64 {
        let (open, stop) = UnixStream::pair().unwrap();
        drop(open);
        read(output, &stop, Capture::new(1_000, None)).finish().captured.total
    }

    #[test]
    fn what_was_printed_before_the_end_is_read_to_its_end() {
        let (output, mut input) = io::pipe().unwrap();
        let output = OwnedFd::from(output);
        ioctl_fionbio(&output, true).unwrap();
        let size = fcntl_setpipe_size(&output, PIPE).unwrap();
        input.write_all(&vec![b'x'; size]).unwrap();
        // Somebody still holds the other end.
        assert_eq!(read_after_the_end(&output), size as u64);
        drop(input);
    }

    #[test]
    fn somebody_who_prints_for_ever_is_not_read_for_ever() {
        let (output, mut input) = io::pipe().unwrap();
        let output = OwnedFd::from(output);
        ioctl_fionbio(&output, true).unwrap();
        let printing = std::thread::spawn(move || while input.write_all(&[b'x'; 65_536]).is_ok() {});
        assert!(read_after_the_end(&output) <= (PIPE + 2 * PIECE) as u64);
        drop(output);
        printing.join().unwrap();
    }
}
