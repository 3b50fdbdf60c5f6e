//! Whoever stands behind a call: who hears of its progress and answers what a server asks while it works. Servers
//! ask only where the user switched it on.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use futures_util::future::BoxFuture;
use hermes_core::ToolError;
use serde_json::Value;

use crate::log_line::{LogLevel, LogLine};

/// What a server wants of the user.
#[derive(Clone, Debug, PartialEq)]
pub enum Elicitation {
    /// Fields to fill in, as a JSON schema of flat properties.
    Form { message: String, schema: Value },
    /// A page to visit. What is done there stays between the user and the page.
    Url { message: String, url: String, id: String },
}

/// What the user said.
#[derive(Clone, Debug, PartialEq)]
pub enum Elicited {
    /// The filled fields; nothing for a page.
    Accepted(Option<Value>),
    Declined,
    /// Nobody answered.
    Cancelled,
}

/// Anything a server may want to know before it goes on.
#[derive(Clone, Debug, PartialEq)]
pub enum Question {
    Elicit(Elicitation),
    /// In the words of the protocol's `sampling/createMessage`.
    Sample(Value),
    Roots,
}

/// The answer to a [`Question`] of the same kind.
#[derive(Clone, Debug, PartialEq)]
pub enum Reply {
    Elicited(Elicited),
    Sampled(Result<Value, String>),
    Roots(Option<Value>),
}

/// How far a call has come.
#[derive(Clone, Debug, PartialEq)]
pub struct Progress {
    pub done: f64,
    pub total: Option<f64>,
    pub message: Option<String>,
}

/// Answers in the name of the user.
pub trait Assistant: Send + Sync {
    /// Whether questions reach a person at all.
    fn shows_forms(&self) -> bool;

    fn elicit<'a>(&'a self, server: &'a str, asked: Elicitation) -> BoxFuture<'a, Elicited>;

    /// Has a model answer, in the words of the protocol's `sampling/createMessage`.
    fn sample<'a>(&'a self, server: &'a str, request: Value) -> BoxFuture<'a, Result<Value, String>>;

    /// The folders that whoever made the call works in, in the words of the protocol's `roots/list`. Nothing where
    /// that is this process.
    fn roots(&self) -> BoxFuture<'_, Option<Value>> {
        Box::pin(std::future::ready(None))
    }

    /// Answers what a server wants to know all at once, each question under the server's name for it.
    fn answer_all<'a>(
        &'a self,
        server: &'a str,
        questions: Vec<(String, Question)>,
    ) -> BoxFuture<'a, Vec<(String, Reply)>> {
        Box::pin(async move {
            let mut replies = Vec::new();
            for (key, question) in questions {
                let reply = match question {
                    Question::Elicit(asked) => Reply::Elicited(self.elicit(server, asked).await),
                    Question::Sample(request) => Reply::Sampled(self.sample(server, request).await),
                    Question::Roots => Reply::Roots(self.roots().await),
                };
                replies.push((key, reply));
            }
            replies
        })
    }

    fn progress(&self, server: &str, progress: Progress);

    /// What of a server's log is wanted; nothing by default.
    fn log_level(&self) -> Option<LogLevel> {
        None
    }

    /// A line of a server's log, or of Hermes's own where `server` is empty.
    fn log(&self, _server: &str, _line: LogLine) {}

    /// Whether it wants to know what a server itself answered.
    fn wants_originals(&self) -> bool {
        false
    }

    /// What a server itself answered to the call, with nothing hidden in it, and what was made of that.
    fn answered(&self, _original: Value, _made: &Result<Value, ToolError>) {}

    /// Who it is, where several calls may be of the same.
    fn client(&self) -> Option<u64> {
        None
    }
}

/// Nobody: every question is declined.
pub(crate) struct Nobody;

impl Assistant for Nobody {
    fn shows_forms(&self) -> bool {
        false
    }

    fn elicit<'a>(&'a self, _: &'a str, _: Elicitation) -> BoxFuture<'a, Elicited> {
        Box::pin(std::future::ready(Elicited::Declined))
    }

    fn sample<'a>(&'a self, _: &'a str, _: Value) -> BoxFuture<'a, Result<Value, String>> {
        Box::pin(std::future::ready(Err("nobody is there who has a model".to_owned())))
    }

    fn progress(&self, _: &str, _: Progress) {}
}

/// Who stands behind which call. Clones share it.
#[derive(Clone)]
pub struct Desk {
    calls: Arc<Mutex<BTreeMap<String, Arc<dyn Assistant>>>>,
    otherwise: Arc<dyn Assistant>,
}

impl Desk {
    /// A desk with somebody for calls that nobody else stands behind.
    pub fn new(otherwise: Arc<dyn Assistant>) -> Self {
        Desk { calls: Arc::default(), otherwise }
    }

    /// Stands behind the call with this id until the guard is dropped.
    #[must_use]
    pub fn stand_behind(&self, call_id: &str, assistant: Arc<dyn Assistant>) -> Standing {
        self.lock().insert(call_id.to_owned(), assistant);
        Standing { desk: self.clone(), call_id: call_id.to_owned() }
    }

    /// Who stands behind a call.
    pub fn behind(&self, call_id: &str) -> Arc<dyn Assistant> {
        self.lock().get(call_id).cloned().unwrap_or_else(|| self.otherwise())
    }

    pub(crate) fn otherwise(&self) -> Arc<dyn Assistant> {
        Arc::clone(&self.otherwise)
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, BTreeMap<String, Arc<dyn Assistant>>> {
        self.calls.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Default for Desk {
    /// A desk with nobody at it.
    fn default() -> Self {
        Desk::new(Arc::new(Nobody))
    }
}

/// Ends when dropped.
pub struct Standing {
    desk: Desk,
    call_id: String,
}

impl Drop for Standing {
    fn drop(&mut self) {
        self.desk.lock().remove(&self.call_id);
    }
}
