//! Hooks that are programs: JSON on standard input, a verdict by exit code and JSON on standard output.
//! A program runs only while its exact content is what the user agreed to.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::time::Duration;

use futures_util::future::BoxFuture;
use hermes_core::ToolOutcome;
use hermes_host::Env;
use hermes_host::process::{Finished, Program, run};
use hermes_runtime::config::{Hook as HookConfig, Hooks, OnFailure};
use hermes_runtime::hooks::{Hook, HookCall, HookList, ListVerdict, PreVerdict};
use regex::Regex;
use serde_json::{Value, json};

use super::hook_answer::{answer, ending, list_verdict, verdict};
use super::trust::digest;
use crate::failure::Failure;

/// What a hook may print; more is dropped.
const MAX_OUTPUT: usize = 1 << 20;

/// Endings of files that interpreters run.
const SCRIPTS: [&str; 8] = ["bash", "js", "mjs", "pl", "py", "rb", "sh", "ts"];

/// When a hook runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Event {
    List,
    Pre,
    Post,
    Transform,
    PreApproval,
    PostApproval,
}

impl Event {
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Event::List => "tools_list",
            Event::Pre => "pre_tool_call",
            Event::Post => "post_tool_call",
            Event::Transform => "transform_tool_result",
            Event::PreApproval => "pre_approval_request",
            Event::PostApproval => "post_approval_response",
        }
    }

    /// Whether the approver runs it, and not the pipeline.
    pub(crate) const fn is_about_approvals(self) -> bool {
        matches!(self, Event::PreApproval | Event::PostApproval)
    }
}

/// A hook of the configuration and whether the user agreed to what it would run.
pub(crate) struct HookState {
    pub(crate) event: Event,
    pub(crate) config: HookConfig,
    pub(crate) digest: String,
    pub(crate) trusted: bool,
}

pub(super) fn by_event(hooks: &Hooks) -> [(Event, &[HookConfig]); 6] {
    [
        (Event::List, &hooks.tools_list),
        (Event::Pre, &hooks.pre_tool_call),
        (Event::Post, &hooks.post_tool_call),
        (Event::Transform, &hooks.transform_tool_result),
        (Event::PreApproval, &hooks.pre_approval_request),
        (Event::PostApproval, &hooks.post_approval_response),
    ]
}

/// All configured hooks, in order.
pub(crate) fn configured_hooks(hooks: &Hooks, trusted: &BTreeSet<String>, env: &Env) -> Vec<HookState> {
    let state = |event: Event, config: &HookConfig| {
        let digest = program_digest(event.name(), &config.command, env);
        HookState { event, config: config.clone(), trusted: trusted.contains(&digest), digest }
    };
    let events = by_event(hooks).into_iter();
    events.flat_map(|(event, list)| list.iter().map(move |config| state(event, config))).collect()
}

/// The word of a command that names a program or a script which is not there.
pub(crate) fn missing_program<'c>(command: &'c [String], env: &Env) -> Option<&'c str> {
    let (program, arguments) = command.split_first()?;
    if env.find_binary(program).is_none() {
        return Some(program);
    }
    // Other words may name files that the program is yet to write; scripts it is to run must be there.
    let is_script = |word: &&String| {
        let ending = Path::new(word.as_str()).extension().and_then(|ending| ending.to_str());
        ending.is_some_and(|ending| SCRIPTS.contains(&ending))
    };
    arguments.iter().filter(is_script).find(|word| !Path::new(word).is_file()).map(String::as_str)
}

/// Binds consent to the event, the words of the command and the content of every file they name.
pub(crate) fn program_digest(event: &str, command: &[String], env: &Env) -> String {
    let mut text = event.to_owned();
    for (index, word) in command.iter().enumerate() {
        let file = if index == 0 { env.find_binary(word) } else { Some(PathBuf::from(word)) };
        let content = file.and_then(|file| std::fs::read(file).ok()).map(digest);
        text.push_str(&format!("\n{word}\n{}", content.unwrap_or_default()));
    }
    digest(text)
}

/// A configured hook, ready to be asked.
pub(crate) struct ProgramHook {
    name: String,
    event: Event,
    config: HookConfig,
    matcher: Option<Regex>,
    env: Env,
    trusted: BTreeSet<String>,
}

impl ProgramHook {
    pub(crate) fn new(state: HookState, trusted: &BTreeSet<String>, env: &Env) -> Result<Self, Failure> {
        let matcher = state.config.regex().transpose().map_err(|error| Failure::usage(error.to_string()))?;
        let name = state.config.command.join(" ");
        Ok(ProgramHook {
            name,
            event: state.event,
            matcher,
            config: state.config,
            env: env.clone(),
            trusted: trusted.clone(),
        })
    }

