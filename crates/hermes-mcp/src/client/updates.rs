//! Word that a resource of a server changed, for whoever follows it.

use tokio::sync::broadcast;

/// Words that wait for a slow listener; it misses the oldest.
const WAITING: usize = 256;

/// A resource that is not what it was.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Updated {
    pub server: String,
    /// By the server's own name for it.
    pub uri: String,
}

/// Where such words are said. Clones share it.
#[derive(Clone, Debug)]
pub(crate) struct Updates(broadcast::Sender<Updated>);

impl Default for Updates {
    fn default() -> Self {
        Updates(broadcast::channel(WAITING).0)
    }
}

impl Updates {
    /// Nobody may be listening.
    pub(crate) fn tell(&self, server: &str, uri: String) {
        let _ = self.0.send(Updated { server: server.to_owned(), uri });
    }

    pub(crate) fn listen(&self) -> broadcast::Receiver<Updated> {
        self.0.subscribe()
    }
}
