//! A plugin that speaks MCP over its standard input and output: the same walls, grants and names as any
//! other, another language on the line.

use std::time::Duration;

use hermes_core::{CallContext, ToolError, ToolInfo};
use hermes_host::process::{Child, Level};
use hermes_mcp::{Guest, GuestCall, ToolDef};
use serde_json::Value;
use tokio::sync::Mutex;

use super::describe::{Described, PROTOCOL, ToolDescription};
use super::plan::Plan;
use super::process::TIME_TO_END;
use super::started::Started;
use super::words::LastWords;

/// How long a call may take; MCP leaves no word for a tool to say.
const CALL_SECONDS: u64 = 60;
/// The plugin is told to stop before the runtime stops waiting.
const GRACE_SECONDS: u64 = 2;
/// A program that takes longer to shake hands does not speak MCP.
const TIME_TO_MEET: Duration = Duration::from_secs(20);

/// The program and the conversation with it.
pub(super) struct GuestProcess {
    guest: Guest,
    /// Ends the program's whole tree when it is dropped.
    child: Mutex<Option<Child>>,
    words: LastWords,
    level: Level,
}

impl GuestProcess {
    pub(super) async fn meet(started: Started, plan: &Plan) -> Result<GuestProcess, String> {
        let Started { child, stdin, stdout, words, listening, level } = started;
        let id = &plan.manifest.id;
        let log = plan.host.home.join("logs").join(format!("plugin-{id}.log"));
        let meeting = Guest::meet(id, stdout, stdin, log, plan.host.clock.clone());
        let met = tokio::time::timeout(TIME_TO_MEET, meeting).await;
        let guest = match met.unwrap_or_else(|_| Err("it did not shake hands in time".to_owned())) {
            Ok(guest) => guest,
            Err(why) => {
                drop(child);
                let _ = tokio::time::timeout(TIME_TO_END, listening).await;
                let text = words.text();
                let last = text.lines().last().unwrap_or_default();
                return Err(if last.is_empty() { why } else { format!("{why}: {last}") });
            }
        };
        Ok(GuestProcess { guest, child: Mutex::new(Some(child)), words, level })
    }

    pub(super) async fn describe(&self) -> Result<Described, String> {
        let tools = self.guest.tools().await?.into_iter().map(description).collect();
        Ok(Described { protocol: PROTOCOL, tools, ..Described::default() })
    }

    pub(super) async fn call(
        &self,
        tool: &ToolInfo,
        arguments: &Value,
        cx: &CallContext,
    ) -> Result<Value, ToolError> {
        let call = GuestCall {
            tool: &tool.name,
            arguments: arguments.as_object().cloned().unwrap_or_default(),
            harmless: !tool.effect.leaves_traces(),
            deadline: Duration::from_secs(CALL_SECONDS),
        };
        self.guest.call(call, cx).await
    }

    pub(super) fn level(&self) -> Level {
        self.level
    }

    pub(super) fn is_alive(&self) -> bool {
        self.guest.is_alive()
    }

    pub(super) fn last_words(&self) -> String {
        self.words.text()
    }

    /// Closes its input, which is how MCP says goodbye, and ends what does not listen.
    pub(super) async fn shut_down(&self) {
        self.guest.leave().await;
        if let Some(mut child) = self.child.lock().await.take()
            && tokio::time::timeout(TIME_TO_END, child.wait()).await.is_err()
        {
            let _ = child.kill().await;
        }
    }
}

fn description(tool: ToolDef) -> ToolDescription {
    let read_only = tool.hint("readOnlyHint") == Some(true);
    ToolDescription {
        description: tool.description.or(tool.title).unwrap_or_else(|| tool.name.clone()),
        name: tool.name,
        parameters: tool.input_schema,
        tags: vec!["mcp".to_owned()],
        timeout_seconds: CALL_SECONDS + GRACE_SECONDS,
        effect: read_only.then(|| "read_only".to_owned()),
        at: None,
    }
}
