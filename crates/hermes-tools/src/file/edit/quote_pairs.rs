//! Quotes belong together: `“` is closed by `”`, and `"` by another of its kind.

use std::ops::Range;

use super::punctuation::plain_sign;

/// How many quotes of a kind there are; an apostrophe inside a word is none.
pub(super) fn quotes(text: &str, sign: char) -> usize {
    placed(text).filter(|(_, letter)| *letter == sign).count()
}

/// The quotes of `old` that would be kept without the one they belong to, in order. `own` says how the file has a part of
/// it: only that tells which belong together.
pub(super) fn broken<'a>(
    old: &str,
    own: impl Fn(Range<usize>) -> Option<&'a str>,
    kept: &[Range<usize>],
) -> Vec<Range<usize>> {
    let is_kept = |at: usize| {
        let next = kept.partition_point(|part| part.end <= at);
        kept.get(next).is_some_and(|part| part.contains(&at))
    };
    let signs = placed(old).filter(|(_, letter)| *letter == '\n' || kind(*letter).is_some());
    let signs = signs.map(|(at, letter)| {
        let place = at..at + letter.len_utf8();
        let sign = own(place.clone()).and_then(|own| own.chars().next()).unwrap_or(letter);
        (place, sign)
    });
    let signs: Vec<(Range<usize>, char)> = signs.collect();
    let pairs = ['"', '\''].into_iter().flat_map(|of| pairs(&signs, of));
    let mut broken: Vec<Range<usize>> = pairs
        .flat_map(|(one, other)| match (is_kept(one.start), is_kept(other.start)) {
            (true, false) => Some(one),
            (false, true) => Some(other),
            _ => None,
        })
        .collect();
    broken.sort_by_key(|quote| quote.start);
    broken
}

/// What belongs together of the quotes that look like `of`. One whose other half is elsewhere belongs to none.
fn pairs(signs: &[(Range<usize>, char)], of: char) -> Vec<(Range<usize>, Range<usize>)> {
    let mut open: Vec<(&Range<usize>, char)> = Vec::new();
    let mut found = Vec::new();
    for (place, sign) in signs {
        if *sign == '\n' {
            open.retain(|(_, opened)| *opened != of);
        }
        if kind(*sign) != Some(of) {
            continue;
        }
        match open.iter().rposition(|(_, opened)| closes(*sign, *opened)) {
            Some(at) => {
                found.extend(open.get(at).map(|(opened, _)| ((*opened).clone(), place.clone())));
                open.truncate(at);
            }
            // By itself this is an apostrophe.
            None if *sign == '’' => {}
            None => open.push((place, *sign)),
        }
    }
    found
}

fn closes(sign: char, opened: char) -> bool {
    match sign {
        '"' | '\'' => opened == sign,
        '”' => matches!(opened, '“' | '„' | '‟' | '”'),
        '’' => matches!(opened, '‘' | '‚' | '‛'),
        '“' => opened == '„',
        '‘' => opened == '‚',
        _ => false,
    }
}

/// The plain form of a quote.
fn kind(sign: char) -> Option<char> {
    match plain_sign(sign) {
        Some("\"") => Some('"'),
        Some("'") => Some('\''),
        _ => matches!(sign, '"' | '\'').then_some(sign),
    }
}

/// Every letter with its place, but for apostrophes inside of words.
fn placed(text: &str) -> impl Iterator<Item = (usize, char)> {
    let is_letter = |letter: Option<char>| letter.is_some_and(char::is_alphanumeric);
    text.char_indices().filter(move |(at, letter)| {
        let is_inside = |(before, after): (&str, &str)| {
            is_letter(before.chars().next_back()) && is_letter(after.chars().nth(1))
        };
        kind(*letter) != Some('\'') || !text.split_at_checked(*at).is_some_and(is_inside)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_quote_is_broken_whose_other_half_goes() {
        let broken = |text: &str, kept: Range<usize>| {
            let own = |part: Range<usize>| text.get(part);
            let signs = super::broken(text, own, &[kept]);
            signs.into_iter().map(|sign| text.get(sign).unwrap_or_default().to_owned()).collect::<Vec<_>>()
        };
        let at = |text: &str, sign: &str| text.find(sign).unwrap();
        let text = "“a” \"b\" ‘c’ d’s „e“ ”f”";
        assert_eq!(broken(text, 0..text.len()), Vec::<String>::new());
        assert_eq!(broken(text, 0..at(text, "”")), ["“"]);
        assert_eq!(broken(text, at(text, "b")..at(text, "‘")), ["\""]);
        assert_eq!(broken(text, at(text, "d")..at(text, "“ ")), ["„"]);
        assert_eq!(broken(text, at(text, "f")..text.len()), ["”"]);
        assert_eq!(broken("a” “b", 0..4), Vec::<String>::new());
    }

    #[test]
    fn an_apostrophe_is_no_quote() {
        assert_eq!(quotes("'it's'", '\''), 2);
        assert_eq!(quotes("b\"x\"", '"'), 2);
    }
}
