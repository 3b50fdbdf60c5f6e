//! `hermes run --jsonl`: stays up, one request per line in, one answer per line out, as they finish.
//! The protocol is described in docs/wire.md.

use std::collections::HashMap;
use std::io::BufRead;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use hermes_core::ToolError;
use hermes_core::ports::LiveOutput;
use hermes_runtime::Session;
use hermes_runtime::wire::{LinedUp, Request, parse_request, read_json, respond};
use serde_json::{Map, Value, json};
use tokio::sync::{Semaphore, mpsc};
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use super::config_effect::unknown_names;
use super::control::Control;
use super::interrupt::Interrupt;
use super::line_id::LineId;
use super::lines::{Unread, next_line};
use super::run::{with_denials, with_warnings};
use super::under_way::{Key, UnderWay};
use crate::app::App;
use crate::failure::{Failure, exit};
use crate::render::{ColorChoice, Style, print_line, warn};

/// Requests under way at once. Beyond it reading stops, so a fast writer waits instead of filling memory.
const MAX_UNDER_WAY: usize = 16_384;

struct Server {
    app: App,
    default_session: Option<String>,
    sessions: Mutex<HashMap<String, Session>>,
    under_way: UnderWay,
    /// Whole lines.
    answers: mpsc::Sender<String>,
    /// Whether an answer has told what the selection names and nobody knows.
    has_told: AtomicBool,
}

/// Serves until the input ends, then waits for what is under way.
pub(super) async fn serve(
    app: App,
    input: Box<dyn BufRead + Send>,
    session: Option<String>,
    timeout: Option<Duration>,
    live: bool,
) -> Result<u8, Failure> {
    let interrupt = Interrupt::watch(None);
    let (answers, mut outgoing) = mpsc::channel::<String>(256);
    let writer = tokio::task::spawn_blocking(move || {
        while let Some(answer) = outgoing.blocking_recv() {
            print_line(answer)?;
        }
        Ok::<_, Failure>(())
    });
    let app = match live {
        true => {
            let redactor = Arc::clone(&app.runtime);
            app.watched_by(Arc::new(Watching { redactor, lines: answers.downgrade() }))
        }
        false => app,
    };
    let server = Arc::new(Server {
        app,
        default_session: session,
        sessions: Mutex::default(),
        under_way: UnderWay::default(),
        answers,
        has_told: AtomicBool::new(false),
    });
    let places = Arc::new(Semaphore::new(MAX_UNDER_WAY));
    let mut lines = read_lines(input);
    let tasks = TaskTracker::new();
    loop {
        let line = tokio::select! {
            () = interrupt.token.cancelled() => break,
            line = lines.recv() => match line {
                Some(line) => line,
                None => break,
            },
        };
        let place = Arc::clone(&places).acquire_owned().await.map_err(|_| Failure::usage("closed"))?;
        let (server, cancel) = (Arc::clone(&server), interrupt.token.child_token());
        // Registered before the next line is read, so that a cancel can never overtake its request.
        let Some(request) = server.accept(line, &cancel).await else { continue };
        tasks.spawn(async move {
            server.answer(request, cancel, timeout).await;
            drop(place);
        });
    }
    tasks.close();
    tasks.wait().await;
    server.app.leave_off().await;
    let (runtime, mcp) = (Arc::clone(&server.app.runtime), Arc::clone(&server.app.mcp));
    drop(server);
    runtime.shut_down().await;
    mcp.shut_down().await;
    writer.await.map_err(|error| Failure::usage(error.to_string()))??;
    Ok(interrupt.code().unwrap_or(exit::OK))
}

/// What commands print goes out between the answers.
struct Watching {
    redactor: Arc<hermes_runtime::Runtime>,
    /// Answers keep the way out open, not those who watch.
    lines: mpsc::WeakSender<String>,
}

impl LiveOutput for Watching {
    fn printed(&self, session: &str, call: &str, text: &str) {
        let text = self.redactor.redactor().redact_text(text);
        let event = json!({"event": "output", "session": session, "tool_call_id": call, "text": text});
        // Whoever reads too slowly misses some; all of it is in the answer.
        if let Some(lines) = self.lines.upgrade() {
            let _ = lines.try_send(event.to_string());
        }
    }
}

/// A line that was understood. Its calls have their places: lines take turns in the order they were read.
struct Incoming {
    id: LineId,
    /// How it can be cancelled.
    key: Option<Key>,
    session: Session,
    /// The tools it names.
    tools: Vec<String>,
    calls: LinedUp,
    warnings: Vec<String>,
}

