//! Long texts that were searched and had nothing in them. Who asks again for what a colleague has read, pages back or
//! polls gets the same text once more, and to search it takes twenty times as long as to compare it.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// A shorter text is searched before it is compared.
const SHORTEST: usize = 4 * 1024;
/// No result is longer, but for what goes to a store.
const LONGEST: usize = 128 * 1024;
const PLACES: usize = 16;
/// So many parts of a text tell it from most others.
const SAMPLES: usize = 8;

/// The last of them, each in the place that a few of its bytes say.
#[derive(Default)]
pub(super) struct Clean(Mutex<Vec<Place>>);

#[derive(Clone, Default)]
struct Place {
    sample: u64,
    /// Kept when it comes for the second time: most texts come once, and are not worth a copy.
    text: Option<Arc<str>>,
}

impl Clean {
    /// Whether nothing was found in this very text.
    pub(super) fn knows(&self, text: &str) -> bool {
        let Some(sample) = sample(text) else { return false };
        let place = self.places().get(place(sample)).cloned();
        place.is_some_and(|place| place.sample == sample && place.text.is_some_and(|known| *known == *text))
    }

    /// Nothing was found in this text.
    pub(super) fn remember(&self, text: &str) {
        let Some(sample) = sample(text) else { return };
        let mut places = self.places();
        places.resize(PLACES, Place::default());
        let Some(place) = places.get_mut(place(sample)) else { return };
        let again = place.sample == sample;
        *place = Place { sample, text: again.then(|| Arc::from(text)) };
    }

    fn places(&self) -> MutexGuard<'_, Vec<Place>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A number for a text by its length and some of its bytes; none for texts that are not remembered.
fn sample(text: &str) -> Option<u64> {
    if !(SHORTEST..=LONGEST).contains(&text.len()) {
        return None;
    }
    let length = u64::try_from(text.len()).ok()?;
    let parts = text.as_bytes().chunks(text.len() / SAMPLES).filter_map(|part| part.first_chunk());
    let mix = |sum: u64, part: &[u8; 8]| {
        let sum = (sum ^ u64::from_le_bytes(*part)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        sum ^ sum >> 32
    };
    Some(parts.fold(length, mix))
}

fn place(sample: u64) -> usize {
    usize::try_from(sample >> 32).unwrap_or_default() % PLACES
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_very_text_is_known_and_only_when_it_came_before() {
        let clean = Clean::default();
        let text = "a line that has nothing in it\n".repeat(500);
        assert!(!clean.knows(&text));
        clean.remember(&text);
        assert!(!clean.knows(&text), "it came once");
        clean.remember(&text);
        assert!(clean.knows(&text));
        // Where no sample is taken, a text of the same length differs.
        for at in [100, text.len() / 2 + 100, text.len() - 20] {
            let mut other = text.clone();
            other.replace_range(at..=at, "#");
            assert!(!clean.knows(&other), "{at}");
        }
        assert!(!clean.knows(text.trim_end()) && !clean.knows("short"));
        for number in 0..100 {
            let other = format!("{number}{text}");
            clean.remember(&other);
            clean.remember(&other);
        }
        assert!(clean.places().len() <= PLACES);
    }
}
