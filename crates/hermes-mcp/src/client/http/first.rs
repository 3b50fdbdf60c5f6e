//! A call must not be made twice, and what a server answers to it proves nothing: a tool that ran may be answered for by
//! the same status as one that did not. So it is found out before the call leaves whether the session and the login it
//! would be made with are still there. What is gone by then is made anew, and the call leaves once.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use hermes_host::http::header::WWW_AUTHENTICATE;
use hermes_host::http::{Response, StatusCode};
use rmcp::model::{ClientJsonRpcMessage, ClientRequest, JsonRpcMessage, PingRequest, RequestId};
use rmcp::transport::streamable_http_client::AuthRequiredError;
use tokio::time::{Instant, timeout};

use super::answer::{Failure, header};
use super::client::{Extra, GuardedClient};
use crate::client::fault::Fault;

/// A server that was heard of this recently is not asked whether it is still there: calls that follow each other without
/// anybody thinking in between pay nothing.
const RECENT: Duration = Duration::from_millis(10);
/// How long the answer may take. A server that works on something else may do one thing at a time.
const LIMIT: Duration = Duration::from_secs(2);

/// When a server last took something in a session or under a login. Clones share it.
#[derive(Clone, Default)]
pub(super) struct Heard(Arc<Inner>);

#[derive(Default)]
struct Inner {
    last: Mutex<Option<Instant>>,
    /// It did not answer when it was asked, so it is not asked again.
    silent: AtomicBool,
    /// Of several calls at once one asks.
    turn: tokio::sync::Mutex<()>,
}

impl Heard {
    /// It took something.
    pub(super) fn now(&self) {
        *self.last() = Some(Instant::now());
    }

    fn is_recent(&self) -> bool {
        self.last().is_some_and(|last| last.elapsed() < RECENT)
    }

    fn last(&self) -> std::sync::MutexGuard<'_, Option<Instant>> {
        self.0.last.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// What a server says to a harmless question.
pub(super) enum Standing {
    /// It takes what is sent, or nobody knows.
    Good,
    /// It knows no such session.
    NoSession,
    /// It wants to know who asks.
    NoLogin(String),
}

impl GuardedClient {
    /// What keeps a call from leaving: the session or the login it would be made with is gone. `ask` posts a question.
    pub(super) async fn standing_before_call<F>(&self, ask: impl FnOnce() -> F) -> Standing
    where
        F: Future<Output = Standing>,
    {
        let heard = &self.heard;
        if heard.is_recent() || heard.0.silent.load(Ordering::Relaxed) {
            return Standing::Good;
        }
        let _turn = heard.0.turn.lock().await;
        if heard.is_recent() {
            return Standing::Good;
        }
        let standing = timeout(LIMIT, ask()).await.unwrap_or_else(|_| {
            heard.0.silent.store(true, Ordering::Relaxed);
            Standing::Good
        });
        if matches!(standing, Standing::Good) {
            heard.now();
        }
        standing
    }

    /// How a server takes a question that changes nothing.
    pub(super) async fn standing(&self, url: &str, mut extra: Extra<'_>) -> Standing {
        // The others say what the call is.
        extra.headers.retain(|name, _| name.as_str() == "mcp-protocol-version");
        let in_session = extra.session.is_some();
        let (id, ping) = ping();
        let answer = self.post(url, &ping, extra).await;
        self.sent.settle(&id);
        let Ok(answer) = answer else { return Standing::Good };
        let standing = read(&answer, in_session);
        // Read to its end it leaves a connection that the call can use.
        if matches!(standing, Standing::Good) {
            let _ = answer.body.bytes().await;
        }
        standing
    }

    /// Keeps a call from leaving, with the reason.
    pub(super) fn held(&self, id: Option<RequestId>, standing: Standing) -> Result<(), Failure> {
        let (fault, failure) = match standing {
            Standing::Good => return Ok(()),
            Standing::NoSession => (Fault::SessionGone, Failure::SessionExpired),
            Standing::NoLogin(challenge) => {
                let failure = Failure::AuthRequired(AuthRequiredError::new(challenge.clone()));
                (Fault::NeedsLogin { challenge }, failure)
            }
        };
        self.sent.held(id, fault);
        Err(failure)
    }
}

/// A question that changes nothing.
pub(super) fn ping() -> (RequestId, ClientJsonRpcMessage) {
    let id = RequestId::String("session".into());
    (id.clone(), JsonRpcMessage::request(ClientRequest::PingRequest(PingRequest::default()), id))
}

/// What the head of an answer to a question says.
pub(super) fn read(answer: &Response, in_session: bool) -> Standing {
    match answer.status {
        StatusCode::NOT_FOUND | StatusCode::BAD_REQUEST if in_session => Standing::NoSession,
        StatusCode::UNAUTHORIZED => {
            Standing::NoLogin(header(answer, WWW_AUTHENTICATE.as_str()).unwrap_or_default())
        }
        _ => Standing::Good,
    }
}