impl Server {
    /// Answers what needs no work at once; returns what does.
    async fn accept(&self, line: Result<String, Unread>, cancel: &CancellationToken) -> Option<Incoming> {
        let line = match line {
            Ok(line) => line,
            Err(Unread { id, why }) => return self.refuse(id, ToolError::invalid(why)).await,
        };
        let id = LineId::of(&line);
        let (value, note) = match read_json(&line) {
            Ok(read) => read,
            Err(error) => return self.refuse(id, error).await,
        };
        let mut fields = match value {
            Value::Object(fields) => fields,
            Value::Array(calls) => Map::from_iter([("tool_calls".to_owned(), Value::Array(calls))]),
            _ => return self.refuse(id, ToolError::invalid("a request line is a JSON object")).await,
        };
        let key = fields.get("id").and_then(key_of);
        id.put_into(&mut fields);
        let control = match Control::take(&mut fields) {
            Ok(control) => control,
            Err(error) => return self.refuse(id, error).await,
        };
        let session = self.session(control.session.or_else(|| self.default_session.clone()));
        match control.op.as_deref() {
            None | Some("call") => {
                let Request { calls, mut warnings } = match parse_request(&Value::Object(fields)) {
                    Ok(request) => request,
                    Err(error) => return self.refuse(id, error).await,
                };
                warnings.extend(note.map(str::to_owned));
                let key = key.map(|key| self.under_way.begun(key, cancel));
                let tools = calls.iter().map(|asked| asked.call.name.clone()).collect();
                let calls = session.line_up(calls);
                Some(Incoming { id, key, session, tools, calls, warnings })
            }
            Some("ping") => self.send(&id, json!({"pong": true})).await,
            Some("cancel") => {
                let Some(key) = fields.get("target").and_then(key_of) else {
                    let text = "'cancel' needs 'target', the id of the request to cancel: a text or a number";
                    return self.refuse(id, ToolError::invalid(text)).await;
                };
                let found = self.under_way.cancel(&key);
                self.send(&id, json!({"cancelled": found})).await
            }
            Some("definitions") => {
                self.app.meeting.begin();
                let catalog = session.catalog().await;
                let definitions = catalog.definitions();
                let answer =
                    json!({"epoch": catalog.epoch, "reason": catalog.reason, "definitions": definitions});
                self.send(&id, answer).await
            }
            Some(other) => {
                let error = ToolError::invalid(format!("unknown op '{other}'"))
                    .with_hint("Known are call (the default), definitions, cancel and ping.");
                self.refuse(id, error).await
            }
        }
    }

    async fn answer(&self, incoming: Incoming, cancel: CancellationToken, timeout: Option<Duration>) {
        let Incoming { id, key, session, tools, calls, mut warnings } = incoming;
        self.app.meet_servers(tools.iter().map(String::as_str)).await;
        let mut running = Box::pin(session.answer_lined_up(calls, &cancel));
        let outcomes = match timeout {
            None => running.await,
            Some(timeout) => match tokio::time::timeout(timeout, &mut running).await {
                Ok(outcomes) => outcomes,
                Err(_) => {
                    cancel.cancel();
                    running.await
                }
            },
        };
        let answer = with_denials(respond(&outcomes), &outcomes);
        if !self.has_told.swap(true, Ordering::Relaxed) {
            let unknown = unknown_names(&session, self.app.surroundings.config()).await;
            unknown
                .iter()
                .for_each(|unknown| warn(Style::for_stderr(ColorChoice::Auto), "warning:", unknown));
            warnings.extend(unknown);
        }
        let answer = with_warnings(answer, warnings, self.app.runtime.redactor());
        if let Some(key) = key {
            self.under_way.ended(&key);
        }
        self.send(&id, answer).await;
    }

    fn session(&self, name: Option<String>) -> Session {
        let name = name.unwrap_or_else(|| "cli".to_owned());
        let mut sessions = self.sessions.lock().unwrap_or_else(PoisonError::into_inner);
        sessions.entry(name).or_insert_with_key(|name| self.app.session(Some(name))).clone()
    }

    async fn send(&self, id: &LineId, answer: Value) -> Option<Incoming> {
        if let Value::Object(fields) = answer {
            let _ = self.answers.send(id.answer(&fields)).await;
        }
        None
    }

    async fn refuse(&self, id: LineId, mut error: ToolError) -> Option<Incoming> {
        self.app.runtime.redactor().redact_error(&mut error);
        self.send(&id, Value::Object(error.to_wire())).await
    }
}

/// Ids may be texts or numbers.
fn key_of(id: &Value) -> Option<String> {
    match id {
        Value::String(_) | Value::Number(_) => Some(id.to_string()),
        _ => None,
    }
}

/// Lines of the input, read on a thread of their own.
fn read_lines(mut input: Box<dyn BufRead + Send>) -> mpsc::Receiver<Result<String, Unread>> {
    let (sender, receiver) = mpsc::channel(256);
    std::thread::spawn(move || {
        while let Some(line) = next_line(&mut input) {
            let blank = line.as_ref().is_ok_and(|line| line.trim().is_empty());
            if !blank && sender.blocking_send(line).is_err() {
                return;
            }
        }
    });
    receiver
}
