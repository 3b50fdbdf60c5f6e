//! A server that somebody else started, confined and ends: only the conversation with it happens here.

use std::path::PathBuf;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use hermes_core::{CallContext, ToolError};
use hermes_host::Clock;
use rmcp::model::{CallToolRequest, CallToolRequestParams, ClientRequest, ServerResult};
use rmcp::service::{ClientLifecycleMode, ClientServiceExt};
use serde_json::{Map, Value};
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::sync::Notify;
use tokio_util::sync::CancellationToken;

use super::connect::reason;
use super::fault::Fault;
use super::handler::Handler;
use super::link::Link;
use super::log::Log;
use super::stdio::{Sent, StdioTransport};
use crate::convert;
use crate::manifest::ToolDef;

/// A conversation that stands.
pub struct Guest {
    name: String,
    link: Link,
}

/// One call of a guest's tool.
pub struct GuestCall<'a> {
    pub tool: &'a str,
    pub arguments: Map<String, Value>,
    /// Running it twice is as good as once.
    pub harmless: bool,
    pub deadline: Duration,
}

impl Guest {
    /// Shakes hands over the program's streams. What is no message goes to the file `log`.
    pub async fn meet(
        name: &str,
        output: impl AsyncRead + Unpin + Send + 'static,
        input: impl AsyncWrite + Unpin + Send + 'static,
        log: PathBuf,
        clock: Clock,
    ) -> Result<Guest, String> {
        let log = Log::at(log, clock);
        let (sent, closed) = (Sent::default(), CancellationToken::new());
        let tools_changed = Arc::new(Notify::new());
        let transport =
            StdioTransport::new(output, input, sent.clone(), log.clone(), closed.clone().drop_guard());
        let handler = Handler { log, tools_changed: Arc::clone(&tools_changed) };
        let service = handler.serve_with_lifecycle(transport, ClientLifecycleMode::Initialize).await;
        let service = service.map_err(|error| reason(&error))?;
        let link = Link { service, sent, process: Mutex::new(None), tools_changed, closed };
        Ok(Guest { name: name.to_owned(), link })
    }

    /// Its tools as it defines them now.
    pub async fn tools(&self) -> Result<Vec<ToolDef>, String> {
        Ok(self.link.manifest().await?.tools)
    }

    /// Calls a tool, once. The guest is told when its answer is not wanted any more.
    pub async fn call(&self, call: GuestCall<'_>, cx: &CallContext) -> Result<Value, ToolError> {
        let params = CallToolRequestParams::new(call.tool.to_owned()).with_arguments(call.arguments);
        let request = ClientRequest::CallToolRequest(CallToolRequest::new(params));
        let failed = |fault: Fault| fault.into_error(&self.name, call.harmless);
        match self.link.request(request, call.deadline, cx.cancel()).await.map_err(failed)? {
            ServerResult::CallToolResult(result) => convert::outcome(result, cx).await,
            _ => Err(failed(Fault::Nonsense("not the result of a call".to_owned()))),
        }
    }

    pub fn is_alive(&self) -> bool {
        self.link.is_alive()
    }

    /// Ends the conversation and closes the program's input, which ends most servers.
    pub async fn leave(&self) {
        self.link.close().await;
    }
}
