//! Calls of clients that are asked in place of an answer (protocol 2026-07-28): the call waits here until the client
//! comes back with the answers. What the client carries back and forth is the name of the waiting call, nothing else.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use rmcp::model::{InputRequiredResult, InputResponses};

use super::conversation::{Conversation, Questions};

/// How long a call waits for a client to come back.
const PATIENCE: Duration = Duration::from_secs(600);
/// Calls that wait at the same time; the oldest gives way.
const MAX_WAITING: usize = 256;

/// A call that waits, and what it wants to know.
type Parked = (Conversation, Questions);

/// All calls that wait for their clients, by the names that the clients carry. Nothing once no client can come back.
#[derive(Clone)]
pub(super) struct Rounds(Arc<Mutex<Option<BTreeMap<String, Parked>>>>);

impl Default for Rounds {
    fn default() -> Self {
        Rounds(Arc::new(Mutex::new(Some(BTreeMap::new()))))
    }
}

/// A client that came back.
pub(super) enum Back {
    /// With all answers.
    GoOn(Conversation),
    /// Without some of them: it is asked again.
    Asked(InputRequiredResult),
}

impl Rounds {
    /// Lets a call wait for its client, and says what the client is told.
    pub(super) fn park(&self, conversation: Conversation, questions: Questions) -> InputRequiredResult {
        let name = uuid();
        let asked = InputRequiredResult::new(Some(questions.requests.clone()), Some(name.clone()));
        let mut calls = self.lock();
        let Some(waiting) = calls.as_mut() else { return asked };
        // Names grow with time, so the first is the oldest.
        while waiting.len() >= MAX_WAITING {
            waiting.pop_first();
        }
        waiting.insert(name.clone(), (conversation, questions));
        drop(calls);
        let rounds = self.clone();
        tokio::spawn(async move {
            tokio::time::sleep(PATIENCE).await;
            rounds.lock().as_mut().map(|waiting| waiting.remove(&name));
        });
        asked
    }

    /// Takes up the call that a client comes back for, with its answers.
    pub(super) fn resume(
        &self,
        name: &str,
        what: &str,
        answers: Option<&InputResponses>,
    ) -> Result<Back, String> {
        let mut calls = self.lock();
        let waiting = calls
            .as_mut()
            .filter(|waiting| waiting.get(name).is_some_and(|(conversation, _)| conversation.what == what));
        let Some((conversation, questions)) = waiting.and_then(|waiting| waiting.remove(name)) else {
            return Err("no such call waits under this requestState".to_owned());
        };
        drop(calls);
        match answers.and_then(|answers| questions.answered_by(answers)) {
            Some(answers) => {
                let _ = questions.reply.send(answers);
                Ok(Back::GoOn(conversation))
            }
            None => Ok(Back::Asked(self.park(conversation, questions))),
        }
    }

    /// Cancels the calls that wait: no client can come back any more.
    pub(super) fn end(&self) {
        drop(self.lock().take());
    }

    fn lock(&self) -> MutexGuard<'_, Option<BTreeMap<String, Parked>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn uuid() -> String {
    format!("{}-{}", uuid::Uuid::now_v7(), uuid::Uuid::new_v4())
}
