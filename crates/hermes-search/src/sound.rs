//! Loan words read by their sound: a `레시피` is a recipe and a `पार्सल` a parcel, whatever the letters.

use std::collections::HashMap;
use std::sync::LazyLock;

use crate::encoder::all_words;
use crate::letters::{Reading, read_aloud};
use crate::lexicon::Meanings;

/// English words of fewer letters sound like too many others.
const SHORTEST: usize = 4;
/// Words that may be meant.
const MOST: usize = 3;

/// English words by their consonants.
static SOUNDS: LazyLock<HashMap<Vec<u8>, Vec<&'static str>>> = LazyLock::new(|| {
    let mut sounds: HashMap<Vec<u8>, Vec<&'static str>> = HashMap::new();
    for word in all_words()
        .filter(|word| word.len() >= SHORTEST && word.bytes().all(|byte| byte.is_ascii_lowercase()))
    {
        let mut keys = ways_to_say(word).map(|sound| consonants(&sound));
        keys.sort_unstable();
        let [first, second] = keys;
        if second != first {
            sounds.entry(second).or_default().push(word);
        }
        sounds.entry(first).or_default().push(word);
    }
    sounds
});

/// The English words that a word of other letters sounds like, the likest first.
pub(crate) fn as_heard(word: &str) -> Meanings {
    let Some(Reading { latin, is_loan }) = read_aloud(word) else { return Meanings::new() };
    let heard = spoken(&latin, true);
    let key = consonants(&heard);
    // Words of a language's own have the sounds of some short word too.
    let fewest = if is_loan { 2 } else { 3 };
    if key.len() < fewest {
        return Meanings::new();
    }
    let candidates = SOUNDS.get(&key).map_or(&[][..], Vec::as_slice);
    let mut found: Vec<(usize, &'static str)> = Vec::new();
    for &word in candidates {
        let distances = ways_to_say(word).map(|sound| distance(&heard, &sound));
        let best = distances.into_iter().min().unwrap_or(usize::MAX);
        let allowed = if key.len() == 2 { 1 } else { heard.len() / 4 };
        if best <= allowed && is_vowel(heard.first()) == is_vowel(word.as_bytes().first()) {
            found.push((best, word));
        }
    }
    // Frequent words come first in the encoder's alphabet, and so among equals here.
    found.sort_by_key(|(distance, _)| *distance);
    let nearest = found.first().map_or(0, |(distance, _)| *distance);
    found.into_iter().filter(|(distance, _)| *distance == nearest).map(|(_, word)| word).take(MOST).collect()
}

/// With every `r`, and with those alone that a vowel follows.
fn ways_to_say(word: &str) -> [Vec<u8>; 2] {
    [true, false].map(|says_r| {
        let mut sounds = spoken(word, says_r);
        // An `e` at the end is silent.
        if sounds.len() > 3 && sounds.last() == Some(&b'e') {
            sounds.pop();
        }
        sounds
    })
}

/// The sounds of a word in Latin letters, as roughly as letters of other languages keep them.
fn spoken(word: &str, says_r: bool) -> Vec<u8> {
    let letters = word.as_bytes();
    let at = |place: usize| letters.get(place).copied().unwrap_or_default();
    let mut sounds: Vec<u8> = Vec::new();
    let mut place = 0;
    while place < letters.len() {
        let next = at(place + 1);
        let is_soft = matches!(next, b'e' | b'i' | b'y');
        let (sound, used): (&[u8], usize) = match (at(place), next) {
            (b'p', b'h') => (b"p", 2),
            (b's' | b'c', b'h') => (b"s", 2),
            (b't' | b'd' | b'g' | b'k' | b'b', b'h') if next == b'h' => {
                (letters.get(place..=place).unwrap_or_default(), 2)
            }
            (b'c' | b'g', _) if is_soft => (b"s", 1),
            (b'c' | b'q', _) => (b"k", 1),
            (b'x', _) => (b"ks", 1),
            (b'z' | b'j', _) => (b"s", 1),
            (b'f', _) => (b"p", 1),
            (b'v', _) => (b"b", 1),
            (b'w', _) if !is_vowel(sounds.last()) => (b"u", 1),
            (b'w' | b'h', _) => (b"", 1),
            (b'y', _) => (b"i", 1),
            (b'r', _) if !says_r && !matches!(next, b'a' | b'e' | b'i' | b'o' | b'u' | b'y') => (b"", 1),
            (b'l', _) => (b"r", 1),
            _ => (letters.get(place..=place).unwrap_or_default(), 1),
        };
        for byte in sound {
            if sounds.last() != Some(byte) {
                sounds.push(*byte);
            }
        }
        place += used;
    }
    sounds
}

fn is_vowel(letter: Option<&u8>) -> bool {
    letter.is_some_and(|letter| b"aeiouy".contains(letter))
}

fn consonants(sounds: &[u8]) -> Vec<u8> {
    let mut key: Vec<u8> = Vec::new();
    for sound in sounds.iter().filter(|sound| !is_vowel(Some(sound))) {
        key.push(*sound);
    }
    key
}

/// Sounds to insert, remove or replace.
fn distance(a: &[u8], b: &[u8]) -> usize {
    let mut last: Vec<usize> = (0..=b.len()).collect();
    for (row, from) in a.iter().enumerate() {
        let mut before = row;
        let mut left = row + 1;
        let mut now = vec![left];
        for (to, above) in b.iter().zip(last.iter().skip(1)) {
            left = (before + usize::from(from != to)).min(above + 1).min(left + 1);
            before = *above;
            now.push(left);
        }
        last = now;
    }
    last.last().copied().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn loan_words_sound_like_what_they_mean() {
        for (written, word) in [
            ("레시피", "recipe"),
            ("पार्सल", "parcel"),
            ("メニュー", "menu"),
            ("タクシー", "taxi"),
            ("カメラ", "camera"),
            ("템플릿", "template"),
            ("мониторинг", "monitoring"),
        ] {
            assert!(as_heard(written).contains(&word), "{written}: {:?}", as_heard(written));
        }
        for nothing in ["", "を", "기", "и", "word", "冷蔵庫", "खरीदार"] {
            assert!(as_heard(nothing).is_empty(), "{nothing}: {:?}", as_heard(nothing));
        }
    }
}
