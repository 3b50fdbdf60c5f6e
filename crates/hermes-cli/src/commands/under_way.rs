//! Requests that can still be cancelled, by their id. Several may have one id: what is cancelled by it is all of them, and
//! one that ends takes nothing from the others.

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use tokio_util::sync::CancellationToken;

/// The id of a request, and which of those with this id it is.
pub(super) type Key = (String, u64);

#[derive(Default)]
pub(super) struct UnderWay(Mutex<Requests>);

#[derive(Default)]
struct Requests {
    begun: u64,
    tokens: BTreeMap<Key, CancellationToken>,
}

impl UnderWay {
    /// Answers with what to say when it has ended.
    pub(super) fn begun(&self, id: String, cancel: &CancellationToken) -> Key {
        let mut requests = self.requests();
        requests.begun += 1;
        let key = (id, requests.begun);
        requests.tokens.insert(key.clone(), cancel.clone());
        key
    }

    pub(super) fn ended(&self, key: &Key) {
        self.requests().tokens.remove(key);
    }

    /// Whether there was something to cancel.
    pub(super) fn cancel(&self, id: &str) -> bool {
        let requests = self.requests();
        let of_id = (id.to_owned(), 0)..=(id.to_owned(), u64::MAX);
        let tokens: Vec<_> = requests.tokens.range(of_id).map(|(_, token)| token).collect();
        tokens.iter().for_each(|token| token.cancel());
        !tokens.is_empty()
    }

    fn requests(&self) -> MutexGuard<'_, Requests> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
