//! Where a server really is. What may be asked twice follows its redirects and shows the way; calls go there at once.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

/// The places that requests of one link were led to, by the address they were sent to. Clones share them.
#[derive(Clone, Default)]
pub(super) struct Places(Arc<Mutex<HashMap<String, String>>>);

impl Places {
    /// Where to send what must not be redirected.
    pub(super) fn of(&self, url: &str) -> String {
        let places = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        places.get(url).map_or_else(|| url.to_owned(), String::clone)
    }

    /// Takes note of where an answer came from.
    pub(super) fn learn(&self, url: &str, place: &str) {
        let mut places = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        match url == place {
            true => places.remove(url),
            false => places.insert(url.to_owned(), place.to_owned()),
        };
    }
}
