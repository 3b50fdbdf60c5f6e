//! When vectors are worth a file: often enough that a process that is ended loses little, seldom enough that
//! writing costs little.

use std::sync::atomic::{AtomicUsize, Ordering};

/// New vectors that are kept at once: those of one batch, so that even the shortest process leaves some.
const ENOUGH: usize = 8;
/// The same as a share of all: a file is written whole.
const SHARE: usize = 8;

/// How many vectors no file has yet.
#[derive(Debug, Default)]
pub(super) struct Unsaved(AtomicUsize);

impl Unsaved {
    /// Whether there are enough now, `all` being those that the file would have.
    pub(super) fn add(&self, count: usize, all: usize) -> bool {
        let unsaved = self.0.fetch_add(count, Ordering::AcqRel) + count;
        unsaved >= ENOUGH.max(all / SHARE)
    }

    /// Whether there are any; from now on there are none.
    pub(super) fn take(&self) -> bool {
        self.0.swap(0, Ordering::AcqRel) > 0
    }
}

#[cfg(test)]
mod tests {
    use std::sync::{Arc, Mutex};

    use hermes_core::ToolError;
    use hermes_core::ports::CacheStore;
    use hermes_search::Shelf;
    use hermes_search::encoder::Vector;

    use crate::disclosure::{SearchSettings, ToolSearch};

    /// Remembers how many vectors each file had.
    #[derive(Default)]
    struct Store {
        last: Mutex<Option<Vec<u8>>>,
        sizes: Mutex<Vec<usize>>,
    }

    impl CacheStore for Store {
        fn load(&self, _name: &str) -> Option<Vec<u8>> {
            self.last.lock().unwrap().clone()
        }

        fn save(&self, _name: &str, bytes: &[u8]) -> Result<(), ToolError> {
            self.sizes.lock().unwrap().push(Shelf::read(bytes).len());
            *self.last.lock().unwrap() = Some(bytes.to_vec());
            Ok(())
        }
    }

    fn vectors(from: u8, to: u8) -> Vec<([u8; 16], Vector)> {
        (from..to).map(|number| ([number; 16], Vector::of(&[1.0; 384]))).collect()
    }

    #[test]
    fn vectors_are_kept_on_the_way_and_at_the_end() {
        let store = Arc::new(Store::default());
        let search = ToolSearch::new(SearchSettings::default());
        search.keep_in(store.clone());
        for batch in 0..20 {
            search.take_vectors(vectors(batch * 8, batch * 8 + 8));
        }
        let kept = [8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 152];
        assert_eq!(*store.sizes.lock().unwrap(), kept);
        drop(search);
        assert_eq!(store.sizes.lock().unwrap().last(), Some(&160));

        // What another process kept meanwhile stays.
        let other = ToolSearch::new(SearchSettings::default());
        other.keep_in(store.clone());
        other.take_vectors(vectors(200, 201));
        drop(other);
        assert_eq!(store.sizes.lock().unwrap().last(), Some(&161));
    }
}
