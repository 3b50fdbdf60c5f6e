//! A program that answers for a person where little is at stake. It sees the whole command. What it does
//! not clearly approve goes to the person, and the deny class never reaches it.

use std::collections::BTreeSet;
use std::time::Duration;

use hermes_host::Env;
use hermes_host::process::{Finished, Program, run};
use hermes_policy::command::Class;
use hermes_runtime::config::SmartApproval;
use serde::Deserialize;
use serde_json::json;

use super::asked::Asked;
use crate::app::hooks::program_digest;

/// What the consent is for, as hooks name their events.
pub(crate) const EVENT: &str = "smart_approval";
const MAX_OUTPUT: usize = 64 << 10;

/// The configured program and what the user agreed to.
pub(super) struct Smart {
    pub(super) config: SmartApproval,
    pub(super) env: Env,
    pub(super) trusted: BTreeSet<String>,
}

/// What the program said.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Opinion {
    Approve(String),
    Deny(String),
    /// The person decides; the text says why it was left to them.
    Escalate(String),
}

#[derive(Deserialize)]
struct Said {
    verdict: Word,
    #[serde(default)]
    reason: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "snake_case")]
enum Word {
    Approve,
    Deny,
    Escalate,
}

impl Smart {
    /// Whether the program may judge this: a command whose every finding is of a category it was given, and that
    /// is asked about for what was found. Where a rule wants a person's word, a person gives it.
    pub(super) fn may_judge(&self, asked: &Asked<'_>) -> bool {
        let Some(judgement) = asked.judgement.as_ref().filter(|_| !self.config.command.is_empty()) else {
            return false;
        };
        let findings = asked.findings();
        judgement.class == Class::Ask
            && asked.decision.rule.contains("command analysis")
            && !findings.is_empty()
            && findings.iter().all(|finding| {
                finding.class == Class::Ask && self.config.categories.contains(&finding.category)
            })
    }

    pub(super) async fn ask(&self, asked: &Asked<'_>) -> Opinion {
        // Judged anew each time: a program edited since start-up is one that nobody agreed to.
        if !self.trusted.contains(&program_digest(EVENT, &self.config.command, &self.env)) {
            return Opinion::Escalate(
                "the smart approval program is not trusted; see 'hermes approvals trust'".to_owned(),
            );
        }
        let question = json!({
            "version": 1,
            "tool": asked.request.tool,
            "command": asked.command(),
            "arguments": asked.request.arguments,
            "cwd": asked.request.cwd.display().to_string(),
            "session": asked.request.session,
            "actor": asked.request.actor,
            "findings": asked.findings(),
            "effects": asked.effects,
            "reason": asked.decision.reason,
            "rule": asked.decision.rule,
        });
        let finished = run(Program {
            argv: self.config.command.clone(),
            cwd: asked.request.cwd.to_owned(),
            env: self.env.iter().map(|(name, value)| (name.to_owned(), value.to_owned())).collect(),
            stdin: question.to_string().into_bytes(),
            timeout: Duration::from_secs(self.config.timeout_seconds),
            max_output: MAX_OUTPUT,
        })
        .await;
        finished.and_then(|finished| read(&finished)).unwrap_or_else(Opinion::Escalate)
    }
}

/// A clear answer of a program that ended well, or why it is none.
fn read(finished: &Finished) -> Result<Opinion, String> {
    if finished.exit_code != Some(0) {
        return Err("the smart approval program failed".to_owned());
    }
    let said: Said = serde_json::from_slice(&finished.stdout)
        .map_err(|error| format!("the smart approval program gave no clear answer: {error}"))?;
    let reason = if said.reason.trim().is_empty() { "without a reason".to_owned() } else { said.reason };
    Ok(match said.verdict {
        Word::Approve => Opinion::Approve(reason),
        Word::Deny => Opinion::Deny(reason),
        Word::Escalate => Opinion::Escalate(reason),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_clear_answer_counts() {
        let finished =
            |exit_code, text: &str| Finished { exit_code, stdout: text.into(), stderr: Vec::new() };
        let approve = r#"{"verdict": "approve", "reason": "a build folder"}"#;
        assert_eq!(read(&finished(Some(0), approve)), Ok(Opinion::Approve("a build folder".into())));
        assert!(matches!(read(&finished(Some(0), r#"{"verdict": "deny"}"#)), Ok(Opinion::Deny(_))));
        for (code, text) in [
            (Some(1), approve),
            (None, approve),
            (Some(0), ""),
            (Some(0), "APPROVE"),
            (Some(0), r#"{"verdict": "APPROVE"}"#),
            (Some(0), r#"{"verdict": "approve"} {"verdict": "deny"}"#),
            (Some(0), r#"{"approve": true}"#),
        ] {
            assert!(read(&finished(code, text)).is_err(), "{code:?} {text}");
        }
    }
}
