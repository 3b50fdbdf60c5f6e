//! The link over a program's standard input and output. Unlike a plain line codec it bounds what it reads,
//! survives what is no message, and remembers which requests began to leave this process.

use std::io;

use rmcp::RoleClient;
use rmcp::model::{ErrorCode, ErrorData, JsonRpcMessage, RequestId};
use rmcp::service::{RxJsonRpcMessage, TxJsonRpcMessage};
use rmcp::transport::Transport;
use serde_json::Value;
use tokio::io::{AsyncRead, AsyncWrite, AsyncWriteExt};
use tokio::sync::{mpsc, oneshot};

use super::frame::{Frame, Frames, MAX_FRAME};
use super::log::Log;
use super::sent::Sent;

/// Lines in a row that are no messages before the server is given up.
const MAX_GARBAGE: usize = 1_000;

/// One message on its way out.
struct Outgoing {
    id: Option<RequestId>,
    line: Vec<u8>,
    written: oneshot::Sender<io::Result<()>>,
}

/// The transport over a pair of streams.
pub(crate) struct StdioTransport<R> {
    frames: Frames<R>,
    outgoing: Option<mpsc::UnboundedSender<Outgoing>>,
    log: Log,
    garbage: usize,
}

impl<R: AsyncRead + Unpin + Send> StdioTransport<R> {
    pub(crate) fn new(
        reader: R,
        writer: impl AsyncWrite + Unpin + Send + 'static,
        sent: Sent,
        log: Log,
    ) -> Self {
        // Unbounded, but a server's calls are: each has its place in a queue of fixed width before it gets here.
        let (outgoing, queue) = mpsc::unbounded_channel();
        tokio::spawn(write_all(queue, writer, sent));
        let frames = Frames::new(reader, MAX_FRAME);
        StdioTransport { frames, outgoing: Some(outgoing), log, garbage: 0 }
    }

    /// The message in a line, or nothing if there is none.
    fn read(&mut self, frame: Frame) -> Option<RxJsonRpcMessage<RoleClient>> {
        let line = match frame {
            Frame::TooLong { bytes, answers } => {
                self.log.line(&format!("[a message of {bytes} bytes was dropped: too long]"));
                let text = format!("the answer has {bytes} bytes; at most {MAX_FRAME} are taken");
                return answers.map(|id| failed(id, text));
            }
            Frame::Line(line) => line,
        };
        if line.iter().all(u8::is_ascii_whitespace) {
            return None;
        }
        match serde_json::from_slice(&line) {
            Ok(message) => {
                self.garbage = 0;
                Some(message)
            }
            Err(error) => {
                self.garbage += 1;
                self.log.line(&format!("[not a message: {error}] {}", String::from_utf8_lossy(&line)));
                // An answer that cannot be understood must not leave its caller waiting.
                let value: Value = serde_json::from_slice(&line).ok()?;
                let id = match value.get("id")? {
                    Value::Number(number) => RequestId::Number(number.as_i64()?),
                    Value::String(text) => RequestId::String(text.as_str().into()),
                    _ => return None,
                };
                value.get("result").or(value.get("error"))?;
                Some(failed(id, format!("the answer is not what the protocol says: {error}")))
            }
        }
    }
}

fn failed(id: RequestId, text: String) -> RxJsonRpcMessage<RoleClient> {
    JsonRpcMessage::error(ErrorData::new(ErrorCode::PARSE_ERROR, text, None), Some(id))
}

impl<R: AsyncRead + Unpin + Send + 'static> Transport<RoleClient> for StdioTransport<R> {
    type Error = io::Error;

    fn send(
        &mut self,
        item: TxJsonRpcMessage<RoleClient>,
    ) -> impl Future<Output = Result<(), Self::Error>> + Send + 'static {
        // Queued here and not in the future, so that messages leave in the order they were given.
        let queued = self.queue(&item);
        async move { queued?.await.map_err(|_| closed())? }
    }

    async fn receive(&mut self) -> Option<RxJsonRpcMessage<RoleClient>> {
        while self.garbage <= MAX_GARBAGE {
            let frame = self.frames.next().await.ok()??;
            if let Some(message) = self.read(frame) {
                return Some(message);
            }
        }
        self.log.line("[given up: it does not speak the protocol]");
        None
    }

    async fn close(&mut self) -> Result<(), Self::Error> {
        self.outgoing = None;
        Ok(())
    }
}

impl<R> StdioTransport<R> {
    fn queue(&self, item: &TxJsonRpcMessage<RoleClient>) -> io::Result<oneshot::Receiver<io::Result<()>>> {
        let mut line = serde_json::to_vec(item)?;
        line.push(b'\n');
        let id = match item {
            JsonRpcMessage::Request(request) => Some(request.id.clone()),
            _ => None,
        };
        let (written, done) = oneshot::channel();
        let queue = self.outgoing.as_ref().ok_or_else(closed)?;
        queue.send(Outgoing { id, line, written }).map_err(|_| closed())?;
        Ok(done)
    }
}

fn closed() -> io::Error {
    io::Error::new(io::ErrorKind::BrokenPipe, "the server's input is closed")
}

async fn write_all(
    mut queue: mpsc::UnboundedReceiver<Outgoing>,
    mut writer: impl AsyncWrite + Unpin,
    sent: Sent,
) {
    while let Some(Outgoing { id, line, written }) = queue.recv().await {
        if let Some(id) = id {
            sent.begin(id);
        }
        let result = async {
            writer.write_all(&line).await?;
            writer.flush().await
        };
        let _ = written.send(result.await);
    }
}
