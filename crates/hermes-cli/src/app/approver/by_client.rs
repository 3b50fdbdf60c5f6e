//! Asks the person in front of the client that made the call, if that client can show a question.

use futures_util::future::BoxFuture;
use hermes_mcp::{Desk, Elicitation, Elicited, LogLevel, LogLine};
use serde_json::{Value, json};

use super::asked::Asked;
use super::person::{Answer, Person};
use super::view::facts;
use crate::render::{ColorChoice, Style};

/// The clients of `hermes mcp serve`.
pub(super) struct ByClient {
    pub(super) desk: Desk,
}

impl ByClient {
    pub(super) fn can_ask(&self, call_id: &str) -> bool {
        self.desk.behind(call_id).shows_forms()
    }

    /// Tells a client that cannot show the question where it waits for its answer.
    pub(super) fn tell_waiting(&self, asked: &Asked<'_>) {
        let data = format!("'{}' waits for a person's word: hermes approvals", asked.request.tool).into();
        let line = LogLine { level: LogLevel::NOTICE, logger: None, data };
        self.desk.behind(asked.request.call_id).log("", line);
    }
}

impl Person for ByClient {
    fn put<'a>(&'a self, asked: &'a Asked<'a>) -> BoxFuture<'a, Answer> {
        Box::pin(async move {
            // A client shows no colours, and nothing may be left out of what somebody agrees to.
            let shown = facts(asked, true, Style::for_stderr(ColorChoice::Never)).text;
            let schema = json!({
                "type": "object",
                "properties": {"allow": {
                    "type": "string",
                    "title": "Allow it?",
                    "enum": ["no", "once"],
                    "default": "no",
                }},
                "required": ["allow"],
            });
            let client = self.desk.behind(asked.request.call_id);
            let by = || "user of the client".to_owned();
            match client.elicit("", Elicitation::Form { message: shown, schema }).await {
                Elicited::Accepted(Some(form))
                    if form.get("allow").and_then(Value::as_str) == Some("once") =>
                {
                    Answer::Yes { by: by(), keep: None }
                }
                Elicited::Accepted(_) | Elicited::Declined => Answer::No { by: by() },
                Elicited::Cancelled => {
                    Answer::Silence { hint: "The question was left unanswered.".to_owned() }
                }
            }
        })
    }
}
