//! Writes the journal: the decision before an effect, the outcome before the caller sees it.

use hermes_core::ports::{Journal, JournalCall, JournalOutcome, JournalRecord};
use hermes_core::text::{hex, json_len};
use hermes_core::{Access, Decision, ToolError, ToolOutcome};
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
        let mut shown = bound_for_journal(arguments);
        for name in tool.secret_arguments {
            if let Some(value) = shown.get_mut(name) {
                *value = "[not recorded]".into();
            }
        }
        // A digest of a short secret can be guessed, so it covers only what may be recorded.
        let digest = sha256(if tool.secret_arguments.is_empty() { arguments } else { &shown });
        session.runtime().redactor().redact_value(&mut shown);
        let call = JournalCall {
            call_id: call_id.to_owned(),
            session: session.id().to_owned(),
            actor: session.identity().actor.clone(),
            tool: tool.name.to_owned(),
            arguments: shown,
            arguments_sha256: digest,
            access: access.to_vec(),
        };
        Record { call, decision, decided: false }
    }

    /// Writes the decision. If that fails, the call must not run.
    pub(super) async fn decide(&mut self, journal: &dyn Journal) -> Result<(), ToolError> {
        let record = JournalRecord::Decision { call: self.call.clone(), decision: self.decision.clone() };
        journal.append(record).await?;
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

fn sha256(arguments: &Value) -> String {
    hex(Sha256::digest(arguments.to_string()))
}
