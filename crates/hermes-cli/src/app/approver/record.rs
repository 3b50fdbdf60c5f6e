//! The question as data, for approvers elsewhere: redacted, bounded, the same for all of them.

use hermes_core::redact::Redactor;
use hermes_core::text::head_tail;
use serde_json::{Value, json};

use super::asked::Asked;
use super::terms::{Subject, rule_text};

/// Characters of one text that are kept; what is left out is announced.
const LONGEST: usize = 32_000;

/// What a person or service is shown who is not at this terminal.
pub(super) fn record(asked: &Asked<'_>, secret_arguments: &[String], redactor: &Redactor) -> Value {
    let request = asked.request;
    let mut arguments = request.arguments.clone();
    for name in secret_arguments {
        if let Some(value) = arguments.get_mut(name) {
            *value = "[not recorded]".into();
        }
    }
    let access: Vec<String> = request.access.iter().map(ToString::to_string).collect();
    let findings: Vec<Value> = asked.findings().iter().map(|finding| json!(finding)).collect();
    let mut value = json!({
        "tool": request.tool,
        "toolset": request.toolset,
        "owner": request.owner,
        "session": request.session,
        "actor": request.actor,
        "cwd": request.shell.unwrap_or(request.cwd).display().to_string(),
        "arguments": arguments,
        "access": access,
        "reason": asked.decision.reason,
        "rule": asked.decision.rule,
        "effects": asked.effects,
        "findings": findings,
        "warning": asked.warning,
        "once_only": asked.once_only(),
        "would_store": asked.once_only().is_none().then(|| rule_text(asked.subject())),
    });
    // Before anything is cut: half a secret would not be known for one.
    redactor.redact_value(&mut value);
    bound(&mut value);
    value
}

impl Asked<'_> {
    pub(super) fn subject(&self) -> Subject<'_> {
        Subject {
            tool: self.request.tool,
            actor: self.request.actor,
            session: &self.session,
            project: self.request.cwd,
            suggestion: &self.suggestion,
        }
    }
}

fn bound(value: &mut Value) {
    match value {
        Value::String(text) => {
            if let Some((head, tail)) = head_tail(text, LONGEST) {
                let hidden = text.len().saturating_sub(head.len() + tail.len());
                *text = format!("{head}\n[… {hidden} of {} bytes are not shown …]\n{tail}", text.len());
            }
        }
        Value::Array(items) => items.iter_mut().for_each(bound),
        Value::Object(fields) => fields.values_mut().for_each(bound),
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}
