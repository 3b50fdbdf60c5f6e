//! The terms of a text.

use super::fold::fold;
use super::pieces::{is_unspaced, pieces, words};
use super::stem::stem;
use super::stop::is_stop_word;

/// A compound longer than this is not kept whole: nobody types it again.
const LONGEST_COMPOUND: usize = 24;

/// All terms of a text, in order, repeats included.
pub fn terms(text: &str) -> Vec<String> {
    let mut terms = Vec::new();
    for piece in pieces(text) {
        each_term(piece, &mut |term| terms.push(term.to_owned()));
    }
    terms
}

/// The terms of one piece: its words stemmed, a compound also whole, unspaced scripts as pairs of letters.
pub fn each_term(piece: &str, take: &mut dyn FnMut(&str)) {
    let mut count = 0_usize;
    for word in words(piece) {
        count += 1;
        each_term_of_word(word, take);
    }
    if count > 1 && piece.chars().count() <= LONGEST_COMPOUND {
        let folded = fold(piece);
        if !folded.is_empty() {
            take(&folded);
        }
    }
}

fn each_term_of_word(word: &str, take: &mut dyn FnMut(&str)) {
    let folded = fold(word);
    if folded.chars().next().is_some_and(is_unspaced) {
        return each_pair(&folded, take);
    }
    // Accents that stand on no letter are nothing.
    if !folded.is_empty() && !is_stop_word(&folded) {
        take(&stem(&folded));
    }
}

/// Scripts without spaces are indexed by overlapping pairs, which need no dictionary.
fn each_pair(word: &str, take: &mut dyn FnMut(&str)) {
    let starts: Vec<usize> = word.char_indices().map(|(at, _)| at).chain([word.len()]).collect();
    if starts.len() <= 2 {
        return take(word);
    }
    for pair in starts.windows(3) {
        if let [from, _, to] = pair
            && let Some(letters) = word.get(*from..*to)
        {
            take(letters);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forms_compounds_and_pairs() {
        assert_eq!(terms("Listing the commits"), ["list", "commit"]);
        assert_eq!(terms("getUserInfo"), ["get", "user", "info", "getuserinfo"]);
        assert_eq!(terms("发送邮件"), ["发送", "送邮", "邮件"]);
        assert_eq!(terms("событиями календаря"), ["событ", "календар"]);
        assert_eq!(terms("the of a"), Vec::<String>::new());
        assert_eq!(terms("k8s"), ["k", "8", "s", "k8s"]);
        assert_eq!(terms("\u{17c8} 2?\u{301}\u{17c8}"), ["2"]);
    }
}
