//! What tool search keeps between processes, and where.

use std::sync::Arc;

use hermes_core::ports::CacheStore;

/// The store that an application gave.
pub(super) struct Kept(pub(super) Arc<dyn CacheStore>);

impl std::fmt::Debug for Kept {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Kept")
    }
}
