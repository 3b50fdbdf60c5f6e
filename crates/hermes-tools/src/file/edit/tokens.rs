//! What belongs together without blanks: words, numbers with their sign and point, names with what qualifies them,
//! operators of several signs. Nobody knows the file's language here, so only what parts things in most of them is taken
//! for an end.

use std::ops::Range;

/// Whether a place begins or ends in the middle of something that belongs together.
pub(super) fn cuts_token(content: &str, range: &Range<usize>) -> bool {
    let cuts =
        |at: usize| content.split_at_checked(at).is_some_and(|(before, after)| is_inside(before, after));
    cuts(range.start) || cuts(range.end)
}

/// Whether two texts that follow each other part a token.
fn is_inside(before: &str, after: &str) -> bool {
    let mut back = before.chars().rev();
    let mut forth = after.chars();
    let (Some(left), Some(right)) = (back.next(), forth.next()) else { return false };
    let (further_left, further_right) = (back.next(), forth.next());
    let is_word = |letter: Option<char>| letter.is_some_and(is_of_word);
    match (is_of_word(left), is_of_word(right)) {
        _ if left.is_whitespace() || right.is_whitespace() => false,
        // Other scripts have no blanks between words, but a name may begin in one and go on in another.
        (true, true) => left < OTHER_SCRIPTS || right < OTHER_SCRIPTS,
        (true, false) if is_apostrophe(right) => is_word(further_right),
        (false, true) if is_apostrophe(left) => is_word(further_left),
        _ if parts(left) || parts(right) => false,
        (false, false) => (left, right) != ('>', '<'),
        (true, false) if matches!(right, '.' | ':' | '!' | '?' | '…') => !further_right.is_none_or(ends),
        (true, false) => !matches!(right, '=' | '<' | '>' | '|'),
        (false, true) if left == '>' => matches!(further_left, Some('-')),
        (false, true) => !matches!(left, '=' | '<' | '|'),
    }
}

/// From here on come scripts without blanks between words, beside others.
const OTHER_SCRIPTS: char = '\u{590}';

fn is_of_word(letter: char) -> bool {
    letter == '_' || letter.is_alphanumeric()
}

fn is_apostrophe(sign: char) -> bool {
    matches!(sign, '\'' | '’')
}

/// Brackets, quotes and what stands between the parts of a list or a sentence.
fn parts(sign: char) -> bool {
    let is_quote = matches!(sign, '"' | '\'' | '`' | '«' | '»' | '‹' | '›' | '\u{2018}'..='\u{201f}');
    let is_bracket = matches!(sign, '(' | ')' | '[' | ']' | '{' | '}');
    // The last ones are those of languages without blanks.
    is_quote
        || is_bracket
        || matches!(sign, ',' | ';' | '—' | '\u{3000}'..='\u{303f}' | '\u{ff00}'..='\u{ff0f}')
}

/// Whether a sign behind a point shows that it ends what stands in front.
fn ends(sign: char) -> bool {
    sign.is_whitespace() || sign == '<' || (parts(sign) && !matches!(sign, '(' | '[' | '{'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn assert_cut(content: &str, text: &str, is_cut: bool) {
        let at = content.find(text).unwrap();
        assert_eq!(cuts_token(content, &(at..at + text.len())), is_cut, "{content} {text}");
    }

    #[test]
    fn words_are_whole() {
        for (content, text) in [
            ("max = 10", "x = 1"),
            ("max = 10", "max = 1"),
            ("schön", "ö"),
            ("变量x = 1", "x = 1"),
            ("don't", "don"),
        ] {
            assert_cut(content, text, true);
        }
        assert_cut("f(x = 1)", "x = 1", false);
        assert_cut("你好世界", "好世", false);
    }

    #[test]
    fn signs_belong_to_what_they_stand_at() {
        for (content, text) in [
            ("x = 10.5", "x = 10"),
            ("x = -5 + z", "5 + z"),
            ("self.count = 0", "count = 0"),
            ("p->count = 0", "count = 0"),
            ("a::b = 0", "b = 0"),
            ("if x == 1:", "x ="),
            ("c -> d", "c -"),
            ("my-x = 1", "x = 1"),
            ("$a = 1", "a = 1"),
            ("@a b", "a b"),
            ("!a b", "a b"),
            ("width: 10%", "width: 10"),
            ("a b::c", "a b"),
            ("a b!(c)", "a b"),
            ("a += 1", "= 1"),
        ] {
            assert_cut(content, text, true);
        }
    }

    #[test]
    fn brackets_quotes_and_ends_part_things() {
        for (content, text) in [
            ("f(a, b)", "a, b"),
            ("f(a, b).c()", "f(a, b)"),
            ("It is so. And", "is so"),
            ("\"It is so!\"", "is so"),
            ("if a == 1:", "a == 1"),
            ("<b>it's so</b>", "it's so"),
            ("<b>a b</b><i>", "<b>a b</b>"),
            ("“a b”, c", "a b"),
            ("x=a b", "a b"),
            ("a b;", "a b"),
            ("他说，a b。", "a b"),
        ] {
            assert_cut(content, text, false);
        }
    }
}
