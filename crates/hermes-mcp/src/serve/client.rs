//! The client behind a call: it hears of progress and answers questions, if it has a way to.

// Sampling and roots are deprecated by newer revisions; older clients offer them.
#![allow(deprecated)]

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

use futures_util::future::BoxFuture;
use hermes_core::text::visible;
use hermes_core::{ToolError, ToolOutcome};
use rmcp::model::{
    CallToolResult, ClientCapabilities, CreateMessageRequest, CreateMessageRequestParams, ElicitRequest,
    ElicitRequestParams, ElicitResult, ElicitationAction, InputRequest, ListRootsRequest,
};
use serde_json::Value;

use super::conversation::{Line, UNNAMED};
use crate::assistant::{Assistant, Elicitation, Elicited, Progress, Question, Reply};
use crate::log_line::{LogLevel, LogLine};
use crate::text::{Spelling, visible_texts};

pub(super) struct ServedClient {
    /// The same for all calls of one client.
    pub(super) number: u64,
    pub(super) line: Line,
    pub(super) capabilities: ClientCapabilities,
    pub(super) level: Option<LogLevel>,
    /// What it would have been asked, could it be asked.
    pub(super) missing: Mutex<ClientCapabilities>,
    /// Where a server is stood in for: what it answered itself, and what was made of that.
    pub(super) original: Option<Mutex<Option<Original>>>,
}

pub(super) struct Original {
    answer: Value,
    made: Result<Value, ToolError>,
}

impl ServedClient {
    /// The capabilities for want of which a question was not asked.
    pub(super) fn missing(&self) -> Option<ClientCapabilities> {
        let missing = self.missing.lock().unwrap_or_else(PoisonError::into_inner).clone();
        (missing != ClientCapabilities::default()).then_some(missing)
    }

    /// What the server itself answered, if nothing else became of it on the way: what was cut, covered or refused is not
    /// put back.
    pub(super) fn original(&self, outcome: &ToolOutcome) -> Option<CallToolResult> {
        let original = self.original.as_ref()?.lock().unwrap_or_else(PoisonError::into_inner).take()?;
        let same = match (&original.made, &outcome.result) {
            (Ok(made), Ok(told)) => made == told,
            (Err(made), Err(told)) => made.code == told.code && made.message == told.message,
            _ => false,
        };
        same.then(|| serde_json::from_value(original.answer).ok()).flatten()
    }

    fn misses(&self, note: impl FnOnce(&mut ClientCapabilities)) {
        note(&mut self.missing.lock().unwrap_or_else(PoisonError::into_inner));
    }

    fn shows(&self, asked: &Elicitation) -> bool {
        let Some(can) = &self.capabilities.elicitation else { return false };
        match asked {
            // Clients of the first revision that had it say nothing more.
            Elicitation::Form { .. } => can.form.is_some() || can.url.is_none(),
            Elicitation::Url { .. } => can.url.is_some(),
        }
    }

    /// The question as the protocol puts it; what is said for the client where it cannot be asked.
    fn request(&self, server: &str, question: Question) -> Result<InputRequest, Reply> {
        match question {
            Question::Elicit(asked) => {
                if !self.shows(&asked) {
                    self.misses(|missing| missing.elicitation = Some(Default::default()));
                    return Err(Reply::Elicited(Elicited::Declined));
                }
                let params = elicitation(server, asked).ok_or(Reply::Elicited(Elicited::Declined))?;
                Ok(InputRequest::Elicitation(ElicitRequest::new(params)))
            }
            Question::Sample(request) => {
                if self.capabilities.sampling.is_none() {
                    self.misses(|missing| missing.sampling = Some(Default::default()));
                    return Err(Reply::Sampled(Err("the client has no model to ask".to_owned())));
                }
                let params: CreateMessageRequestParams = serde_json::from_value(visible_texts(request))
                    .map_err(|error| Reply::Sampled(Err(error.to_string())))?;
                Ok(InputRequest::CreateMessage(CreateMessageRequest::new(params)))
            }
            Question::Roots if self.capabilities.roots.is_none() => Err(Reply::Roots(None)),
            Question::Roots => Ok(InputRequest::ListRoots(ListRootsRequest::default())),
        }
    }

    async fn one(&self, server: &str, question: Question) -> Option<Reply> {
        let replies = self.answer_all(server, vec![(UNNAMED.to_owned(), question)]).await;
        replies.into_iter().next().map(|(_, reply)| reply)
    }
}

