//! What is served, as the application around this crate supplies it.

use std::sync::Arc;

use futures_util::future::BoxFuture;
use hermes_core::{Effect, ToolCall, ToolOutcome};
use serde_json::Value;
use tokio::sync::{broadcast, watch};
use tokio_util::sync::CancellationToken;

use crate::assistant::Assistant;
use crate::client::{Follow, Updated};
use crate::front::{Completing, Had};
use crate::manifest::{Listed, ToolDef};

/// One tool on offer.
#[derive(Clone, Debug)]
pub struct Offer {
    pub name: String,
    pub description: String,
    pub parameters: Value,
    pub effect: Effect,
    pub idempotent: bool,
    /// The server's own definition, where that server is stood in for.
    pub own: Option<ToolDef>,
}

/// Numbers that grow whenever what they count may have changed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Epochs {
    pub tools: u64,
    pub prompts: u64,
    pub resources: u64,
}

/// A session as a client sees it. Every call walks the same path as any other call of Hermes.
pub trait Backend: Send + Sync + 'static {
    /// Whether one server is stood in for, in its own words.
    fn stands_in(&self) -> bool;

    /// A client wants to know what there is: servers that nobody has asked yet may be asked now, and not before.
    fn asked(&self);

    /// What is on offer now, in a fixed order.
    fn offers(&self) -> BoxFuture<'_, Vec<Offer>>;

    /// Prompts, resources and templates of resources, in a fixed order.
    fn listed(&self) -> BoxFuture<'_, Listed>;

    /// Runs a call. Questions that come up meanwhile go to the client that made it.
    fn call(
        &self,
        call: ToolCall,
        client: Arc<dyn Assistant>,
        cancel: CancellationToken,
    ) -> BoxFuture<'_, ToolOutcome>;

    /// The call that fills in a prompt, if there is such a prompt.
    fn prompt<'a>(&'a self, name: &'a str, arguments: &'a Value) -> BoxFuture<'a, Option<Had>>;

    /// The call that reads a resource, if somebody has it; an error if it is not clear who.
    fn resource<'a>(&'a self, uri: &'a str) -> BoxFuture<'a, Result<Option<Had>, String>>;

    /// What a handle of an earlier result stands for.
    fn stored<'a>(&'a self, handle: &'a str) -> BoxFuture<'a, Option<Arc<Value>>>;

    /// Suggestions for an argument; `rest` holds the argument and its context, as the protocol has them.
    fn complete(&self, what: Completing, rest: Value) -> BoxFuture<'_, Option<Value>>;

    /// Follows a resource. One that never changes needs no following.
    fn follow<'a>(&'a self, uri: &'a str) -> BoxFuture<'a, Result<Option<Arc<Follow>>, String>>;

    fn changes(&self) -> watch::Receiver<Epochs>;

    /// Resources that changed, of those that are followed.
    fn updates(&self) -> broadcast::Receiver<Updated>;
}
