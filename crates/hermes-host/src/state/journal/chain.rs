//! How one row of the journal is bound to the row before it.

use sha2::{Digest, Sha256};

pub(super) type Hash = [u8; 32];

/// What stands before the first row.
pub(super) const GENESIS: Hash = [0; 32];

/// Everything a row says. All of it is hashed, so no column can be edited unseen.
pub(super) struct Sealed<'a> {
    pub(super) seq: i64,
    pub(super) at_ms: i64,
    pub(super) kind: &'a str,
    pub(super) call_id: &'a str,
    pub(super) session: &'a str,
    pub(super) tool: &'a str,
    pub(super) status: Option<&'a str>,
    pub(super) body: &'a str,
    pub(super) writer: &'a str,
}

impl Sealed<'_> {
    /// Each text goes in with its length, so that no two different rows give the same bytes.
    pub(super) fn hash(&self, prev: &Hash) -> Hash {
        let mut hasher = Sha256::new_with_prefix(b"hermes-journal-1\0");
        hasher.update(prev);
        hasher.update(self.seq.to_le_bytes());
        hasher.update(self.at_ms.to_le_bytes());
        hasher.update([u8::from(self.status.is_some())]);
        let status = self.status.unwrap_or_default();
        for text in [self.kind, self.call_id, self.session, self.tool, status, self.body, self.writer] {
            hasher.update((text.len() as u64).to_le_bytes());
            hasher.update(text);
        }
        hasher.finalize().into()
    }
}
