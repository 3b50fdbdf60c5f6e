//! The standard input of a program that may not be reading: what it does not take at once waits.

use std::collections::VecDeque;
use std::fs::File;
use std::io::{ErrorKind, Write};
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};

/// What may wait at most.
const MOST_WAITING: usize = 4 * 1024 * 1024;

pub(super) struct Stdin {
    /// `None` once closed.
    stream: Option<File>,
    waiting: VecDeque<u8>,
    closing: bool,
}

impl Stdin {
    pub(super) fn new(stream: OwnedFd) -> Self {
        let _ = rustix::io::ioctl_fionbio(&stream, true);
        Stdin { stream: Some(File::from(stream)), waiting: VecDeque::new(), closing: false }
    }

    /// Whether it was taken.
    pub(super) fn push(&mut self, bytes: &[u8]) -> bool {
        let room = MOST_WAITING.saturating_sub(self.waiting.len());
        if self.stream.is_none() || self.closing || bytes.len() > room {
            return false;
        }
        self.waiting.extend(bytes);
        self.flush();
        true
    }

    pub(super) fn close(&mut self) {
        self.closing = true;
        self.flush();
    }

    /// Writes what the program takes now.
    pub(super) fn flush(&mut self) {
        while let (Some(stream), false) = (&mut self.stream, self.waiting.is_empty()) {
            match stream.write(self.waiting.make_contiguous()) {
                Ok(written) => drop(self.waiting.drain(..written)),
                Err(error) if error.kind() == ErrorKind::WouldBlock => return,
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(_) => self.waiting.clear(),
            }
        }
        if self.closing {
            self.stream = None;
        }
    }

    /// The stream, while something waits for it.
    pub(super) fn wanted(&self) -> Option<BorrowedFd<'_>> {
        self.stream.as_ref().filter(|_| !self.waiting.is_empty()).map(|stream| stream.as_fd())
    }
}
