//! One client's side of the server.

use std::borrow::Cow;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, PoisonError, RwLock};

use hermes_core::{Effect, ToolCall, ToolOutcome};
use rmcp::ServerHandler;
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, ErrorCode, ErrorData, Implementation, JsonObject,
    ListResourceTemplatesResult, ListResourcesResult, ListToolsResult, PaginatedRequestParams,
    ProtocolVersion, ReadResourceRequestParams, ReadResourceResponse, ReadResourceResult, ResourceContents,
    ResourceTemplate, ServerCapabilities, ServerConfig, ServerNotification, SubscriptionFilter, Tool,
    ToolAnnotations,
};
use rmcp::service::{NotificationContext, RequestContext, RoleServer, SubscriptionContext};
use serde_json::Value;
use tokio_util::sync::CancellationToken;

use super::answer::answer;
use super::backend::{Backend, Offer};
use super::client::{ServedClient, Way};
use super::rounds::{Rounds, Told};

/// What a client is told about Hermes.
const INSTRUCTIONS: &str = "Tools of Hermes. Calls are judged by the permissions of the user who runs it; a call \
    that needs a person's word is asked about where this client can show a question, and waits for an answer \
    elsewhere where it cannot.";

/// What all clients of a process share.
#[derive(Clone)]
pub(super) struct Served {
    backend: Arc<dyn Backend>,
    rounds: Rounds,
    calls: Arc<AtomicU64>,
    /// The tools as they were last listed, for the checks of headers against arguments.
    listed: Arc<RwLock<Arc<Vec<Tool>>>>,
}

impl Served {
    pub(super) async fn new(backend: Arc<dyn Backend>) -> Self {
        let served =
            Served { backend, rounds: Rounds::default(), calls: Arc::default(), listed: Arc::default() };
        served.list().await;
        served
    }

    async fn list(&self) -> Arc<Vec<Tool>> {
        let tools: Arc<Vec<Tool>> = Arc::new(self.backend.offers().await.into_iter().map(tool).collect());
        *self.listed.write().unwrap_or_else(PoisonError::into_inner) = Arc::clone(&tools);
        tools
    }
}

/// Serves one client.
pub(super) struct Handler {
    served: Served,
}

impl Handler {
    pub(super) fn new(served: Served) -> Self {
        Handler { served }
    }

    fn to_call(&self, request: &CallToolRequestParams, context: &RequestContext<RoleServer>) -> ToolCall {
        // Clients number their calls alike; here each has its own name.
        let number = self.served.calls.fetch_add(1, Ordering::Relaxed) + 1;
        let arguments = Value::Object(request.arguments.clone().unwrap_or_default());
        ToolCall::new(format!("mcp-{number}-{}", context.id), request.name.to_string(), arguments)
    }

    /// A call whose client may be asked by requests.
    async fn call(
        &self,
        request: &CallToolRequestParams,
        context: &RequestContext<RoleServer>,
    ) -> ToolOutcome {
        let client = Arc::new(ServedClient::new(context, Way::Request));
        self.served.backend.call(self.to_call(request, context), client, context.ct.clone()).await
    }

    /// A call whose client is asked in place of the answer.
    async fn call_in_rounds(
        &self,
        request: CallToolRequestParams,
        context: &RequestContext<RoleServer>,
    ) -> Result<Told, ErrorData> {
        let what = format!("{} {}", request.name, Value::from(request.arguments.clone().unwrap_or_default()));
        let invalid = |said: String| ErrorData::invalid_params(said, None);
        let round = match &request.request_state {
            Some(state) => {
                let answers = request.input_responses.as_ref();
                self.served.rounds.resume(state, &what, answers).map_err(invalid)?
            }
            None => {
                let cancel = CancellationToken::new();
                let (asks, done, round) = Rounds::begin(what, cancel.clone());
                let client = Arc::new(ServedClient::new(context, Way::Rounds(asks)));
                let (backend, call) = (Arc::clone(&self.served.backend), self.to_call(&request, context));
                tokio::spawn(async move {
                    let _ = done.send(backend.call(call, client, cancel).await);
                });
                round
            }
        };
        tokio::select! {
            told = self.served.rounds.go_on(round) => Ok(told),
            () = context.ct.cancelled() => Ok(Told::Nothing),
        }
    }
}

