//! Terms that look like a word nobody wrote in any document: misspelt, cut short, or run together.

use std::collections::HashMap;

use super::postings::TermId;

/// How many neighbours of one word are looked at.
const MOST: usize = 8;
/// Less alike than this is another word.
const LEAST_LIKENESS: f32 = 0.5;
/// A shorter word has too many neighbours to mean any of them.
const SHORTEST: usize = 3;

/// In longer words enough runs are left when two letters are swapped.
const LONGEST_SWAPPED: usize = 7;

/// Every term by the three-letter runs in it, and every word as it is written: one wrong letter may keep the
/// ending of a word from coming off.
#[derive(Debug, Default)]
pub(super) struct Neighbours {
    /// Places among the known.
    runs: HashMap<[char; 3], Vec<u32>>,
    /// Short words by their letters in order: two that are swapped leave few runs alike.
    same_letters: HashMap<Box<str>, Vec<u32>>,
    known: Vec<Known>,
}

#[derive(Clone, Debug)]
struct Known {
    text: Box<str>,
    letters: usize,
    term: TermId,
}

/// A word of a query that no document has.
#[derive(Clone, Copy, Debug)]
pub(super) struct Unknown<'a> {
    pub(super) stem: &'a str,
    pub(super) written: &'a str,
    /// It has no neighbours then but those that begin with it.
    pub(super) is_spelt_right: bool,
}

/// A term that may have been meant.
#[derive(Clone, Copy, Debug)]
pub(super) struct Neighbour {
    pub(super) term: TermId,
    /// From 0 to 1.
    pub(super) likeness: f32,
}

impl Neighbours {
    /// Adds a term, or a word that comes to it; each is given once.
    pub(super) fn add(&mut self, text: &str, term: TermId) {
        let letters = text.chars().count();
        if letters < SHORTEST {
            return;
        }
        let place = u32::try_from(self.known.len()).unwrap_or(u32::MAX);
        for run in runs(text) {
            self.runs.entry(run).or_default().push(place);
        }
        if letters <= LONGEST_SWAPPED {
            self.same_letters.entry(in_order(text)).or_default().push(place);
        }
        self.known.push(Known { text: text.into(), letters, term });
    }

    /// The terms most like an unknown word among those that `holds` accepts, best first.
    pub(super) fn of(&self, word: &Unknown<'_>, holds: impl Fn(TermId) -> bool) -> Vec<Neighbour> {
        let mut near = self.like(word.stem, word.is_spelt_right);
        if word.written != word.stem {
            near.extend(self.like(word.written, word.is_spelt_right));
        }
        near.retain(|neighbour| holds(neighbour.term));
        // Of a term the way of writing it that is most alike.
        near.sort_by(|a, b| a.term.cmp(&b.term).then(b.likeness.total_cmp(&a.likeness)));
        near.dedup_by_key(|neighbour| neighbour.term);
        near.sort_by(|a, b| b.likeness.total_cmp(&a.likeness).then(a.term.cmp(&b.term)));
        near.truncate(MOST);
        near
    }

    /// Everything that is like `word`.
    fn like(&self, word: &str, is_spelt_right: bool) -> Vec<Neighbour> {
        let letters = word.chars().count();
        if letters < SHORTEST || word.chars().all(char::is_numeric) {
            return Vec::new();
        }
        // A term is looked at when it shares its second run with the word; one is enough for the shortest.
        let enough = if letters <= 4 { 1 } else { 2 };
        let mut shared = vec![0_u8; self.known.len()];
        let mut candidates: Vec<u32> = Vec::new();
        for &place in runs(word).iter().filter_map(|run| self.runs.get(run)).flatten() {
            let Some(count) = shared.get_mut(place as usize) else { continue };
            *count = count.saturating_add(1);
            if *count == enough {
                candidates.push(place);
            }
        }
        if letters <= LONGEST_SWAPPED {
            let same = self.same_letters.get(&in_order(word)).into_iter().flatten();
            candidates.extend(
                same.filter(|place| shared.get(**place as usize).is_some_and(|count| *count < enough)),
            );
        }
        let near = candidates.into_iter().filter_map(|place| {
            let known = self.known.get(place as usize)?;
            if is_spelt_right && !known.text.starts_with(word) {
                return None;
            }
            let likeness = likeness(word, letters, &known.text, known.letters);
            (likeness >= LEAST_LIKENESS).then_some(Neighbour { term: known.term, likeness })
        });
        near.collect()
    }
}

