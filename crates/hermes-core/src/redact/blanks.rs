//! Encoded text whose long words stand side by side: lines that a shell has put into one, or parts of a list.

use std::ops::Range;

use super::eight::has_blank;
use super::joined::Joined;
use super::traces::Traces;
use super::wrapped::is_encoded;

/// Every so many bytes a look is taken at half as many: a word of three such looks is seen, whatever its place.
const STEP: usize = 2 * LOOK;
const LOOK: usize = 8;
/// What may stand between two words, and how much of it.
const BETWEEN: &[u8] = b" \t\r\n\"',\\";
const MOST_BETWEEN: usize = 6;

/// Words around every long one that a secret may go beyond.
pub(super) fn runs(text: &str, traces: &Traces) -> Vec<Joined> {
    let bytes = text.as_bytes();
    let (mut runs, mut from) = (Vec::new(), 0);
    while let Some(at) = in_long_word(bytes, from) {
        let word = word_around(bytes, at);
        if bytes.get(word.clone()).is_some_and(|word| traces.may_be_broken_beside(word)) {
            let mut words = before(bytes, &word, traces.longest);
            words.push(word.clone());
            words.extend(behind(bytes, &word, traces.longest));
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

/// The next look that falls into a long word.
fn in_long_word(bytes: &[u8], from: usize) -> Option<usize> {
    let looks = bytes.get(from..)?.chunks(STEP).filter_map(|step| step.first_chunk());
    let mut places = looks.enumerate().filter(|(_, look)| !has_blank(**look) && is_of_word(look));
    places.next().map(|(step, _)| from + step * STEP)
}

fn is_of_word(look: &[u8; LOOK]) -> bool {
    look.iter().fold(true, |all, byte| all & is_encoded(*byte))
}

fn word_around(bytes: &[u8], at: usize) -> Range<usize> {
    let before =
        bytes.get(..at).unwrap_or_default().iter().rev().take_while(|byte| is_encoded(**byte)).count();
    let behind = bytes.get(at..).unwrap_or_default().iter().take_while(|byte| is_encoded(**byte)).count();
    at - before..at + behind
}

/// The words before this one, as far back as a form can reach.
fn before(bytes: &[u8], word: &Range<usize>, longest: usize) -> Vec<Range<usize>> {
    let (mut words, mut length, mut start) = (Vec::new(), 0, word.start);
    while length < longest {
        let rest = bytes.get(..start).unwrap_or_default();
        let gap = rest.iter().rev().take_while(|byte| BETWEEN.contains(byte)).count();
        let end = start - gap;
        let rest = bytes.get(..end).unwrap_or_default();
        let letters = rest.iter().rev().take_while(|byte| is_encoded(**byte)).count();
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
fn behind(bytes: &[u8], word: &Range<usize>, longest: usize) -> Vec<Range<usize>> {
    let (mut words, mut length, mut end) = (Vec::new(), 0, word.end);
    while length < longest {
        let rest = bytes.get(end..).unwrap_or_default();
        let gap = rest.iter().take_while(|byte| BETWEEN.contains(byte)).count();
        let start = end + gap;
        let rest = bytes.get(start..).unwrap_or_default();
        let letters = rest.iter().take_while(|byte| is_encoded(**byte)).count();
        if gap == 0 || gap > MOST_BETWEEN || letters == 0 {
            break;
        }
        end = start + letters;
        length += letters;
        words.push(start..end);
    }
    words
}
