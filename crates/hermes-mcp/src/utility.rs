//! Resources and prompts of a server as tools: list and read the ones, list and fill in the others.

use std::sync::Arc;

use futures_util::future::BoxFuture;
use hermes_core::{Access, AnyTool, CallContext, Effect, Permission, Prepared, ToolError, ToolInfo};
use rmcp::model::{
    ClientRequest, GetPromptRequest, GetPromptRequestParams, ListPromptsRequest, ListResourcesRequest,
    PaginatedRequestParams, ReadResourceRequest, ReadResourceRequestParams, ServerResult,
};
use serde_json::{Map, Value, json};

use crate::client::Server;
use crate::convert;
use crate::manifest::{Manifest, ToolDef, Verdict};
use crate::names::Named;
use crate::tool::{McpTool, quarantine};

/// What such a tool does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Utility {
    ListResources,
    ReadResource,
    ListPrompts,
    GetPrompt,
}

impl Utility {
    /// Those that make sense for a server and are wanted.
    pub(crate) fn of(seen: &Manifest, server: &Server) -> Vec<Utility> {
        let filter = &server.config().filter;
        let mut wanted = Vec::new();
        if seen.resources && filter.resources {
            wanted.extend([Utility::ListResources, Utility::ReadResource]);
        }
        if seen.prompts && filter.prompts {
            wanted.extend([Utility::ListPrompts, Utility::GetPrompt]);
        }
        wanted
    }

    /// Whether a server's own tool has the name of one of these, where the server has what they are for.
    pub(crate) fn is_name(name: &str, seen: &Manifest) -> bool {
        let resources = [Utility::ListResources, Utility::ReadResource].map(Utility::name);
        let prompts = [Utility::ListPrompts, Utility::GetPrompt].map(Utility::name);
        (seen.resources && resources.contains(&name)) || (seen.prompts && prompts.contains(&name))
    }

    pub(crate) const fn name(self) -> &'static str {
        match self {
            Utility::ListResources => "list_resources",
            Utility::ReadResource => "read_resource",
            Utility::ListPrompts => "list_prompts",
            Utility::GetPrompt => "get_prompt",
        }
    }

    fn definition(self, server: &str) -> ToolDef {
        let cursor = json!({"cursor": {"type": "string", "description": "Where the page before ended."}});
        let (text, properties, required) = match self {
            Utility::ListResources => ("List the resources", cursor, json!([])),
            Utility::ReadResource => (
                "Read one resource, by its URI from list_resources,",
                json!({"uri": {"type": "string", "description": "The URI of the resource."}}),
                json!(["uri"]),
            ),
            Utility::ListPrompts => ("List the prompts", cursor, json!([])),
            Utility::GetPrompt => (
                "Fill in one prompt, by its name from list_prompts,",
                json!({
                    "name": {"type": "string", "description": "The name of the prompt."},
                    "arguments": {"type": "object", "description": "Its arguments, by name."},
                }),
                json!(["name"]),
            ),
        };
        ToolDef {
            name: self.name().to_owned(),
            title: None,
            description: Some(format!("{text} of the MCP server '{server}'.")),
            input_schema: json!({"type": "object", "properties": properties, "required": required}),
            output_schema: None,
            annotations: None,
            execution: None,
        }
    }

    fn request(self, arguments: &Map<String, Value>) -> ClientRequest {
        let text = |key: &str| arguments.get(key).and_then(Value::as_str).unwrap_or_default().to_owned();
        let page = || {
            let mut page = PaginatedRequestParams::default();
            page.cursor = arguments.get("cursor").and_then(Value::as_str).map(str::to_owned);
            Some(page)
        };
        match self {
            Utility::ListResources => ClientRequest::ListResourcesRequest(ListResourcesRequest {
                params: page(),
                ..Default::default()
            }),
            Utility::ListPrompts => {
                ClientRequest::ListPromptsRequest(ListPromptsRequest { params: page(), ..Default::default() })
            }
            Utility::ReadResource => ClientRequest::ReadResourceRequest(ReadResourceRequest::new(
                ReadResourceRequestParams::new(text("uri")),
            )),
            Utility::GetPrompt => {
                let mut params = GetPromptRequestParams::new(text("name"));
                params.arguments = arguments.get("arguments").and_then(Value::as_object).cloned();
                ClientRequest::GetPromptRequest(GetPromptRequest::new(params))
            }
        }
    }
}

