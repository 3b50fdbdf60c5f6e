//! The secrets of this process, which servers know only by accident.

use std::sync::{Arc, OnceLock};

use hermes_core::redact::Redactor;

use super::cover::Cover;

/// The secrets of this process. Nothing is prepared before a server is started. Clones share it.
#[derive(Clone, Default)]
pub(crate) struct Secrets(Option<Arc<Inner>>);

struct Inner {
    known: Vec<(String, String)>,
    redactor: OnceLock<Redactor>,
}

impl Secrets {
    /// These by name; nothing is hidden without any list.
    pub(crate) fn new(known: Option<Vec<(String, String)>>) -> Self {
        Secrets(known.map(|known| Arc::new(Inner { known, redactor: OnceLock::new() })))
    }

    /// What hides them, and whatever is shaped like one.
    pub(crate) fn redactor(&self) -> Redactor {
        let Some(inner) = &self.0 else { return Redactor::none() };
        inner.redactor.get_or_init(|| Redactor::new(inner.known.iter().cloned())).clone()
    }

    /// What is to hide the credentials of one server. It knows none yet.
    pub(crate) fn cover(&self) -> Cover {
        Cover::new(self.0.is_some())
    }
}
