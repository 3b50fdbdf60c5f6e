//! What the file keeps of its own writing. `new` is an edit of `old`: where it repeats `old` the file's own bytes stay,
//! whatever was tolerated to find them, and what the caller added or changed comes byte for byte.

use std::ops::Range;

use similar::{Algorithm, DiffTag, capture_diff_slices};

use super::quote_pairs::{self, quotes};

/// A part of `new`, and what it repeats of `old`.
struct Piece<'a> {
    text: &'a str,
    repeats: Option<Range<usize>>,
}

/// `new` as it is to stand in place of `region`. `seen` leads from a part of `old` to the same part of the region, if it
/// has one; what is added is put into the `form` of the region.
pub(super) fn carried(
    region: &str,
    old: &str,
    new: &str,
    seen: impl Fn(Range<usize>) -> Option<Range<usize>>,
    form: impl Fn(&str) -> String,
) -> String {
    let own = |part: Range<usize>| region.get(seen(part)?);
    let pieces = pieces(old, new);
    let kept: Vec<Range<usize>> = pieces.iter().filter_map(|piece| piece.repeats.clone()).collect();
    // Of two quotes that belong together both are the file's, or neither.
    let lone = quote_pairs::broken(old, own, &kept);
    let mut written = String::with_capacity(new.len());
    for Piece { text, repeats } in pieces {
        let Some(part) = repeats else {
            written.push_str(&form(text));
            continue;
        };
        let mut push = |range: Range<usize>, is_own: bool| {
            let asked = || text.get(range.start - part.start..range.end - part.start).unwrap_or_default();
            let own = if is_own { own(range.clone()) } else { None };
            written.push_str(own.unwrap_or_else(asked));
        };
        let mut from = part.start;
        let first = lone.partition_point(|quote| quote.start < part.start);
        for quote in lone.iter().skip(first).take_while(|quote| quote.end <= part.end) {
            push(from..quote.start, true);
            push(quote.clone(), false);
            from = quote.end;
        }
        push(from..part.end, true);
    }
    written
}

/// `new` as an edit of `old`.
fn pieces<'a>(old: &str, new: &'a str) -> Vec<Piece<'a>> {
    let (olds, news) = (words(old), words(new));
    let mut pieces = Vec::new();
    for change in capture_diff_slices(Algorithm::Myers, &texts(old, &olds), &texts(new, &news)) {
        let (tag, old_words, new_words) = change.as_tag_tuple();
        let (old_part, new_part) = (span(&olds, old_words), span(&news, new_words));
        let added = new.get(new_part).unwrap_or_default();
        let mut piece = |text: Range<usize>, repeats| {
            let text = added.get(text).unwrap_or_default();
            pieces.extend((!text.is_empty()).then_some(Piece { text, repeats }));
        };
        match tag {
            DiffTag::Delete => {}
            DiffTag::Insert => piece(0..added.len(), None),
            DiffTag::Equal => piece(0..added.len(), Some(old_part)),
            DiffTag::Replace => {
                let (head, tail) = repeated(old.get(old_part.clone()).unwrap_or_default(), added);
                let tail_at = added.len() - tail;
                piece(0..head, Some(old_part.start..old_part.start + head));
                piece(head..tail_at, None);
                piece(tail_at..added.len(), Some(old_part.end - tail..old_part.end));
            }
        }
    }
    pieces
}

/// Words, each with the blanks in front of it, and ends of lines.
fn words(text: &str) -> Vec<Range<usize>> {
    let mut found: Vec<Range<usize>> = Vec::new();
    let mut start = 0;
    let mut in_word = false;
    for (at, character) in text.char_indices() {
        let ends = character == '\n' || (in_word && character.is_whitespace());
        if ends && at > start {
            found.push(start..at);
            start = at;
        }
        in_word = !character.is_whitespace();
        if character == '\n' {
            found.push(at..at + 1);
            start = at + 1;
        }
    }
    if start < text.len() {
        found.push(start..text.len());
    }
    found
}

