//! What is served, as the application around this crate supplies it.

use std::sync::Arc;

use futures_util::future::BoxFuture;
use hermes_core::{Effect, ToolCall, ToolOutcome};
use serde_json::Value;
use tokio::sync::watch;
use tokio_util::sync::CancellationToken;

use crate::assistant::Assistant;

/// One tool on offer.
#[derive(Clone, Debug)]
pub struct Offer {
    pub name: String,
    pub description: String,
    pub parameters: Value,
    pub effect: Effect,
    pub idempotent: bool,
}

/// A session as a client sees it. Every call walks the same path as any other call of Hermes.
pub trait Backend: Send + Sync + 'static {
    /// What is on offer now, in a fixed order.
    fn offers(&self) -> BoxFuture<'_, Vec<Offer>>;

    /// Runs a call. Questions that come up meanwhile go to the client that made it.
    fn call(
        &self,
        call: ToolCall,
        client: Arc<dyn Assistant>,
        cancel: CancellationToken,
    ) -> BoxFuture<'_, ToolOutcome>;

    /// What a handle of an earlier result stands for.
    fn stored<'a>(&'a self, handle: &'a str) -> BoxFuture<'a, Option<Arc<Value>>>;

    /// A number that grows whenever the offers may have changed.
    fn changes(&self) -> watch::Receiver<u64>;
}
