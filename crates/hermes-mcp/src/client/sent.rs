//! Which requests began to leave this process, and what became of those that got no answer. It decides whether a
//! call may be repeated.

use std::collections::{HashMap, HashSet};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use rmcp::model::RequestId;

use super::fault::Fault;

/// The requests of one link that are not settled yet. Clones share them.
#[derive(Clone, Debug, Default)]
pub(crate) struct Sent(Arc<Mutex<Inner>>);

#[derive(Debug, Default)]
struct Inner {
    begun: HashSet<RequestId>,
    faults: HashMap<RequestId, Fault>,
    last: Option<Fault>,
}

impl Sent {
    /// To be said before the first byte leaves: what may have left counts as having left.
    pub(super) fn begin(&self, id: RequestId) {
        let mut inner = self.lock();
        inner.faults.remove(&id);
        inner.begun.insert(id);
    }

    /// What a transport that knows more than that it failed has to say of a request.
    pub(super) fn failed(&self, id: Option<RequestId>, fault: Fault) {
        let mut inner = self.lock();
        inner.last = Some(fault.clone());
        if let Some(id) = id.filter(|id| inner.begun.contains(id)) {
            inner.faults.insert(id, fault);
        }
    }

    /// Forgets a request: whether any of it had left, and what the transport knows of its failure.
    pub(crate) fn settle(&self, id: &RequestId) -> (bool, Option<Fault>) {
        let mut inner = self.lock();
        (inner.begun.remove(id), inner.faults.remove(id))
    }

    /// What failed last, for a link that never came to be.
    pub(super) fn last_fault(&self) -> Option<Fault> {
        self.lock().last.clone()
    }

    fn lock(&self) -> MutexGuard<'_, Inner> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
