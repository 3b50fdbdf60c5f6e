//! Lines off a stream, none longer than is bearable.

use std::io;

use tokio::io::{AsyncRead, AsyncReadExt};

/// The longest line a plugin may send.
pub(super) const MAX_LINE: usize = 16 << 20;

/// Cuts a stream into lines.
pub(super) struct Lines<R> {
    stream: R,
    read: Vec<u8>,
    /// Up to where no line end was found yet.
    searched: usize,
}

impl<R: AsyncRead + Unpin> Lines<R> {
    pub(super) fn new(stream: R) -> Self {
        Lines { stream, read: Vec::new(), searched: 0 }
    }

    /// The next line without its end; `None` when the stream ended.
    pub(super) async fn next(&mut self) -> io::Result<Option<Vec<u8>>> {
        loop {
            let fresh = self.read.get(self.searched..).unwrap_or_default();
            if let Some(end) = fresh.iter().position(|byte| *byte == b'\n') {
                let rest = self.read.split_off(self.searched + end + 1);
                let mut line = std::mem::replace(&mut self.read, rest);
                self.searched = 0;
                line.pop();
                return Ok(Some(line));
            }
            self.searched = self.read.len();
            if self.read.len() > MAX_LINE {
                return Err(io::Error::other("it sent a line of more than 16 MiB"));
            }
            if self.stream.read_buf(&mut self.read).await? == 0 {
                return Ok(None);
            }
        }
    }
}
