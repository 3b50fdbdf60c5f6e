//! Bounds how many calls run at once, and shares the places fairly: sessions take turns, so one that
//! queues ten thousand calls cannot keep another from its one.

use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Mutex, PoisonError};

use hermes_core::{ErrorCode, ToolError};
use tokio::sync::oneshot;

/// The places of a runtime.
#[derive(Clone, Debug)]
pub(crate) struct Admission {
    state: Arc<Mutex<State>>,
    max_queued: usize,
}

#[derive(Debug)]
struct State {
    free: usize,
    queued: usize,
    waiting: HashMap<String, VecDeque<oneshot::Sender<Place>>>,
    /// Sessions with waiting calls, next in turn first.
    turns: VecDeque<String>,
}

/// A place to run in; given to the next in turn when dropped.
#[derive(Debug)]
pub(crate) struct Place {
    state: Option<Arc<Mutex<State>>>,
}

impl Admission {
    pub(crate) fn new(places: usize, max_queued: usize) -> Self {
        let state = State { free: places, queued: 0, waiting: HashMap::new(), turns: VecDeque::new() };
        Admission { state: Arc::new(Mutex::new(state)), max_queued }
    }

    /// Waits for a place in the session's turn. Refuses at once when too many calls wait already.
    pub(crate) async fn enter(&self, session: &str) -> Result<Place, ToolError> {
        let turn = {
            let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
            if state.free > 0 {
                state.free -= 1;
                return Ok(Place { state: Some(Arc::clone(&self.state)) });
            }
            if state.queued >= self.max_queued {
                return Err(ToolError::new(
                    ErrorCode::Unavailable,
                    format!("{} calls are waiting already; this one was not run", state.queued),
                )
                .with_hint("Send fewer calls at once, or raise limits.queued_calls."));
            }
            let (sender, turn) = oneshot::channel();
            state.queue(session, sender);
            turn
        };
        turn.await.map_err(|_| ToolError::internal("the runtime shut down before this call ran"))
    }
}

impl State {
    fn queue(&mut self, session: &str, sender: oneshot::Sender<Place>) {
        self.queued += 1;
        match self.waiting.get_mut(session) {
            Some(queue) => queue.push_back(sender),
            None => {
                self.waiting.insert(session.to_owned(), VecDeque::from([sender]));
                self.turns.push_back(session.to_owned());
            }
        }
    }

    /// Takes the first waiting call of the session whose turn it is.
    fn next(&mut self) -> Option<oneshot::Sender<Place>> {
        let session = self.turns.pop_front()?;
        let queue = self.waiting.get_mut(&session)?;
        let sender = queue.pop_front();
        if queue.is_empty() {
            self.waiting.remove(&session);
        } else {
            self.turns.push_back(session);
        }
        self.queued -= 1;
        sender
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let Some(shared) = self.state.take() else { return };
        let mut state = shared.lock().unwrap_or_else(PoisonError::into_inner);
        while let Some(waiting) = state.next() {
            let place = Place { state: Some(Arc::clone(&shared)) };
            match waiting.send(place) {
                Ok(()) => return,
                // The caller gave up while waiting. Defuse the returned place: we still hold the lock.
                Err(mut place) => place.state = None,
            }
        }
        state.free += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn sessions_take_turns() {
        let admission = Admission::new(1, 100);
        let held = admission.enter("first").await.unwrap();
        let order = Arc::new(Mutex::new(Vec::new()));
        let mut tasks = Vec::new();
        for session in ["busy", "busy", "busy", "quiet"] {
            let (admission, order) = (admission.clone(), Arc::clone(&order));
            tasks.push(tokio::spawn(async move {
                let place = admission.enter(session).await.unwrap();
                order.lock().unwrap().push(session);
                drop(place);
            }));
            tokio::task::yield_now().await;
        }
        drop(held);
        for task in tasks {
            task.await.unwrap();
        }
        assert_eq!(*order.lock().unwrap(), ["busy", "quiet", "busy", "busy"]);
    }

    #[tokio::test]
    async fn a_caller_that_gave_up_does_not_swallow_the_place() {
        let admission = Admission::new(1, 100);
        let held = admission.enter("a").await.unwrap();
        let mut gave_up = Box::pin(admission.enter("b"));
        assert!(futures_util::poll!(&mut gave_up).is_pending());
        drop(gave_up);
        drop(held);
        admission.enter("c").await.unwrap();
    }

    #[tokio::test]
    async fn the_queue_is_bounded() {
        let admission = Admission::new(1, 1);
        let _held = admission.enter("a").await.unwrap();
        let mut waiting = Box::pin(admission.enter("a"));
        assert!(futures_util::poll!(&mut waiting).is_pending());
        assert_eq!(admission.enter("a").await.unwrap_err().code, ErrorCode::Unavailable);
    }
}
