//! A tool of a plugin, as the registry knows it.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use futures_util::future::BoxFuture;
use hermes_core::{
    Access, AnyTool, CallContext, Effect, ErrorCode, Exposure, Permission, Prepared, Target, ToolError,
    ToolInfo, ToolMeta,
};
use serde_json::{Value, json};

use super::describe::{Described, ToolDescription};
use super::running::Request;
use super::supervisor::Supervisor;
use crate::env_need::EnvNeed;
use crate::own_secrets::{OwnSecrets, Secrets};

/// All tools of a plugin share its one process.
pub(super) fn tools(supervisor: &Arc<Supervisor>, described: &Described) -> Vec<Arc<dyn AnyTool>> {
    let granted = &supervisor.plan().grant.env;
    let is_secret = |need: &&EnvNeed| need.is_secret() && granted.contains(&need.name);
    let life = Arc::new(Life {
        supervisor: Arc::clone(supervisor),
        secret_names: described.requires_env.iter().filter(is_secret).map(|need| need.name.clone()).collect(),
        secrets: OwnSecrets::default(),
        users: AtomicUsize::new(0),
    });
    let needs: Vec<String> =
        described.requires_env.iter().filter(|need| !need.optional).map(|need| need.name.clone()).collect();
    let make = |tool: &ToolDescription| -> Arc<dyn AnyTool> {
        Arc::new(PluginTool { info: info(tool, &life), life: Arc::clone(&life), needs: needs.clone() })
    };
    described.tools.iter().map(make).collect()
}

/// The process lives as long as any tool of it was called and may be called again.
struct Life {
    supervisor: Arc<Supervisor>,
    /// The variables it was granted that hold secrets.
    secret_names: Vec<String>,
    secrets: OwnSecrets,
    /// Tools that were set up and not torn down yet.
    users: AtomicUsize,
}

impl Life {
    /// What it may have been given, by name.
    fn secrets_now(&self) -> Secrets {
        let keys = &self.supervisor.plan().host.keys;
        self.secret_names.iter().filter_map(|name| Some((name.clone(), keys.get(name)?))).collect()
    }
}

impl Drop for Life {
    fn drop(&mut self) {
        let supervisor = Arc::clone(&self.supervisor);
        // Torn down where there is a runtime to do it in; otherwise the child ends with its handle.
        if let Ok(runtime) = tokio::runtime::Handle::try_current() {
            runtime.spawn(async move { supervisor.shut_down().await });
        }
    }
}

struct PluginTool {
    info: ToolInfo,
    life: Arc<Life>,
    needs: Vec<String>,
}

fn info(tool: &ToolDescription, life: &Life) -> ToolInfo {
    let effect = match tool.effect.as_deref() {
        Some("none") => Effect::None,
        Some("read_only") => Effect::ReadOnly,
        _ => Effect::Mutating,
    };
    let meta = ToolMeta { exposure: Exposure::Deferrable, emoji: "🔌", ..ToolMeta::new("", "", effect) };
    ToolInfo {
        name: tool.name.clone(),
        toolset: life.supervisor.plan().manifest.toolset.clone(),
        timeout: Duration::from_secs(tool.timeout_seconds),
        tags: tool.tags.clone(),
        ..ToolInfo::from_meta(&meta, tool.description.clone(), tool.parameters.clone())
    }
}

impl AnyTool for PluginTool {
    fn info(&self) -> &ToolInfo {
        &self.info
    }

    fn check(&self) -> BoxFuture<'_, Result<(), String>> {
        Box::pin(async {
            let plan = self.life.supervisor.plan();
            plan.program_is_there()?;
            match self.needs.iter().find(|name| plan.host.keys.get(name).is_none()) {
                None => Ok(()),
                Some(missing) => Err(format!("the environment variable {missing} is not set")),
            }
        })
    }

    fn has_lifecycle(&self) -> bool {
        true
    }

    fn setup(&self) -> BoxFuture<'_, Result<(), ToolError>> {
        self.life.users.fetch_add(1, Ordering::SeqCst);
        Box::pin(std::future::ready(Ok(())))
    }

    /// Ends the process with its last tool: calls of the others may still be under way.
    fn teardown(&self) -> BoxFuture<'_, ()> {
        Box::pin(async {
            if self.life.users.fetch_sub(1, Ordering::SeqCst) == 1 {
                self.life.supervisor.shut_down().await;
            }
        })
    }

    fn prepare(self: Arc<Self>, arguments: &Value) -> Result<Box<dyn Prepared>, ToolError> {
        Ok(Box::new(PluginCall { tool: self, arguments: arguments.clone() }))
    }
}

struct PluginCall {
    tool: Arc<PluginTool>,
    arguments: Value,
}

impl Prepared for PluginCall {
    /// The plugin itself, and everything it was granted: nobody can see which of it a call will use.
    fn access(&self) -> Vec<Access> {
        let plan = self.tool.life.supervisor.plan();
        let mut access = vec![Access::name(Permission::named("plugin:call"), plan.manifest.id.clone())];
        access.extend(plan.grant.permissions.iter().map(|name| {
            // Files are those of the folder the call is made in, which is what its walls leave open: it reads
            // the folder, and changes files in it, never the folder as a whole.
            let target = match name.as_str() {
                "file:write" | "file:delete" => Target::Path("./*".to_owned()),
                name if name.starts_with("file:") => Target::Path(".".to_owned()),
                _ => Target::Any,
            };
            Access::new(Permission::named(name.clone()), target)
        }));
        access
    }

    fn run(self: Box<Self>, cx: CallContext) -> BoxFuture<'static, Result<Value, ToolError>> {
        let PluginCall { tool, arguments } = *self;
        Box::pin(async move {
            let supervisor = &tool.life.supervisor;
            let request = Request::Call { tool: &tool.info, arguments: &arguments, cx: &cx };
            let answer = supervisor.ask(&request).await;
            match tool.life.secrets.hidden(tool.life.secrets_now(), answer) {
                Ok(Value::Object(fields)) => Ok(Value::Object(fields)),
                Ok(other) => Ok(json!({"result": other})),
                // What cannot change anything may simply be asked again.
                Err(error)
                    if error.code == ErrorCode::OutcomeUnknown && !tool.info.effect.leaves_traces() =>
                {
                    Err(ToolError { code: ErrorCode::Unavailable, retryable: true, ..error })
                }
                Err(error) => Err(error),
            }
        })
    }
}
