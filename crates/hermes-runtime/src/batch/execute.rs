//! Runs a planned batch. Every call gets exactly one outcome under its own id, whatever happens to it.

use futures_util::StreamExt;
use futures_util::stream::FuturesUnordered;
use hermes_core::text::json_len;
use hermes_core::{ErrorCode, ToolCall, ToolError, ToolOutcome};
use tokio_util::sync::CancellationToken;

use super::copies::hold_back;
use super::ids::make_ids_unique;
use super::plan::{Segment, SegmentKind, plan};
use crate::pipeline::{Footprint, Passage, dispatch, peek, shorten};
use crate::session::Session;

/// A call, and its place at the gate if one was kept for it.
pub(crate) type Placed = (ToolCall, Option<Passage>);

impl Session {
    /// Runs one call.
    pub async fn call(&self, call: ToolCall, cancel: &CancellationToken) -> ToolOutcome {
        dispatch(self, call, None, cancel).await
    }

    /// Runs several calls; outcomes come back in call order. Missing, empty and repeated ids are
    /// replaced by unique ones first.
    pub async fn call_all(&self, mut calls: Vec<ToolCall>, cancel: &CancellationToken) -> Vec<ToolOutcome> {
        make_ids_unique(&mut calls.iter_mut().collect::<Vec<_>>());
        self.call_placed(calls.into_iter().map(|call| (call, None)).collect(), cancel).await
    }

    /// Runs several calls, some of which have their place at the gate already.
    pub(crate) async fn call_placed(
        &self,
        mut calls: Vec<Placed>,
        cancel: &CancellationToken,
    ) -> Vec<ToolOutcome> {
        if calls.len() == 1 {
            return match calls.pop() {
                Some((call, place)) => vec![dispatch(self, call, place, cancel).await],
                None => Vec::new(),
            };
        }
        let (session, footprints) =
            (self.for_request(), self.footprints(calls.iter().map(|(call, _)| call)).await);
        for ((_, place), footprint) in calls.iter_mut().zip(&footprints) {
            if let (Some(place), Some(footprint)) = (place, footprint) {
                tell(place, footprint);
            }
        }
        let segments = plan(&footprints);
        let mut waiting: Vec<Option<Placed>> = calls.into_iter().map(Some).collect();
        let mut outcomes: Vec<Option<ToolOutcome>> = waiting.iter().map(|_| None).collect();
        for Segment { kind, calls } in segments {
            if kind == SegmentKind::Parallel {
                self.keep_order(&calls, &footprints, &mut waiting);
            }
            let (width, limit) = match kind {
                SegmentKind::Parallel => (self.runtime().settings().batch_width, self.repeats().limit()),
                SegmentKind::Sequential => (1, None),
            };
            // What touches nothing has no cause in common to fail by, and may take its time side by side.
            let may_fail_alike =
                |touched: &&Footprint| !touched.is_light() && **touched != Footprint::Guarded;
            let touches = |index: usize| footprints.get(index)?.as_ref().filter(may_fail_alike);
            let call =
                |index: usize| Some(&waiting.get(index)?.as_ref()?.0).filter(|_| touches(index).is_some());
            let (first, copies) = hold_back(calls, limit.unwrap_or(usize::MAX), call);
            for calls in [first, copies] {
                session.run_side_by_side(calls, width, &mut waiting, &mut outcomes, cancel).await;
            }
        }
        let mut outcomes: Vec<ToolOutcome> = outcomes.into_iter().flatten().collect();
        self.keep_turn_within_budget(&mut outcomes).await;
        outcomes
    }

    /// Gives the calls of a run their places at the gate in call order, if a guard may yet change what one of them
    /// touches: the plan cannot keep them apart then.
    fn keep_order(&self, run: &[usize], footprints: &[Option<Footprint>], waiting: &mut [Option<Placed>]) {
        let footprint = |index: usize| footprints.get(index).and_then(Option::as_ref);
        if !run.iter().any(|index| footprint(*index) == Some(&Footprint::Guarded)) {
            return;
        }
        for index in run {
            let Some((_, place @ None)) = waiting.get_mut(*index).and_then(Option::as_mut) else { continue };
            let kept = place.insert(self.gate().line_up());
            if let Some(footprint) = footprint(*index) {
                tell(kept, footprint);
            }
        }
    }

