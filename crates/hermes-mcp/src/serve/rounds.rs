//! Calls of clients that are asked in place of an answer (protocol 2026-07-28): the call waits here until the client
//! comes back with the answers. What the client carries back and forth is the name of the waiting call, nothing else.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use hermes_core::ToolOutcome;
use rmcp::model::{InputRequest, InputRequests, InputRequiredResult, InputResponses};
use serde_json::Value;
use tokio::sync::{mpsc, oneshot};
use tokio_util::sync::{CancellationToken, DropGuard};

/// How long a call waits for a client to come back.
const PATIENCE: Duration = Duration::from_secs(600);
/// Calls that wait at the same time; the oldest gives way.
const MAX_WAITING: usize = 256;
/// The one question of a round.
const KEY: &str = "question";

/// A question and where its answer goes.
type Question = (InputRequest, oneshot::Sender<Value>);

/// The asking end, for the call.
#[derive(Clone)]
pub(super) struct Asks(mpsc::Sender<Question>);

impl Asks {
    /// The client's answer; nothing if it never came back.
    pub(super) async fn ask(&self, request: InputRequest) -> Option<Value> {
        let (sender, answer) = oneshot::channel();
        self.0.send((request, sender)).await.ok()?;
        tokio::time::timeout(PATIENCE, answer).await.ok()?.ok()
    }
}

/// A call under way whose client may be asked.
pub(super) struct Round {
    questions: mpsc::Receiver<Question>,
    outcome: oneshot::Receiver<ToolOutcome>,
    /// What was called, so that answers to one call are not taken for another's.
    what: String,
    _cancel: DropGuard,
}

/// What a client is told.
pub(super) enum Told {
    Outcome(ToolOutcome),
    Asked(InputRequiredResult),
    /// The call ended without an outcome.
    Nothing,
}

/// A call that waits, and where the answer it waits for goes.
type Parked = (Round, oneshot::Sender<Value>);

/// All calls that wait for their clients, by the names that the clients carry.
#[derive(Clone, Default)]
pub(super) struct Rounds(Arc<Mutex<BTreeMap<String, Parked>>>);

impl Rounds {
    /// The two ends of a new round.
    pub(super) fn begin(
        what: String,
        cancel: CancellationToken,
    ) -> (Asks, oneshot::Sender<ToolOutcome>, Round) {
        let (asks, questions) = mpsc::channel(1);
        let (done, outcome) = oneshot::channel();
        (Asks(asks), done, Round { questions, outcome, what, _cancel: cancel.drop_guard() })
    }

    /// Takes up the call that a client comes back for, with its answers.
    pub(super) fn resume(
        &self,
        name: &str,
        what: &str,
        answers: Option<&InputResponses>,
    ) -> Result<Round, String> {
        let mut waiting = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let known = waiting.get(name).is_some_and(|(round, _)| round.what == what);
        let Some((round, reply)) = waiting.remove(name).filter(|_| known) else {
            return Err("no call waits under this requestState".to_owned());
        };
        match answers.and_then(|answers| answers.get(KEY)) {
            Some(answer) => {
                let _ = reply.send(answer.clone());
                Ok(round)
            }
            None => {
                // The client may still find the answer it owes.
                waiting.insert(name.to_owned(), (round, reply));
                Err(format!("inputResponses has no '{KEY}'"))
            }
        }
    }

    /// Goes on until there is an outcome or a question.
    pub(super) async fn go_on(&self, mut round: Round) -> Told {
        tokio::select! {
            outcome = &mut round.outcome => outcome.map_or(Told::Nothing, Told::Outcome),
            Some((request, reply)) = round.questions.recv() => {
                let name = uuid();
                let asked = InputRequiredResult::new(Some(InputRequests::from([(KEY.to_owned(), request)])), Some(name.clone()));
                let mut waiting = self.0.lock().unwrap_or_else(PoisonError::into_inner);
                // Names grow with time, so the first is the oldest.
                while waiting.len() >= MAX_WAITING {
                    waiting.pop_first();
                }
                waiting.insert(name, (round, reply));
                Told::Asked(asked)
            }
        }
    }
}

fn uuid() -> String {
    format!("{}-{}", uuid::Uuid::now_v7(), uuid::Uuid::new_v4())
}
