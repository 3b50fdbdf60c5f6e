//! A client's messages over a pair of streams, one a line. Bounded like the other side, and as forgiving as the protocol
//! asks: what is no message is passed over, a message that makes no sense is answered.

use std::io;

use rmcp::RoleServer;
use rmcp::model::{ErrorData, JsonRpcMessage, RequestId};
use rmcp::service::{RxJsonRpcMessage, TxJsonRpcMessage};
use rmcp::transport::Transport;
use serde::Serialize;
use serde_json::Value;
use serde_json::error::Category;
use tokio::io::{AsyncRead, AsyncWrite};

use crate::lines::{Frame, Frames, Outbox, Sending, asked_by, call_request, with_all_digits};

/// The longest message that is taken from a client.
const MAX_MESSAGE: usize = 16 * 1024 * 1024;
const BYTE_ORDER_MARK: &[u8] = "\u{feff}".as_bytes();

/// The transport over a pair of streams.
pub(super) struct ServeTransport<R, W> {
    frames: Frames<R>,
    outbox: Option<Outbox<W>>,
}

impl<R: AsyncRead + Unpin, W: AsyncWrite + Unpin + Send + 'static> ServeTransport<R, W> {
    pub(super) fn new(reader: R, writer: W) -> Self {
        ServeTransport { frames: Frames::new(reader, MAX_MESSAGE), outbox: Some(Outbox::new(writer)) }
    }

    fn queue(&self, item: &impl Serialize) -> io::Result<Sending> {
        let mut line = serde_json::to_vec(item)?;
        line.push(b'\n');
        let outbox = self.outbox.as_ref().ok_or(io::ErrorKind::BrokenPipe)?;
        Ok(outbox.send(line, || true))
    }

    /// Says what is wrong with a message. Where it cannot be told which one, the id is null: JSON-RPC 2.0, section 5.
    fn refuse(&self, id: Option<RequestId>, what: String) -> io::Result<Sending> {
        let said: TxJsonRpcMessage<RoleServer> =
            JsonRpcMessage::error(ErrorData::invalid_request(what, None), id);
        let mut said = serde_json::to_value(said)?;
        if let Some(fields) = said.as_object_mut() {
            fields.entry("id").or_insert(Value::Null);
        }
        self.queue(&said)
    }
}

impl<R, W> Transport<RoleServer> for ServeTransport<R, W>
where
    R: AsyncRead + Unpin + Send + 'static,
    W: AsyncWrite + Unpin + Send + 'static,
{
    type Error = io::Error;

    fn send(
        &mut self,
        item: TxJsonRpcMessage<RoleServer>,
    ) -> impl Future<Output = Result<(), Self::Error>> + Send + 'static {
        // Queued here and not in the future, so that messages leave in the order they were given.
        let queued = self.queue(&item);
        async move { queued?.await }
    }

    async fn receive(&mut self) -> Option<RxJsonRpcMessage<RoleServer>> {
        loop {
            // A client that asks and does not read waits here, and not in memory.
            if let Some(outbox) = &self.outbox {
                outbox.room().await;
            }
            let refused = match self.frames.next().await.ok()?? {
                Frame::Line(line) => match read(&line) {
                    Read::Message(message) => return Some(*message),
                    Read::Nothing => continue,
                    Read::Nonsense(id) => self.refuse(id, "Invalid request".to_owned()),
                },
                Frame::TooLong { bytes, answers } => {
                    let text = format!("the message has {bytes} bytes; at most {MAX_MESSAGE} are taken");
                    self.refuse(answers, text)
                }
            };
            refused.ok()?.await.ok()?;
        }
    }

    async fn close(&mut self) -> Result<(), Self::Error> {
        self.outbox = None;
        Ok(())
    }
}

enum Read {
    Message(Box<RxJsonRpcMessage<RoleServer>>),
    /// No message, or one that nobody waits to hear of.
    Nothing,
    /// JSON, but not what the protocol says; with its id, if it has one.
    Nonsense(Option<RequestId>),
}

fn read(line: &[u8]) -> Read {
    let line = line.strip_prefix(BYTE_ORDER_MARK).unwrap_or(line).trim_ascii();
    if line.is_empty() {
        return Read::Nothing;
    }
    let line = &*with_all_digits(line);
    if let Some(request) = call_request(line) {
        return Read::Message(Box::new(request));
    }
    match serde_json::from_slice(line) {
        Ok(message) => Read::Message(Box::new(message)),
        // A request that cannot be read must not leave its client waiting. Where it cannot be told which one it is, or
        // whether it is one, nothing is said: whoever sent it may echo that.
        Err(error) if matches!(error.classify(), Category::Syntax | Category::Eof) => {
            asked_by(line).map_or(Read::Nothing, |id| Read::Nonsense(Some(id)))
        }
        Err(_) => match serde_json::from_slice::<Value>(line) {
            // A notification of another protocol, or of another time, asks for no answer.
            Ok(value) if value.get("method").is_some() && value.get("id").is_none() => Read::Nothing,
            Ok(value) => {
                Read::Nonsense(value.get("id").and_then(|id| serde_json::from_value(id.clone()).ok()))
            }
            Err(_) => Read::Nonsense(None),
        },
    }
}

