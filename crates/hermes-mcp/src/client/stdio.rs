//! The link over a program's standard input and output. Unlike a plain line codec it bounds what it reads,
//! survives what is no message, and remembers which requests began to leave this process.

use std::collections::VecDeque;
use std::io;
use std::sync::Arc;

use hermes_core::text::visible;
use rmcp::RoleClient;
use rmcp::model::{
    ClientNotification, ClientRequest, ErrorCode, ErrorData, JsonRpcError, JsonRpcMessage,
    JsonRpcNotification, JsonRpcRequest, RequestId, ServerResult,
};
use rmcp::service::{RxJsonRpcMessage, TxJsonRpcMessage};
use rmcp::transport::Transport;
use serde_json::Value;
use tokio::io::{AsyncRead, AsyncWrite};

use super::calls::{Calls, Direct};
use super::execution;
use super::fault::Fault;
use super::log::Log;
use super::replies::Replies;
use super::sent::Sent;
use crate::lines::{
    Frame, Frames, MAX_FRAME, Outbox, Sending, answered_by, call_answer, call_line, mended, with_all_digits,
};

/// What some programs write in front of everything.
const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// Lines in a row that are no messages before the server is given up.
const MAX_GARBAGE: usize = 1_000;

/// The transport over a pair of streams.
pub(crate) struct StdioTransport<R, W> {
    frames: Frames<R>,
    /// Unbounded, but what goes there is not: each call has its place in a queue of fixed width before it gets here, and
    /// of replies there are only so many.
    outbox: Option<Arc<Outbox<W>>>,
    replies: Replies,
    sent: Sent,
    calls: Calls,
    log: Log,
    garbage: usize,
    /// Messages that came in one line, as servers of 2025-03-26 may send them.
    batch: VecDeque<RxJsonRpcMessage<RoleClient>>,
}

impl<R: AsyncRead + Unpin + Send, W: AsyncWrite + Unpin + Send + 'static> StdioTransport<R, W> {
    pub(crate) fn new(reader: R, writer: W, sent: Sent, log: Log) -> Self {
        StdioTransport {
            frames: Frames::new(reader, MAX_FRAME),
            outbox: Some(Arc::new(Outbox::new(writer))),
            replies: Replies::default(),
            sent,
            calls: Calls::default(),
            log,
            garbage: 0,
            batch: VecDeque::new(),
        }
    }

    /// The way of calls past the SDK.
    pub(super) fn direct(&self) -> Option<Direct> {
        let outbox = self.outbox.as_ref()?;
        Some(Direct::new(self.calls.clone(), outbox, self.sent.clone()))
    }

    /// The message in a frame, or nothing if there is none.
    fn read(&mut self, frame: Frame) -> Option<RxJsonRpcMessage<RoleClient>> {
        let line = match frame {
            Frame::TooLong { bytes, answers } => {
                self.log.line(&format!("[a message of at least {bytes} bytes was dropped: too long]"));
                let text = format!("the answer is too long: at most {MAX_FRAME} bytes are taken");
                return answers.or_else(|| self.calls.only()).map(|id| self.unreadable(id, text));
            }
            Frame::Line(line) => line,
        };
        let line = &*with_all_digits(line.strip_prefix(BYTE_ORDER_MARK).unwrap_or(&line).trim_ascii());
        match line.first() {
            None => None,
            Some(b'[') => match serde_json::from_slice::<Vec<Value>>(line) {
                Ok(messages) => {
                    let read =
                        messages.iter().filter_map(|message| self.message(message.to_string().as_bytes()));
                    let read: Vec<_> = read.collect();
                    self.batch.extend(read);
                    self.batch.pop_front()
                }
                Err(_) => self.message(line),
            },
            Some(_) => self.message(line),
        }
    }

    fn message(&mut self, line: &[u8]) -> Option<RxJsonRpcMessage<RoleClient>> {
        let error = match self.understood(line) {
            Ok(message) => return Some(message),
            Err(error) => error,
        };
        if let Some(Ok(message)) = mended(line).map(|line| self.understood(&line)) {
            self.log.line(&format!("[a message was mended to be read: {error}]"));
            return Some(message);
        }
        self.garbage += 1;
        self.log.line(&format!("[not a message: {error}] {}", String::from_utf8_lossy(line)));
        // An answer that cannot be understood must not leave its caller waiting.
        let text = format!("the answer is not what the protocol says: {error}");
        answered_by(line).map(|id| self.unreadable(id, text))
    }

    fn understood(&mut self, line: &[u8]) -> serde_json::Result<RxJsonRpcMessage<RoleClient>> {
        let message = match self.answer(line) {
            Some(answer) => answer,
            None => serde_json::from_slice(&execution::kept(line))?,
        };
        self.garbage = 0;
        Ok(self.addressed(message))
    }

    /// An error that names no request, of whoever could not read which it was, is about the call that has left, where
    /// it is the only one. Any other is about none: some servers answer notifications by it.
    fn addressed(&self, message: RxJsonRpcMessage<RoleClient>) -> RxJsonRpcMessage<RoleClient> {
        let JsonRpcMessage::Error(JsonRpcError { id: None, error, .. }) = &message else { return message };
        let text = format!("an error that names no request: {}", visible(&error.message));
        let could_not_read = matches!(error.code, ErrorCode::PARSE_ERROR | ErrorCode::INVALID_REQUEST);
        match self.calls.only().filter(|id| could_not_read && self.sent.has_begun(id)) {
            Some(id) => self.unreadable(id, text),
            None => {
                self.log.line(&format!("[{text}]"));
                message
            }
        }
    }
}

