//! One client's side of the server.

use std::borrow::Cow;
use std::sync::Arc;

use hermes_core::{Effect, ToolCall, ToolOutcome};
use rmcp::ServerHandler;
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, ContentBlock, ErrorData, Implementation,
    JsonObject, ListToolsResult, PaginatedRequestParams, ServerCapabilities, ServerConfig, Tool,
    ToolAnnotations,
};
use rmcp::service::{NotificationContext, RequestContext, RoleServer};
use serde_json::Value;

use super::backend::{Backend, Offer};

/// What a client is told about Hermes.
const INSTRUCTIONS: &str = "Tools of Hermes. Calls are judged by the permissions of the user who runs it; a call \
    that needs a person's word is answered with an error that says how to get it.";

/// Serves one client.
pub(crate) struct Handler {
    pub(crate) backend: Arc<dyn Backend>,
}

impl ServerHandler for Handler {
    fn get_info(&self) -> ServerConfig {
        let capabilities = ServerCapabilities::builder().enable_tools().enable_tool_list_changed().build();
        let mut info = ServerConfig::new(capabilities);
        info.server_info = Implementation::new("hermes", env!("CARGO_PKG_VERSION"));
        info.instructions = Some(INSTRUCTIONS.to_owned());
        info
    }

    async fn on_initialized(&self, context: NotificationContext<RoleServer>) {
        let mut changes = self.backend.changes();
        tokio::spawn(async move {
            while changes.changed().await.is_ok() {
                if context.peer.notify_tool_list_changed().await.is_err() {
                    return;
                }
            }
        });
    }

    async fn list_tools(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        let tools = self.backend.offers().await.into_iter().map(tool).collect();
        Ok(ListToolsResult { tools, ..ListToolsResult::default() })
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let arguments = Value::Object(request.arguments.unwrap_or_default());
        let call = ToolCall::new(context.id.to_string(), request.name.into_owned(), arguments);
        let outcome = self.backend.call(call, context.ct.clone()).await;
        Ok(answer(&outcome).into())
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

/// The outcome as the wire object, whole: a client that reads structure gets it, others get its text.
fn answer(outcome: &ToolOutcome) -> CallToolResult {
    let wire = Value::Object(outcome.to_wire());
    let content = vec![ContentBlock::text(wire.to_string())];
    let mut result = match outcome.is_success() {
        true => CallToolResult::success(content),
        false => CallToolResult::error(content),
    };
    result.structured_content = Some(wire);
    result
}
