//! One connection to a server, from its handshake to its end.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use rmcp::model::{
    ClientRequest, ErrorData, InputRequiredResult, InputResponses, PaginatedRequestParams, ServerResult,
    SubscriptionFilter,
};
use rmcp::service::{PeerRequestOptions, RequestHandle, RoleClient, RunningService, ServiceError};
use tokio::sync::Notify;
use tokio_util::sync::CancellationToken;

use super::asking::{Asked, Asking};
use super::child::ServerProcess;
use super::connect::is_stateless;
use super::fault::Fault;
use super::handler::Handler;
use super::sent::Sent;
use crate::assistant::Assistant;
use crate::manifest::{Identity, Manifest, ToolDef};

/// Pages of a list that are asked for at most, and tools that are taken at most.
const MAX_PAGES: usize = 100;
const MAX_TOOLS: usize = 10_000;
/// How long telling a server that its answer is no longer wanted may take.
const CANCEL_GRACE: Duration = Duration::from_millis(200);

/// A live connection.
pub struct Link {
    pub(crate) service: RunningService<RoleClient, Handler>,
    pub(crate) sent: Sent,
    pub(crate) process: Mutex<Option<ServerProcess>>,
    pub(crate) asking: Asking,
    pub(crate) tools_changed: Arc<Notify>,
    /// Fires when the transport is gone.
    pub(crate) closed: CancellationToken,
}

impl Link {
    pub(crate) fn is_alive(&self) -> bool {
        !self.closed.is_cancelled() && !self.service.is_transport_closed()
    }

    /// One request and its answer, its deadline or its cancellation. `asked` hears of its progress.
    pub(crate) async fn request(
        &self,
        request: ClientRequest,
        deadline: Duration,
        cancel: &CancellationToken,
        asked: Option<&Asked>,
    ) -> Result<ServerResult, Fault> {
        let peer = self.service.peer();
        let sending = peer.send_request_with_option(request, PeerRequestOptions::no_options());
        let mut handle = sending.await.map_err(|error| Fault::NotSent(error.to_string()))?;
        if let Some(asked) = asked {
            asked.reports_as(handle.progress_token.clone());
        }
        let answer = tokio::select! {
            biased;
            answer = &mut handle.rx => answer,
            () = cancel.cancelled() => {
                let sent = self.abandon(handle, "the caller gave up").await;
                return Err(Fault::Cancelled { sent });
            }
            () = tokio::time::sleep(deadline) => {
                let sent = self.abandon(handle, "no answer in time").await;
                return Err(Fault::TimedOut { sent, seconds: deadline.as_secs() });
            }
        };
        let (sent, known) = self.sent.settle(&handle.id);
        let failed = |error: ServiceError| match (known, error) {
            // The transport knows more of it.
            (Some(fault), _) => fault,
            (None, ServiceError::McpError(error)) => {
                Fault::Refused { code: error.code.0, message: error.message.into_owned() }
            }
            (None, error) if sent => Fault::Lost(error.to_string()),
            (None, error) => Fault::NotSent(error.to_string()),
        };
        answer.unwrap_or(Err(ServiceError::TransportClosed)).map_err(failed)
    }

    /// Answers what the server wants to know before it goes on; the request to send next.
    pub(crate) async fn next_round(
        &self,
        request: ClientRequest,
        wanted: InputRequiredResult,
        behind: &dyn Assistant,
    ) -> Result<ClientRequest, Fault> {
        let mut answers = InputResponses::new();
        for (key, question) in wanted.input_requests.unwrap_or_default() {
            let answer = self.service.service().answer(question, behind).await;
            let refused =
                |error: ErrorData| Fault::Refused { code: error.code.0, message: error.message.into_owned() };
            answers.insert(key, answer.map_err(refused)?);
        }
        let (answers, state) = ((!answers.is_empty()).then_some(answers), wanted.request_state);
        match request {
            ClientRequest::CallToolRequest(mut request) => {
                (request.params.input_responses, request.params.request_state) = (answers, state);
                Ok(ClientRequest::CallToolRequest(request))
            }
            ClientRequest::GetPromptRequest(mut request) => {
                (request.params.input_responses, request.params.request_state) = (answers, state);
                Ok(ClientRequest::GetPromptRequest(request))
            }
            ClientRequest::ReadResourceRequest(mut request) => {
                (request.params.input_responses, request.params.request_state) = (answers, state);
                Ok(ClientRequest::ReadResourceRequest(request))
            }
            _ => Err(Fault::Nonsense("it wants input where there can be none".to_owned())),
        }
    }

