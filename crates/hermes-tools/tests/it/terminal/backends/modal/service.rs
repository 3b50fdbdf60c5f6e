//! The far end of Modal: the calls of `modal.client.ModalClient` and `modal.task_command_router.TaskCommandRouter`
//! that its own client makes for a sandbox, with the field numbers of the vendor's package `modal` 1.6.3
//! (`modal_proto/api_pb2.py`, `modal_proto/task_command_router_pb2.py`). Commands run on this machine.

use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex};

use bytes::Bytes;
use h2::server::SendResponse;
use tokio::net::TcpListener;

use super::execution::Execution;
use super::wire::{Answer, Fields, Reply, received};

const NOT_FOUND: u32 = 5;
const UNAVAILABLE: u32 = 14;
const UNAUTHENTICATED: u32 = 16;

pub(crate) struct Service {
    pub(crate) address: SocketAddr,
    pub(crate) token: &'static str,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    calls: Vec<String>,
    /// By name.
    sandboxes: BTreeMap<String, String>,
    definitions: Vec<Fields>,
    executions: BTreeMap<String, Arc<Execution>>,
    /// The pass that opens the router; others have run out.
    pass: u32,
    /// How many streams break off, and after how many bytes.
    breaks: Option<(u32, usize)>,
}

impl Service {
    pub(crate) async fn start() -> Arc<Self> {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let service = Arc::new(Service { address, token: "as-secret", state: Mutex::default() });
        let own = Arc::clone(&service);
        tokio::spawn(async move {
            while let Ok((socket, _)) = listener.accept().await {
                let own = Arc::clone(&own);
                tokio::spawn(async move {
                    let Ok(mut connection) = h2::server::handshake(socket).await else { return };
                    while let Some(Ok((request, respond))) = connection.accept().await {
                        tokio::spawn(Arc::clone(&own).serve(request, respond));
                    }
                });
            }
        });
        service
    }

    pub(super) fn calls(&self, name: &str) -> usize {
        self.state.lock().unwrap().calls.iter().filter(|call| *call == name).count()
    }

    /// What the last sandbox was to be.
    pub(super) fn definition(&self) -> Fields {
        self.state.lock().unwrap().definitions.pop().unwrap()
    }

    /// Sandboxes end: the next command needs another one.
    pub(super) fn forget(&self) {
        self.state.lock().unwrap().sandboxes.clear();
    }

    /// The next streams break off after so many bytes, and the pass runs out.
    pub(super) fn break_off(&self, streams: u32, after: usize) {
        self.state.lock().unwrap().breaks = Some((streams, after));
    }

    async fn serve(self: Arc<Self>, request: http::Request<h2::RecvStream>, respond: SendResponse<Bytes>) {
        let (head, body) = request.into_parts();
        let call = head.uri.path().rsplit('/').next().unwrap().to_owned();
        let header =
            |name: &str| head.headers.get(name).and_then(|value| value.to_str().ok()).unwrap_or_default();
        assert_eq!(header("te"), "trailers");
        assert!(header("content-type").starts_with("application/grpc"));
        let pass = format!("Bearer pass-{}", self.state.lock().unwrap().pass);
        let known = match head.uri.path().starts_with("/modal.client.ModalClient/") {
            true => header("x-modal-token-id") == "ak-test" && header("x-modal-token-secret") == self.token,
            false => header("authorization") == pass,
        };
        let message = received(body).await;
        self.state.lock().unwrap().calls.push(call.clone());
        let Some(mut reply) = Reply::begin(respond) else { return };
        if !known {
            return reply.end(UNAUTHENTICATED, "who are you");
        }
        let ended = match call.as_str() {
            "TaskExecStdioRead" => self.stream(&message, &mut reply).await,
            "TaskExecWait" => {
                let code = self.execution(&message).wait().await;
                reply.send(&Answer::default().number(1, code as u64));
                Ok(())
            }
            "TaskExecStdinWrite" => {
                let execution = self.execution(&message);
                execution.write(message.bytes(4), message.number(5) == 1);
                reply.send(&Answer::default());
                Ok(())
            }
            _ => self.control(&call, &message).map(|answer| reply.send(&answer)),
        };
        match ended {
            Ok(()) => reply.end(0, ""),
            Err((status, text)) => reply.end(status, text),
        }
    }

    fn control(&self, call: &str, message: &Fields) -> Result<Answer, (u32, &'static str)> {
        let mut state = self.state.lock().unwrap();
        let built = Answer::default().number(1, 1);
        Ok(match call {
            "AppGetOrCreate" => {
                assert_eq!(message.number(3), 1, "create if missing");
                Answer::default().text(1, "ap-1")
            }
            "EnvironmentGetOrCreate" => {
                let settings = Answer::default().text(1, "2025.06");
                Answer::default().message(2, &Answer::default().message(2, &settings))
            }
            "ImageGetOrCreate" => {
                assert_eq!((message.text(4).as_str(), message.text(9).as_str()), ("ap-1", "2025.06"));
                assert_eq!(message.message(2).texts(6), ["FROM debian:12"]);
                Answer::default().text(1, "im-1")
            }
            "ImageJoinStreaming" => Answer::default().message(1, &built),
            "SandboxGetFromName" => {
                let found = state.sandboxes.get(&message.text(1));
                Answer::default().text(1, found.ok_or((NOT_FOUND, "no such sandbox"))?)
            }
            "SandboxCreate" => {
                let definition = message.message(2);
                assert_eq!(definition.text(3), "im-1");
                let id = format!("sb-{}", state.calls.len());
                state.sandboxes.insert(definition.text(30), id.clone());
                state.definitions.push(definition);
                Answer::default().text(1, &id)
            }
            "SandboxGetTaskId" => Answer::default().text(1, "ta-1"),
            "TaskGetCommandRouterAccess" => {
                let pass = format!("pass-{}", state.pass);
                Answer::default().text(1, &pass).text(2, &format!("http://{}", self.address))
            }
            "TaskExecStart" => {
                assert_eq!((message.text(1).as_str(), message.number(4)), ("ta-1", 1));
                let argv = message.texts(3);
                let wanted = message.message(9);
                let size = |field| u16::try_from(wanted.number(field)).unwrap();
                let terminal = (wanted.number(1) == 1).then(|| (size(2), size(3)));
                state.executions.entry(message.text(2)).or_insert_with(|| Execution::start(&argv, terminal));
                Answer::default()
            }
            other => panic!("no such call: {other}"),
        })
    }

    fn execution(&self, message: &Fields) -> Arc<Execution> {
        Arc::clone(&self.state.lock().unwrap().executions[&message.text(2)])
    }

    async fn stream(&self, message: &Fields, reply: &mut Reply) -> Result<(), (u32, &'static str)> {
        let execution = self.execution(message);
        let mut offset = usize::try_from(message.number(3)).unwrap();
        let stream = usize::try_from(message.number(4)).unwrap();
        loop {
            let mut data = execution.read(stream, offset).await;
            if data.is_empty() {
                return Ok(());
            }
            let breaks = self.breaks();
            data.truncate(breaks.unwrap_or(usize::MAX));
            offset += data.len();
            reply.send(&Answer::default().bytes(1, &data));
            if breaks.is_some() {
                return Err((UNAVAILABLE, "gone away"));
            }
        }
    }

    fn breaks(&self) -> Option<usize> {
        let mut state = self.state.lock().unwrap();
        let (left, after) = state.breaks.take()?;
        state.breaks = (left > 1).then(|| (left - 1, after));
        state.pass += 1;
        Some(after)
    }
}
