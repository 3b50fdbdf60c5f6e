//! The transport of servers from before streamable HTTP (protocol 2024-11-05, "HTTP with SSE"): one stream of events
//! from the server, whose first event names the place to post to.

use std::sync::Arc;

use futures_util::StreamExt;
use hermes_core::{ErrorCode, ToolError};
use hermes_host::http::{Response, StatusCode};
use rmcp::RoleClient;
use rmcp::model::{ErrorData, JsonRpcMessage};
use rmcp::service::{RxJsonRpcMessage, TxJsonRpcMessage};
use rmcp::transport::Transport;
use rmcp::transport::auth::{AuthError, AuthorizationManager};
use url::Url;

use super::answer::refusal;
use super::client::{Extra, GuardedClient, is_call, request_id};
use super::events::{Events, events};
use super::first::{self, Standing};
use crate::client::fault::Fault;
use crate::client::log::Log;
use crate::client::words::of_login;
use crate::lines::{MAX_FRAME, answered_by, mended, with_all_digits};

/// Events before the first message that say where to post.
const MAX_PRELUDE: usize = 16;
/// Events in a row that are no messages before the server is given up.
const MAX_GARBAGE: usize = 1_000;

/// One stream from the server and one place to post to.
pub(crate) struct LegacyTransport {
    client: GuardedClient,
    /// Who keeps the tokens, where there was a login.
    keeper: Keeper,
    post_to: String,
    events: Option<Events>,
    log: Log,
}

/// Nobody keeps tokens for a server without a login.
pub(crate) type Keeper = Option<Arc<AuthorizationManager>>;

/// What shows who asks. A token that runs out is renewed before it is shown.
async fn shown(keeper: &Keeper, client: &GuardedClient) -> Result<Extra<'static>, ToolError> {
    let Some(keeper) = keeper else { return Ok(Extra::default()) };
    let keeper = Arc::clone(keeper);
    match to_its_end(async move { keeper.get_access_token().await }).await {
        Ok(token) => Ok(Extra { token: Some(token), ..Extra::default() }),
        Err(error) => {
            let fault = match error {
                AuthError::AuthorizationRequired => {
                    Fault::NeedsLogin { challenge: String::new(), sent: false }
                }
                other => Fault::NotSent(of_login(&other)),
            };
            client.sent.failed(None, fault.clone());
            Err(ToolError::new(ErrorCode::Auth, fault.into_reason()))
        }
    }
}

/// What a keeper does, also where nobody waits for it any more: between the exchange of a token and the keeping of the new
/// one the old one is spent.
async fn to_its_end<T: Send + 'static>(
    work: impl Future<Output = Result<T, AuthError>> + Send + 'static,
) -> Result<T, AuthError> {
    let ended = tokio::spawn(work).await;
    ended.unwrap_or_else(|error| Err(AuthError::InternalError(error.to_string())))
}

/// Asks, and once more with a new token where the server does not take the old one any more.
async fn asked<F>(
    keeper: &Keeper,
    client: &GuardedClient,
    ask: impl Fn(Extra<'static>) -> F,
) -> Result<Response, ToolError>
where
    F: Future<Output = Result<Response, ToolError>>,
{
    let answer = ask(shown(keeper, client).await?).await?;
    let Some(renewing) = keeper.clone().filter(|_| answer.status == StatusCode::UNAUTHORIZED) else {
        return Ok(answer);
    };
    match to_its_end(async move { renewing.refresh_token().await.map(drop) }).await {
        Ok(()) => ask(shown(keeper, client).await?).await,
        Err(_) => Ok(answer),
    }
}

/// Whether a server takes the token, or another one in its place. The answer itself comes by the stream, where nobody
/// waits for it.
async fn is_welcome(keeper: &Keeper, client: &GuardedClient, post_to: &str) -> Standing {
    let (id, ping) = first::ping();
    let answer = asked(keeper, client, |extra| first::in_time(client.post(post_to, &ping, extra))).await;
    client.sent.settle(&id);
    match answer {
        Ok(answer) => first::wants_login(&answer).unwrap_or(Standing::Good),
        Err(error) if error.code == ErrorCode::Timeout => Standing::Silent,
        Err(_) => Standing::Unknown,
    }
}

impl LegacyTransport {
    pub(crate) async fn open(
        client: GuardedClient,
        keeper: Keeper,
        url: &str,
        log: Log,
    ) -> Result<Self, ToolError> {
        let answer = asked(&keeper, &client, |extra| client.get(url, extra)).await?;
        if let Some((failure, fault)) = refusal(&answer, false) {
            client.sent.failed(None, fault);
            return Err(ToolError::new(ErrorCode::Network, failure.to_string()));
        }
        if !answer.status.is_success() {
            return Err(ToolError::new(ErrorCode::Network, format!("HTTP {}", answer.status)));
        }
        let base = Url::parse(&answer.url).map_err(|error| ToolError::invalid(error.to_string()))?;
        let mut events = events(answer.body, MAX_FRAME, None);
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
            return Ok(LegacyTransport { client, keeper, post_to, events: Some(events), log });
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
        let (client, keeper, post_to) = (self.client.clone(), self.keeper.clone(), self.post_to.clone());
        async move {
            let answer = if is_call(&item) {
                if keeper.is_some() {
                    let ask = || is_welcome(&keeper, &client, &post_to);
                    let standing = client.standing_before_call(ask).await;
                    client
                        .held(request_id(&item), standing)
                        .map_err(|failure| ToolError::new(ErrorCode::Auth, failure.to_string()))?;
                }
                client.post(&post_to, &item, shown(&keeper, &client).await?).await?
            } else {
                asked(&keeper, &client, |extra| client.post(&post_to, &item, extra)).await?
            };
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
            let exact = with_all_digits(data.as_bytes());
            let error = match serde_json::from_slice(&exact) {
                Ok(message) => return Some(message),
                Err(error) => error,
            };
            if let Some(Ok(message)) = mended(&exact).map(|data| serde_json::from_slice(&data)) {
                return Some(message);
            }
            self.log.line(&format!("[not a message: {error}] {data}"));
            // An answer that cannot be understood must not leave its caller waiting.
            if let Some(id) = answered_by(data.as_bytes()) {
                let text = format!("the answer is not what the protocol says: {error}");
                self.client.sent.failed(Some(id.clone()), Fault::Unanswered(text.clone()));
                let error = ErrorData::new(rmcp::model::ErrorCode::PARSE_ERROR, text, None);
                return Some(JsonRpcMessage::error(error, Some(id)));
            }
        }
        None
    }

    async fn close(&mut self) -> Result<(), Self::Error> {
        self.events = None;
        Ok(())
    }
}
