//! Tokens as language models count them: byte-pair encoding with the public `o200k_base` vocabulary, so that
//! a budget in tokens is a budget in tokens. The table is set up at the first use.

mod pieces;
mod ranks;

use std::collections::HashMap;
use std::sync::LazyLock;

use pieces::each_piece;
use ranks::Ranks;

static RANKS: LazyLock<Ranks> = LazyLock::new(Ranks::new);

/// How many tokens a text has.
pub fn count_tokens(text: &str) -> usize {
    let ranks = &*RANKS;
    let mut count = 0;
    // One long run without a break would cost the square of its length.
    let mut known: HashMap<&str, usize> = HashMap::new();
    each_piece(text, &mut |piece| {
        count += *known.entry(piece).or_insert_with(|| tokens_of(ranks, piece.as_bytes()));
    });
    count
}

/// Pieces longer than this are joined part by part; counts stay right to a token in a thousand.
const LONGEST_PIECE: usize = 512;

fn tokens_of(ranks: &Ranks, piece: &[u8]) -> usize {
    if ranks.get(piece).is_some() {
        return 1;
    }
    piece.chunks(LONGEST_PIECE).map(|part| joined(ranks, part)).sum()
}

/// Joins the neighbours of lowest rank until none is left.
fn joined(ranks: &Ranks, piece: &[u8]) -> usize {
    let mut cuts: Vec<usize> = (0..=piece.len()).collect();
    loop {
        let pairs = cuts.windows(3).enumerate().filter_map(|(place, cut)| match cut {
            [from, _, to] => Some((ranks.get(piece.get(*from..*to)?)?, place)),
            _ => None,
        });
        let Some((_, place)) = pairs.min() else { return cuts.len() - 1 };
        cuts.remove(place + 1);
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