    async fn ask(&self, call: &HookCall<'_>, extra: Value) -> Result<Finished, String> {
        self.send(call.cwd, &event_object(self.event.name(), call, extra)).await
    }

    /// Runs the program with an event on its standard input.
    pub(crate) async fn send(&self, cwd: &Path, event: &Value) -> Result<Finished, String> {
        // Judged anew each time: a script edited since start-up is a script nobody agreed to.
        if !self.trusted.contains(&program_digest(self.event.name(), &self.config.command, &self.env)) {
            return Err("it is not trusted as it is now; look at it and run 'hermes hooks trust'".to_owned());
        }
        run(Program {
            argv: self.config.command.clone(),
            cwd: cwd.to_owned(),
            env: self.env.iter().map(|(name, value)| (name.to_owned(), value.to_owned())).collect(),
            stdin: event.to_string().into_bytes(),
            timeout: self.timeout(),
            max_output: MAX_OUTPUT,
        })
        .await
    }

    pub(crate) fn event(&self) -> Event {
        self.event
    }
}

impl Hook for ProgramHook {
    fn name(&self) -> &str {
        &self.name
    }

    fn matches(&self, tool: &str) -> bool {
        self.matcher.as_ref().is_none_or(|matcher| matcher.is_match(tool))
    }

    fn is_guard(&self) -> bool {
        self.event == Event::Pre
    }

    fn timeout(&self) -> Duration {
        Duration::from_secs(self.config.timeout_seconds)
    }

    fn fails_open(&self) -> bool {
        self.config.on_failure == OnFailure::Allow
    }

    fn withholds_on_failure(&self) -> bool {
        !matches!(self.event, Event::Pre | Event::List) && self.config.on_failure == OnFailure::Deny
    }

    fn pre<'a>(&'a self, call: &'a HookCall<'a>) -> BoxFuture<'a, Result<PreVerdict, String>> {
        Box::pin(async move {
            if self.event != Event::Pre {
                return Ok(PreVerdict::Continue);
            }
            verdict(&self.ask(call, json!({})).await?)
        })
    }

    fn post<'a>(
        &'a self,
        call: &'a HookCall<'a>,
        outcome: &'a ToolOutcome,
    ) -> BoxFuture<'a, Result<(), String>> {
        Box::pin(async move {
            if self.event != Event::Post {
                return Ok(());
            }
            let finished = self.ask(call, outcome_facts(outcome)).await?;
            if finished.exit_code == Some(0) { Ok(()) } else { Err(ending(&finished)) }
        })
    }

    fn transform<'a>(
        &'a self,
        call: &'a HookCall<'a>,
        result: &'a Value,
    ) -> BoxFuture<'a, Result<Option<Value>, String>> {
        Box::pin(async move {
            if self.event != Event::Transform {
                return Ok(None);
            }
            let finished = self.ask(call, json!({ "result": result })).await?;
            if finished.exit_code != Some(0) {
                return Err(ending(&finished));
            }
            let answer = answer(&finished)?;
            Ok(answer.and_then(|mut answer| answer.remove("result")))
        })
    }

    fn changes_lists(&self) -> bool {
        self.event == Event::List
    }

    fn list<'a>(&'a self, list: &'a HookList<'a>) -> BoxFuture<'a, Result<ListVerdict, String>> {
        Box::pin(async move {
            let HookList { session, actor, cwd, tools } = list;
            let event = json!({
                "hook_event_name": self.event.name(),
                "session_id": session,
                "actor": actor,
                "cwd": cwd,
                "tools": tools,
            });
            list_verdict(&self.send(cwd, &event).await?, list)
        })
    }
}

/// What a hook reads about a call.
pub(super) fn event_object(event: &str, call: &HookCall<'_>, extra: Value) -> Value {
    json!({
        "hook_event_name": event,
        "tool_name": call.tool,
        "tool_input": call.arguments,
        "tool_call_id": call.call_id,
        "session_id": call.session,
        "cwd": call.cwd,
        "extra": extra,
    })
}

/// What a hook reads about how a call ended.
pub(super) fn outcome_facts(outcome: &ToolOutcome) -> Value {
    json!({
        "status": outcome.error_code().map_or("success", |code| code.as_str()),
        "duration_ms": u64::try_from(outcome.duration.as_millis()).unwrap_or(u64::MAX),
        "result": outcome.to_wire(),
    })
}
