//! Tools whose body is plain synchronous code. They run on the blocking pool, never on the reactor.

use std::sync::Arc;

use hermes_core::{Access, CallContext, ToolError, ToolMeta};
use hermes_host::Host;
use schemars::JsonSchema;
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::example::Example;
use crate::tool::Tool;

/// A synchronous tool. Register it as `register_tool!(Blocking<MyTool>)`.
pub trait BlockingTool: Send + Sync + Sized + 'static {
    type Args: DeserializeOwned + JsonSchema + Send + 'static;
    type Output: Serialize + Send + 'static;
    const META: ToolMeta;

    fn new(host: &Host) -> Self;

    fn access(&self, _args: &Self::Args) -> Vec<Access> {
        Vec::new()
    }

    /// The answer, if it can be had without waiting for a disk, a network or another thread. Where this is
    /// `None`, [`BlockingTool::call`] does the work on the blocking pool.
    fn at_once(&self, _args: &Self::Args, _cx: &CallContext) -> Option<Result<Self::Output, ToolError>> {
        None
    }

    /// Does the work; long loops look at `cx.cancel()` now and then.
    fn call(&self, args: Self::Args, cx: &CallContext) -> Result<Self::Output, ToolError>;

    /// See [`Tool::long_text`].
    fn long_text(_output: &mut Self::Output) -> Option<(&'static str, String)> {
        None
    }

    fn examples() -> Vec<Example> {
        Vec::new()
    }
}

/// Runs a [`BlockingTool`] as a [`Tool`].
pub struct Blocking<T>(Arc<T>);

impl<T: BlockingTool> Tool for Blocking<T> {
    type Args = T::Args;
    type Output = T::Output;
    const META: ToolMeta = T::META;

    fn new(host: &Host) -> Self {
        Blocking(Arc::new(T::new(host)))
    }

    fn access(&self, args: &Self::Args) -> Vec<Access> {
        self.0.access(args)
    }

    async fn call(&self, args: Self::Args, cx: &CallContext) -> Result<Self::Output, ToolError> {
        if let Some(answer) = self.0.at_once(&args, cx) {
            return answer;
        }
        let tool = Arc::clone(&self.0);
        let cx = cx.clone();
        match tokio::task::spawn_blocking(move || tool.call(args, &cx)).await {
            Ok(result) => result,
            Err(join) => match join.try_into_panic() {
                // The pipeline isolates panics in one place; hand it over.
                Ok(panic) => std::panic::resume_unwind(panic),
                Err(_) => Err(ToolError::internal("the runtime shut down while the tool was running")),
            },
        }
    }

    fn long_text(output: &mut Self::Output) -> Option<(&'static str, String)> {
        T::long_text(output)
    }

    fn examples() -> Vec<Example> {
        T::examples()
    }
}
