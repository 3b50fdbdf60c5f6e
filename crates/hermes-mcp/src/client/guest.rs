//! A server that somebody else started, confined and ends: only the conversation with it happens here.

use std::path::PathBuf;
use std::time::Duration;

use hermes_core::{CallContext, ToolError};
use hermes_host::Clock;
use rmcp::model::{CallToolRequest, CallToolRequestParams, ClientRequest, ServerResult};
use rmcp::service::ClientLifecycleMode;
use serde_json::{Map, Value};
use tokio::io::{AsyncRead, AsyncWrite};

use super::beginnings::Beginnings;
use super::fault::Fault;
use super::link::Link;
use super::log::Log;
use super::stdio::StdioTransport;
use super::words::of_handshake;
use crate::assistant::Desk;
use crate::config::Allowed;
use crate::convert;
use crate::manifest::{Listed, ToolDef};
use crate::secrets::Cover;

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
        let log = Log::at(log, clock, Cover::default());
        // Nobody lets it ask anything.
        let begun = Beginnings::new(name, &log, Allowed::default(), PathBuf::new(), Desk::default());
        let transport = StdioTransport::new(output, input, begun.sent.clone(), log);
        let met = begun.shake_hands(transport, ClientLifecycleMode::Initialize).await;
        let link = met.map_err(|error| of_handshake(&error))?;
        Ok(Guest { name: name.to_owned(), link })
    }

    /// Its tools as it defines them now.
    pub async fn tools(&self) -> Result<Vec<ToolDef>, String> {
        Ok(self.link.manifest(Some(Listed::default())).await?.tools)
    }

    /// Calls a tool, once. The guest is told when its answer is not wanted any more.
    pub async fn call(&self, call: GuestCall<'_>, cx: &CallContext) -> Result<Value, ToolError> {
        let params = CallToolRequestParams::new(call.tool.to_owned()).with_arguments(call.arguments);
        let request = ClientRequest::CallToolRequest(CallToolRequest::new(params));
        let failed = |fault: Fault| fault.into_error(&self.name, call.harmless);
        match self.link.request(request, call.deadline, cx.cancel(), None).await.map_err(failed)? {
            ServerResult::CallToolResult(result) => convert::outcome(result, None, cx).await,
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
