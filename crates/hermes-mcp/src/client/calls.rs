//! The calls of a link over a pipe. The SDK hands a message from task to task on its way out and again on its way back,
//! which takes longer than all that is done with it. A call needs none of that: whoever makes it writes it, and its answer
//! wakes them.

use std::collections::HashMap;
use std::io;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};

use rmcp::model::{
    CallToolRequest, CancelledNotification, CancelledNotificationParam, ClientJsonRpcMessage,
    ClientNotification, ErrorData, JsonRpcMessage, ProgressToken, RequestId, RequestMetaObject,
    ServerJsonRpcMessage, ServerResult,
};
use tokio::io::AsyncWrite;
use tokio::sync::oneshot;

use super::sent::Sent;
use crate::lines::{Outbox, Sending, call_line};

/// The first number of a call. The SDK counts what it sends from nought, and servers may keep numbers in 32 bits.
const FIRST: i64 = 1_000_000_000;

pub(super) type Answer = Result<ServerResult, ErrorData>;

/// The calls that are not answered yet. Clones share them.
#[derive(Clone, Debug, Default)]
pub(super) struct Calls(Arc<Mutex<Inner>>);

#[derive(Debug, Default)]
struct Inner {
    /// With whoever waits for the answer, where that is not the SDK.
    under_way: HashMap<RequestId, Option<oneshot::Sender<Answer>>>,
    made: i64,
    /// No answer can come any more.
    closed: bool,
}

impl Calls {
    /// Takes note of a call that the SDK makes.
    pub(super) fn begin(&self, id: RequestId) {
        self.lock().under_way.insert(id, None);
    }

    /// A call of its own, if answers can come still.
    fn make(&self) -> Option<(RequestId, oneshot::Receiver<Answer>)> {
        let mut inner = self.lock();
        if inner.closed {
            return None;
        }
        let (waiter, answer) = oneshot::channel();
        let id = RequestId::Number(FIRST + inner.made);
        inner.made += 1;
        inner.under_way.insert(id.clone(), Some(waiter));
        Some((id, answer))
    }

    /// Whether it was under way.
    pub(super) fn forget(&self, id: &RequestId) -> bool {
        self.lock().under_way.remove(id).is_some()
    }

    pub(super) fn is_empty(&self) -> bool {
        self.lock().under_way.is_empty()
    }

    pub(super) fn contains(&self, id: &RequestId) -> bool {
        self.lock().under_way.contains_key(id)
    }

    /// The call that is under way, where it is the only one.
    pub(super) fn only(&self) -> Option<RequestId> {
        let inner = self.lock();
        let mut calls = inner.under_way.keys();
        calls.next().filter(|_| calls.next().is_none()).cloned()
    }

    /// Gives an answer to whoever waits for it; what is none, or is the SDK's, comes back. A call is answered once, also
    /// by an error.
    pub(super) fn settle(&self, message: ServerJsonRpcMessage) -> Option<ServerJsonRpcMessage> {
        let answered = match &message {
            JsonRpcMessage::Response(response) => Some(&response.id),
            JsonRpcMessage::Error(error) => error.id.as_ref(),
            _ => None,
        };
        let waiter = answered.and_then(|id| self.lock().take(id)).flatten();
        let Some(waiter) = waiter else { return Some(message) };
        let _ = match message {
            JsonRpcMessage::Response(response) => waiter.send(Ok(response.result)),
            JsonRpcMessage::Error(error) => waiter.send(Err(error.error)),
            other => return Some(other),
        };
        None
    }

    /// Nobody waits for what cannot come.
    pub(super) fn close(&self) {
        let mut inner = self.lock();
        inner.closed = true;
        inner.under_way.clear();
    }

    fn lock(&self) -> MutexGuard<'_, Inner> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Inner {
    /// Some servers answer a number by the text of it.
    fn take(&mut self, id: &RequestId) -> Option<Option<oneshot::Sender<Answer>>> {
        let as_number = || match id {
            RequestId::String(text) => text.parse().ok().map(RequestId::Number),
            RequestId::Number(_) => None,
        };
        self.under_way.remove(id).or_else(|| self.under_way.remove(&as_number()?))
    }
}

/// Where lines leave.
trait Lines: Send + Sync {
    fn send(&self, line: Vec<u8>, before: Box<dyn FnOnce() -> bool + Send>) -> Sending;
}

impl<W: AsyncWrite + Unpin + Send + 'static> Lines for Outbox<W> {
    fn send(&self, line: Vec<u8>, before: Box<dyn FnOnce() -> bool + Send>) -> Sending {
        Outbox::send(self, line, before)
    }
}

/// The way of calls past the SDK. It keeps nothing open: who closes the link closes it.
pub(super) struct Direct {
    calls: Calls,
    lines: Weak<dyn Lines>,
    sent: Sent,
}

/// A call on its way. It is given up when this is dropped.
pub(super) struct Called {
    pub(super) id: RequestId,
    pub(super) answer: oneshot::Receiver<Answer>,
    /// Ready when all of it has left.
    pub(super) leaving: Sending,
    calls: Calls,
    sent: Sent,
}

impl Called {
    /// Nobody waits for the answer any more. Whether any of the call has left; where none has, none will.
    pub(super) fn give_up(&self) -> bool {
        self.calls.forget(&self.id);
        self.sent.withdraw(&self.id).0
    }
}

impl Drop for Called {
    fn drop(&mut self) {
        // What is answered or given up has nothing that waits to leave.
        if self.calls.forget(&self.id) {
            self.sent.withdraw(&self.id);
        }
    }
}

