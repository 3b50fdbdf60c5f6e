//! Which calls of a link are under way, and who stands behind each: progress reports and questions of the server
//! find their way by it.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use rmcp::model::ProgressToken;

use crate::assistant::{Assistant, Desk};

/// The calls under way. Clones share them.
#[derive(Clone)]
pub(crate) struct Asking {
    desk: Desk,
    calls: Arc<Mutex<Calls>>,
}

#[derive(Default)]
struct Calls {
    next: u64,
    /// By order of arrival.
    running: BTreeMap<u64, (Option<ProgressToken>, Arc<dyn Assistant>)>,
}

impl Asking {
    pub(crate) fn new(desk: Desk) -> Self {
        Asking { desk, calls: Arc::default() }
    }

    /// Takes note of a call until the guard is dropped.
    pub(crate) fn begin(&self, behind: Arc<dyn Assistant>) -> Asked {
        let mut calls = self.lock();
        calls.next += 1;
        let number = calls.next;
        calls.running.insert(number, (None, behind));
        Asked { asking: self.clone(), number }
    }

    /// Who stands behind the call that a progress report is about.
    pub(crate) fn reported(&self, token: &ProgressToken) -> Option<Arc<dyn Assistant>> {
        let calls = self.lock();
        let mine = calls.running.values().find(|(known, _)| known.as_ref() == Some(token));
        mine.map(|(_, behind)| Arc::clone(behind))
    }

    /// Who is asked by a server that does not say for which call. Where calls of several are under way, none of
    /// them can be told what another did.
    pub(crate) fn asked(&self) -> Arc<dyn Assistant> {
        let calls = self.lock();
        let mut all = calls.running.values().map(|(_, behind)| behind);
        match all.next() {
            Some(first) if all.all(|other| Arc::ptr_eq(first, other)) => Arc::clone(first),
            _ => self.desk.otherwise(),
        }
    }

    fn lock(&self) -> MutexGuard<'_, Calls> {
        self.calls.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A call under way.
pub(crate) struct Asked {
    asking: Asking,
    number: u64,
}

impl Asked {
    /// The token that the server's reports on this call carry.
    pub(crate) fn reports_as(&self, token: ProgressToken) {
        if let Some((known, _)) = self.asking.lock().running.get_mut(&self.number) {
            *known = Some(token);
        }
    }
}

impl Drop for Asked {
    fn drop(&mut self) {
        self.asking.lock().running.remove(&self.number);
    }
}
