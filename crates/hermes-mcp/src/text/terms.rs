//! What words and neighbouring words weigh beside what they mean: no list of meanings knows every word there is.

use std::collections::HashMap;
use std::sync::LazyLock;

use super::features::weighed_lines;

const TERMS: &str = include_str!("terms.txt");

/// Endings that make no other word, and what stands in their place.
const ENDINGS: [(&str, &str); 6] = [("ies", "y"), ("ing", ""), ("ed", ""), ("es", ""), ("s", ""), ("ly", "")];
/// What is left of a word without its ending.
const STEM: usize = 3;
/// A longer one does without its last `e`.
const SILENT: usize = 4;

/// Each term with its number and its weight.
static WEIGHTS: LazyLock<HashMap<&'static str, (usize, i32)>> = LazyLock::new(|| {
    weighed_lines(TERMS).enumerate().map(|(at, (term, weight))| (term, (at, weight))).collect()
});

/// What the terms of a folded sentence weigh, each once.
pub(super) fn weight(sentence: &str) -> i32 {
    let weights = &*WEIGHTS;
    let (mut pair, mut found) = (String::new(), Vec::new());
    for word in words(sentence) {
        let stem = stem(word);
        found.extend(weights.get(stem.as_str()));
        if !pair.is_empty() {
            pair.push(' ');
            pair.push_str(&stem);
            found.extend(weights.get(pair.as_str()));
        }
        pair = stem;
    }
    found.sort_unstable();
    found.dedup();
    found.iter().map(|(_, weight)| weight).sum()
}

/// Words without numbers; a short end after an apostrophe belongs to its word.
fn words(sentence: &str) -> impl Iterator<Item = &str> {
    let is_of_word = |c: char| c.is_alphanumeric() || c == '\'';
    let words = sentence.split(move |c| !is_of_word(c)).map(|word| word.trim_matches('\''));
    words.filter(|word| word.contains(|c: char| !c.is_ascii_digit()))
}

fn stem(word: &str) -> String {
    let mut stem = word.replace("'s", "");
    if !stem.is_ascii() {
        return stem;
    }
    let ending = ENDINGS.iter().find(|(end, _)| stem.len() >= STEM + end.len() && stem.ends_with(end));
    if let Some((end, instead)) = ending {
        stem.truncate(stem.len() - end.len());
        stem.push_str(instead);
    }
    if stem.len() > SILENT && stem.ends_with('e') {
        stem.pop();
    }
    stem
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_stems_and_weigh_once() {
        for (word, expected) in
            [("copies", "copy"), ("sending", "send"), ("user's", "user"), ("promise", "promis"), ("as", "as")]
        {
            assert_eq!(stem(word), expected);
        }
        assert_eq!(
            words("don't tell 'em 42 times: a_b").collect::<Vec<_>>(),
            ["don't", "tell", "em", "times", "a", "b"]
        );
        let lines = TERMS.lines().filter(|line| !line.starts_with('#')).count();
        assert_eq!(WEIGHTS.len(), lines, "no term stands there twice and each has a weight");
        // Some stems look as if they had an ending.
        let (term, weight_of_term) = weighed_lines(TERMS).find(|(term, _)| stem(term) == *term).unwrap();
        assert_eq!(weight(&format!("{term} {term}")), weight(term));
        assert_eq!(weight(term), weight_of_term);
    }
}
