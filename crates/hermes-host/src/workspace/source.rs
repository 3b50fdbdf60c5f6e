//! Where the bytes of an open file come from.

use std::fs::File;
use std::io::{self, Cursor, Read, Seek, SeekFrom};

/// A file of this machine, or what was fetched of one elsewhere.
#[derive(Debug)]
pub(super) enum Source {
    File(File),
    Fetched(Cursor<Vec<u8>>),
}

impl Source {
    /// What was fetched, if nothing of it was read yet and it is no longer than `most`.
    pub(super) fn take_all(&mut self, most: usize) -> Option<Vec<u8>> {
        match self {
            Source::Fetched(bytes) if bytes.position() == 0 && bytes.get_ref().len() <= most => {
                Some(std::mem::take(bytes.get_mut()))
            }
            _ => None,
        }
    }
}

impl Read for Source {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        match self {
            Source::File(file) => file.read(buffer),
            Source::Fetched(bytes) => bytes.read(buffer),
        }
    }
}

impl Seek for Source {
    fn seek(&mut self, position: SeekFrom) -> io::Result<u64> {
        match self {
            Source::File(file) => file.seek(position),
            Source::Fetched(bytes) => bytes.seek(position),
        }
    }
}
