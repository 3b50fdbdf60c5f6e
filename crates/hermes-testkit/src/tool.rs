//! A tool made from a closure, for tests of the runtime itself.

use std::future::Future;
use std::sync::Arc;

use futures_util::FutureExt;
use futures_util::future::BoxFuture;
use hermes_core::{Access, AnyTool, CallContext, Effect, Prepared, ToolError, ToolInfo, ToolMeta};
use serde_json::{Value, json};

type Body = Arc<dyn Fn(Value, CallContext) -> BoxFuture<'static, Result<Value, ToolError>> + Send + Sync>;
type AccessFn = Arc<dyn Fn(&Value) -> Vec<Access> + Send + Sync>;
type CheckFn = Arc<dyn Fn() -> BoxFuture<'static, Result<(), String>> + Send + Sync>;

/// A tool whose parts are closures.
pub struct FnTool {
    pub info: ToolInfo,
    body: Body,
    access: AccessFn,
    check: Option<CheckFn>,
    dynamic: Option<fn(&hermes_core::SchemaView<'_>) -> Option<hermes_core::SchemaOverride>>,
}

impl FnTool {
    /// A tool without effects that takes any object and answers with `body`.
    pub fn new<F>(name: &str, body: impl Fn(Value, CallContext) -> F + Send + Sync + 'static) -> Self
    where
        F: Future<Output = Result<Value, ToolError>> + Send + 'static,
    {
        let meta = ToolMeta::new("", "test", Effect::None);
        let mut info = ToolInfo::from_meta(&meta, format!("Test tool {name}."), json!({"type": "object"}));
        info.name = name.to_owned();
        FnTool {
            info,
            body: Arc::new(move |args, cx| body(args, cx).boxed()),
            access: Arc::new(|_| Vec::new()),
            check: None,
            dynamic: None,
        }
    }

    /// A tool that answers with its own arguments.
    pub fn echo(name: &str) -> Self {
        Self::new(name, |args, _| async move { Ok(json!({ "args": args })) })
    }

    #[must_use]
    pub fn with(mut self, change: impl FnOnce(&mut ToolInfo)) -> Self {
        change(&mut self.info);
        self
    }

    #[must_use]
    pub fn effect(self, effect: Effect) -> Self {
        let meta = ToolMeta::new("", "", effect);
        self.with(|info| {
            info.effect = effect;
            info.parallel = meta.parallel;
            info.idempotent = meta.idempotent;
        })
    }

    #[must_use]
    pub fn schema(self, parameters: Value) -> Self {
        self.with(|info| info.parameters = parameters)
    }

    #[must_use]
    pub fn access(mut self, access: impl Fn(&Value) -> Vec<Access> + Send + Sync + 'static) -> Self {
        self.access = Arc::new(access);
        self
    }

    #[must_use]
    pub fn check<F>(mut self, check: impl Fn() -> F + Send + Sync + 'static) -> Self
    where
        F: Future<Output = Result<(), String>> + Send + 'static,
    {
        self.check = Some(Arc::new(move || check().boxed()));
        self
    }

    #[must_use]
    pub fn dynamic(
        mut self,
        dynamic: fn(&hermes_core::SchemaView<'_>) -> Option<hermes_core::SchemaOverride>,
    ) -> Self {
        self.dynamic = Some(dynamic);
        self
    }

    pub fn arc(self) -> Arc<dyn AnyTool> {
        Arc::new(self)
    }
}

impl AnyTool for FnTool {
    fn info(&self) -> &ToolInfo {
        &self.info
    }

    fn check(&self) -> BoxFuture<'_, Result<(), String>> {
        match &self.check {
            Some(check) => check(),
            None => Box::pin(std::future::ready(Ok(()))),
        }
    }

    fn dynamic_schema(&self, view: &hermes_core::SchemaView<'_>) -> Option<hermes_core::SchemaOverride> {
        self.dynamic.and_then(|dynamic| dynamic(view))
    }

    fn prepare(self: Arc<Self>, arguments: &Value) -> Result<Box<dyn Prepared>, ToolError> {
        Ok(Box::new(FnCall { tool: self, arguments: arguments.clone() }))
    }
}

struct FnCall {
    tool: Arc<FnTool>,
    arguments: Value,
}

impl Prepared for FnCall {
    fn access(&self) -> Vec<Access> {
        (self.tool.access)(&self.arguments)
    }

    fn run(self: Box<Self>, cx: CallContext) -> BoxFuture<'static, Result<Value, ToolError>> {
        let FnCall { tool, arguments } = *self;
        (tool.body)(arguments, cx)
    }
}