#[cfg(test)]
mod tests {
    use tokio::io::{AsyncReadExt, AsyncWriteExt};

    use super::*;

    /// The ids of the messages in a text, and what was said about the rest.
    async fn heard(text: &str) -> (Vec<String>, String) {
        let (ours, theirs) = tokio::io::duplex(64 << 20);
        let (mut answers, mut client) = tokio::io::split(theirs);
        client.write_all(text.as_bytes()).await.unwrap();
        client.shutdown().await.unwrap();
        let (reader, writer) = tokio::io::split(ours);
        let mut transport = ServeTransport::new(reader, writer);
        let mut ids = Vec::new();
        while let Some(message) = transport.receive().await {
            let message = serde_json::to_value(message).unwrap();
            ids.push(message["id"].to_string() + message["method"].as_str().unwrap_or_default());
        }
        drop(transport);
        let mut said = String::new();
        answers.read_to_string(&mut said).await.unwrap();
        (ids, said)
    }

    #[tokio::test]
    async fn what_is_no_message_is_passed_over() {
        let text = "\u{feff}{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}\r\n\nnot json\n{\"half\":\n\
            {\"jsonrpc\":\"2.0\",\"method\":\"textDocument/didOpen\",\"params\":7}\n\
            {\"jsonrpc\":\"2.0\",\"id\":\"b\",\"method\":\"tools/call\",\"params\":{\"name\":\"x\"}}\n";
        assert_eq!(
            heard(text).await,
            (vec!["1ping".to_owned(), "\"b\"tools/call".to_owned()], String::new())
        );
    }

    #[tokio::test]
    async fn a_message_that_makes_no_sense_is_answered() {
        let (ids, said) = heard("{\"jsonrpc\":\"2.0\",\"id\":{},\"method\":7}\n").await;
        assert!(ids.is_empty() && said.contains("-32600"), "{ids:?} {said}");
        assert!(said.contains("\"id\":null"), "{said}");
        let (_, said) = heard("{\"jsonrpc\":\"2.0\",\"id\":\"a\",\"method\":7}\n").await;
        assert!(said.contains("-32600") && said.contains("\"id\":\"a\""), "{said}");
        let deep =
            format!(r#"{{"id":6,"method":"tools/call","params":{}{}}}"#, "[".repeat(500), "]".repeat(500));
        let (_, said) = heard(&format!("{deep}\n")).await;
        assert!(said.contains("-32600") && said.contains("\"id\":6"), "{said}");
        let long = format!("{{\"jsonrpc\":\"2.0\",\"id\":5,\"x\":\"{}\"}}\n", "y".repeat(MAX_MESSAGE));
        let (ids, said) = heard(&long).await;
        assert!(ids.is_empty() && said.contains("at most") && said.contains("\"id\":5"), "{ids:?} {said}");
    }

    /// Answers to a client that does not read wait up to a bound; then the client does.
    #[tokio::test]
    async fn a_client_that_does_not_read_is_not_heard_until_it_does() {
        let (ours, theirs) = tokio::io::duplex(1 << 20);
        let (mut answers, mut client) = tokio::io::split(theirs);
        let (reader, writer) = tokio::io::split(ours);
        let mut transport = ServeTransport::new(reader, writer);
        let ping = b"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}\n";
        let large = "x".repeat(1 << 20);
        let (mut answered, mut sending) = (0, Vec::new());
        loop {
            client.write_all(ping).await.unwrap();
            tokio::task::yield_now().await;
            let Some(heard) = futures_util::FutureExt::now_or_never(transport.receive()) else { break };
            assert!(heard.is_some());
            answered += 1;
            assert!(answered < 100, "nothing holds it up");
            let said = ErrorData::internal_error(format!("{answered} {large}"), None);
            sending.push(transport.send(JsonRpcMessage::error(said, Some(RequestId::Number(1)))));
        }
        assert!(answered > 8, "some may wait");
        let reading = tokio::spawn(async move {
            let mut lines = String::new();
            answers.read_to_string(&mut lines).await.unwrap();
            lines.lines().map(|line| line.chars().filter(|letter| *letter == 'x').count()).collect::<Vec<_>>()
        });
        assert!(transport.receive().await.is_some(), "what it said meanwhile is heard now");
        for sent in sending {
            sent.await.unwrap();
        }
        drop((transport, client));
        assert_eq!(reading.await.unwrap(), vec![1 << 20; answered], "none is lost");
    }
}
