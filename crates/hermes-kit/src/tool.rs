//! The typed contract of a tool.

use std::future::Future;

use hermes_core::{Access, CallContext, SchemaOverride, SchemaView, ToolError, ToolMeta};
use hermes_host::Host;
use schemars::JsonSchema;
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::example::Example;

/// One tool, one verb. See the crate's front page for a complete example.
pub trait Tool: Send + Sync + Sized + 'static {
    /// The arguments. The doc comment of the type is what the model reads about the tool; the doc
    /// comment of each field describes that parameter. Use `#[serde(deny_unknown_fields)]`.
    type Args: DeserializeOwned + JsonSchema + Send + 'static;
    /// What the model gets back; only what it needs.
    type Output: Serialize + Send;
    /// Name, toolset, effect, limits and needs.
    const META: ToolMeta;

    /// Makes the tool, keeping the doors it needs.
    fn new(host: &Host) -> Self;

    /// What a call with these arguments would touch. Pure and total: a door refuses what is not named here.
    fn access(&self, _args: &Self::Args) -> Vec<Access> {
        Vec::new()
    }

    /// What `call` has judged besides its access, for whoever asks how a call would be judged; an error is how it would
    /// end.
    fn judged_later(&self, _args: &Self::Args) -> Result<Vec<Access>, ToolError> {
        Ok(Vec::new())
    }

    /// Does the work. Must stop soon after `cx.cancel()` fires.
    fn call(
        &self,
        args: Self::Args,
        cx: &CallContext,
    ) -> impl Future<Output = Result<Self::Output, ToolError>> + Send;

    /// A long text taken out of the output, and the field it stood in: it is moved into the result, where everything
    /// else is copied.
    fn long_text(_output: &mut Self::Output) -> Option<(&'static str, String)> {
        None
    }

    /// Calls with their results. They are tests, documentation and search text at once.
    fn examples() -> Vec<Example> {
        Vec::new()
    }

    /// Whether the tool can work now, beyond what `META.needs` says; an error is the reason.
    fn probe(&self) -> impl Future<Output = Result<(), String>> + Send {
        std::future::ready(Ok(()))
    }

    /// Parts of the definition that depend on what else the session sees.
    fn dynamic_schema(&self, _view: &SchemaView<'_>) -> Option<SchemaOverride> {
        None
    }

    /// Whether `setup` and `teardown` do anything; the runtime skips them otherwise.
    const HAS_LIFECYCLE: bool = false;

    /// Runs once, before the first call; concurrent first calls share it.
    fn setup(&self) -> impl Future<Output = Result<(), ToolError>> + Send {
        std::future::ready(Ok(()))
    }

    /// Runs once, after the last call.
    fn teardown(&self) -> impl Future<Output = ()> + Send {
        std::future::ready(())
    }
}
