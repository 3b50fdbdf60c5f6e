//! What is served, as the application around this crate supplies it.

use futures_util::future::BoxFuture;
use hermes_core::{Effect, ToolCall, ToolOutcome};
use serde_json::Value;
use tokio::sync::watch;
use tokio_util::sync::CancellationToken;

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

    fn call(&self, call: ToolCall, cancel: CancellationToken) -> BoxFuture<'_, ToolOutcome>;

    /// A number that grows whenever the offers may have changed.
    fn changes(&self) -> watch::Receiver<u64>;
}