impl ServerHandler for Handler {
    fn get_info(&self) -> ServerConfig {
        let capabilities = ServerCapabilities::builder()
            .enable_tools()
            .enable_tool_list_changed()
            .enable_resources()
            .build();
        let mut info = ServerConfig::new(capabilities);
        info.server_info = Implementation::new("hermes", env!("CARGO_PKG_VERSION"));
        info.instructions = Some(INSTRUCTIONS.to_owned());
        info
    }

    async fn on_initialized(&self, context: NotificationContext<RoleServer>) {
        let mut changes = self.served.backend.changes();
        tokio::spawn(async move {
            while changes.changed().await.is_ok() {
                if context.peer.notify_tool_list_changed().await.is_err() {
                    return;
                }
            }
        });
    }

    fn accepted_subscription_filter(&self, _: &SubscriptionFilter) -> Option<SubscriptionFilter> {
        Some(SubscriptionFilter::builder().tools_list_changed().build())
    }

    async fn listen(&self, context: SubscriptionContext) -> Result<(), ErrorData> {
        let mut changes = self.served.backend.changes();
        loop {
            tokio::select! {
                () = context.cancelled() => return Ok(()),
                changed = changes.changed() => {
                    let news = ServerNotification::ToolListChangedNotification(Default::default());
                    if changed.is_err() || context.sink().send(news).await.is_err() {
                        return Ok(());
                    }
                }
            }
        }
    }

    async fn list_tools(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        let tools = self.served.list().await.to_vec();
        Ok(ListToolsResult { tools, ..ListToolsResult::default() })
    }

    fn get_tool(&self, name: &str) -> Option<Tool> {
        let listed = self.served.listed.read().unwrap_or_else(PoisonError::into_inner);
        listed.iter().find(|tool| tool.name == name).cloned()
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let rounds =
            context.protocol_version().is_some_and(|version| version >= ProtocolVersion::V_2026_07_28);
        let told = match rounds {
            true => self.call_in_rounds(request, &context).await?,
            false => Told::Outcome(self.call(&request, &context).await),
        };
        match told {
            Told::Outcome(outcome) => Ok(answer(&outcome, &*self.served.backend).await.into()),
            Told::Asked(asked) => Ok(CallToolResponse::InputRequired(asked)),
            Told::Nothing => {
                Err(ErrorData::new(ErrorCode::INTERNAL_ERROR, "the call ended without an outcome", None))
            }
        }
    }

    async fn list_resources(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListResourcesResult, ErrorData> {
        Ok(ListResourcesResult::default())
    }

    async fn list_resource_templates(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListResourceTemplatesResult, ErrorData> {
        let template = ResourceTemplate::new(format!("{}{{id}}", hermes_core::handle::SCHEME), "result")
            .with_description("A result that was too large to send, by the handle that stood in its place.")
            .with_mime_type("application/json");
        Ok(ListResourceTemplatesResult { resource_templates: vec![template], ..Default::default() })
    }

    async fn read_resource(
        &self,
        request: ReadResourceRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<ReadResourceResponse, ErrorData> {
        let Some(stored) = self.served.backend.stored(&request.uri).await else {
            let at = serde_json::json!({ "uri": request.uri });
            return Err(ErrorData::resource_not_found("there is no such result", Some(at)));
        };
        let contents = match (
            stored.get("data").and_then(Value::as_str),
            stored.get("mime_type").and_then(Value::as_str),
        ) {
            (Some(base64), Some(kind)) => ResourceContents::blob(base64, request.uri).with_mime_type(kind),
            _ => ResourceContents::text(stored.to_string(), request.uri).with_mime_type("application/json"),
        };
        Ok(ReadResourceResult::new(vec![contents]).into())
    }
}

fn tool(offer: Offer) -> Tool {
    let schema: JsonObject = match offer.parameters {
        Value::Object(schema) => schema,
        _ => JsonObject::new(),
    };
    let read_only = matches!(offer.effect, Effect::None | Effect::ReadOnly);
    let annotations = ToolAnnotations::new().read_only(read_only).idempotent(offer.idempotent);
    Tool::new_with_raw(offer.name, Some(Cow::Owned(offer.description)), schema).with_annotations(annotations)
}
