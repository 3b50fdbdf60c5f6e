//! A call under way and its client: what the call tells meanwhile and what it asks.

// Newer revisions deprecate the log, and questions by requests; older clients know them alone.
#![allow(deprecated)]

use std::collections::BTreeMap;
use std::sync::Arc;

use futures_util::StreamExt;
use futures_util::future::{BoxFuture, join_all};
use futures_util::stream::FuturesUnordered;
use hermes_core::ToolOutcome;
use rmcp::model::{
    CreateMessageResult, ElicitResult, InputRequest, InputResponses, ListRootsResult,
    ProgressNotificationParam, ProgressToken,
};
use rmcp::service::{Peer, RequestContext, RoleServer};
use serde_json::Value;
use tokio::sync::{mpsc, oneshot};
use tokio_util::sync::{CancellationToken, DropGuard};

use super::client::ServedClient;
use crate::assistant::Progress;
use crate::log_line::{LogLevel, LogLine};

/// Words that wait to be said; more are dropped, questions wait.
const WAITING: usize = 64;
/// The name of a question whose asker gave it none. It is never answered before it is asked.
pub(super) const UNNAMED: &str = "question";

/// Questions that belong together, and where their answers go.
pub(super) struct Questions {
    pub(super) requests: BTreeMap<String, InputRequest>,
    pub(super) reply: oneshot::Sender<InputResponses>,
}

impl Questions {
    /// The answers, if every question has one that it can be.
    pub(super) fn answered_by(&self, given: &InputResponses) -> Option<InputResponses> {
        let answer = |(key, request): (&String, &InputRequest)| {
            let answer = given.get(key).filter(|answer| is_answer(request, answer))?;
            Some((key.clone(), answer.clone()))
        };
        self.requests.iter().map(answer).collect()
    }
}

fn is_answer(request: &InputRequest, answer: &Value) -> bool {
    let answer = answer.clone();
    match request {
        InputRequest::Elicitation(_) => serde_json::from_value::<ElicitResult>(answer).is_ok(),
        InputRequest::CreateMessage(_) => serde_json::from_value::<CreateMessageResult>(answer).is_ok(),
        InputRequest::ListRoots(_) => serde_json::from_value::<ListRootsResult>(answer).is_ok(),
        _ => false,
    }
}

enum Message {
    Progress(Progress),
    Log(String, LogLine),
    Ask(Questions),
}

/// The call's end.
#[derive(Clone)]
pub(super) struct Line(mpsc::Sender<Message>);

impl Line {
    pub(super) fn progress(&self, progress: Progress) {
        let _ = self.0.try_send(Message::Progress(progress));
    }

    pub(super) fn log(&self, server: &str, line: LogLine) {
        let _ = self.0.try_send(Message::Log(server.to_owned(), line));
    }

    /// The client's answers; nothing if it never gave any.
    pub(super) async fn ask(&self, requests: BTreeMap<String, InputRequest>) -> Option<InputResponses> {
        let (reply, answers) = oneshot::channel();
        self.0.send(Message::Ask(Questions { requests, reply })).await.ok()?;
        answers.await.ok()
    }
}

/// The client's end: who hears what a call tells, during one request.
pub(super) struct Hearing {
    peer: Peer<RoleServer>,
    token: Option<ProgressToken>,
    level: Option<LogLevel>,
}

impl Hearing {
    pub(super) fn of(context: &RequestContext<RoleServer>, level: Option<LogLevel>) -> Self {
        Hearing { peer: context.peer.clone(), token: context.meta.get_progress_token(), level }
    }

    async fn progress(&self, progress: Progress) {
        let Some(token) = self.token.clone() else { return };
        let mut report = ProgressNotificationParam::new(token, progress.done);
        (report.total, report.message) = (progress.total, progress.message);
        let _ = self.peer.notify_progress(report).await;
    }

