//! What a record says of its tools, looked up at every call. Judging hashes two whole definitions, and a record never
//! changes, so each tool is judged once for each record.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use crate::manifest::{Record, Verdict};

#[derive(Default)]
pub(super) struct Verdicts(Mutex<Judged>);

#[derive(Default)]
struct Judged {
    record: Option<Arc<Record>>,
    /// Nothing for a tool that the server does not have.
    verdicts: HashMap<String, Option<Verdict>>,
}

impl Verdicts {
    /// Whether the record lets a tool be used; nothing if the server does not have it.
    pub(super) fn of(&self, record: &Arc<Record>, tool: &str) -> Option<Verdict> {
        let mut judged = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if !judged.record.as_ref().is_some_and(|known| Arc::ptr_eq(known, record)) {
            *judged = Judged { record: Some(Arc::clone(record)), verdicts: HashMap::new() };
        }
        if let Some(verdict) = judged.verdicts.get(tool) {
            return *verdict;
        }
        let defined = record.seen.tools.iter().find(|seen| seen.name == tool);
        let verdict = defined.map(|defined| record.judge(defined));
        judged.verdicts.insert(tool.to_owned(), verdict);
        verdict
    }
}
