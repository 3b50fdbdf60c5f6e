//! Which calls of a link are under way, and who stands behind each: progress reports and questions of the server
//! find their way by it.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use rmcp::model::ProgressToken;

use super::allowance::PER_CALL;
use crate::assistant::{Assistant, Desk, Progress};
use crate::log_line::LogLevel;

/// Reports that are kept for calls whose token is not known yet.
const MAX_EARLY: usize = 64;

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
    running: BTreeMap<u64, Running>,
    /// Reports of calls whose token is not known yet.
    early: Vec<(ProgressToken, String, Progress)>,
}

struct Running {
    token: Option<ProgressToken>,
    behind: Arc<dyn Assistant>,
    /// What the server asked meanwhile.
    questions: usize,
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
        calls.running.insert(number, Running { token: None, behind, questions: 0 });
        Asked { asking: self.clone(), number }
    }

    /// Tells whoever stands behind the call that a report is about. One that comes before this side knows the call's
    /// token waits for it.
    pub(crate) fn report(&self, server: &str, token: ProgressToken, progress: Progress) {
        let mut calls = self.lock();
        let mine = calls.running.values().find(|call| call.token.as_ref() == Some(&token));
        if let Some(call) = mine {
            call.behind.progress(server, progress);
        } else if calls.running.values().any(|call| call.token.is_none()) && calls.early.len() < MAX_EARLY {
            calls.early.push((token, server.to_owned(), progress));
        }
    }

    /// Who is asked by a server that does not say for which call. Where calls of several are under way, none of
    /// them can be told what another did.
    pub(crate) fn asked(&self) -> Arc<dyn Assistant> {
        let calls = self.lock();
        let mut all = calls.running.values().map(|call| &call.behind);
        let same = |one: &Arc<dyn Assistant>, other: &Arc<dyn Assistant>| {
            Arc::ptr_eq(one, other) || (one.client().is_some() && one.client() == other.client())
        };
        match all.next() {
            Some(first) if all.all(|other| same(first, other)) => Arc::clone(first),
            _ => self.desk.otherwise(),
        }
    }

    /// Counts a question to a call under way, the oldest first. False if each has had its share.
    pub(crate) fn counts_question(&self) -> bool {
        let mut calls = self.lock();
        let free = calls.running.values_mut().find(|call| call.questions < PER_CALL);
        match free {
            Some(call) => call.questions += 1,
            None => return calls.running.is_empty(),
        }
        true
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
    /// What whoever stands behind the call wants of the server's log.
    pub(crate) fn log_level(&self) -> Option<LogLevel> {
        self.asking.lock().running.get(&self.number)?.behind.log_level()
    }

    /// The token that the server's reports on this call carry.
    pub(crate) fn reports_as(&self, token: ProgressToken) {
        let mut calls = self.asking.lock();
        let early = calls.early.extract_if(.., |(early, ..)| *early == token).collect::<Vec<_>>();
        if let Some(call) = calls.running.get_mut(&self.number) {
            call.token = Some(token);
            early.into_iter().for_each(|(_, server, progress)| call.behind.progress(&server, progress));
        }
    }
}

impl Drop for Asked {
    fn drop(&mut self) {
        let mut calls = self.asking.lock();
        calls.running.remove(&self.number);
        if calls.running.is_empty() {
            calls.early.clear();
        }
    }
}
