//! A server's tool as the registry stores it.

use std::sync::Arc;
use std::time::Duration;

use futures_util::future::BoxFuture;
use hermes_core::{
    Access, AnyTool, CallContext, DEFAULT_MAX_RESULT_CHARS, DEFAULT_STOP_GRACE, Effect, ErrorCode, Exposure,
    Parallel, Permission, Prepared, ToolError, ToolInfo,
};
use serde_json::{Map, Value};

use crate::client::Server;
use crate::convert;
use crate::manifest::{ToolDef, Verdict};
use crate::names::{self, Named};
use crate::promise::Promise;
use crate::text::{Spelling, capped, capped_texts, visible_texts};

/// Why a tool cannot be called that its server runs in no other way.
const ONLY_AS_TASK: &str =
    "its server runs it only as a task (taskSupport: required), and Hermes makes plain calls";

/// One tool of one server.
pub(crate) struct McpTool {
    info: ToolInfo,
    server: Arc<Server>,
    /// The server's own name for it.
    raw_name: String,
    spelling: Spelling,
    promise: Option<Promise>,
    verdict: Verdict,
    runs_only_as_task: bool,
}

impl McpTool {
    pub(crate) fn new(server: Arc<Server>, definition: &ToolDef, named: Named, verdict: Verdict) -> Self {
        let config = server.config();
        let believed = |hint: &str| config.trust_annotations && definition.hint(hint) == Some(true);
        let read_only = believed("readOnlyHint");
        let overlap = config.parallel > 1 || read_only;
        let info = ToolInfo {
            name: named.name,
            toolset: names::toolset(&config.name),
            description: describe(definition, &config.name),
            parameters: parameters(&definition.input_schema),
            aliases: named.alias.into_iter().collect(),
            chapter_name: None,
            effect: if read_only { Effect::ReadOnly } else { Effect::Mutating },
            exposure: Exposure::Deferrable,
            // One call at a time is this server's affair: nothing else has to wait for it.
            parallel: if overlap { Parallel::Shared } else { Parallel::Queued },
            idempotent: read_only || believed("idempotentHint"),
            // The server's own limits apply inside; this one is for waiting in its queue, too.
            timeout: config.connect_timeout + config.call_timeout * 2 + Duration::from_secs(1),
            stop_grace: DEFAULT_STOP_GRACE,
            max_result_chars: DEFAULT_MAX_RESULT_CHARS,
            emoji: "🔌".to_owned(),
            tags: vec!["mcp".to_owned(), config.name.clone()],
            needs: Vec::new(),
            raw_handles: false,
            secret_arguments: Vec::new(),
        };
        let spelling = Spelling::of(&definition.input_schema);
        let promise = definition.output_schema.as_ref().map(Promise::new);
        let runs_only_as_task = definition.runs_only_as_task();
        let raw_name = definition.name.clone();
        McpTool { info, raw_name, spelling, promise, verdict, server, runs_only_as_task }
    }
}

impl AnyTool for McpTool {
    fn info(&self) -> &ToolInfo {
        &self.info
    }

    fn check(&self) -> BoxFuture<'_, Result<(), String>> {
        let callable = match self.runs_only_as_task {
            true => Err(ONLY_AS_TASK.to_owned()),
            false => quarantine(self.verdict, &self.server),
        };
        Box::pin(std::future::ready(callable))
    }

    fn is_kept_back(&self) -> bool {
        !self.verdict.is_accepted()
    }

    fn prepare(self: Arc<Self>, arguments: &Value) -> Result<Box<dyn Prepared>, ToolError> {
        self.verdict.permits(&self.info.name, &self.server.config().name)?;
        if self.runs_only_as_task {
            let text = format!("'{}' cannot be called: {ONLY_AS_TASK}", self.info.name);
            return Err(ToolError::new(ErrorCode::Unavailable, text));
        }
        match arguments {
            Value::Object(arguments) => Ok(Box::new(Call { tool: self, arguments: arguments.clone() })),
            _ => Err(ToolError::invalid("the arguments must be an object")),
        }
    }
}

struct Call {
    tool: Arc<McpTool>,
    arguments: Map<String, Value>,
}

impl Prepared for Call {
    fn access(&self) -> Vec<Access> {
        let server = &self.tool.server.config().name;
        vec![Access::name(Permission::named(format!("mcp:{server}")), self.tool.raw_name.clone())]
    }

    fn run(self: Box<Self>, cx: CallContext) -> BoxFuture<'static, Result<Value, ToolError>> {
        Box::pin(async move {
            let Call { tool, arguments } = *self;
            let caller = tool.server.caller(&cx);
            let arguments = tool.spelling.restore(arguments);
            let called = tool.server.call_tool(&tool.raw_name, arguments, tool.info.idempotent, &caller);
            let result = called.await?;
            let original = caller.behind.wants_originals().then(|| serde_json::to_value(&result).ok());
            let made = convert::outcome(result, tool.promise.as_ref(), &cx).await;
            if let Some(original) = original.flatten() {
                caller.behind.answered(convert::original(original), &made);
            }
            made
        })
    }
}

/// Why a tool is not offered, if it is kept back.
pub(crate) fn quarantine(verdict: Verdict, server: &Server) -> Result<(), String> {
    match verdict.is_accepted() {
        true => Ok(()),
        false => Err(format!(
            "quarantined: {}; 'hermes mcp trust {}' shows and accepts it",
            verdict.reason(),
            server.config().name
        )),
    }
}

fn describe(definition: &ToolDef, server: &str) -> String {
    let text = definition.description.as_deref().map(str::trim).filter(|text| !text.is_empty());
    let text = text.or(definition.title.as_deref()).map(str::to_owned);
    let text = text.unwrap_or_else(|| format!("Tool '{}' of MCP server '{server}'.", definition.name));
    capped(hermes_core::text::visible(&text))
}

/// The schema of the arguments; a server that gives none takes none.
fn parameters(schema: &Value) -> Value {
    let Value::Object(mut schema) = capped_texts(visible_texts(schema.clone())) else {
        return parameters(&Value::Object(Map::new()));
    };
    schema.entry("type").or_insert_with(|| "object".into());
    schema.entry("properties").or_insert_with(|| Value::Object(Map::new()));
    Value::Object(schema)
}
