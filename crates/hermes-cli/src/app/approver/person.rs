//! Whoever answers: a person at this terminal, a person elsewhere, or nobody.

use futures_util::future::BoxFuture;

use super::asked::Asked;
use super::terms::Terms;

/// What was answered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Answer {
    Yes {
        by: String,
        /// What this process is to remember of it.
        keep: Option<Terms>,
    },
    No {
        by: String,
    },
    /// Nobody is there, or nobody answered in time.
    Silence {
        hint: String,
    },
}

/// One way to get an answer. A dropped future means that nobody waits for it any more.
pub(super) trait Person: Send + Sync {
    fn put<'a>(&'a self, asked: &'a Asked<'a>) -> BoxFuture<'a, Answer>;
}
