//! What servers must not leave in logs: the secrets of this process, and what their own configuration refers to.

use std::collections::BTreeMap;
use std::sync::{Arc, OnceLock};

use hermes_core::redact::Redactor;

/// Values of fewer characters are no secrets, and would spoil every log.
const SHORTEST: usize = 6;

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

    /// What hides them, and the variables that one server's configuration refers to.
    pub(crate) fn hiding(&self, referred: BTreeMap<String, String>) -> Redactor {
        let Some(inner) = &self.0 else { return Redactor::none() };
        let new = |(_, value): &(String, String)| !inner.known.iter().any(|(_, known)| known == value);
        let mut more =
            referred.into_iter().filter(|(_, value)| value.len() >= SHORTEST).filter(new).peekable();
        match more.peek() {
            Some(_) => Redactor::new(inner.known.iter().cloned().chain(more)),
            None => inner.redactor.get_or_init(|| Redactor::new(inner.known.iter().cloned())).clone(),
        }
    }
}