/// One such tool of one server.
pub(crate) struct UtilityTool {
    kind: Utility,
    info: ToolInfo,
    server: Arc<Server>,
    verdict: Verdict,
}

impl UtilityTool {
    pub(crate) fn new(server: Arc<Server>, kind: Utility, named: Named, verdict: Verdict) -> Self {
        let definition = kind.definition(&server.config().name);
        let mut info = McpTool::new(Arc::clone(&server), &definition, named, verdict).info().clone();
        // The protocol says that these only read. Whether this server keeps to it is as uncertain as its hints.
        if server.config().trust_annotations {
            info.effect = Effect::ReadOnly;
            info.idempotent = true;
        }
        UtilityTool { kind, info, server, verdict }
    }
}

impl AnyTool for UtilityTool {
    fn info(&self) -> &ToolInfo {
        &self.info
    }

    fn check(&self) -> BoxFuture<'_, Result<(), String>> {
        Box::pin(std::future::ready(quarantine(self.verdict, &self.server)))
    }

    fn is_kept_back(&self) -> bool {
        !self.verdict.is_accepted()
    }

    fn prepare(self: Arc<Self>, arguments: &Value) -> Result<Box<dyn Prepared>, ToolError> {
        self.verdict.permits(&self.info.name, &self.server.config().name)?;
        match arguments {
            Value::Object(arguments) => Ok(Box::new(Call { tool: self, arguments: arguments.clone() })),
            _ => Err(ToolError::invalid("the arguments must be an object")),
        }
    }
}

struct Call {
    tool: Arc<UtilityTool>,
    arguments: Map<String, Value>,
}

impl Prepared for Call {
    fn access(&self) -> Vec<Access> {
        let server = &self.tool.server.config().name;
        vec![Access::name(Permission::named(format!("mcp:{server}")), self.tool.kind.name())]
    }

    fn run(self: Box<Self>, cx: CallContext) -> BoxFuture<'static, Result<Value, ToolError>> {
        Box::pin(async move {
            let Call { tool, arguments } = *self;
            let request = tool.kind.request(&arguments);
            let caller = tool.server.caller(&cx);
            if matches!(tool.kind, Utility::ListPrompts | Utility::GetPrompt) {
                tool.server.look_at_lists(&caller).await?;
            }
            let prompt = arguments.get("name").and_then(Value::as_str);
            let prompt = prompt.filter(|_| tool.kind == Utility::GetPrompt);
            let allowed = || {
                tool.server.is_the_same(&tool.info.name)?;
                prompt.map_or(Ok(()), |name| tool.server.is_agreed_prompt(name))
            };
            match tool.server.ask(request, allowed, tool.info.idempotent, &caller).await? {
                ServerResult::ReadResourceResult(read) => Ok(convert::resources(read.contents, &cx).await),
                ServerResult::ListResourcesResult(listed) => shown(&listed),
                ServerResult::ListPromptsResult(listed) => {
                    let listed = hermes_core::tool_result(&listed)?;
                    Ok(convert::shown(tool.server.agreed_prompts(listed)))
                }
                ServerResult::GetPromptResult(prompt) => shown(&prompt),
                _ => Err(ToolError::internal("the server answered something else than was asked")),
            }
        })
    }
}

/// The answer as it is, with nothing hidden in its texts.
fn shown(answer: &impl serde::Serialize) -> Result<Value, ToolError> {
    hermes_core::tool_result(answer).map(convert::shown)
}