    /// How a batch would be cut, without running any of it.
    pub async fn plan(&self, calls: &[ToolCall]) -> Vec<Segment> {
        plan(&self.footprints(calls.iter()).await)
    }

    async fn footprints(&self, calls: impl Iterator<Item = &ToolCall>) -> Vec<Option<Footprint>> {
        let catalog = self.catalog().await;
        let mut footprints = Vec::new();
        for call in calls {
            footprints.push(peek(self, &catalog, call).await);
        }
        footprints
    }

    /// What a call would occupy, without running it; `None` if it would be refused before running.
    pub async fn footprint(&self, call: &ToolCall) -> Option<Footprint> {
        peek(self, &*self.catalog().await, call).await
    }

    async fn run_side_by_side(
        &self,
        calls: Vec<usize>,
        width: usize,
        waiting: &mut [Option<Placed>],
        outcomes: &mut [Option<ToolOutcome>],
        cancel: &CancellationToken,
    ) {
        let mut queue = calls.into_iter();
        let mut running = FuturesUnordered::new();
        loop {
            while running.len() < width.max(1)
                && let Some(index) = queue.next()
            {
                if let Some(call) = waiting.get_mut(index).and_then(Option::take) {
                    running.push(self.run_one(index, call, cancel.clone()));
                }
            }
            let Some((index, outcome)) = running.next().await else { return };
            if let Some(place) = outcomes.get_mut(index) {
                *place = Some(outcome);
            }
        }
    }

    /// Its own task, so that one busy handler does not hold up its neighbours. It starts here and not when it
    /// is first waited for: calls set out in their order.
    fn run_one(
        &self,
        index: usize,
        (call, place): Placed,
        cancel: CancellationToken,
    ) -> impl Future<Output = (usize, ToolOutcome)> + use<> {
        let (id, name) = (call.id.clone(), call.name.clone());
        let session = self.clone();
        // Dropping the batch must stop its calls: an aborted task drops the handler's future.
        let task = tokio::spawn(async move { dispatch(&session, call, place, &cancel).await });
        let task = tokio_util::task::AbortOnDropHandle::new(task);
        async move {
            let outcome = task.await.unwrap_or_else(|error| {
                let text = format!("the runtime failed while running '{name}'");
                let code = if error.is_cancelled() { ErrorCode::Cancelled } else { ErrorCode::Internal };
                ToolOutcome::refused(id, name, ToolError::new(code, text).with_operator(error.to_string()))
            });
            (index, outcome)
        }
    }

    /// Stores the largest results of a turn until what is left fits the turn's budget.
    async fn keep_turn_within_budget(&self, outcomes: &mut [ToolOutcome]) {
        let budget = self.runtime().settings().turn_result_chars;
        let mut sizes: Vec<(usize, usize)> = outcomes
            .iter()
            .enumerate()
            .map(|(index, outcome)| (outcome.result.as_ref().map_or(0, json_len), index))
            .collect();
        let mut total: usize = sizes.iter().map(|(size, _)| size).sum();
        sizes.sort_unstable_by(|a, b| b.cmp(a));
        for (size, index) in sizes {
            if total <= budget {
                return;
            }
            let Some(outcome) = outcomes.get_mut(index) else { continue };
            shorten(self, outcome, (budget / outcomes_share(total, size)).max(1_000)).await;
            total = total - size + outcome.result.as_ref().map_or(0, json_len);
        }
    }
}

/// Says at the gate what a call will touch, as far as that is known before its guards were asked.
fn tell(place: &mut Passage, footprint: &Footprint) {
    if *footprint != Footprint::Guarded {
        place.tell(footprint.clone());
    }
}

/// How many results of this size make up the whole: each may keep that share of the budget.
fn outcomes_share(total: usize, size: usize) -> usize {
    (total / size.max(1)).max(1) * 4
}
