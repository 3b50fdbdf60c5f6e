//! The transport of servers from before streamable HTTP (protocol 2024-11-05, "HTTP with SSE"): one stream of events
//! from the server, whose first event names the place to post to.

use futures_util::StreamExt;
use hermes_core::{ErrorCode, ToolError};
use rmcp::RoleClient;
use rmcp::service::{RxJsonRpcMessage, TxJsonRpcMessage};
use rmcp::transport::Transport;
use url::Url;

use super::answer::refusal;
use super::client::{Extra, GuardedClient, request_id};
use super::events::{Events, events};
use crate::client::fault::Fault;
use crate::client::log::Log;
use crate::lines::MAX_FRAME;

/// Events before the first message that say where to post.
const MAX_PRELUDE: usize = 16;
/// Events in a row that are no messages before the server is given up.
const MAX_GARBAGE: usize = 1_000;

/// One stream from the server and one place to post to.
pub(crate) struct LegacyTransport {
    client: GuardedClient,
    post_to: String,
    events: Option<Events>,
    log: Log,
}

impl LegacyTransport {
    pub(crate) async fn open(client: GuardedClient, url: &str, log: Log) -> Result<Self, ToolError> {
        let answer = client.get(url, Extra::default()).await?;
        if let Some((failure, fault)) = refusal(&answer, false) {
            client.sent.failed(None, fault);
            return Err(ToolError::new(ErrorCode::Network, failure.to_string()));
        }
        if !answer.status.is_success() {
            return Err(ToolError::new(ErrorCode::Network, format!("HTTP {}", answer.status)));
        }
        let base = Url::parse(&answer.url).map_err(|error| ToolError::invalid(error.to_string()))?;
        let mut events = events(answer.body, MAX_FRAME);
        for _ in 0..MAX_PRELUDE {
            let Some(Ok(event)) = events.next().await else { break };
            let Some(place) = event.data.filter(|_| event.event.as_deref() == Some("endpoint")) else {
                continue;
            };
            let post_to = base.join(place.trim()).map_err(|error| ToolError::invalid(error.to_string()))?;
            if post_to.origin() != base.origin() {
                return Err(ToolError::denied("it wants its messages posted to another origin"));
            }
            let post_to = post_to.to_string();
            return Ok(LegacyTransport { client, post_to, events: Some(events), log });
        }
        Err(ToolError::new(ErrorCode::Network, "it did not say where to post to"))
    }
}

impl Transport<RoleClient> for LegacyTransport {
    type Error = ToolError;

    fn send(
        &mut self,
        item: TxJsonRpcMessage<RoleClient>,
    ) -> impl Future<Output = Result<(), Self::Error>> + Send + 'static {
        let (client, post_to) = (self.client.clone(), self.post_to.clone());
        async move {
            let answer = client.post(&post_to, &item, Extra::default()).await?;
            if answer.status.is_success() {
                return Ok(());
            }
            let said = format!("HTTP {}", answer.status);
            let fault = match refusal(&answer, false) {
                Some((_, fault)) => fault,
                None => Fault::Status { status: answer.status.as_u16(), said: said.clone() },
            };
            client.sent.failed(request_id(&item), fault);
            Err(ToolError::new(ErrorCode::Network, said))
        }
    }

    async fn receive(&mut self) -> Option<RxJsonRpcMessage<RoleClient>> {
        for _ in 0..MAX_GARBAGE {
            let event = self.events.as_mut()?.next().await?.ok()?;
            let Some(data) = event.data.filter(|data| !data.trim().is_empty()) else { continue };
            match serde_json::from_str(&data) {
                Ok(message) => return Some(message),
                Err(error) => self.log.line(&format!("[not a message: {error}] {data}")),
            }
        }
        None
    }

    async fn close(&mut self) -> Result<(), Self::Error> {
        self.events = None;
        Ok(())
    }
}
