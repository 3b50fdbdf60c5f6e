//! Copying and hashing on the way to disk.

use std::fs::File;
use std::io::{self, Read, Seek, Write};

use hermes_core::text;
use rustix::io::Errno;
use sha2::{Digest, Sha256};
use tokio_util::sync::CancellationToken;

use super::errors::Cancelled;

/// Counts and hashes what goes through.
pub(super) struct Hashing<W> {
    sink: W,
    hash: Sha256,
    size: u64,
}

impl<W: Write> Hashing<W> {
    pub(super) fn new(sink: W) -> Self {
        Hashing { sink, hash: Sha256::new(), size: 0 }
    }

    /// The hash as lower-case hex, and how many bytes went through.
    pub(super) fn finish(self) -> (String, u64) {
        (hex(self.hash), self.size)
    }
}

impl<W: Write> Write for Hashing<W> {
    fn write(&mut self, buffer: &[u8]) -> io::Result<usize> {
        let length = self.sink.write(buffer)?;
        self.hash.update(buffer.get(..length).unwrap_or(buffer));
        self.size += u64::try_from(length).unwrap_or(u64::MAX);
        Ok(length)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.sink.flush()
    }
}

pub(crate) fn hash_bytes(content: &[u8]) -> String {
    hex(Sha256::new_with_prefix(content))
}

pub(super) fn hash_file(file: Option<&File>, cancel: &CancellationToken) -> io::Result<String> {
    let mut sink = Hashing::new(io::sink());
    copy(file, &mut sink, cancel)?;
    Ok(sink.finish().0)
}

/// Copies the file from its beginning, looking at the cancellation token on the way.
pub(super) fn copy(file: Option<&File>, to: &mut impl Write, cancel: &CancellationToken) -> io::Result<()> {
    let Some(mut file) = file else { return Err(Errno::ACCESS.into()) };
    file.rewind()?;
    let mut buffer = vec![0; 256 * 1024];
    loop {
        if cancel.is_cancelled() {
            return Err(io::Error::other(Cancelled));
        }
        let length = file.read(&mut buffer)?;
        match buffer.get(..length) {
            Some(part) if !part.is_empty() => to.write_all(part)?,
            _ => return Ok(()),
        }
    }
}

/// The finished hash as lower-case hex.
pub(super) fn hex(hash: Sha256) -> String {
    text::hex(hash.finalize())
}