impl Assistant for ServedClient {
    fn shows_forms(&self) -> bool {
        self.shows(&Elicitation::Form { message: String::new(), schema: Value::Null })
    }

    fn elicit<'a>(&'a self, server: &'a str, asked: Elicitation) -> BoxFuture<'a, Elicited> {
        Box::pin(async move {
            match self.one(server, Question::Elicit(asked)).await {
                Some(Reply::Elicited(elicited)) => elicited,
                _ => Elicited::Cancelled,
            }
        })
    }

    fn sample<'a>(&'a self, server: &'a str, request: Value) -> BoxFuture<'a, Result<Value, String>> {
        Box::pin(async move {
            match self.one(server, Question::Sample(request)).await {
                Some(Reply::Sampled(answer)) => answer,
                _ => Err("the client did not answer".to_owned()),
            }
        })
    }

    fn roots(&self) -> BoxFuture<'_, Option<Value>> {
        Box::pin(async {
            match self.one("", Question::Roots).await {
                Some(Reply::Roots(roots)) => roots,
                _ => None,
            }
        })
    }

    fn answer_all<'a>(
        &'a self,
        server: &'a str,
        questions: Vec<(String, Question)>,
    ) -> BoxFuture<'a, Vec<(String, Reply)>> {
        Box::pin(async move {
            let (mut requests, mut replies) = (BTreeMap::new(), Vec::new());
            for (key, question) in questions {
                match self.request(server, question) {
                    Ok(request) => drop(requests.insert(key, request)),
                    Err(reply) => replies.push((key, reply)),
                }
            }
            if !requests.is_empty() {
                let mut answers = self.line.ask(requests.clone()).await.unwrap_or_default();
                for (key, request) in requests {
                    let reply = reply(&request, answers.remove(&key));
                    replies.push((key, reply));
                }
            }
            replies
        })
    }

    fn progress(&self, _: &str, progress: Progress) {
        self.line.progress(progress);
    }

    fn log_level(&self) -> Option<LogLevel> {
        self.level
    }

    fn log(&self, server: &str, line: LogLine) {
        self.line.log(server, line);
    }

    fn wants_originals(&self) -> bool {
        self.original.is_some()
    }

    fn answered(&self, answer: Value, made: &Result<Value, ToolError>) {
        if let Some(original) = &self.original {
            let heard = Original { answer, made: made.clone() };
            *original.lock().unwrap_or_else(PoisonError::into_inner) = Some(heard);
        }
    }

    fn client(&self) -> Option<u64> {
        Some(self.number)
    }
}

/// Whoever reads it must know who wants to know, and see all of it. A form whose names or choices hide something cannot
/// be shown as it is: what was filled in would not be what the server asked for.
fn elicitation(server: &str, asked: Elicitation) -> Option<ElicitRequestParams> {
    let from = |message: String| match (server, visible(&message)) {
        ("", message) => message,
        (server, message) => format!("MCP server '{server}' asks: {message}"),
    };
    Some(match asked {
        Elicitation::Form { schema, .. } if !Spelling::of(&schema).is_plain() => return None,
        Elicitation::Form { message, schema } => ElicitRequestParams::FormElicitationParams {
            meta: None,
            message: from(message),
            requested_schema: serde_json::from_value(visible_texts(schema)).ok()?,
        },
        Elicitation::Url { message, url, id } => ElicitRequestParams::UrlElicitationParams {
            meta: None,
            message: from(message),
            url: visible(&url),
            elicitation_id: id,
        },
    })
}

fn reply(request: &InputRequest, answer: Option<Value>) -> Reply {
    match request {
        InputRequest::Elicitation(_) => {
            let answer = answer.and_then(|answer| serde_json::from_value::<ElicitResult>(answer).ok());
            Reply::Elicited(match answer {
                Some(answer) if answer.action == ElicitationAction::Accept => {
                    Elicited::Accepted(answer.content)
                }
                Some(answer) if answer.action == ElicitationAction::Decline => Elicited::Declined,
                _ => Elicited::Cancelled,
            })
        }
        InputRequest::CreateMessage(_) => {
            Reply::Sampled(answer.ok_or_else(|| "the client did not answer".to_owned()))
        }
        _ => Reply::Roots(answer),
    }
}
