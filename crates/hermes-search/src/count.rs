//! Tokens as language models count them: byte-pair encoding with the public `o200k_base` vocabulary, so that
//! a budget in tokens is a budget in tokens. The table is set up at the first use.

use std::collections::HashMap;
use std::sync::LazyLock;

use regex::Regex;

/// Every token in the order of its rank: one byte of length, then the bytes.
static RANKS: &[u8] = include_bytes!("../model/o200k.bin");

/// How text is cut before pairs are joined. The published pattern looks ahead after white space; what it
/// sees there is done by hand in [`each_piece`].
const PATTERN: &str = concat!(
    r"[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+(?i:'s|'t|'re|'ve|'m|'ll|'d)?",
    r"|[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*(?i:'s|'t|'re|'ve|'m|'ll|'d)?",
    r"|\p{N}{1,3}",
    r"| ?[^\s\p{L}\p{N}]+[\r\n/]*",
    r"|\s*[\r\n]+",
    r"|\s+",
);

struct Counter {
    ranks: HashMap<&'static [u8], u32>,
    pieces: Option<Regex>,
}

static COUNTER: LazyLock<Counter> =
    LazyLock::new(|| Counter { ranks: ranks(), pieces: Regex::new(PATTERN).ok() });

/// How many tokens a text has.
pub fn count_tokens(text: &str) -> usize {
    let counter = &*COUNTER;
    let mut count = 0;
    // One long run without a break would cost the square of its length.
    let mut known: HashMap<&str, usize> = HashMap::new();
    each_piece(counter, text, &mut |piece| {
        count += *known.entry(piece).or_insert_with(|| counter.tokens_of(piece.as_bytes()));
    });
    count
}

fn ranks() -> HashMap<&'static [u8], u32> {
    let mut ranks = HashMap::with_capacity(200_000);
    let mut rest = RANKS;
    let mut rank = 0;
    while let Some((&length, after)) = rest.split_first() {
        let Some((token, after)) = after.split_at_checked(usize::from(length)) else { break };
        ranks.insert(token, rank);
        rank += 1;
        rest = after;
    }
    ranks
}

fn each_piece<'a>(counter: &Counter, text: &'a str, take: &mut dyn FnMut(&'a str)) {
    let Some(pattern) = &counter.pieces else { return take(text) };
    let mut at = 0;
    while let Some(found) = text.get(at..).and_then(|_| pattern.find_at(text, at)) {
        let mut end = found.end();
        let piece = found.as_str();
        // White space before a word leaves its last character to the word.
        let is_space = piece.chars().all(char::is_whitespace) && !piece.contains(['\r', '\n']);
        let before_word =
            text.get(end..).and_then(|rest| rest.chars().next()).is_some_and(|next| !next.is_whitespace());
        if is_space
            && before_word
            && let Some(last) = piece.chars().next_back().filter(|last| last.len_utf8() < piece.len())
        {
            end -= last.len_utf8();
        }
        if let Some(piece) = text.get(found.start()..end) {
            take(piece);
        }
        at = end.max(at + 1);
    }
}

/// Pieces longer than this are joined part by part; counts stay right to a token in a thousand.
const LONGEST_PIECE: usize = 512;

impl Counter {
    fn tokens_of(&self, piece: &[u8]) -> usize {
        if self.ranks.contains_key(piece) {
            return 1;
        }
        piece.chunks(LONGEST_PIECE).map(|part| self.joined(part)).sum()
    }

    /// Joins the neighbours of lowest rank until none is left.
    fn joined(&self, piece: &[u8]) -> usize {
        let mut cuts: Vec<usize> = (0..=piece.len()).collect();
        loop {
            let pairs = cuts.windows(3).enumerate().filter_map(|(place, cut)| match cut {
                [from, _, to] => Some((*self.ranks.get(piece.get(*from..*to)?)?, place)),
                _ => None,
            });
            let Some((_, place)) = pairs.min() else { return cuts.len() - 1 };
            cuts.remove(place + 1);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Counted with OpenAI's own tokeniser.
    #[test]
    fn counts_are_those_of_the_reference() {
        let counted = [
            ("", 0),
            ("hello world", 2),
            ("Hello, world!", 4),
            ("{\"type\":\"object\",\"properties\":{\"path\":{\"type\":\"string\"}}}", 14),
            ("The quick brown fox jumps over the lazy dog.", 10),
            ("发送邮件给客户", 4),
            ("  two  spaces\n\n\tTab   end  ", 10),
            ("getUserInfo HTTPServer2 mcp__github__create_issue", 13),
            ("don't WE'LL Größe 12345678", 9),
            ("\u{a0}\u{3000} nbsp", 3),
        ];
        for (text, tokens) in counted {
            assert_eq!(count_tokens(text), tokens, "{text}");
        }
    }
}
