//! What all clients of a process share: the session behind them, calls that wait, the tools as they were last listed.

use std::borrow::Cow;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, PoisonError, RwLock};

use futures_util::future::BoxFuture;
use hermes_core::{Effect, ToolCall};
use rmcp::model::{
    CallToolRequestParams, CallToolResult, ErrorCode, ErrorData, GetPromptRequestParams, InputRequiredResult,
    InputResponses, JsonObject, ProtocolVersion, ReadResourceRequestParams, Tool, ToolAnnotations,
};
use rmcp::service::{RequestContext, RoleServer};
use serde_json::Value;
use tokio_util::sync::CancellationToken;

use super::backend::{Backend, Offer};
use super::client::ServedClient;
use super::conversation::{Conversation, Hearing, Turn, Way};
use super::rounds::{Back, Rounds};
use crate::log_line::LogLevel;

/// What all clients of a process share.
#[derive(Clone)]
pub(super) struct Served {
    pub(super) backend: Arc<dyn Backend>,
    pub(super) rounds: Rounds,
    numbers: Arc<AtomicU64>,
    /// The tools as they were last listed, for the checks of headers against arguments.
    listed: Arc<RwLock<Arc<Vec<Tool>>>>,
}

/// What a client wants done, whichever method asked for it.
pub(super) struct Wanted {
    pub(super) tool: String,
    pub(super) arguments: Value,
    /// The answers that came with it, and the name of the call they are for.
    pub(super) answers: Option<InputResponses>,
    pub(super) state: Option<String>,
}

impl Wanted {
    pub(super) fn of_tool(request: CallToolRequestParams) -> Self {
        Wanted {
            tool: request.name.into_owned(),
            arguments: Value::Object(request.arguments.unwrap_or_default()),
            answers: request.input_responses,
            state: request.request_state,
        }
    }

    pub(super) fn of_prompt(tool: String, arguments: Value, request: GetPromptRequestParams) -> Self {
        Wanted { tool, arguments, answers: request.input_responses, state: request.request_state }
    }

    pub(super) fn of_resource(tool: String, arguments: Value, request: ReadResourceRequestParams) -> Self {
        Wanted { tool, arguments, answers: request.input_responses, state: request.request_state }
    }
}

/// Which client wants it, and how much log.
pub(super) struct Who {
    pub(super) number: u64,
    pub(super) level: Option<LogLevel>,
}

/// What a client is told.
pub(super) enum Told {
    Outcome(hermes_core::ToolOutcome),
    /// What the server that is stood in for answered itself.
    Original(CallToolResult),
    Asked(InputRequiredResult),
}

impl Served {
    pub(super) async fn new(backend: Arc<dyn Backend>) -> Self {
        let served =
            Served { backend, rounds: Rounds::default(), numbers: Arc::default(), listed: Arc::default() };
        served.list().await;
        served
    }

    pub(super) async fn list(&self) -> Arc<Vec<Tool>> {
        let tools: Arc<Vec<Tool>> = Arc::new(self.backend.offers().await.into_iter().map(tool).collect());
        *self.listed.write().unwrap_or_else(PoisonError::into_inner) = Arc::clone(&tools);
        tools
    }

    pub(super) fn tool(&self, name: &str) -> Option<Tool> {
        let listed = self.listed.read().unwrap_or_else(PoisonError::into_inner);
        listed.iter().find(|tool| tool.name == name).cloned()
    }

    /// A number nobody else has.
    pub(super) fn number(&self) -> u64 {
        self.numbers.fetch_add(1, Ordering::Relaxed) + 1
    }

