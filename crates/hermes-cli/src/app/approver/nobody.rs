//! A run without anybody to ask: what needs approval is not run, and the answer says what would allow it.

use futures_util::future::BoxFuture;

use super::asked::Asked;
use super::hint::to_allow;
use super::person::{Answer, Person};

pub(super) struct Nobody;

impl Person for Nobody {
    fn put<'a>(&'a self, asked: &'a Asked<'a>) -> BoxFuture<'a, Answer> {
        let answer = match &asked.warning {
            // Advised against, and nobody to say otherwise.
            Some(warning) => Answer::No { by: warning.clone() },
            None => Answer::Silence {
                hint: format!(
                    "Nobody is there to approve it. {}\nOr let it wait for an answer: \
                     --set approvals.mode=queue, then 'hermes approvals list'.",
                    to_allow(asked)
                ),
            },
        };
        Box::pin(std::future::ready(answer))
    }
}
