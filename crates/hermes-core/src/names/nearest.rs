//! Suggestions for a name that does not exist: what the caller may have meant, best first.

use super::slips::within_letters;
use super::words::{normalise, same_stem};

/// Words that different systems use for one idea, so that `bash` finds `terminal`.
const SAME_IDEA: [&[&str]; 9] = [
    &["bash", "cmd", "command", "console", "exec", "execute", "run", "sh", "shell", "terminal"],
    &["delete", "erase", "remove", "rm", "unlink"],
    &["apply", "edit", "modify", "patch", "replace", "update"],
    &["cat", "get", "open", "read", "show", "view"],
    &["find", "glob", "grep", "lookup", "query", "search"],
    &["dir", "directory", "folder", "list", "ls", "tree"],
    &["curl", "download", "extract", "fetch", "http", "request", "scrape", "url", "web"],
    &["add", "create", "make", "new", "save", "write"],
    &["agent", "delegate", "spawn", "subagent", "task"],
];
const MAX_WORDS: usize = 16;
const MAX_NAME_CHARS: usize = 256;
/// Below this, a suggestion confuses more than it helps.
const MIN_SCORE: u32 = 300;

/// At most `limit` valid names that resemble `name`, best first; equals in alphabetical order.
pub fn nearest<'a>(name: &str, valid: impl Iterator<Item = &'a str>, limit: usize) -> Vec<&'a str> {
    let bounded: String = name.chars().take(MAX_NAME_CHARS).collect();
    let wanted = normalise(&bounded);
    let words: Vec<Word<'_>> =
        wanted.split('_').filter(|word| !word.is_empty()).take(MAX_WORDS).map(Word::new).collect();
    if words.is_empty() {
        return Vec::new();
    }
    let mut scored: Vec<(u32, &'a str)> = valid
        .map(|candidate| (score(&wanted, &words, &normalise(candidate)), candidate))
        .filter(|(score, _)| *score >= MIN_SCORE)
        .collect();
    scored.sort_unstable_by(|(left_score, left), (right_score, right)| {
        right_score.cmp(left_score).then_with(|| left.cmp(right))
    });
    scored.dedup_by(|(_, later), (_, kept)| later == kept);
    scored.truncate(limit);
    scored.into_iter().map(|(_, name)| name).collect()
}

/// A word of the name that was asked for.
struct Word<'w> {
    text: &'w str,
    /// What other systems call the same idea.
    idea: &'static [&'static str],
}

impl<'w> Word<'w> {
    fn new(text: &'w str) -> Self {
        Word { text, idea: SAME_IDEA.iter().find(|idea| idea.contains(&text)).copied().unwrap_or_default() }
    }
}

/// Shared words in thousandths of all words, both ways, plus something for a shared beginning.
fn score(wanted: &str, words: &[Word<'_>], candidate: &str) -> u32 {
    let mut best_of_words = [0; MAX_WORDS];
    let mut best_of_others = 0;
    let mut count = words.len();
    for other in candidate.split('_').take(MAX_WORDS) {
        count += 1;
        let mut best = 0;
        for (word, best_of_word) in words.iter().zip(&mut best_of_words) {
            let likeness = likeness(word, other);
            best = best.max(likeness);
            *best_of_word = likeness.max(*best_of_word);
        }
        best_of_others += best;
    }
    let shared = best_of_words.iter().sum::<u32>() + best_of_others;
    let joined = wanted.bytes().filter(|b| *b != b'_').eq(candidate.bytes().filter(|b| *b != b'_'));
    let beginning = wanted.bytes().zip(candidate.bytes()).take_while(|(a, b)| a == b).count();
    let bonus = u32::try_from(beginning.min(8)).unwrap_or(0) * 5;
    shared / u32::try_from(count).unwrap_or(u32::MAX) + bonus + if joined { 500 } else { 0 }
}

/// How alike two words are, in thousandths.
fn likeness(word: &Word<'_>, other: &str) -> u32 {
    let text = word.text;
    if text == other {
        return 1000;
    }
    let shorter = text.len().min(other.len());
    if same_stem(text, other) {
        950
    } else if shorter >= 3 && within_letters(text, other, 1) {
        750
    } else if shorter >= 3 && (text.starts_with(other) || other.starts_with(text)) {
        700
    } else if word.idea.contains(&other) {
        500
    } else if shorter >= 5 && two_slips_apart(text, other) {
        450
    } else {
        0
    }
}

/// Cheap and sufficient for suggestions: equal beginnings and ends around a short difference.
fn two_slips_apart(left: &str, right: &str) -> bool {
    let beginning = left.bytes().zip(right.bytes()).take_while(|(a, b)| a == b).count();
    let ending = left.bytes().rev().zip(right.bytes().rev()).take_while(|(a, b)| a == b).count();
    let longer = left.len().max(right.len());
    beginning >= 2 && beginning + ending + 2 >= longer
}