    /// Does what a client wants, asking it where a question comes up.
    pub(super) async fn run(
        &self,
        wanted: Wanted,
        who: Who,
        context: &RequestContext<RoleServer>,
    ) -> Result<Told, ErrorData> {
        let way = if is_stateless(context) { Way::Rounds } else { Way::Request };
        // What a client that comes back must want again; one that stays need not say it.
        let what = match way {
            Way::Rounds => format!("{} {}", wanted.tool, wanted.arguments),
            Way::Request => String::new(),
        };
        let mut conversation = match (&wanted.state, way) {
            (Some(state), Way::Rounds) => match self.rounds.resume(state, &what, wanted.answers.as_ref()) {
                Ok(Back::GoOn(conversation)) => conversation,
                Ok(Back::Asked(again)) => return Ok(Told::Asked(again)),
                Err(said) => return Err(ErrorData::invalid_params(said, None)),
            },
            _ => self.begin(what, wanted, &who, way, context),
        };
        let hearing = Hearing::of(context, who.level);
        let turn = match way {
            // It hears of the cancellation itself, and ends as it should.
            Way::Request => conversation.go_on(&hearing, way).await,
            Way::Rounds => tokio::select! {
                turn = conversation.go_on(&hearing, way) => turn,
                () = context.ct.cancelled() => Turn::Ended(None),
            },
        };
        match turn {
            Turn::Asked(questions) => Ok(Told::Asked(self.rounds.park(conversation, questions))),
            Turn::Ended(Some(outcome)) => match conversation.client.missing() {
                Some(missing) if way == Way::Rounds && !outcome.is_success() => {
                    Err(ErrorData::missing_required_client_capability(missing))
                }
                _ => Ok(match conversation.client.original(&outcome) {
                    Some(original) => Told::Original(original),
                    None => Told::Outcome(*outcome),
                }),
            },
            Turn::Ended(None) => {
                Err(ErrorData::new(ErrorCode::INTERNAL_ERROR, "the call ended without an outcome", None))
            }
        }
    }

    fn begin(
        &self,
        what: String,
        wanted: Wanted,
        who: &Who,
        way: Way,
        context: &RequestContext<RoleServer>,
    ) -> Conversation {
        let (line, end) = Conversation::line();
        let client = Arc::new(ServedClient {
            number: who.number,
            line,
            capabilities: context.client_capabilities().unwrap_or_default(),
            level: who.level,
            missing: Default::default(),
            original: self.backend.stands_in().then(Default::default),
        });
        let cancel = match way {
            Way::Request => context.ct.child_token(),
            Way::Rounds => CancellationToken::new(),
        };
        let given = wanted.answers.unwrap_or_default();
        // Clients number their calls alike; here each has its own name.
        let id = format!("mcp-{}-{}", self.number(), context.id);
        let (backend, call) = (Arc::clone(&self.backend), ToolCall::new(id, wanted.tool, wanted.arguments));
        let (behind, token) = (Arc::clone(&client), cancel.clone());
        let work = async move { backend.call(call, behind, token).await };
        // One that may wait for its client to come back goes on by itself meanwhile.
        let outcome: BoxFuture<'static, _> = match way {
            Way::Request => Box::pin(async { Some(work.await) }),
            Way::Rounds => {
                let running = tokio::spawn(work);
                Box::pin(async { running.await.ok() })
            }
        };
        Conversation::begin(what, end, client, given, cancel, outcome)
    }
}

/// Whether a request is of a revision without sessions.
pub(super) fn is_stateless(context: &RequestContext<RoleServer>) -> bool {
    context.protocol_version().is_some_and(|version| version >= ProtocolVersion::V_2026_07_28)
}

fn tool(offer: Offer) -> Tool {
    let own = offer.own.and_then(|own| serde_json::from_value(serde_json::to_value(own).ok()?).ok());
    if let Some(own) = own {
        return own;
    }
    let schema: JsonObject = match offer.parameters {
        Value::Object(schema) => schema,
        _ => JsonObject::new(),
    };
    let read_only = matches!(offer.effect, Effect::None | Effect::ReadOnly);
    let annotations = ToolAnnotations::new().read_only(read_only).idempotent(offer.idempotent);
    Tool::new_with_raw(offer.name, Some(Cow::Owned(offer.description)), schema).with_annotations(annotations)
}