impl<R, W: AsyncWrite + Unpin + Send + 'static> StdioTransport<R, W> {
    /// The answer to a call. What answers a call is read as that and as nothing else that it looks like.
    fn answer(&mut self, line: &[u8]) -> Option<RxJsonRpcMessage<RoleClient>> {
        if self.calls.is_empty() {
            return None;
        }
        let (id, result) = call_answer(line)?;
        let was_call = self.calls.contains(&id);
        was_call.then(|| JsonRpcMessage::response(ServerResult::CallToolResult(result), id))
    }

    /// An answer of which nothing is known but what it answers: whatever was asked for may have been done.
    fn unreadable(&self, id: RequestId, text: String) -> RxJsonRpcMessage<RoleClient> {
        self.sent.failed(Some(id.clone()), Fault::Unanswered(text.clone()));
        JsonRpcMessage::error(ErrorData::new(ErrorCode::PARSE_ERROR, text, None), Some(id))
    }

    /// Sends a message, and takes note of it before any of it leaves.
    fn queue(&mut self, item: &TxJsonRpcMessage<RoleClient>) -> io::Result<Sending> {
        let mut line = self.line(item)?;
        line.push(b'\n');
        let id = match item {
            JsonRpcMessage::Request(request) => Some(request.id.clone()),
            _ => None,
        };
        let is_reply = matches!(item, JsonRpcMessage::Response(_) | JsonRpcMessage::Error(_));
        let held = is_reply.then(|| self.replies.hold(line.len()));
        let (sent, calls) = (self.sent.clone(), self.calls.clone());
        let outbox = self.outbox.as_ref().ok_or(io::ErrorKind::BrokenPipe)?;
        Ok(outbox.send(line, move || {
            drop(held);
            let Some(id) = id else { return true };
            let leaves = sent.begin(id.clone());
            if !leaves {
                calls.forget(&id);
            }
            leaves
        }))
    }

    fn line(&mut self, item: &TxJsonRpcMessage<RoleClient>) -> io::Result<Vec<u8>> {
        match item {
            JsonRpcMessage::Request(JsonRpcRequest {
                id,
                request: ClientRequest::CallToolRequest(call),
                ..
            }) => {
                self.calls.begin(id.clone());
                if let Some(line) = call_line(id, call) {
                    return Ok(line?);
                }
            }
            JsonRpcMessage::Notification(JsonRpcNotification {
                notification: ClientNotification::CancelledNotification(cancelled),
                ..
            }) => {
                if let Some(id) = &cancelled.params.request_id {
                    self.calls.forget(id);
                }
            }
            _ => {}
        }
        Ok(serde_json::to_vec(item)?)
    }
}

impl<R, W> Transport<RoleClient> for StdioTransport<R, W>
where
    R: AsyncRead + Unpin + Send + 'static,
    W: AsyncWrite + Unpin + Send + 'static,
{
    type Error = io::Error;

    fn send(
        &mut self,
        item: TxJsonRpcMessage<RoleClient>,
    ) -> impl Future<Output = Result<(), Self::Error>> + Send + 'static {
        // Queued here and not in the future, so that messages leave in the order they were given.
        let queued = self.queue(&item);
        async move { queued?.await }
    }

    async fn receive(&mut self) -> Option<RxJsonRpcMessage<RoleClient>> {
        while self.garbage <= MAX_GARBAGE {
            self.replies.room().await;
            let message = match self.batch.pop_front() {
                Some(message) => Some(message),
                None => {
                    let frame = self.frames.next().await.ok()??;
                    self.read(frame)
                }
            };
            if let Some(message) = message.and_then(|message| self.calls.settle(message)) {
                return Some(message);
            }
        }
        self.log.line("[given up: it does not speak the protocol]");
        None
    }

    async fn close(&mut self) -> Result<(), Self::Error> {
        self.outbox = None;
        Ok(())
    }
}

impl<R, W> Drop for StdioTransport<R, W> {
    fn drop(&mut self) {
        self.calls.close();
    }
}

#[cfg(test)]
mod tests;
