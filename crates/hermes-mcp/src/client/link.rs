//! One connection to a server, from its handshake to its end.

use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use rmcp::model::{CallToolRequest, ClientRequest, ErrorData, InputRequiredResult, RequestId, ServerResult};
use rmcp::service::{PeerRequestOptions, RequestHandle, RoleClient, RunningService, ServiceError};
use tokio::sync::Notify;
use tokio_util::sync::CancellationToken;

use super::asking::{Asked, Asking};
use super::calls::Direct;
use super::child::ServerProcess;
use super::fault::Fault;
use super::handler::Handler;
use super::sent::Sent;
use super::words::of_service;
use crate::assistant::Assistant;
use crate::log_line::LogLevel;
use crate::secrets::Cover;

/// How long telling a server that its answer is no longer wanted may take.
const CANCEL_GRACE: Duration = Duration::from_millis(200);
/// What a server is told about an answer that is no longer wanted.
const UNWANTED: &str = "the caller gave up";
const TOO_LATE: &str = "no answer in time";

/// A live connection.
pub struct Link {
    pub(crate) service: RunningService<RoleClient, Handler>,
    pub(crate) sent: Sent,
    pub(crate) process: Mutex<Option<ServerProcess>>,
    /// How calls go past the SDK, where they can.
    pub(super) direct: Option<Direct>,
    pub(crate) asking: Asking,
    pub(crate) lists_changed: Arc<Notify>,
    /// Whether all lists were looked at since it was made.
    pub(super) looked_at: AtomicBool,
    /// Fires when the transport is gone.
    pub(crate) closed: CancellationToken,
    /// How much of its log the server was asked for, where it remembers that.
    pub(super) log_level: Mutex<Option<LogLevel>>,
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
        let cover = self.cover();
        let answer = self.request_plain(request, deadline, cancel, asked).await;
        answer.map(|answer| cover.answer(answer)).map_err(|fault| fault.covered(cover))
    }

    /// Hides what the server was given to say who asks.
    pub(super) fn cover(&self) -> &Cover {
        &self.service.service().log.cover
    }

    async fn request_plain(
        &self,
        request: ClientRequest,
        deadline: Duration,
        cancel: &CancellationToken,
        asked: Option<&Asked>,
    ) -> Result<ServerResult, Fault> {
        let peer = self.service.peer();
        let mut options = PeerRequestOptions::no_options();
        options.meta = asked.and_then(Asked::log_level).and_then(|level| self.log_wish(level));
        let request = match (request, &self.direct) {
            (ClientRequest::CallToolRequest(call), Some(direct)) if options.meta.is_none() => {
                return self.call_directly(direct, call, deadline, cancel, asked).await;
            }
            (request, _) => request,
        };
        let sending = peer.send_request_with_option(request, options);
        let mut handle = sending.await.map_err(|error| Fault::NotSent(of_service(&error)))?;
        if let Some(asked) = asked {
            asked.reports_as(handle.progress_token.clone());
        }
        let answer = tokio::select! {
            biased;
            answer = &mut handle.rx => answer,
            () = cancel.cancelled() => {
                let sent = self.abandon(handle, UNWANTED).await;
                return Err(Fault::Cancelled { sent });
            }
            () = tokio::time::sleep(deadline) => {
                let sent = self.abandon(handle, TOO_LATE).await;
                return Err(Fault::TimedOut { sent, seconds: deadline.as_secs() });
            }
        };
        let answer = answer.unwrap_or(Err(ServiceError::TransportClosed));
        let answer = answer.map_err(|error| self.fault(&handle.id, error));
        self.sent.settle(&handle.id);
        answer
    }

    /// The same past the SDK.
    async fn call_directly(
        &self,
        direct: &Direct,
        call: CallToolRequest,
        deadline: Duration,
        cancel: &CancellationToken,
        asked: Option<&Asked>,
    ) -> Result<ServerResult, Fault> {
        let known = |token| {
            if let Some(asked) = asked {
                asked.reports_as(token);
            }
        };
        let gone = |_| Fault::NotSent(of_service(&ServiceError::TransportClosed));
        let mut called = direct.call(call, known).map_err(gone)?;
        let given_up = tokio::select! {
            biased;
            answer = &mut called.answer => {
                let answer = answer.map_or(Err(ServiceError::TransportClosed), |answer| {
                    answer.map_err(ServiceError::McpError)
                });
                let settled = answer.map_err(|error| self.fault(&called.id, error));
                self.sent.settle(&called.id);
                return settled;
            }
            Err(_) = &mut called.leaving => {
                return Err(self.fault(&called.id, ServiceError::TransportClosed));
            }
            () = cancel.cancelled() => None,
            () = tokio::time::sleep(deadline) => Some(deadline.as_secs()),
        };
        let sent = called.give_up();
        if sent {
            let reason = if given_up.is_some() { TOO_LATE } else { UNWANTED };
            let _ = tokio::time::timeout(CANCEL_GRACE, direct.cancel(called.id.clone(), reason)).await;
        }
        Err(match given_up {
            Some(seconds) => Fault::TimedOut { sent, seconds },
            None => Fault::Cancelled { sent },
        })
    }

    /// What the failure of a request means, which is settled by it.
    fn fault(&self, id: &RequestId, error: ServiceError) -> Fault {
        // An answer that came another way is the answer.
        let broken = self.sent.broken(id).filter(|_| matches!(error, ServiceError::TransportClosed));
        let (sent, known) = match &error {
            // What waits in front of a closed link may leave yet.
            ServiceError::TransportClosed => self.sent.withdraw(id),
            _ => self.sent.settle(id),
        };
        match (known.or(broken), error) {
            // The transport knows more of it.
            (Some(fault), _) => fault,
            (None, ServiceError::McpError(error)) => {
                Fault::Refused { code: error.code.0, message: error.message.into_owned() }
            }
            (None, error) if sent => Fault::Lost(of_service(&error)),
            (None, error) => Fault::NotSent(of_service(&error)),
        }
    }

    /// Answers what the server wants to know before it goes on; the request to send next.
    pub(crate) async fn next_round(
        &self,
        request: ClientRequest,
        wanted: InputRequiredResult,
        behind: &dyn Assistant,
    ) -> Result<ClientRequest, Fault> {
        let refused =
            |error: ErrorData| Fault::Refused { code: error.code.0, message: error.message.into_owned() };
        let asked = wanted.input_requests.unwrap_or_default();
        let answers = self.service.service().answer_all(asked, behind).await.map_err(refused)?;
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

    /// Tells the server to stop, where it may have heard of it. A server that does not listen is not waited for.
    async fn abandon(&self, handle: RequestHandle<RoleClient>, reason: &str) -> bool {
        let (sent, _) = self.sent.withdraw(&handle.id);
        if sent {
            let _ = tokio::time::timeout(CANCEL_GRACE, handle.cancel(Some(reason.to_owned()))).await;
        }
        sent
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