impl Direct {
    pub(super) fn new<W>(calls: Calls, outbox: &Arc<Outbox<W>>, sent: Sent) -> Self
    where
        W: AsyncWrite + Unpin + Send + 'static,
    {
        let outbox: Weak<Outbox<W>> = Arc::downgrade(outbox);
        Direct { calls, lines: outbox, sent }
    }

    /// Calls a tool; nothing of it has left where that is an error. `known` hears its token before the server does.
    pub(super) fn call(
        &self,
        mut request: CallToolRequest,
        known: impl FnOnce(ProgressToken),
    ) -> io::Result<Called> {
        let lines = self.lines.upgrade().ok_or(io::ErrorKind::BrokenPipe)?;
        let (id, answer) = self.calls.make().ok_or(io::ErrorKind::BrokenPipe)?;
        let token = ProgressToken(id.clone());
        let mut meta = RequestMetaObject::default();
        meta.set_progress_token(token.clone());
        request.extensions.insert(meta);
        known(token);
        let Some(Ok(line)) = call_line(&id, &request) else {
            self.calls.forget(&id);
            return Err(io::ErrorKind::InvalidInput.into());
        };
        let leaving = self.write(&*lines, line, Some(id.clone()));
        Ok(Called { id, answer, leaving, calls: self.calls.clone(), sent: self.sent.clone() })
    }

    /// Tells the server that an answer is no longer wanted.
    pub(super) async fn cancel(&self, id: RequestId, reason: &str) -> io::Result<()> {
        let lines = self.lines.upgrade().ok_or(io::ErrorKind::BrokenPipe)?;
        let said = CancelledNotificationParam::new(Some(id), Some(reason.to_owned()));
        let said = ClientNotification::CancelledNotification(CancelledNotification::new(said));
        let line = serde_json::to_vec(&ClientJsonRpcMessage::notification(said))?;
        self.write(&*lines, line, None).await
    }

    fn write(&self, lines: &dyn Lines, mut line: Vec<u8>, id: Option<RequestId>) -> Sending {
        line.push(b'\n');
        let sent = self.sent.clone();
        lines.send(line, Box::new(move || id.is_none_or(|id| sent.begin(id))))
    }
}

#[cfg(test)]
mod tests {
    use rmcp::model::CallToolRequestParams;
    use serde_json::json;
    use tokio::io::AsyncReadExt;

    use super::*;

    fn message(value: serde_json::Value) -> ServerJsonRpcMessage {
        serde_json::from_value(value).unwrap()
    }

    #[test]
    fn an_answer_reaches_whoever_waits_for_it_and_the_rest_goes_to_the_sdk() {
        let calls = Calls::default();
        let (id, mut answer) = calls.make().unwrap();
        assert_eq!(calls.only(), Some(id.clone()));
        calls.begin(RequestId::Number(3));
        assert_eq!(calls.only(), None);
        for other in [
            json!({"jsonrpc": "2.0", "id": 3, "result": {"content": []}}),
            json!({"jsonrpc": "2.0", "id": 4, "error": {"code": 1, "message": "no"}}),
            json!({"jsonrpc": "2.0", "id": 5, "method": "ping"}),
        ] {
            assert!(calls.settle(message(other.clone())).is_some(), "{other}");
        }
        let error = json!({"jsonrpc": "2.0", "id": id.to_string(), "error": {"code": 1, "message": "no"}});
        assert!(calls.settle(message(error.clone())).is_none(), "a number as text is the same number");
        assert_eq!(answer.try_recv().unwrap().unwrap_err().message, "no");
        assert!(calls.settle(message(error)).is_some(), "it is answered once");
        assert!(calls.is_empty());
    }

    #[tokio::test]
    async fn a_call_that_is_given_up_before_it_leaves_never_leaves() {
        let (writer, mut reader) = tokio::io::duplex(16);
        let (calls, sent, outbox) = (Calls::default(), Sent::default(), Arc::new(Outbox::new(writer)));
        let direct = Direct::new(calls.clone(), &outbox, sent.clone());
        let call = |tool: &'static str| {
            direct.call(CallToolRequest::new(CallToolRequestParams::new(tool)), |_| {}).unwrap()
        };
        let [first, second, third, last] = ["first", "second", "third", "last"].map(call);
        assert!(first.give_up(), "some of it has left");
        assert!(!second.give_up(), "it waits behind the first");
        drop(third);
        // Whoever tells a server something need not wait until it has heard.
        let telling =
            tokio::time::timeout(std::time::Duration::ZERO, direct.cancel(first.id.clone(), "late"));
        telling.await.unwrap_err();
        drop((first, second, outbox));
        let mut text = String::new();
        reader.read_to_string(&mut text).await.unwrap();
        let left =
            ["first", "second", "third", "last", "late"].map(|word| text.contains(&format!("\"{word}\"")));
        assert_eq!(left, [true, false, false, true, true], "{text}");
        assert_eq!(calls.only().as_ref(), Some(&last.id));
        assert!(sent.settle(&last.id).0);
        assert!(sent.is_empty(), "nothing is remembered of those: {sent:?}");
    }

    #[test]
    fn nobody_waits_for_a_link_that_is_closed() {
        let calls = Calls::default();
        let (_, mut answer) = calls.make().unwrap();
        calls.close();
        assert!(answer.try_recv().is_err() && calls.make().is_none());
    }
}
