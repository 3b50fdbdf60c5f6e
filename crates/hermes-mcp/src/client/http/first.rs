//! A call must not be made twice, and what a server answers to it proves nothing: a tool that ran may be answered for by
//! the same status as one that did not. So it is found out before the call leaves whether the session and the login it
//! would be made with are still there. What is gone by then is made anew, and the call leaves once.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use hermes_core::{ErrorCode, ToolError};
use hermes_host::http::header::WWW_AUTHENTICATE;
use hermes_host::http::{Response, StatusCode};
use rmcp::model::{ClientJsonRpcMessage, ClientRequest, JsonRpcMessage, PingRequest, RequestId};
use rmcp::transport::streamable_http_client::AuthRequiredError;
use tokio::time::{Instant, timeout};

use super::answer::{Failure, header, message_in, names};
use super::client::{Extra, GuardedClient, given_up};
use super::lost_session::speaks_of_lost_session;
use crate::client::fault::Fault;

/// A server that was heard of this recently is not asked whether it is still there: calls that follow each other without
/// anybody thinking in between pay nothing.
const RECENT: Duration = Duration::from_millis(10);
/// A session that is newer than this and was not called in yet has not run out: who turns a question away in it knows no
/// such question.
const NEW: Duration = Duration::from_secs(1);
/// How long the answer may take.
const LIMIT: Duration = Duration::from_secs(2);

/// When a server last took something in a session or under a login. Clones share it.
#[derive(Clone, Default)]
pub(super) struct Heard(Arc<Inner>);

#[derive(Default)]
struct Inner {
    last: Mutex<Option<Instant>>,
    /// Calls that wait for the beginning of their answer.
    at_work: AtomicUsize,
    /// It has answered a call.
    called: AtomicBool,
    /// It does not answer when it is asked, so it is not asked again.
    silent: AtomicBool,
    /// Of several calls at once one asks.
    turn: tokio::sync::Mutex<()>,
}

/// What is known of how a server takes the question, in whatever session. It outlives the links to it. Clones share it.
#[derive(Clone, Default)]
pub(crate) struct Pings(Arc<Known>);

#[derive(Default)]
struct Known {
    /// It had nothing to say to it in a session that was not new.
    doubted: AtomicBool,
    /// Nor in the new one that was made for that: it says so of any session.
    mean_nothing: AtomicBool,
}

impl Pings {
    fn are_doubted(&self) -> bool {
        self.0.doubted.load(Ordering::Relaxed)
    }

    fn are_answered(&self) {
        self.0.doubted.store(false, Ordering::Relaxed);
    }

    /// What it means that there was nothing to be found.
    fn not_found(&self, is_new: bool) -> Standing {
        let Known { doubted, mean_nothing } = &*self.0;
        if mean_nothing.load(Ordering::Relaxed) {
            return Standing::Unknown;
        }
        if is_new && doubted.load(Ordering::Relaxed) {
            mean_nothing.store(true, Ordering::Relaxed);
        }
        doubted.store(!is_new, Ordering::Relaxed);
        Standing::NoSession
    }
}

impl Heard {
    /// It took something.
    pub(super) fn now(&self) {
        *self.last() = Some(Instant::now());
    }

    /// It works on a call as long as this lives. It may do one thing at a time, and would not answer a question.
    pub(super) fn at_work(&self) -> AtWork {
        self.0.at_work.fetch_add(1, Ordering::Relaxed);
        AtWork(self.clone())
    }

    /// It answered a call.
    pub(super) fn answered(&self) {
        self.0.called.store(true, Ordering::Relaxed);
    }

    fn is_new(&self) -> bool {
        let was_called = self.0.called.load(Ordering::Relaxed);
        !was_called && self.last().is_some_and(|last| last.elapsed() < NEW)
    }

    fn is_silent(&self) -> Standing {
        self.0.silent.store(true, Ordering::Relaxed);
        Standing::Good
    }

    fn need_not_be_asked(&self, pings: &Pings) -> bool {
        let (at_work, silent) = (&self.0.at_work, &self.0.silent);
        let is_recent = self.is_recent() && !(pings.are_doubted() && self.is_new());
        is_recent || at_work.load(Ordering::Relaxed) > 0 || silent.load(Ordering::Relaxed)
    }

    fn is_recent(&self) -> bool {
        self.last().is_some_and(|last| last.elapsed() < RECENT)
    }

