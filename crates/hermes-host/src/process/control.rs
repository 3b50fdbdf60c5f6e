//! Our end of the socket to the custodian of one program.

use std::io;
use std::os::fd::OwnedFd;
use std::os::unix::net::UnixStream;
use std::pin::pin;
use std::time::Duration;

use tokio::io::AsyncWriteExt as _;
use tokio::net::unix::pipe::Receiver;
use tokio::time::timeout;

use super::keeper::{self, KeeperId};
use super::pipes::Theirs;
use crate::custody::{Order, Report};

const MOMENT: Duration = Duration::from_millis(10);
/// So long whoever is to do something may say nothing before somebody looks whether it was stopped.
const PATIENCE: Duration = Duration::from_secs(2);
/// Walls can take a while where a disk does, and so can turns on a busy machine.
const MOST_NUDGES: u32 = 30;
/// So many keepers in a row may have been changed from outside before one could start a program.
const MOST_KEEPERS: u32 = 3;

/// Waited on as a pipe is, for what comes. Whoever also waits for room to write is woken whenever the custodian has read
/// something: in the middle of starting the program, for nothing.
#[derive(Debug)]
pub(super) struct Control(Receiver);

impl Control {
    /// Gives the order to a custodian, with the program's ends of its streams. What it says first is whether the program
    /// runs.
    pub(super) async fn of_program(order: &Order, streams: Theirs) -> io::Result<(Self, Report)> {
        let order = order.encode();
        let mut keepers = 1;
        loop {
            let (control, keeper) = patiently(None, Control::give(&order, &streams)).await?;
            let first = patiently(Some(keeper), control.report()).await;
            let first = first.map_err(|error| match error.kind() {
                io::ErrorKind::UnexpectedEof | io::ErrorKind::ConnectionReset => {
                    io::Error::other("its custodian was killed before it began")
                }
                _ => error,
            })?;
            if first != Report::Unfit || keepers == MOST_KEEPERS {
                return Ok((control, first));
            }
            // Nothing has begun, so another one may begin it.
            keepers += 1;
            keeper::replace(keeper);
        }
    }

    async fn give(order: &[u8], streams: &Theirs) -> io::Result<(Self, KeeperId)> {
        let (control, rest, keeper) = loop {
            match keeper::custodian(streams, order) {
                // More is on its way to the keeper than it has taken.
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => tokio::time::sleep(MOMENT).await,
                taken => break taken?,
            }
        };
        let control = if rest.is_empty() { control } else { write_rest(control, rest).await? };
        Ok((Control(Receiver::from_owned_fd_unchecked(OwnedFd::from(control))?), keeper))
    }

    /// What the custodian says next. Safe to give up and ask again: a report is one small write, so it is there whole or
    /// not at all.
    pub(super) async fn report(&self) -> io::Result<Report> {
        loop {
            self.0.readable().await?;
            match self.read_report() {
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => {}
                report => return report,
            }
        }
    }

    fn read_report(&self) -> io::Result<Report> {
        let mut length = [0; 4];
        self.read_all(&mut length)?;
        let length = usize::try_from(u32::from_le_bytes(length)).unwrap_or(usize::MAX);
        let mut body = vec![0; length.min(Report::LONGEST)];
        self.read_all(&mut body)?;
        Report::decode(&body).ok_or_else(|| io::Error::other("a report that cannot be read"))
    }

    fn read_all(&self, buffer: &mut [u8]) -> io::Result<()> {
        if self.0.try_read(buffer)? == buffer.len() {
            Ok(())
        } else {
            Err(io::ErrorKind::UnexpectedEof.into())
        }
    }

    /// Asks for the program's end, within so many milliseconds.
    pub(super) fn end_within(&self, grace: u32) {
        // A program that ended meanwhile has a closed socket, and its report is still to be read.
        let _ = rustix::io::write(&self.0, &grace.to_le_bytes());
    }

    pub(super) fn into_socket(self) -> io::Result<UnixStream> {
        self.0.into_nonblocking_fd().map(UnixStream::from)
    }
}

async fn write_rest(control: UnixStream, rest: &[u8]) -> io::Result<UnixStream> {
    let mut control = tokio::net::UnixStream::from_std(control)?;
    control.write_all(rest).await?;
    control.into_std()
}

/// Waits for whoever starts programs, which a program without walls may have stopped; `keeper` is the one that was asked.
async fn patiently<T>(keeper: Option<KeeperId>, work: impl Future<Output = io::Result<T>>) -> io::Result<T> {
    let mut work = pin!(work);
    for _ in 0..MOST_NUDGES {
        match timeout(PATIENCE, &mut work).await {
            Ok(done) => return done,
            Err(_) => keeper::go_on(),
        }
    }
    keeper::give_up(keeper);
    Err(io::Error::other("nobody who could keep it answers"))
}
