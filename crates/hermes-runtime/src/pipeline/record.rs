//! Writes the journal: the decision before an effect, the outcome before the caller sees it.

use hermes_core::ports::{Journal, JournalCall, JournalOutcome, JournalRecord};
use hermes_core::redact::Redactor;
use hermes_core::text::{hex, json_len};
use hermes_core::{Access, Decision, Target, ToolError, ToolOutcome};
use serde_json::Value;
use sha2::{Digest, Sha256};

use super::bound::bound_for_journal;
use crate::session::Session;

/// What the journal will say about one call.
pub(super) struct Record {
    call: JournalCall,
    decision: Decision,
    /// Whether the decision stands in the journal already.
    decided: bool,
}

/// The tool a record is about.
#[derive(Clone, Copy)]
pub(super) struct Named<'a> {
    pub(super) name: &'a str,
    pub(super) secret_arguments: &'a [String],
}

impl Record {
    /// Gathers the facts, redacted and bounded.
    pub(super) fn new(
        session: &Session,
        call_id: &str,
        tool: Named<'_>,
        arguments: &Value,
        access: &[Access],
        decision: Decision,
    ) -> Self {
        let redactor = session.runtime().redactor();
        let mut shown = arguments.clone();
        for name in tool.secret_arguments {
            if let Some(value) = shown.get_mut(name) {
                *value = "[not recorded]".into();
            }
        }
        // A digest of a short secret can be guessed, so it covers only what may be recorded.
        let digest = sha256(if tool.secret_arguments.is_empty() { arguments } else { &shown });
        // Redacted before it is bounded: half a secret beside a cut would not be known for one.
        redactor.redact_value(&mut shown);
        let text = |text: &str| redactor.redact_text(text).into_owned();
        let call = JournalCall {
            call_id: text(call_id),
            session: text(session.id()),
            actor: text(&session.identity().actor),
            tool: text(tool.name),
            arguments: bound_for_journal(&shown),
            arguments_sha256: digest,
            access: access.iter().map(|access| redacted(access, redactor)).collect(),
        };
        let decision = Decision {
            rule: text(&decision.rule),
            reason: text(&decision.reason),
            hint: decision.hint.as_deref().map(text),
            ..decision
        };
        Record { call, decision, decided: false }
    }

    /// Writes the decision. If that fails, the call must not run.
    pub(super) async fn decide(&mut self, journal: &dyn Journal) -> Result<(), ToolError> {
        let record = JournalRecord::Decision { call: self.call.clone(), decision: self.decision.clone() };
        journal.append(record).await.map_err(|error| match &error.hint {
            Some(_) => error,
            None => error.with_hint("Nothing was run. Calls that change nothing still work."),
        })?;
        self.decided = true;
        Ok(())
    }

    /// Writes the outcome; decision and outcome at once if nothing was written before.
    pub(super) async fn close(self, journal: &dyn Journal, outcome: &ToolOutcome) -> Result<(), ToolError> {
        let closing = JournalOutcome {
            status: outcome.error_code().map_or("success", |code| code.as_str()).to_owned(),
            error: outcome.result.as_ref().err().map(|error| error.message.clone()),
            duration_us: u64::try_from(outcome.duration.as_micros()).unwrap_or(u64::MAX),
            result_chars: outcome.result.as_ref().map_or(0, json_len),
        };
        let record = match self.decided {
            true => JournalRecord::Outcome {
                call_id: self.call.call_id,
                session: self.call.session,
                tool: self.call.tool,
                outcome: closing,
            },
            false => JournalRecord::Completed { call: self.call, decision: self.decision, outcome: closing },
        };
        journal.append(record).await
    }
}

/// The same access without the secrets in its target.
fn redacted(access: &Access, redactor: &Redactor) -> Access {
    let text = |text: &str| redactor.redact_text(text).into_owned();
    let target = match &access.target {
        Target::Any => Target::Any,
        Target::Path(path) => Target::Path(text(path)),
        Target::Elsewhere(path) => Target::Elsewhere(text(path)),
        Target::Resolved(path) => Target::Resolved(text(&path.to_string_lossy()).into()),
        Target::Command(command) => Target::Command(text(command)),
        Target::InShell(command) => Target::InShell(text(command)),
        Target::Host(host) => Target::Host(text(host)),
        Target::Name(name) => Target::Name(text(name)),
    };
    Access {
        permission: access.permission.clone(),
        target,
        place: access.place.as_deref().map(text),
        into: access.into,
    }
}

fn sha256(arguments: &Value) -> String {
    hex(Sha256::digest(arguments.to_string()))
}
