//! Embeds what has no vector yet, beside everything else, and keeps the vectors for the next start.

use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use hermes_search::DefinitionHash;
use hermes_search::encoder::{Encoder, TOOL_TOKENS};

use super::service::ToolSearch;

/// Tools between two looks at whether anybody still wants them.
pub(super) const AT_ONCE: usize = 8;

/// Whether somebody is embedding.
#[derive(Debug, Default)]
pub(super) struct Embedding {
    running: Mutex<bool>,
    ended: Condvar,
}

impl Embedding {
    /// Starts a thread unless one is at work. It ends with the last user of the service, or with the process.
    pub(super) fn start(&self, search: &Arc<ToolSearch>) {
        if std::mem::replace(&mut *self.running(), true) {
            return;
        }
        let weak = Arc::downgrade(search);
        let started = std::thread::Builder::new().name("hermes-embed".to_owned()).spawn(move || {
            while weak.upgrade().is_some_and(|search| embed_some(&search)) {}
            if let Some(search) = weak.upgrade() {
                search.keep_vectors();
                search.embedding().end();
            }
        });
        if let Err(error) = started {
            tracing::warn!(%error, "tools are searched by words only: no thread for the encoder");
            self.end();
        }
    }

    pub(super) fn is_running(&self) -> bool {
        *self.running()
    }

    /// Waits until nobody is embedding, but no longer than that.
    pub(super) fn wait(&self, most: Duration) {
        let waited = self.ended.wait_timeout_while(self.running(), most, |running| *running);
        drop(waited.unwrap_or_else(PoisonError::into_inner));
    }

    fn end(&self) {
        *self.running() = false;
        self.ended.notify_all();
    }

    fn running(&self) -> MutexGuard<'_, bool> {
        self.running.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Embeds everything that is missing, here and now.
pub(super) fn embed_all(search: &ToolSearch) {
    while embed_some(search) {}
}

/// Embeds a few; false when there was nothing to do.
fn embed_some(search: &ToolSearch) -> bool {
    embed(search, &search.without_vector(AT_ONCE))
}

/// Embeds these; false when there was nothing to do.
pub(super) fn embed(search: &ToolSearch, missing: &[(DefinitionHash, String)]) -> bool {
    let Some(encoder) = Encoder::shared().filter(|_| !missing.is_empty()) else { return false };
    let texts: Vec<&str> = missing.iter().map(|(_, text)| text.as_str()).collect();
    let vectors = encoder.embed_all(&texts, TOOL_TOKENS);
    search.take_vectors(missing.iter().map(|(hash, _)| *hash).zip(vectors).collect());
    true
}