    fn last(&self) -> std::sync::MutexGuard<'_, Option<Instant>> {
        self.0.last.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

pub(super) struct AtWork(Heard);

impl Drop for AtWork {
    fn drop(&mut self) {
        self.0.0.at_work.fetch_sub(1, Ordering::Relaxed);
    }
}

/// What a server says to a harmless question.
pub(super) enum Standing {
    /// It takes what is sent.
    Good,
    /// Nobody knows.
    Unknown,
    /// It says nothing, or not in time.
    Silent,
    /// It knows no such session.
    NoSession,
    /// It has nothing there. That may be the session or what is asked.
    NotFound,
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
        if heard.need_not_be_asked(&self.pings) {
            return Standing::Good;
        }
        let _turn = heard.0.turn.lock().await;
        if heard.need_not_be_asked(&self.pings) {
            return Standing::Good;
        }
        let is_new = heard.is_new();
        let standing = match ask().await {
            Standing::NotFound => self.pings.not_found(is_new),
            Standing::Good => {
                self.pings.are_answered();
                Standing::Good
            }
            standing => standing,
        };
        match standing {
            Standing::Silent => heard.is_silent(),
            Standing::NoSession if is_new => heard.is_silent(),
            Standing::Good | Standing::Unknown => {
                heard.now();
                standing
            }
            standing => standing,
        }
    }

    /// How a server takes a question that changes nothing.
    pub(super) async fn standing(&self, url: &str, extra: Extra<'_>) -> Standing {
        let (id, ping) = ping();
        let standing = timeout(LIMIT, self.told_standing(url, &id, &ping, extra)).await;
        self.sent.settle(&id);
        standing.unwrap_or(Standing::Silent)
    }

    async fn told_standing(
        &self,
        url: &str,
        id: &RequestId,
        ping: &ClientJsonRpcMessage,
        mut extra: Extra<'_>,
    ) -> Standing {
        // The others say what the call is.
        extra.headers.retain(|name, _| name.as_str() == "mcp-protocol-version");
        let in_session = extra.session.is_some();
        let Ok(answer) = self.post(url, ping, extra).await else { return Standing::Unknown };
        if let Some(standing) = wants_login(&answer) {
            return standing;
        }
        let status = answer.status;
        // Read to its end it leaves a connection that the call can use.
        let body = answer.body.bytes().await.unwrap_or_default();
        let is_refusal = in_session && matches!(status, StatusCode::NOT_FOUND | StatusCode::BAD_REQUEST);
        // Who names the question has read it, and may only not know it.
        let is_read = || message_in(&body, Some(id)).is_ok_and(|message| names(&message, Some(id)));
        if is_refusal && speaks_of_lost_session(&body) {
            Standing::NoSession
        } else if is_refusal && status == StatusCode::NOT_FOUND && !is_read() {
            Standing::NotFound
        } else if status.is_success() {
            Standing::Good
        } else {
            Standing::Unknown
        }
    }

    /// Keeps a call from leaving, with the reason.
    pub(super) fn held(&self, id: Option<RequestId>, standing: Standing) -> Result<(), Failure> {
        let (fault, failure) = match standing {
            Standing::Good | Standing::Unknown | Standing::Silent => return Ok(()),
            Standing::NoSession | Standing::NotFound => (Fault::SessionGone, Failure::SessionExpired),
            Standing::NoLogin(challenge) => {
                let failure = Failure::AuthRequired(AuthRequiredError::new(challenge.clone()));
                (Fault::NeedsLogin { challenge, sent: false }, failure)
            }
        };
        // With new tokens the SDK would try again.
        Err(if self.sent.held(id, fault) { failure } else { Failure::Client(given_up()) })
    }
}

/// The answer to a question, if it comes in time.
pub(super) async fn in_time(
    answer: impl Future<Output = Result<Response, ToolError>>,
) -> Result<Response, ToolError> {
    let late = |_| Err(ToolError::new(ErrorCode::Timeout, "it does not say whether it is there"));
    timeout(LIMIT, answer).await.unwrap_or_else(late)
}

/// A question that changes nothing.
pub(super) fn ping() -> (RequestId, ClientJsonRpcMessage) {
    let id = RequestId::String("session".into());
    (id.clone(), JsonRpcMessage::request(ClientRequest::PingRequest(PingRequest::default()), id))
}

/// Whether who answered wants to know who asks.
pub(super) fn wants_login(answer: &Response) -> Option<Standing> {
    let challenge = || header(answer, WWW_AUTHENTICATE.as_str()).unwrap_or_default();
    (answer.status == StatusCode::UNAUTHORIZED).then(|| Standing::NoLogin(challenge()))
}

#[cfg(test)]
mod tests {
    use super::super::answer::once_tests::Web;
    use super::*;

    /// Where every ping is turned away by a bare 404, no session would live longer than to its second call.
    #[tokio::test]
    async fn what_is_not_found_in_a_new_session_either_says_nothing_of_sessions() {
        let web = Web::start(|_, _| String::new()).await;
        let session = || {
            let mut client = web.client.clone();
            client.heard = Heard::default();
            client
        };
        let not_found = async || Standing::NotFound;
        let old = session();
        old.heard.answered();
        assert!(matches!(old.standing_before_call(not_found).await, Standing::NoSession));
        // The one that is begun for that is asked at once, and what is said there is known of all that follow.
        let new = session();
        new.heard.now();
        assert!(matches!(new.standing_before_call(not_found).await, Standing::Good));
        let later = session();
        later.heard.answered();
        assert!(matches!(later.standing_before_call(not_found).await, Standing::Unknown));
    }
}