fn texts<'a>(text: &'a str, words: &[Range<usize>]) -> Vec<&'a str> {
    words.iter().map(|word| text.get(word.clone()).unwrap_or_default()).collect()
}

fn span(words: &[Range<usize>], of: Range<usize>) -> Range<usize> {
    match words.get(of) {
        Some([first, .., last]) => first.start..last.end,
        Some([only]) => only.clone(),
        _ => 0..0,
    }
}

/// How many bytes two texts have in common at the start and at the end, without overlap. Quotes belong together: where
/// the new text has more or fewer of them, only pairs are taken for those of the old.
fn repeated(old: &str, new: &str) -> (usize, usize) {
    let same = |(a, b): &(char, char)| a == b;
    let head: String = old.chars().zip(new.chars()).take_while(same).map(|(a, _)| a).collect();
    let lone = |part: &str| {
        ['"', '\'']
            .iter()
            .any(|sign| quotes(old, *sign) != quotes(new, *sign) && !quotes(part, *sign).is_multiple_of(2))
    };
    let mut start = head.as_str();
    while lone(start) {
        start = start.char_indices().next_back().and_then(|(last, _)| start.get(..last)).unwrap_or_default();
    }
    let rest = |text: &str| text.get(start.len()..).unwrap_or_default().chars().rev().collect::<Vec<char>>();
    let mut tail: Vec<char> = rest(old).into_iter().zip(rest(new)).take_while(same).map(|(a, _)| a).collect();
    while lone(&tail.iter().rev().collect::<String>()) {
        tail.pop();
    }
    (start.len(), tail.into_iter().map(char::len_utf8).sum())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The region says the same with other signs, letter for letter.
    fn with(region: &str, old: &str, new: &str) -> String {
        let places: Vec<usize> = region.char_indices().map(|(at, _)| at).chain([region.len()]).collect();
        let letter = |at: usize| old.get(..at).map(|before| before.chars().count());
        let place = |at: usize| places.get(letter(at)?).copied();
        carried(region, old, new, |part| Some(place(part.start)?..place(part.end)?), str::to_owned)
    }

    #[test]
    fn what_is_repeated_is_the_files_and_what_is_added_is_the_callers() {
        for (region, old, new, right) in [
            ("it’s ok", "it's ok", "it's fine", "it’s fine"),
            ("1–2", "1-2", "1-3", "1–3"),
            ("“a”", "\"a\"", "\"b\"", "“b”"),
            ("“Hello” said", "\"Hello\" said", "\"Hello there\" said", "“Hello there” said"),
            ("# “a”", "# \"a\"", "# \"b\" \"c\"", "# \"b\" \"c\""),
            ("# don’t\nx = 1", "# don't\nx = 1", "# don't\nx = 'a'", "# don’t\nx = 'a'"),
            ("a – b", "a - b", "a - b --c -x", "a – b --c -x"),
            ("# a – b\nls", "# a - b\nls", "# a - b\nls -la", "# a – b\nls -la"),
            ("it’s", "it's", "it's — really", "it’s — really"),
            ("\"it’s\"", "\"it's\"", "\"it's\", \"x's\"", "\"it’s\", \"x's\""),
            ("‘a’", "'a'", "'b' 'c'", "'b' 'c'"),
            ("“a” \"b\"", "\"a\" \"b\"", "\"b\" \"a\"", "\"b\" \"a\""),
            ("f(“a”, ‘b’)", "f(\"a\", 'b')", "f(\"a, b\")", "f(\"a, b\")"),
            ("a” \"b", "a\" \"b", "a\" \"c", "a” \"c"),
            ("“a b” “c”", "\"a b\" \"c\"", "\"a b\" \"d\"", "“a b” “d”"),
            ("1\tbob", "1 bob", "1 rob", "1\trob"),
            ("a\tb\nc\td", "a b\nc d", "a b\nx y\nc d", "a\tb\nx y\nc\td"),
        ] {
            assert_eq!(with(region, old, new), right, "{region:?}");
        }
    }
}
