//! What a plugin said last on standard error, for whoever looks into its death.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};

use tokio::io::AsyncReadExt;
use tokio::net::unix::pipe::Receiver;

const KEPT: usize = 4096;

/// The last words of one process. Cheap to clone.
#[derive(Clone, Default)]
pub(super) struct LastWords(Arc<Mutex<VecDeque<u8>>>);

impl LastWords {
    /// Listens until the stream ends.
    pub(super) async fn listen(self, mut stderr: Receiver) {
        // As much as a pipe holds: who floods it is soon let go on.
        let mut chunk = vec![0; 64 << 10];
        while let Ok(read) = stderr.read(&mut chunk).await {
            let Some(bytes) = chunk.get(..read).filter(|bytes| !bytes.is_empty()) else { return };
            let bytes = bytes.get(bytes.len().saturating_sub(KEPT)..).unwrap_or_default();
            let mut words = self.0.lock().unwrap_or_else(PoisonError::into_inner);
            words.extend(bytes);
            let over = words.len().saturating_sub(KEPT);
            words.drain(..over);
        }
    }

    pub(super) fn text(&self) -> String {
        let words: Vec<u8> = self.0.lock().unwrap_or_else(PoisonError::into_inner).iter().copied().collect();
        String::from_utf8_lossy(&words).trim().to_owned()
    }
}
