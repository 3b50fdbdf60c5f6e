//! The erased tool that the registry stores, and the two steps of every call.
//!
//! `prepare` decodes the arguments once and locks them inside; `access` and `run` speak of that same
//! value, so what policy judged is what runs. `run` consumes the prepared call, so it cannot run twice.

use std::sync::Arc;

use futures_util::future::BoxFuture;
use serde_json::Value;

use crate::access::Access;
use crate::context::CallContext;
use crate::error::ToolError;
use crate::meta::ToolInfo;

/// A tool of any origin.
pub trait AnyTool: Send + Sync + 'static {
    fn info(&self) -> &ToolInfo;

    /// Whether the tool can do its job now; an error is the reason it cannot.
    fn check(&self) -> BoxFuture<'_, Result<(), String>> {
        Box::pin(std::future::ready(Ok(())))
    }

    /// Whether somebody has to agree to the tool before anybody may call it; the check says to what.
    fn is_kept_back(&self) -> bool {
        false
    }

    /// A description or parameters that depend on what else the session sees.
    fn dynamic_schema(&self, _view: &SchemaView<'_>) -> Option<SchemaOverride> {
        None
    }

    /// Arguments of calls that work, for whoever got one wrong.
    fn examples(&self) -> Vec<Value> {
        Vec::new()
    }

    /// Whether the tool has anything to set up or tear down.
    fn has_lifecycle(&self) -> bool {
        false
    }

    /// Runs once before the first call.
    fn setup(&self) -> BoxFuture<'_, Result<(), ToolError>> {
        Box::pin(std::future::ready(Ok(())))
    }

    /// Runs once after the last call, when the tool is removed, replaced or the runtime shuts down.
    fn teardown(&self) -> BoxFuture<'_, ()> {
        Box::pin(std::future::ready(()))
    }

    /// Decodes the arguments. They were coerced and validated against [`ToolInfo::parameters`].
    fn prepare(self: Arc<Self>, arguments: &Value) -> Result<Box<dyn Prepared>, ToolError>;
}

/// A call with its arguments decoded, waiting for a permit.
pub trait Prepared: Send {
    /// What running this would touch.
    fn access(&self) -> Vec<Access>;

    /// What the tool has judged besides its access once it runs, for whoever asks beforehand; an error is how the call
    /// would end. Nothing here opens a door.
    fn judged_later(&self) -> Result<Vec<Access>, ToolError> {
        Ok(Vec::new())
    }

    /// Runs the call. The context carries the permit.
    fn run(self: Box<Self>, cx: CallContext) -> BoxFuture<'static, Result<Value, ToolError>>;
}

/// What a dynamic schema may depend on.
#[derive(Clone, Copy, Debug)]
pub struct SchemaView<'a> {
    /// The names of all tools that this session will be offered, sorted.
    pub offered: &'a [String],
}

/// The parts of a definition that a tool replaces for one session.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SchemaOverride {
    pub description: Option<String>,
    pub parameters: Option<Value>,
}
