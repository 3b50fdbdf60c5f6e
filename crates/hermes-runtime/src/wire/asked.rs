//! Calls as somebody asked for them, also those that cannot be read: each gets its answer, in call order.

use hermes_core::{ToolCall, ToolError, ToolOutcome};
use tokio_util::sync::CancellationToken;

use crate::batch::{Placed, make_ids_unique};
use crate::pipeline::Passage;
use crate::session::Session;

/// One call of a request.
#[derive(Clone, Debug, PartialEq)]
pub struct Asked {
    pub call: ToolCall,
    /// How it was read, where it was not written as it should be.
    pub notes: Vec<String>,
    /// Why it does not run. The calls beside it do.
    pub refusal: Option<ToolError>,
}

/// Calls that have their places: they take turns with others of their session as of the time they lined up.
pub struct LinedUp {
    calls: Vec<(Asked, Option<Passage>)>,
}

impl Session {
    /// Takes the places of these calls behind those that lined up before.
    pub fn line_up(&self, asked: Vec<Asked>) -> LinedUp {
        let place = |asked: Asked| {
            let place = asked.refusal.is_none().then(|| self.gate().line_up());
            (asked, place)
        };
        LinedUp { calls: asked.into_iter().map(place).collect() }
    }

    /// Runs what can run, and answers every call.
    pub async fn answer(&self, asked: Vec<Asked>, cancel: &CancellationToken) -> Vec<ToolOutcome> {
        let calls = asked.into_iter().map(|asked| (asked, None)).collect();
        self.answer_lined_up(LinedUp { calls }, cancel).await
    }

    /// The same for calls that have their places.
    pub async fn answer_lined_up(&self, lined_up: LinedUp, cancel: &CancellationToken) -> Vec<ToolOutcome> {
        let LinedUp { mut calls } = lined_up;
        make_ids_unique(&mut calls.iter_mut().map(|(asked, _)| &mut asked.call).collect::<Vec<_>>());
        let mut runnable: Vec<Placed> = Vec::with_capacity(calls.len());
        let mut refused = Vec::with_capacity(calls.len());
        for (Asked { call, notes, refusal }, place) in calls {
            match refusal {
                Some(mut error) => {
                    // It may name a key, and somebody may have written a secret where a key should be.
                    self.runtime().redactor().redact_error(&mut error);
                    refused.push((notes, Some(ToolOutcome::refused(call.id, call.name, error))));
                }
                None => {
                    refused.push((notes, None));
                    runnable.push((call, place));
                }
            }
        }
        let mut ran = self.call_placed(runnable, cancel).await.into_iter();
        let answer = |(notes, refused): (Vec<String>, Option<ToolOutcome>)| {
            let mut outcome = refused.or_else(|| ran.next())?;
            outcome.notes.splice(..0, notes);
            Some(outcome)
        };
        refused.into_iter().filter_map(answer).collect()
    }
}
