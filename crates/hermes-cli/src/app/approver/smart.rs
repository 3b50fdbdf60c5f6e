//! Somebody who answers for a person where little is at stake: a program or a model of the operator's. It sees the
//! whole command. What it does not clearly approve goes to the person, and the deny class never reaches it.

use hermes_policy::command::Class;
use hermes_runtime::config::SmartApproval;
use serde_json::{Value, json};

use super::asked::Asked;
use super::smart_model::Model;
use super::smart_program::Reviewer;

/// Who was configured, and what they may judge.
pub(super) struct Smart {
    pub(super) config: SmartApproval,
    pub(super) judge: Judge,
}

/// Who judges.
pub(super) enum Judge {
    Program(Reviewer),
    Model(Model),
}

/// What was said.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Opinion {
    Approve(String),
    Deny(String),
    /// The person decides; the text says why it was left to them.
    Escalate(String),
}

impl Smart {
    /// Whether this may be judged: a command whose every finding is of a category that was given away, and that
    /// is asked about for what was found. Where a rule wants a person's word, a person gives it.
    pub(super) fn may_judge(&self, asked: &Asked<'_>) -> bool {
        let Some(judgement) = asked.judgement.as_ref() else { return false };
        let findings = asked.findings();
        judgement.class == Class::Ask
            && asked.decision.rule.contains("command analysis")
            && !findings.is_empty()
            && findings.iter().all(|finding| {
                finding.class == Class::Ask && self.config.categories.contains(&finding.category)
            })
    }

    pub(super) async fn ask(&self, asked: &Asked<'_>) -> Opinion {
        let question = question(asked);
        let answer = match &self.judge {
            Judge::Program(program) => program.ask(&question, asked.request.cwd).await,
            Judge::Model(model) => model.ask(&question).await,
        };
        answer.unwrap_or_else(Opinion::Escalate)
    }
}

fn question(asked: &Asked<'_>) -> Value {
    json!({
        "version": 1,
        "tool": asked.request.tool,
        "command": asked.command(),
        "arguments": asked.request.arguments,
        "cwd": asked.request.shell.unwrap_or(asked.request.cwd).display().to_string(),
        "session": asked.request.session,
        "actor": asked.request.actor,
        "findings": asked.findings(),
        "effects": asked.effects,
        "reason": asked.decision.reason,
        "rule": asked.decision.rule,
    })
}
