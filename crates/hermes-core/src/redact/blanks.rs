//! Encoded text whose long words stand side by side: lines that a shell has put into one, or parts of a list.

use std::ops::Range;

use super::joined::Joined;
use super::kinds::Kinds;
use super::traces::Traces;

/// Every so many bytes a look is taken at half as many: a word of three such looks is seen, whatever its place.
const STEP: usize = 16;
/// What may stand between two words, and how much of it.
const BETWEEN: &[u8] = b" \t\r\n\"',\\";
const MOST_BETWEEN: usize = 6;

/// Words around every long one that a secret may go beyond.
pub(super) fn runs(text: &str, kinds: &Kinds, traces: &Traces) -> Vec<Joined> {
    let bytes = text.as_bytes();
    let (mut runs, mut from) = (Vec::new(), 0);
    while let Some(at) = kinds.eight_encoded(from) {
        let word = at - kinds.encoded_before(at)..at + kinds.encoded_from(at);
        if bytes.get(word.clone()).is_some_and(|word| traces.may_be_broken_beside(word)) {
            let mut words = before(bytes, &word, kinds, traces.longest);
            words.push(word.clone());
            words.extend(behind(bytes, &word, kinds, traces.longest));
            let mut run = Joined::default();
            for word in words {
                run.add(text.get(word.clone()).unwrap_or_default(), word);
            }
            runs.extend(run.has_several().then_some(run));
        }
        from = word.end.max(at + STEP);
    }
    runs
}

/// The words before this one, as far back as a form can reach.
fn before(bytes: &[u8], word: &Range<usize>, kinds: &Kinds, longest: usize) -> Vec<Range<usize>> {
    let (mut words, mut length, mut start) = (Vec::new(), 0, word.start);
    while length < longest {
        let rest = bytes.get(..start).unwrap_or_default();
        let gap = rest.iter().rev().take_while(|byte| BETWEEN.contains(byte)).count();
        let end = start - gap;
        let letters = kinds.encoded_before(end);
        if gap == 0 || gap > MOST_BETWEEN || letters == 0 {
            break;
        }
        start = end - letters;
        length += letters;
        words.push(start..end);
    }
    words.reverse();
    words
}

/// The words behind this one, as far as a form can reach.
fn behind(bytes: &[u8], word: &Range<usize>, kinds: &Kinds, longest: usize) -> Vec<Range<usize>> {
    let (mut words, mut length, mut end) = (Vec::new(), 0, word.end);
    while length < longest {
        let rest = bytes.get(end..).unwrap_or_default();
        let gap = rest.iter().take_while(|byte| BETWEEN.contains(byte)).count();
        let start = end + gap;
        let letters = kinds.encoded_from(start);
        if gap == 0 || gap > MOST_BETWEEN || letters == 0 {
            break;
        }
        end = start + letters;
        length += letters;
        words.push(start..end);
    }
    words
}
