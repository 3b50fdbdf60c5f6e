//! The hooks of a runtime and how each is asked. A guard that fails, hangs or panics denies.

use std::sync::Arc;
use std::time::Duration;

use futures_util::FutureExt;
use futures_util::future::BoxFuture;
use hermes_core::names::without_mark;
use hermes_core::{ToolError, ToolInfo, ToolOutcome};
use serde_json::{Map, Value};

use super::listing::{HookList, ListVerdict};

/// The call a hook is asked about: the real tool, never the bridge, with the arguments that will run.
#[derive(Clone, Copy, Debug)]
pub struct HookCall<'a> {
    pub call_id: &'a str,
    pub tool: &'a str,
    pub toolset: &'a str,
    pub arguments: &'a Value,
    pub session: &'a str,
    pub cwd: &'a std::path::Path,
}

/// What a guard says about a call.
#[derive(Clone, Debug, PartialEq)]
pub enum PreVerdict {
    Continue,
    /// Run with these arguments instead; they are coerced, validated and judged again.
    Rewrite(Map<String, Value>),
    /// Do not run; the model reads the message.
    Block(String),
    /// Run only if the approver agrees.
    Ask(String),
}

/// One hook. Every method has a default, so an observer implements just what it observes.
pub trait Hook: Send + Sync {
    /// Named in messages and logs.
    fn name(&self) -> &str;

    /// Whether the hook cares about a tool of this name. It is asked for every name that reaches a tool.
    fn matches(&self, _tool: &str) -> bool {
        true
    }

    /// Whether it is asked before a call, and may change what the call touches.
    fn is_guard(&self) -> bool {
        true
    }

    fn timeout(&self) -> Duration {
        Duration::from_secs(60)
    }

    /// Whether a failure of this hook lets the call pass. Guards deny by default.
    fn fails_open(&self) -> bool {
        false
    }

    /// Whether the model must not see a result that this hook failed to observe or transform.
    fn withholds_on_failure(&self) -> bool {
        false
    }

    /// Asked before policy. An error is a failed guard.
    fn pre<'a>(&'a self, _call: &'a HookCall<'a>) -> BoxFuture<'a, Result<PreVerdict, String>> {
        Box::pin(std::future::ready(Ok(PreVerdict::Continue)))
    }

    /// Told what came of the call.
    fn post<'a>(
        &'a self,
        _call: &'a HookCall<'a>,
        _outcome: &'a ToolOutcome,
    ) -> BoxFuture<'a, Result<(), String>> {
        Box::pin(std::future::ready(Ok(())))
    }

    /// May replace what the model sees of a success. The journal keeps the tool's own status.
    fn transform<'a>(
        &'a self,
        _call: &'a HookCall<'a>,
        _result: &'a Value,
    ) -> BoxFuture<'a, Result<Option<Value>, String>> {
        Box::pin(std::future::ready(Ok(None)))
    }

    /// Whether it is asked about the tools that a session is offered.
    fn changes_lists(&self) -> bool {
        false
    }

    /// Asked before a session sees its tools. An error hides those it cares about, unless it fails open.
    fn list<'a>(&'a self, _list: &'a HookList<'a>) -> BoxFuture<'a, Result<ListVerdict, String>> {
        Box::pin(std::future::ready(Ok(ListVerdict::default())))
    }
}

/// All hooks of a runtime, in order.
#[derive(Clone, Default)]
pub struct HookChain {
    hooks: Vec<Arc<dyn Hook>>,
}

impl HookChain {
    pub fn new(hooks: Vec<Arc<dyn Hook>>) -> Self {
        HookChain { hooks }
    }

    pub fn is_empty(&self) -> bool {
        self.hooks.is_empty()
    }

    pub(super) fn all(&self) -> impl Iterator<Item = &Arc<dyn Hook>> {
        self.hooks.iter()
    }

    /// The hooks that care about a tool under any of its names.
    pub(crate) fn matching<'a>(&'a self, tool: &'a ToolInfo) -> impl Iterator<Item = &'a Arc<dyn Hook>> {
        self.hooks.iter().filter(move |hook| matches_tool(tool, |name| hook.matches(name)))
    }
}

/// Whether any name fits that reaches the tool, or that it would have if no other tool could have it too. Whoever wrote
/// a matcher was shown one of them and need not know the others.
pub fn matches_tool(tool: &ToolInfo, fits: impl Fn(&str) -> bool) -> bool {
    tool.all_names().chain(without_mark(&tool.name)).any(fits)
}

/// Asks one guard, bounded in time and isolated from its panics.
pub(crate) async fn ask_guard(hook: &dyn Hook, call: &HookCall<'_>) -> PreVerdict {
    match bounded(hook, hook.pre(call)).await {
        Ok(verdict) => verdict,
        Err(cause) if hook.fails_open() => {
            tracing::warn!(hook = hook.name(), %cause, "guard failed; it is configured to let calls pass");
            PreVerdict::Continue
        }
        Err(cause) => {
            PreVerdict::Block(format!("the guard '{}' failed, so the call was not run: {cause}", hook.name()))
        }
    }
}

/// Tells one observer. An error means that the result must be withheld.
pub(crate) async fn tell_observer(
    hook: &dyn Hook,
    call: &HookCall<'_>,
    outcome: &ToolOutcome,
) -> Result<(), ToolError> {
    bounded(hook, hook.post(call, outcome)).await.or_else(|cause| failed(hook, &cause))
}

/// Asks one transformer. An error means that the result must be withheld.
pub(crate) async fn ask_transformer(
    hook: &dyn Hook,
    call: &HookCall<'_>,
    result: &Value,
) -> Result<Option<Value>, ToolError> {
    bounded(hook, hook.transform(call, result)).await.or_else(|cause| failed(hook, &cause).map(|()| None))
}

fn failed(hook: &dyn Hook, cause: &str) -> Result<(), ToolError> {
    tracing::warn!(hook = hook.name(), %cause, "hook failed after a call");
    if !hook.withholds_on_failure() {
        return Ok(());
    }
    let text =
        format!("the call ran, but its result is withheld: the hook '{}' failed: {cause}", hook.name());
    Err(ToolError::denied(text).with_field("hook", hook.name()))
}

pub(super) async fn bounded<T>(
    hook: &dyn Hook,
    asked: BoxFuture<'_, Result<T, String>>,
) -> Result<T, String> {
    let asked = std::panic::AssertUnwindSafe(asked).catch_unwind();
    match tokio::time::timeout(hook.timeout(), asked).await {
        Ok(Ok(answer)) => answer,
        Ok(Err(_)) => Err("it panicked".to_owned()),
        Err(_) => Err(format!("it did not answer within {:?}", hook.timeout())),
    }
}
