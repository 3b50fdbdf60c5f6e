//! A tool that is one function.

use std::future::Future;
use std::marker::PhantomData;
use std::sync::Arc;

use futures_util::future::BoxFuture;
use hermes_core::{Access, AnyTool, CallContext, Prepared, ToolError, ToolInfo, ToolMeta};
use hermes_host::Host;
use schemars::JsonSchema;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::erase::{check_needs, decode};
use crate::schema::{description_of, parameters_of};

/// Makes a tool of a function from arguments to an output. The doc comment of the arguments' type is what the model
/// reads, as with [`crate::Tool`]. The calls of such a tool touch nothing that policy judges by its target, so every
/// door refuses them: a tool that opens files, starts programs or fetches pages says so as a [`crate::Tool`].
///
/// ```
/// use hermes_kit::prelude::*;
///
/// /// Add two numbers.
/// #[derive(Deserialize, JsonSchema)]
/// struct Add {
///     /// One of them.
///     left: i64,
///     /// The other.
///     right: i64,
/// }
///
/// # let host = Host::new(Default::default(), "/nowhere".into());
/// let add = from_fn(&host, ToolMeta::new("add", "example", Effect::None), async |sum: Add, _cx| {
///     Ok(json!({"sum": sum.left + sum.right}))
/// });
/// assert_eq!(add.info().description, "Add two numbers.");
/// ```
pub fn from_fn<A, O, F, W>(host: &Host, meta: ToolMeta, function: F) -> Arc<dyn AnyTool>
where
    A: DeserializeOwned + JsonSchema + Send + 'static,
    O: Serialize,
    F: Fn(A, CallContext) -> W + Send + Sync + 'static,
    W: Future<Output = Result<O, ToolError>> + Send + 'static,
{
    let info = ToolInfo::from_meta(&meta, description_of::<A>(), parameters_of::<A>());
    Arc::new(Function { info, meta, host: host.clone(), function: Arc::new(function), args: PhantomData })
}

struct Function<A, F> {
    info: ToolInfo,
    meta: ToolMeta,
    host: Host,
    function: Arc<F>,
    args: PhantomData<fn(A)>,
}

impl<A, O, F, W> AnyTool for Function<A, F>
where
    A: DeserializeOwned + Send + 'static,
    O: Serialize,
    F: Fn(A, CallContext) -> W + Send + Sync + 'static,
    W: Future<Output = Result<O, ToolError>> + Send + 'static,
{
    fn info(&self) -> &ToolInfo {
        &self.info
    }

    fn check(&self) -> BoxFuture<'_, Result<(), String>> {
        Box::pin(std::future::ready(check_needs(&self.host, self.meta.needs)))
    }

    fn prepare(self: Arc<Self>, arguments: &Value) -> Result<Box<dyn Prepared>, ToolError> {
        Ok(Box::new(Ready { function: Arc::clone(&self.function), args: decode::<A>(arguments)? }))
    }
}

/// Decoded arguments and the function they are for.
struct Ready<A, F> {
    function: Arc<F>,
    args: A,
}

impl<A, O, F, W> Prepared for Ready<A, F>
where
    A: Send + 'static,
    O: Serialize,
    F: Fn(A, CallContext) -> W + Send + Sync + 'static,
    W: Future<Output = Result<O, ToolError>> + Send + 'static,
{
    fn access(&self) -> Vec<Access> {
        Vec::new()
    }

    fn run(self: Box<Self>, cx: CallContext) -> BoxFuture<'static, Result<Value, ToolError>> {
        Box::pin(async move {
            let output = (self.function)(self.args, cx).await?;
            hermes_core::tool_result(output)
        })
    }
}
