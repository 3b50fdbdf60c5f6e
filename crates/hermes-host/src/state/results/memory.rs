//! Results of an ephemeral session: in memory, within bounds, gone with it.

use std::sync::Arc;

use futures_util::future::BoxFuture;
use hermes_core::ports::ResultStore;
use hermes_core::{ErrorCode, ToolError};
use serde_json::Value;

use super::id;
use super::limits::ResultLimits;
use super::recent::Recent;

/// A result store that touches no disk.
#[derive(Debug)]
pub struct MemoryResultStore {
    limits: ResultLimits,
    values: Recent,
}

impl MemoryResultStore {
    /// Keeps at most `limits.recent_bytes` in memory; the results longest unused go first.
    pub fn new(limits: ResultLimits) -> Self {
        MemoryResultStore { values: Recent::new(limits.recent_bytes), limits }
    }
}

impl Default for MemoryResultStore {
    fn default() -> Self {
        MemoryResultStore::new(ResultLimits::default())
    }
}

impl ResultStore for MemoryResultStore {
    fn put<'a>(&'a self, session: &'a str, value: &'a Value) -> BoxFuture<'a, Result<String, ToolError>> {
        Box::pin(async move {
            let bytes = self.limits.encode(value)?;
            let id = id::of(&bytes);
            if !self.values.insert(session, &id, Arc::new(value.clone()), bytes.len() as u64) {
                return Err(ToolError::new(ErrorCode::TooLarge, "the result does not fit into memory"));
            }
            Ok(id)
        })
    }

    fn get<'a>(
        &'a self,
        session: &'a str,
        id: &'a str,
    ) -> BoxFuture<'a, Result<Option<Arc<Value>>, ToolError>> {
        Box::pin(async move { Ok(self.values.get(session, id)) })
    }
}
