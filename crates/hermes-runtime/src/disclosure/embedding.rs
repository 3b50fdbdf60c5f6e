//! Embeds what has no vector yet, beside everything else, and keeps the vectors for the next start.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use hermes_search::encoder::{Encoder, TOOL_TOKENS};

use super::service::ToolSearch;

/// Tools between two looks at whether anybody still wants them.
const AT_ONCE: usize = 8;

/// Whether somebody is embedding.
#[derive(Debug, Default)]
pub(super) struct Embedding {
    running: AtomicBool,
}

impl Embedding {
    /// Starts a thread unless one is at work. It ends with the last user of the service, or with the process.
    pub(super) fn start(&self, search: &Arc<ToolSearch>) {
        if self.running.swap(true, Ordering::AcqRel) {
            return;
        }
        let weak = Arc::downgrade(search);
        let started = std::thread::Builder::new().name("hermes-embed".to_owned()).spawn(move || {
            while weak.upgrade().is_some_and(|search| embed_some(&search)) {}
            if let Some(search) = weak.upgrade() {
                search.embedding().running.store(false, Ordering::Release);
                search.keep_vectors();
            }
        });
        if let Err(error) = started {
            tracing::warn!(%error, "tools are searched by words only: no thread for the encoder");
            self.running.store(false, Ordering::Release);
        }
    }
}

/// Embeds everything that is missing, here and now.
pub(super) fn embed_all(search: &ToolSearch) {
    while embed_some(search) {}
}

/// Embeds a few; false when there was nothing to do.
fn embed_some(search: &ToolSearch) -> bool {
    let Some(encoder) = Encoder::shared() else { return false };
    let missing = search.without_vector(AT_ONCE);
    if missing.is_empty() {
        return false;
    }
    let texts: Vec<&str> = missing.iter().map(|(_, text)| text.as_str()).collect();
    let vectors = encoder.embed_all(&texts, TOOL_TOKENS);
    search.take_vectors(missing.iter().map(|(hash, _)| *hash).zip(vectors).collect());
    true
}