    /// Whether the server says when its tools change.
    pub(crate) fn announces_tools(&self) -> bool {
        let info = self.service.peer_info();
        let tools = info.as_ref().and_then(|info| info.capabilities.tools.as_ref());
        tools.and_then(|tools| tools.list_changed) == Some(true)
    }

    /// Follows the server's news about its tools, where they have to be asked for.
    pub(crate) async fn subscribe(&self) {
        let Some(info) = self.service.peer_info() else { return };
        if !self.announces_tools() || !is_stateless(Some(info.protocol_version.as_str())) {
            return;
        }
        let filter = SubscriptionFilter::builder().tools_list_changed().build();
        let Ok(mut news) = self.service.peer().listen(filter).await else { return };
        while let Ok(Some(_)) = news.next().await {
            self.tools_changed.notify_one();
        }
    }

    /// Tells the server to stop. A server that does not listen is not waited for.
    async fn abandon(&self, handle: RequestHandle<RoleClient>, reason: &str) -> bool {
        let (sent, _) = self.sent.settle(&handle.id);
        if sent {
            let _ = tokio::time::timeout(CANCEL_GRACE, handle.cancel(Some(reason.to_owned()))).await;
        }
        sent
    }

    /// Everything the server has on offer now.
    pub(crate) async fn manifest(&self) -> Result<Manifest, String> {
        let info = self.service.peer_info().ok_or("the server did not say who it is")?;
        let capabilities = &info.capabilities;
        let tools = if capabilities.tools.is_some() { self.tools().await? } else { Vec::new() };
        let identity = info.server_info.as_ref();
        Ok(Manifest {
            server: Identity {
                name: identity.map(|server| server.name.clone()).unwrap_or_default(),
                version: identity.map(|server| server.version.clone()).unwrap_or_default(),
            },
            protocol: info.protocol_version.to_string(),
            resources: capabilities.resources.is_some(),
            prompts: capabilities.prompts.is_some(),
            tools,
        })
    }

    async fn tools(&self) -> Result<Vec<ToolDef>, String> {
        let mut tools = Vec::new();
        let mut cursor = None;
        for _ in 0..MAX_PAGES {
            let mut page = PaginatedRequestParams::default();
            page.cursor = cursor;
            let listed = self.service.list_tools(Some(page)).await.map_err(|error| error.to_string())?;
            for tool in listed.tools {
                let value = serde_json::to_value(tool).map_err(|error| error.to_string())?;
                tools.push(serde_json::from_value(value).map_err(|error| error.to_string())?);
                if tools.len() > MAX_TOOLS {
                    return Err(format!("the server lists more than {MAX_TOOLS} tools"));
                }
            }
            cursor = listed.next_cursor;
            if cursor.is_none() {
                return Ok(tools);
            }
        }
        Err(format!("the server's list of tools has more than {MAX_PAGES} pages"))
    }

    /// How the server's process ended, if it has.
    pub(crate) fn process_end(&self) -> Option<String> {
        self.process.lock().unwrap_or_else(PoisonError::into_inner).as_mut()?.ended()
    }

    /// Ends the connection and the process behind it.
    pub(crate) async fn close(&self) {
        self.service.cancellation_token().cancel();
        // The input is closed with the transport, so wait for that first.
        let _ = tokio::time::timeout(CANCEL_GRACE, self.closed.cancelled()).await;
        let process = self.process.lock().unwrap_or_else(PoisonError::into_inner).take();
        if let Some(process) = process {
            process.end().await;
        }
    }
}
