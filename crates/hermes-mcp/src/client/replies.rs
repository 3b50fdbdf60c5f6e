//! What is owed to a server that asks and does not listen. It is not read from while too many replies wait for it, so
//! that it waits in its turn and nothing grows.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use tokio::sync::Notify;

/// How much may wait before the server is not read from.
const MAX_WAITING: usize = 1024 * 1024;
/// What keeping a reply takes beside its text: most are shorter than what is noted of them.
const KEPT_WITH_EACH: usize = 512;

/// The replies that wait behind another. Clones share them.
#[derive(Clone, Debug, Default)]
pub(super) struct Replies(Arc<Waiting>);

#[derive(Debug, Default)]
struct Waiting {
    bytes: AtomicUsize,
    left: Notify,
}

/// A reply that waits, as long as it lives.
pub(super) struct Held {
    replies: Replies,
    bytes: usize,
}

impl Replies {
    /// Counts a reply until it begins to leave. The one that is leaving does not count, however long it is: a server
    /// may have to say something before it reads on.
    pub(super) fn hold(&self, length: usize) -> Held {
        let bytes = length.saturating_add(KEPT_WITH_EACH);
        self.0.bytes.fetch_add(bytes, Ordering::AcqRel);
        Held { replies: self.clone(), bytes }
    }

    /// Waits until there is room for another.
    pub(super) async fn room(&self) {
        while self.is_full() {
            // What leaves from here on is heard of; what left before is seen.
            let left = self.0.left.notified();
            if self.is_full() {
                left.await;
            }
        }
    }

    fn is_full(&self) -> bool {
        self.0.bytes.load(Ordering::Acquire) >= MAX_WAITING
    }
}

impl Drop for Held {
    fn drop(&mut self) {
        self.replies.0.bytes.fetch_sub(self.bytes, Ordering::AcqRel);
        self.replies.0.left.notify_waiters();
    }
}
