//! The streamable HTTP transport of the SDK over the house's door.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use hermes_core::ToolError;
use hermes_host::http::{HeaderName, HeaderValue, StatusCode};
use rmcp::model::ClientJsonRpcMessage;
use rmcp::transport::common::client_side_sse::ExponentialBackoff;
use rmcp::transport::streamable_http_client::{
    StreamableHttpClient, StreamableHttpClientTransportConfig, StreamableHttpPostResponse,
};

use super::answer::{self, Failure};
use super::client::{Extra, GuardedClient, is_call, request_id};
use super::events::{self, Events};
use super::first::Standing;
use crate::client::fault::Fault;
use crate::lines::MAX_FRAME;

/// How often a broken stream is asked for again before it is given up.
const RECONNECTS: usize = 5;
const LONGEST_WAIT: Duration = Duration::from_secs(10);

pub(crate) fn transport_config(url: &str, parallel: usize) -> StreamableHttpClientTransportConfig {
    let mut config = StreamableHttpClientTransportConfig::with_uri(url.to_owned());
    let mut retry = ExponentialBackoff::default();
    retry.max_times = Some(RECONNECTS);
    retry.max_delay = Some(LONGEST_WAIT);
    config.retry_config = Arc::new(retry);
    config.max_concurrent_requests = parallel.max(1) + 2;
    config.max_sse_event_size = MAX_FRAME;
    // A new session is a new acquaintance: the link is made anew, and the tools are looked at again.
    config.reinit_on_expired_session = false;
    config
}

impl StreamableHttpClient for GuardedClient {
    type Error = ToolError;

    async fn post_message(
        &self,
        uri: Arc<str>,
        message: ClientJsonRpcMessage,
        session_id: Option<Arc<str>>,
        token: Option<String>,
        headers: HashMap<HeaderName, HeaderValue>,
    ) -> Result<StreamableHttpPostResponse, Failure> {
        self.post_message_with_max_sse_event_size(uri, message, session_id, token, headers, MAX_FRAME).await
    }

    async fn post_message_with_max_sse_event_size(
        &self,
        uri: Arc<str>,
        message: ClientJsonRpcMessage,
        session_id: Option<Arc<str>>,
        token: Option<String>,
        headers: HashMap<HeaderName, HeaderValue>,
        max_event: usize,
    ) -> Result<StreamableHttpPostResponse, Failure> {
        let session = session_id.as_deref();
        let extra = Extra { token, session, headers, last_event: None };
        let again = extra.clone();
        let (id, is_call) = (request_id(&message), is_call(&message));
        if is_call && session.is_some() {
            self.own_stream.settled().await;
        }
        if is_call && (session.is_some() || extra.token.is_some()) {
            let first = again.clone();
            self.held(id.clone(), self.standing_before_call(|| self.standing(&uri, first)).await)?;
        }
        let at_work = is_call.then(|| self.heard.at_work());
        let answer = self.post(&uri, &message, extra).await.map_err(Failure::Client)?;
        let status = answer.status;
        let read = answer::read(answer, &message, session.is_some(), max_event, &self.sent).await;
        drop(at_work);
        if is_call && read.is_ok() {
            self.heard.answered();
        }
        match read {
            Err(Failure::SessionExpired) if is_call => {
                // It turns everything in the session away, or the one call.
                let known = match self.standing(&uri, again).await {
                    Standing::NoSession | Standing::NotFound => return Err(Failure::SessionExpired),
                    Standing::Good => ", but it does",
                    Standing::Unknown | Standing::Silent | Standing::NoLogin(_) => "",
                };
                let status = status.as_u16();
                let said = format!("it answered HTTP {status} as if it knew no such session{known}");
                self.sent.failed(id, Fault::Unanswered(said.clone()));
                Err(Failure::UnexpectedServerResponse(said.into()))
            }
            // With new tokens the SDK would ask again.
            Err(Failure::AuthRequired(challenge)) if is_call => {
                Err(Failure::UnexpectedServerResponse(challenge.to_string().into()))
            }
            read => read,
        }
    }

    async fn delete_session(
        &self,
        uri: Arc<str>,
        session_id: Arc<str>,
        token: Option<String>,
        headers: HashMap<HeaderName, HeaderValue>,
    ) -> Result<(), Failure> {
        let extra = Extra { token, session: Some(&session_id), headers, last_event: None };
        // A server that does not want to hear of it forgets the session by itself.
        self.delete(&uri, extra).await.map(drop).map_err(Failure::Client)
    }

    async fn get_stream(
        &self,
        uri: Arc<str>,
        session_id: Option<Arc<str>>,
        last_event_id: Option<String>,
        token: Option<String>,
        headers: HashMap<HeaderName, HeaderValue>,
    ) -> Result<Events, Failure> {
        self.get_stream_with_max_sse_event_size(uri, session_id, last_event_id, token, headers, MAX_FRAME)
            .await
    }

    async fn get_stream_with_max_sse_event_size(
        &self,
        uri: Arc<str>,
        session_id: Option<Arc<str>>,
        last_event_id: Option<String>,
        token: Option<String>,
        headers: HashMap<HeaderName, HeaderValue>,
        max_event: usize,
    ) -> Result<Events, Failure> {
        let (session, last_event) = (session_id.as_deref(), last_event_id.as_deref());
        let answer = self.get(&uri, Extra { token, session, last_event, headers }).await;
        self.own_stream.is_settled();
        let answer = answer.map_err(Failure::Client)?;
        match answer.status {
            StatusCode::METHOD_NOT_ALLOWED => return Err(Failure::ServerDoesNotSupportSse),
            status if status.is_success() => {}
            status => {
                let refusal = answer::refusal(&answer, session.is_some()).map(|(failure, _)| failure);
                let other = || Failure::UnexpectedServerResponse(format!("HTTP {status}").into());
                return Err(refusal.unwrap_or_else(other));
            }
        }
        Ok(events::events(answer.body, max_event, None))
    }
}
