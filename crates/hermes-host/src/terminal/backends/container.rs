//! What all containers of ours have in common: a name for the session, and a mark of how they were made.

use hermes_core::text::hex;
use sha2::{Digest, Sha256};

/// A name that stands for the session and says nothing about it.
pub(super) fn name_of(session: &str, hermes_home: &str) -> String {
    format!("hermes-{}", short_hash(&[session, hermes_home]))
}

/// Differs where anything differs.
pub(super) fn short_hash(parts: &[&str]) -> String {
    let mut hash = Sha256::new();
    for part in parts {
        hash.update(part.len().to_le_bytes());
        hash.update(part);
    }
    hash.finalize().first_chunk::<8>().map(hex).unwrap_or_default()
}
