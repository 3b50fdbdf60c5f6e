//! A running plugin in the protocol its manifest names.

use hermes_core::{CallContext, ErrorCode, ToolError, ToolInfo};
use hermes_host::process::Level;
use serde_json::{Value, json};

use super::describe::{Described, PROTOCOL};
use super::guest::GuestProcess;
use super::manifest::Protocol;
use super::plan::Plan;
use super::process::Process;
use super::started::Started;
use crate::cut_short::cut_short;

/// What a plugin is asked.
pub(super) enum Request<'a> {
    /// What it is.
    Describe,
    /// To run a tool.
    Call { tool: &'a ToolInfo, arguments: &'a Value, cx: &'a CallContext },
    /// About an event, as hook programs are.
    Hook(&'a Value),
}

impl Request<'_> {
    /// The call that it is about, if it is about one.
    pub(super) fn call(&self) -> Option<&CallContext> {
        match self {
            Request::Call { cx, .. } => Some(cx),
            Request::Describe | Request::Hook(_) => None,
        }
    }

    /// Ends when nobody wants the answer any more.
    pub(super) async fn cancelled(&self) {
        match self {
            Request::Call { cx, .. } => cx.cancel().cancelled().await,
            Request::Describe | Request::Hook(_) => std::future::pending().await,
        }
    }
}

/// The answer to a call that nobody waits for and that the plugin never had.
pub(super) fn cancelled() -> ToolError {
    ToolError::new(ErrorCode::Cancelled, "the call was cancelled")
}

/// One of the protocols, spoken.
pub(super) enum Running {
    Lines(Process),
    Mcp(Box<GuestProcess>),
}

impl Running {
    /// Starts the program and gets ready to ask it: for a call behind the walls of its rules too. Touches the disk.
    pub(super) async fn start(plan: &Plan, call: Option<&CallContext>) -> Result<Running, String> {
        let launching = plan.clone();
        let launch = tokio::task::spawn_blocking(move || launching.launch()).await;
        let mut launch = launch.map_err(|_| "starting it was cut short")??;
        if let Some(cx) = call {
            let held = |walls| plan.host.terminals.hold_to_rules(walls, cx);
            launch.confinement = launch.confinement.map(held).transpose().map_err(|error| error.message)?;
        }
        let started = Started::from(&launch).await?;
        Ok(match plan.manifest.protocol {
            Protocol::Lines => Running::Lines(Process::new(started)),
            Protocol::Mcp => Running::Mcp(Box::new(GuestProcess::meet(started, plan).await?)),
        })
    }

    pub(super) async fn ask(&self, request: &Request<'_>, plan: &Plan) -> Result<Value, ToolError> {
        match self {
            Running::Lines(process) => match request {
                Request::Describe => process.ask("describe", &json!({"protocol": PROTOCOL})).await,
                Request::Hook(event) => process.ask("hook", event).await,
                Request::Call { tool, arguments, cx } => {
                    let context = json!({
                        "call_id": cx.call_id(),
                        "session_id": cx.session().id,
                        "cwd": cx.cwd(),
                        "data_dir": plan.data_dir(),
                    });
                    let params = json!({"tool": tool.name, "arguments": arguments, "context": context});
                    tokio::select! {
                        answer = process.ask("call", &params) => answer,
                        () = request.cancelled() => {
                            Err(cut_short(tool, "nobody waited until the plugin answered", ErrorCode::Cancelled))
                        }
                    }
                }
            },
            Running::Mcp(guest) => match request {
                Request::Describe => described(guest.describe().await),
                Request::Call { tool, arguments, cx } => guest.call(tool, arguments, cx).await,
                Request::Hook(_) => {
                    Err(ToolError::new(ErrorCode::Unavailable, "a plugin that speaks MCP has no hooks"))
                }
            },
        }
    }

    pub(super) fn level(&self) -> Level {
        match self {
            Running::Lines(process) => process.level(),
            Running::Mcp(guest) => guest.level(),
        }
    }

    pub(super) fn is_dead(&self) -> bool {
        match self {
            Running::Lines(process) => process.is_dead(),
            Running::Mcp(guest) => !guest.is_alive(),
        }
    }

    /// What it said last on standard error.
    pub(super) fn last_words(&self) -> String {
        match self {
            Running::Lines(process) => process.last_words(),
            Running::Mcp(guest) => guest.last_words(),
        }
    }

    pub(super) async fn shut_down(&self) {
        match self {
            Running::Lines(process) => process.shut_down().await,
            Running::Mcp(guest) => guest.shut_down().await,
        }
    }
}

fn described(tools: Result<Described, String>) -> Result<Value, ToolError> {
    let failed = |why: String| ToolError::new(ErrorCode::ExecFailed, why);
    serde_json::to_value(tools.map_err(failed)?).map_err(|error| failed(error.to_string()))
}
