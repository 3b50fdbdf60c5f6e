//! Values kept ready in memory, within a number of bytes; the one longest unused goes first.

use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use serde_json::Value;

/// A value in memory takes a few times its JSON text.
const OVERHEAD: u64 = 3;

#[derive(Debug)]
pub(super) struct Recent {
    max_bytes: u64,
    inner: Mutex<Inner>,
}

#[derive(Debug, Default)]
struct Inner {
    entries: HashMap<(String, String), Entry>,
    /// Turn of last use, to key. Turns are unique.
    order: BTreeMap<u64, (String, String)>,
    turn: u64,
    bytes: u64,
}

#[derive(Debug)]
struct Entry {
    value: Arc<Value>,
    bytes: u64,
    turn: u64,
}

impl Recent {
    pub(super) fn new(max_bytes: u64) -> Self {
        Recent { max_bytes, inner: Mutex::default() }
    }

    pub(super) fn get(&self, session: &str, id: &str) -> Option<Arc<Value>> {
        let key = (session.to_owned(), id.to_owned());
        let inner = &mut *self.lock();
        let entry = inner.entries.get_mut(&key)?;
        inner.order.remove(&entry.turn);
        inner.turn += 1;
        entry.turn = inner.turn;
        inner.order.insert(inner.turn, key);
        Some(Arc::clone(&entry.value))
    }

    /// Keeps a value whose JSON has `json_bytes`, unless it is too big even alone.
    pub(super) fn insert(&self, session: &str, id: &str, value: Arc<Value>, json_bytes: u64) -> bool {
        let bytes = json_bytes.saturating_mul(OVERHEAD);
        if bytes > self.max_bytes {
            return false;
        }
        let key = (session.to_owned(), id.to_owned());
        let inner = &mut *self.lock();
        inner.remove(&key);
        inner.turn += 1;
        inner.order.insert(inner.turn, key.clone());
        inner.entries.insert(key, Entry { value, bytes, turn: inner.turn });
        inner.bytes += bytes;
        while inner.bytes > self.max_bytes {
            let Some((_, oldest)) = inner.order.pop_first() else { break };
            inner.remove(&oldest);
        }
        true
    }

    fn lock(&self) -> MutexGuard<'_, Inner> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Inner {
    fn remove(&mut self, key: &(String, String)) {
        if let Some(entry) = self.entries.remove(key) {
            self.order.remove(&entry.turn);
            self.bytes -= entry.bytes;
        }
    }
}
