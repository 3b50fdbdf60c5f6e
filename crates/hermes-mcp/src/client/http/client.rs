//! Requests of one link through the HTTP door: the operator's own headers on each, and a note of what left this
//! process and what became of it.

use std::collections::HashMap;
use std::time::Duration;

use hermes_core::egress::Reach;
use hermes_core::{ErrorCode, ToolError};
use hermes_host::Http;
use hermes_host::http::header::{ACCEPT, AUTHORIZATION, CONTENT_TYPE};
use hermes_host::http::{HeaderMap, HeaderName, HeaderValue, Limits, Method, Redirects, Request, Response};
use rmcp::model::{ClientJsonRpcMessage, ClientRequest, JsonRpcMessage, RequestId};
use tokio_util::sync::CancellationToken;

use super::first::{Heard, Pings};
use super::own_stream::OwnStream;
use super::places::Places;
use crate::client::fault::Fault;
use crate::client::sent::Sent;
use crate::lines::MAX_FRAME;

pub(super) const EVENT_STREAM: &str = "text/event-stream";
pub(super) const JSON: &str = "application/json";
/// How long a stream that nothing need ever come from is kept.
const FOREVER: Duration = Duration::from_secs(24 * 60 * 60);

/// The HTTP side of one link. Clones share its notes.
#[derive(Clone)]
pub(crate) struct GuardedClient {
    http: Http,
    /// What the operator configured for every request. The door never takes them to another origin.
    headers: HeaderMap,
    pub(super) sent: Sent,
    places: Places,
    /// When it last took something of ours.
    pub(super) heard: Heard,
    pub(super) pings: Pings,
    pub(super) own_stream: OwnStream,
    /// How long an answer may take to begin.
    patience: Duration,
    closed: CancellationToken,
}

/// What is to be sent, beside the body.
#[derive(Clone, Default)]
pub(super) struct Extra<'a> {
    pub(super) token: Option<String>,
    pub(super) session: Option<&'a str>,
    pub(super) last_event: Option<&'a str>,
    pub(super) headers: HashMap<HeaderName, HeaderValue>,
}

impl GuardedClient {
    pub(crate) fn new(
        http: Http,
        headers: HeaderMap,
        sent: Sent,
        pings: Pings,
        patience: Duration,
        closed: CancellationToken,
    ) -> Self {
        GuardedClient {
            http,
            headers,
            sent,
            places: Places::default(),
            heard: Heard::default(),
            pings,
            own_stream: OwnStream::not_needed(),
            patience,
            closed,
        }
    }

    /// A client of a server that may ask something: calls wait until it can.
    pub(crate) fn that_may_be_asked(self) -> Self {
        GuardedClient { own_stream: OwnStream::needed(), ..self }
    }

    /// Posts one message. What goes wrong is noted for the request that it was.
    pub(super) async fn post(
        &self,
        url: &str,
        message: &ClientJsonRpcMessage,
        extra: Extra<'_>,
    ) -> Result<Response, ToolError> {
        let is_call = is_call(message);
        // What a redirect leads to is asked again there, and a call must not be: it goes where others were led to.
        let place = if is_call { self.places.of(url) } else { url.to_owned() };
        let mut request = self.request(Method::POST, &place, extra)?;
        if is_call {
            request.redirects = Redirects::Return;
        }
        request.body =
            Some(serde_json::to_vec(message).map_err(|error| ToolError::internal(error.to_string()))?);
        request.headers.insert(CONTENT_TYPE, HeaderValue::from_static(JSON));
        request.limits.idle = self.patience;
        let id = request_id(message);
        if id.clone().is_some_and(|id| !self.sent.begin(id)) {
            return Err(given_up());
        }
        let answer = self.http.send_for_operator(request, self.closed.clone()).await;
        answer.inspect_err(|error| self.sent.failed(id, fault(error))).inspect(|answer| {
            if answer.status.is_success() {
                self.heard.now();
                if !is_call {
                    self.places.learn(url, &answer.url);
                }
            }
        })
    }

    /// Opens a stream of events.
    pub(super) async fn get(&self, url: &str, extra: Extra<'_>) -> Result<Response, ToolError> {
        let mut request = self.request(Method::GET, url, extra)?;
        request.limits.idle = FOREVER;
        self.http.send_for_operator(request, self.closed.clone()).await
    }

    /// Tells the server that a session is over.
    pub(super) async fn delete(&self, url: &str, extra: Extra<'_>) -> Result<Response, ToolError> {
        let request = self.request(Method::DELETE, url, extra)?;
        // The link may be closed already: that is why the session ends.
        self.http.send_for_operator(request, CancellationToken::new()).await
    }

    fn request(&self, method: Method, url: &str, extra: Extra<'_>) -> Result<Request, ToolError> {
        let mut headers = self.headers.clone();
        headers.extend(extra.headers.into_iter().map(|(name, value)| (Some(name), value)));
        let accepted: &[&str] = if method == Method::GET { &[EVENT_STREAM] } else { &[JSON, EVENT_STREAM] };
        headers.insert(ACCEPT, header(&accepted.join(", "))?);
        if let Some(token) = extra.token {
            let mut value = header(&format!("Bearer {token}"))?;
            value.set_sensitive(true);
            headers.insert(AUTHORIZATION, value);
        }
        for (name, value) in [("mcp-session-id", extra.session), ("last-event-id", extra.last_event)] {
            if let Some(value) = value {
                headers.insert(HeaderName::from_static(name), header(value)?);
            }
        }
        let limits = Limits { total: None, idle: Duration::from_secs(5), max_body: MAX_FRAME as u64 };
        Ok(Request {
            headers,
            limits,
            // The operator named this origin; where it points elsewhere, nobody goes.
            reach: Reach::Local,
            redirects: Redirects::Within,
            ..Request::new(method, url)
        })
    }
}

/// What is said of a request that was given up before it left.
pub(super) fn given_up() -> ToolError {
    ToolError::new(ErrorCode::Cancelled, "it was given up before it left")
}

/// Whether a message is a call, which must not be made twice. Nobody takes a server's word for it that what it has beside
/// tools is only read.
pub(super) fn is_call(message: &ClientJsonRpcMessage) -> bool {
    let JsonRpcMessage::Request(request) = message else { return false };
    matches!(
        request.request,
        ClientRequest::CallToolRequest(_)
            | ClientRequest::ReadResourceRequest(_)
            | ClientRequest::GetPromptRequest(_)
    )
}

/// The request in a message, if it is one.
pub(super) fn request_id(message: &ClientJsonRpcMessage) -> Option<RequestId> {
    match message {
        JsonRpcMessage::Request(request) => Some(request.id.clone()),
        _ => None,
    }
}

fn header(text: &str) -> Result<HeaderValue, ToolError> {
    HeaderValue::from_str(text).map_err(|_| ToolError::invalid("a header has characters no header may hold"))
}

/// What an exchange that broke off says of the request. A redirect that leads to nothing is found out after the request
/// was sent, but none is followed with a call, and all else may be asked twice.
fn fault(error: &ToolError) -> Fault {
    match error.code {
        ErrorCode::OutcomeUnknown => Fault::Unanswered(error.message.clone()),
        _ => Fault::NotSent(error.message.clone()),
    }
}