    async fn log(&self, server: &str, line: LogLine) {
        if self.level.is_some_and(|wanted| line.level.reaches(wanted)) {
            let _ = self.peer.notify_logging_message(line.message(server)).await;
        }
    }

    /// Asks by requests of their own.
    async fn ask(&self, questions: Questions) {
        let asked = questions.requests.into_iter().map(|(key, request)| async {
            let answer = match request {
                InputRequest::Elicitation(request) => {
                    wire(self.peer.create_elicitation(request.params).await.ok()?)
                }
                InputRequest::CreateMessage(request) => {
                    wire(self.peer.create_message(request.params).await.ok()?)
                }
                InputRequest::ListRoots(_) => wire(self.peer.list_roots().await.ok()?),
                _ => None,
            };
            Some((key, answer?))
        });
        let answers = join_all(asked).await.into_iter().flatten().collect();
        let _ = questions.reply.send(answers);
    }
}

fn wire(answer: impl serde::Serialize) -> Option<Value> {
    serde_json::to_value(answer).ok()
}

/// How a client is asked.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Way {
    /// By a request of its own.
    Request,
    /// In place of the answer; it comes back with the answers.
    Rounds,
}

/// Where a conversation has come to.
pub(super) enum Turn {
    /// Nothing if the call ended without an outcome.
    Ended(Option<Box<ToolOutcome>>),
    Asked(Questions),
}

/// A call under way. It is cancelled when this is dropped.
pub(super) struct Conversation {
    messages: mpsc::Receiver<Message>,
    outcome: BoxFuture<'static, Option<ToolOutcome>>,
    /// What was called, so that answers to one call are not taken for another's.
    pub(super) what: String,
    pub(super) client: Arc<ServedClient>,
    /// Answers that came with the call, before anything was asked.
    given: InputResponses,
    _cancel: DropGuard,
}

impl Conversation {
    /// The two ends of a line.
    pub(super) fn line() -> (Line, LineEnd) {
        let (sender, messages) = mpsc::channel(WAITING);
        (Line(sender), LineEnd(messages))
    }

    /// A new call, of which `outcome` tells.
    pub(super) fn begin(
        what: String,
        end: LineEnd,
        client: Arc<ServedClient>,
        given: InputResponses,
        cancel: CancellationToken,
        outcome: BoxFuture<'static, Option<ToolOutcome>>,
    ) -> Self {
        Conversation { messages: end.0, outcome, what, client, given, _cancel: cancel.drop_guard() }
    }

    /// Says on what the call tells, until it ends or has a question that only another round can answer.
    pub(super) async fn go_on(&mut self, hearing: &Hearing, way: Way) -> Turn {
        let mut asking = FuturesUnordered::new();
        loop {
            tokio::select! {
                biased;
                Some(message) = self.messages.recv() => match message {
                    Message::Progress(progress) => hearing.progress(progress).await,
                    Message::Log(server, line) => hearing.log(&server, line).await,
                    Message::Ask(questions) if way == Way::Request => asking.push(hearing.ask(questions)),
                    Message::Ask(questions) => match self.answered_before(&questions) {
                        Some(answers) => {
                            let _ = questions.reply.send(answers);
                        }
                        None => return Turn::Asked(questions),
                    },
                },
                outcome = &mut self.outcome => {
                    // What it said with its last breath comes before the answer.
                    while let Ok(message) = self.messages.try_recv() {
                        match message {
                            Message::Progress(progress) => hearing.progress(progress).await,
                            Message::Log(server, line) => hearing.log(&server, line).await,
                            Message::Ask(_) => {}
                        }
                    }
                    return Turn::Ended(outcome.map(Box::new));
                }
                Some(()) = asking.next() => {}
            }
        }
    }

    fn answered_before(&self, questions: &Questions) -> Option<InputResponses> {
        if questions.requests.contains_key(UNNAMED) {
            return None;
        }
        questions.answered_by(&self.given)
    }
}

/// The other end of a [`Line`].
pub(super) struct LineEnd(mpsc::Receiver<Message>);
