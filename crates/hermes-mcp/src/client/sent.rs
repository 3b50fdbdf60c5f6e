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
    /// Given up while they waited to leave.
    withdrawn: HashSet<RequestId>,
    faults: HashMap<RequestId, Fault>,
    last: Option<Fault>,
}

impl Sent {
    /// To be asked before the first byte leaves: what may have left counts as having left. What was withdrawn must stay.
    #[must_use]
    pub(super) fn begin(&self, id: RequestId) -> bool {
        let mut inner = self.lock();
        if inner.withdrawn.remove(&id) {
            return false;
        }
        inner.faults.remove(&id);
        inner.begun.insert(id);
        true
    }

    /// Whether any of a request that is not settled may have left.
    pub(super) fn has_begun(&self, id: &RequestId) -> bool {
        self.lock().begun.contains(id)
    }

    /// What a transport that knows more than that it failed has to say of a request.
    pub(super) fn failed(&self, id: Option<RequestId>, fault: Fault) {
        let mut inner = self.lock();
        inner.last = Some(fault.clone());
        if let Some(id) = id.filter(|id| inner.begun.contains(id)) {
            inner.faults.insert(id, fault);
        }
    }

    /// What kept a request from leaving.
    pub(super) fn held(&self, id: Option<RequestId>, fault: Fault) {
        let mut inner = self.lock();
        if let Some(id) = id.filter(|id| !inner.withdrawn.remove(id)) {
            inner.faults.insert(id, fault);
        }
    }

    /// Forgets a request: whether any of it had left, and what the transport knows of its failure.
    pub(crate) fn settle(&self, id: &RequestId) -> (bool, Option<Fault>) {
        let mut inner = self.lock();
        (inner.begun.remove(id), inner.faults.remove(id))
    }

    /// The same for a request that is on its way still: where none of it had left, none will, so that whoever is told so
    /// may repeat it.
    pub(super) fn withdraw(&self, id: &RequestId) -> (bool, Option<Fault>) {
        let mut inner = self.lock();
        let begun = inner.begun.remove(id);
        if !begun {
            inner.withdrawn.insert(id.clone());
        }
        (begun, inner.faults.remove(id))
    }

    /// What failed last, for a link that never came to be.
    pub(super) fn last_fault(&self) -> Option<Fault> {
        self.lock().last.clone()
    }

    #[cfg(test)]
    pub(super) fn is_empty(&self) -> bool {
        let inner = self.lock();
        inner.begun.is_empty() && inner.withdrawn.is_empty() && inner.faults.is_empty()
    }

    fn lock(&self) -> MutexGuard<'_, Inner> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