/// The letters of a word in the order of the alphabet.
fn in_order(word: &str) -> Box<str> {
    let mut letters: Vec<char> = word.chars().collect();
    letters.sort_unstable();
    letters.into_iter().collect()
}

/// The word with a mark before and after it, in runs of three.
fn runs(word: &str) -> Vec<[char; 3]> {
    let letters: Vec<char> = ['^'].into_iter().chain(word.chars()).chain(['$']).collect();
    let mut runs: Vec<[char; 3]> = letters.windows(3).filter_map(|run| run.try_into().ok()).collect();
    runs.sort_unstable();
    runs.dedup();
    runs
}

/// 1 for equal words; a beginning counts by how much of the word it is, the rest by edits.
fn likeness(word: &str, short: usize, term: &str, long: usize) -> f32 {
    if term.starts_with(word) {
        return 0.6 + 0.4 * short as f32 / long as f32;
    }
    if word.starts_with(term) && long > SHORTEST {
        return 0.5 + 0.4 * long as f32 / short as f32;
    }
    if short.abs_diff(long) > 2 {
        return if long > short && short >= 4 && term.contains(word) { 0.55 } else { 0.0 };
    }
    let allowed = match short.max(long) {
        // Two letters the other way round are the only slip that leaves so short a word to be known.
        0..=3 => usize::from(in_order(word) == in_order(term)),
        4..=7 => 1,
        _ => 2,
    };
    match edits(word, term) {
        edits if edits <= allowed => 1.0 - edits as f32 / short.max(long) as f32,
        _ => 0.0,
    }
}

/// Letters to insert, remove, replace or swap with their neighbour.
fn edits(a: &str, b: &str) -> usize {
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
    let mut before_last: Vec<usize> = Vec::new();
    let mut last: Vec<usize> = (0..=b.len()).collect();
    for (row, from) in a.iter().enumerate() {
        let mut now = Vec::with_capacity(b.len() + 1);
        now.push(row + 1);
        for (column, to) in b.iter().enumerate() {
            let at = |line: &[usize], place: usize| line.get(place).copied().unwrap_or(usize::MAX / 2);
            let mut best = (at(&last, column) + usize::from(from != to))
                .min(at(&last, column + 1) + 1)
                .min(at(&now, column) + 1);
            let swapped =
                row > 0 && column > 0 && a.get(row - 1) == Some(to) && b.get(column - 1) == Some(from);
            if swapped {
                best = best.min(at(&before_last, column - 1) + 1);
            }
            now.push(best);
        }
        before_last = std::mem::replace(&mut last, now);
    }
    last.last().copied().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tokens;

    #[test]
    fn misspelt_and_cut_words_find_their_neighbours() {
        let mut near = Neighbours::default();
        for (id, term) in (0..).zip(["weather", "whether", "github", "forecast", "messag", "geocod", "issu"])
        {
            near.add(term, id);
        }
        for (id, term) in (8..).zip(["graph", "shape", "slide", "bar", "copi"]) {
            near.add(term, id);
        }
        near.add("separate", 7);
        near.add("separ", 7);
        let best = |word: &str| {
            let stem = tokens::stem(word);
            let word = Unknown { stem: &stem, written: word, is_spelt_right: false };
            near.of(&word, |_| true).first().map(|neighbour| neighbour.term)
        };
        assert_eq!(best("seprate"), Some(7));
        assert_eq!(best("wether"), Some(0));
        assert_eq!(best("forcast"), Some(3));
        assert_eq!(best("git"), Some(2));
        assert_eq!(best("mess"), Some(4));
        assert_eq!(best("isu"), Some(6));
        for (word, term) in [("garph", 8), ("shpae", 9), ("silde", 10), ("abr", 11)] {
            assert_eq!(best(word), Some(term), "{word}");
        }
        assert_eq!(best("rab"), None);
        assert_eq!(best("zzzz"), None);
    }

    #[test]
    fn a_swap_is_one_edit() {
        assert_eq!(edits("recieve", "receive"), 1);
        assert_eq!(edits("", "abc"), 3);
        assert_eq!(edits("same", "same"), 0);
    }
}
