//! A run without anybody to ask: what needs approval is not run, and the answer says what would allow it.

use futures_util::future::BoxFuture;

use super::asked::Asked;
use super::hint::grants_add;
use super::person::{Answer, Person};

pub(super) struct Nobody;

impl Person for Nobody {
    fn put<'a>(&'a self, asked: &'a Asked<'a>) -> BoxFuture<'a, Answer> {
        let answer = match &asked.warning {
            // Advised against, and nobody to say otherwise.
            Some(warning) => Answer::No { by: warning.clone() },
            None => Answer::Silence {
                hint: format!(
                    "Nobody is there to approve it. To allow exactly this once, run: {}\nOr let it wait for an answer: \
                     --set approvals.mode=queue, then 'hermes approvals list'.",
                    grants_add(asked)
                ),
            },
        };
        Box::pin(std::future::ready(answer))
    }
}
