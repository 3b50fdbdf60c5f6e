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
    /// Whose answer broke off. The rest of it may come another way still.
    broken: HashMap<RequestId, Fault>,
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
        inner.broken.remove(&id);
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

    /// What is to be said of a request if no other way brings what was left of its answer.
    pub(super) fn broke_off(&self, id: RequestId, fault: Fault) {
        let mut inner = self.lock();
        inner.last = Some(fault.clone());
        if inner.begun.contains(&id) {
            inner.broken.insert(id, fault);
        }
    }

    /// The same, for who knows that none does.
    pub(super) fn broken(&self, id: &RequestId) -> Option<Fault> {
        self.lock().broken.remove(id)
    }

    /// What kept a request from leaving; false where it was given up meanwhile. Then it must not be tried again, and it
    /// stays withdrawn for whoever tries all the same.
    #[must_use]
    pub(super) fn held(&self, id: Option<RequestId>, fault: Fault) -> bool {
        let mut inner = self.lock();
        let Some(id) = id else { return true };
        if inner.withdrawn.contains(&id) {
            return false;
        }
        inner.faults.insert(id, fault);
        true
    }

    /// Forgets a request: whether any of it had left, and what the transport knows of its failure.
    pub(crate) fn settle(&self, id: &RequestId) -> (bool, Option<Fault>) {
        let mut inner = self.lock();
        inner.broken.remove(id);
        (inner.begun.remove(id), inner.faults.remove(id))
    }

    /// The same for a request that is on its way still: where none of it had left, none will, so that whoever is told so
    /// may repeat it.
    pub(super) fn withdraw(&self, id: &RequestId) -> (bool, Option<Fault>) {
        let mut inner = self.lock();
        inner.broken.remove(id);
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
        let Inner { begun, withdrawn, faults, broken, .. } = &*inner;
        begun.is_empty() && withdrawn.is_empty() && faults.is_empty() && broken.is_empty()
    }

    fn lock(&self) -> MutexGuard<'_, Inner> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
