//! Files and folders whose paths match.

use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use hermes_host::workspace::{EntryKind, Visit, Visitor};

/// Collects every path that a test accepts.
pub(crate) struct NameVisitor<T> {
    accepts: T,
    pub(crate) found: Vec<PathBuf>,
    pub(crate) searched: usize,
}

impl<T: Fn(&Path, EntryKind) -> bool> NameVisitor<T> {
    pub(crate) fn new(accepts: T) -> Self {
        NameVisitor { accepts, found: Vec::new(), searched: 0 }
    }
}

impl<T: Fn(&Path, EntryKind) -> bool + Send> Visitor for NameVisitor<T> {
    fn visit(&mut self, visit: &Visit<'_>) -> ControlFlow<()> {
        self.searched += 1;
        if (self.accepts)(&visit.named(), visit.kind) {
            self.found.push(visit.path.to_owned());
        }
        ControlFlow::Continue(())
    }
}

/// What all threads found, in the order of paths, and how much they looked at.
pub(crate) fn merge<T>(visitors: Vec<NameVisitor<T>>) -> (Vec<PathBuf>, usize) {
    let searched = visitors.iter().map(|visitor| visitor.searched).sum();
    let mut found: Vec<PathBuf> = visitors.into_iter().flat_map(|visitor| visitor.found).collect();
    found.sort_unstable();
    (found, searched)
}
