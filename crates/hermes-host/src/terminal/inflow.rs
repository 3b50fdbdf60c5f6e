//! What a program prints, on its way to whoever keeps it.

use hermes_core::ToolError;
use tokio::io::AsyncReadExt as _;
use tokio::net::unix::pipe::Receiver;

use super::capture::{Capture, Finished};
use super::flood::{Flood, Source};

const PIECE: usize = 64 * 1024;
/// So much is no answer any more that somebody waits for.
const A_FLOOD: usize = 512 * 1024;

/// An output and what is kept of it.
pub(super) struct Inflow {
    /// `None` once nothing can come any more, and while somebody else reads.
    stream: Option<Receiver>,
    /// `None` while somebody else reads.
    capture: Option<Capture>,
    flood: Option<Flood>,
    piece: Vec<u8>,
    taken: usize,
}

impl Inflow {
    pub(super) fn new(stream: Option<Receiver>, capture: Capture) -> Self {
        Inflow { stream, capture: Some(capture), flood: None, piece: vec![0; PIECE], taken: 0 }
    }

    /// Takes what comes next; never returns once nothing can come any more. May be given up at any moment.
    pub(super) async fn next(&mut self) {
        if let Some(flood) = &mut self.flood {
            self.capture = flood.end().await;
            self.flood = None;
            return;
        }
        let Some(stream) = &mut self.stream else { return std::future::pending().await };
        match stream.read(&mut self.piece).await {
            Ok(0) | Err(_) => self.stream = None,
            Ok(length) => {
                if let Some(capture) = &mut self.capture {
                    capture.push(self.piece.get(..length).unwrap_or_default());
                }
                self.taken += length;
                if self.taken >= A_FLOOD {
                    self.leave_to_another();
                }
            }
        }
    }

    /// Where there is nobody else, it goes on as it is.
    fn leave_to_another(&mut self) {
        self.taken = 0;
        let Some(source) = self.stream.as_ref().and_then(|stream| Source::of(stream).ok()) else { return };
        if let Some(capture) = self.capture.take() {
            self.stream = None;
            self.piece = Vec::new();
            self.flood = Some(Flood::begin(source, capture));
        }
    }

    /// Takes everything that can come.
    pub(super) async fn rest(&mut self) {
        while self.stream.is_some() || self.flood.is_some() {
            self.next().await;
        }
    }

    /// What was kept. What comes later is nobody's.
    pub(super) async fn finish(mut self) -> Result<Finished, ToolError> {
        if let Some(flood) = self.flood.take() {
            self.capture = flood.stop().await;
        }
        let capture = self.capture.ok_or_else(|| ToolError::internal("what was printed was lost"))?;
        Ok(capture.finish())
    }
}
