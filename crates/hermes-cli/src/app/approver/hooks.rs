//! Programs around a question: one that may answer it, and one that hears of the answer.

use std::sync::Arc;

use hermes_core::Approval;
use hermes_host::process::Finished;
use hermes_runtime::Runtime;
use hermes_runtime::hooks::{Hook, matches_tool};
use serde_json::{Value, json};

use super::asked::Asked;
use crate::app::hook_answer::{answer, ending};
use crate::app::hooks::{Event, ProgramHook};

/// The configured programs, in order.
#[derive(Default)]
pub(super) struct ApprovalHooks {
    pub(super) hooks: Vec<ProgramHook>,
    /// Knows by which names a tool can be reached.
    pub(super) tools: Option<Arc<Runtime>>,
}

/// What a program said to a question.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Said {
    Approve(String),
    Deny(String),
    /// Nothing, so the person is asked.
    Nothing,
}

impl ApprovalHooks {
    /// The first answer of a program that has one. The text says what failed, for the operator.
    pub(super) async fn ask(&self, asked: &Asked<'_>) -> (Said, Vec<String>) {
        let mut failures = Vec::new();
        for hook in self.of(Event::PreApproval, asked) {
            let sent = hook.send(asked.request.cwd, &event(Event::PreApproval, asked, &json!({}))).await;
            match sent.and_then(|finished| said(&finished)) {
                Ok(Said::Nothing) => {}
                Ok(Said::Approve(reason)) => {
                    return (Said::Approve(format!("the hook '{}': {reason}", hook.name())), failures);
                }
                Ok(Said::Deny(reason)) => {
                    return (Said::Deny(format!("the hook '{}': {reason}", hook.name())), failures);
                }
                Err(why) => {
                    let failure = format!("the hook '{}' failed: {why}", hook.name());
                    if !hook.fails_open() {
                        return (Said::Deny(failure), failures);
                    }
                    failures.push(failure);
                }
            }
        }
        (Said::Nothing, failures)
    }

    /// Tells the observers how it ended. What fails is returned for the operator; it changes nothing.
    pub(super) async fn tell(&self, asked: &Asked<'_>, approval: &Approval) -> Vec<String> {
        let (choice, by) = match approval {
            Approval::Granted { by } => ("approve", by),
            Approval::Denied { by } => ("deny", by),
            Approval::Unanswered { hint } => ("unanswered", hint),
        };
        let extra = json!({"choice": choice, "by": by});
        let mut failures = Vec::new();
        for hook in self.of(Event::PostApproval, asked) {
            if let Err(why) = hook.send(asked.request.cwd, &event(Event::PostApproval, asked, &extra)).await {
                failures.push(format!("the hook '{}' failed: {why}", hook.name()));
            }
        }
        failures
    }

    fn of(&self, event: Event, asked: &Asked<'_>) -> impl Iterator<Item = &ProgramHook> {
        let tool = asked.request.tool;
        let entry = self.tools.as_ref().and_then(|tools| tools.registry().snapshot().get(tool).cloned());
        self.hooks.iter().filter(move |hook| {
            let fits = |name: &str| hook.matches(name);
            hook.event() == event
                && (fits(tool) || entry.as_ref().is_some_and(|entry| matches_tool(entry.info(), fits)))
        })
    }
}

fn event(event: Event, asked: &Asked<'_>, extra: &Value) -> Value {
    json!({
        "hook_event_name": event.name(),
        "tool_name": asked.request.tool,
        "tool_input": asked.request.arguments,
        "command": asked.command(),
        "session_id": asked.request.session,
        "actor": asked.request.actor,
        "cwd": asked.request.cwd,
        "rule": asked.decision.rule,
        "reason": asked.decision.reason,
        "findings": asked.findings(),
        "effects": asked.effects,
        "digest": asked.once,
        "extra": extra,
    })
}

/// A clear answer of a program that ended well. Exit 2 is a no, as it is for other hooks.
fn said(finished: &Finished) -> Result<Said, String> {
    match finished.exit_code {
        Some(2) => {
            let text = String::from_utf8_lossy(&finished.stderr).trim().to_owned();
            Ok(Said::Deny(if text.is_empty() { "without a reason".to_owned() } else { text }))
        }
        Some(0) => {
            let Some(answer) = answer(finished)? else { return Ok(Said::Nothing) };
            let text = |key: &str| answer.get(key).and_then(Value::as_str).map(str::to_owned);
            let reason = text("reason").or_else(|| text("message"));
            let reason = reason.unwrap_or_else(|| "without a reason".to_owned());
            match text("decision").or_else(|| text("action")).as_deref() {
                Some("approve") => Ok(Said::Approve(reason)),
                Some("deny" | "block") => Ok(Said::Deny(reason)),
                None | Some("ask" | "continue") => Ok(Said::Nothing),
                Some(other) => Err(format!("it answered with the unknown decision '{other}'")),
            }
        }
        _ => Err(ending(finished)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_clear_answer_counts() {
        let finished =
            |exit_code, text: &str| Finished { exit_code, stdout: text.into(), stderr: b"no".to_vec() };
        let approve = r#"{"decision": "approve", "reason": "known"}"#;
        assert_eq!(said(&finished(Some(0), approve)), Ok(Said::Approve("known".into())));
        assert_eq!(said(&finished(Some(0), "")), Ok(Said::Nothing));
        assert_eq!(said(&finished(Some(0), r#"{"decision": "ask"}"#)), Ok(Said::Nothing));
        assert_eq!(said(&finished(Some(2), approve)), Ok(Said::Deny("no".into())));
        for (code, text) in [
            (Some(1), approve),
            (None, approve),
            (Some(0), "approve"),
            (Some(0), r#"{"decision": "allow"}"#),
            (Some(0), r#"{"decision": "APPROVE"}"#),
            (Some(0), r#"["approve"]"#),
        ] {
            assert!(said(&finished(code, text)).is_err(), "{code:?} {text}");
        }
    }
}
