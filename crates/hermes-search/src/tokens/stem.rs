//! Word forms to stems, by script: English for Latin letters, Russian for Cyrillic.

use std::borrow::Cow;

use rust_stemmers::{Algorithm, Stemmer};

/// The stem of a folded word. Words of other scripts come back as they are.
pub fn stem(word: &str) -> Cow<'_, str> {
    let algorithm = match word.chars().next() {
        Some('a'..='z') => Algorithm::English,
        Some('а'..='я') => Algorithm::Russian,
        _ => return Cow::Borrowed(word),
    };
    Stemmer::create(algorithm).stem(word)
}
