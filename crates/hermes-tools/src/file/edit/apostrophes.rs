//! Single quotes that open no string: in `it's`, and in front of a lifetime. Nobody knows the file's language here, so
//! they are taken for that only where they can be nothing else: where all of a line are of that kind, and no line has
//! one that may close what was opened above it.

use std::ops::Range;

/// What follows the apostrophe in English words.
const ENDINGS: [&str; 7] = ["s", "t", "re", "ve", "ll", "d", "m"];

/// What follows an English word in a sentence.
const BEHIND_WORDS: [char; 10] = [' ', '\t', '.', ',', ';', ':', '!', '?', ')', '"'];

/// What may stand in front of a string.
const PREFIXES: [&str; 12] = ["b", "r", "u", "f", "l", "t", "br", "rb", "fr", "rf", "tr", "rt"];

/// The single quotes of a text, for who asks about one after the other.
pub(super) struct Apostrophes<'a> {
    text: &'a str,
    /// Where the line stands that was looked at last, the first quote in it that is in front of a lifetime, and whether
    /// all of them are.
    line: Range<usize>,
    first: Option<usize>,
    is_of_lifetimes: bool,
    is_of_words: bool,
    /// Whether every quote of the text is closed on its line, or opens nothing.
    are_all_closed: bool,
}

impl<'a> Apostrophes<'a> {
    pub(super) fn of(text: &'a str) -> Self {
        let mut all = Apostrophes {
            text,
            line: 0..0,
            first: None,
            is_of_lifetimes: false,
            is_of_words: false,
            are_all_closed: false,
        };
        all.are_all_closed = text.split('\n').all(|line| {
            memchr::memchr_iter(b'\'', line.as_bytes()).count().is_multiple_of(2)
                || is_of_lifetimes(line)
                || is_of_words(line)
        });
        all
    }

    /// Whether the quote at a place is none.
    pub(super) fn opens_nothing(&mut self, at: usize) -> bool {
        self.look(at);
        (self.is_of_lifetimes && self.are_all_closed) || self.is_of_words
    }

    /// Whether the quote at a place may be none.
    pub(super) fn may_open_nothing(&mut self, at: usize) -> bool {
        let line = self.look(at);
        let at_in_line = at - self.line.start;
        self.opens_nothing(at)
            || self.first.is_some_and(|first| is_lifetime(line, at_in_line, first < at_in_line))
    }

    /// The line of a place.
    fn look(&mut self, at: usize) -> &'a str {
        if !self.line.contains(&at) {
            let (before, after) = self.text.split_at_checked(at).unwrap_or((self.text, ""));
            let start = before.rfind('\n').map_or(0, |end| end + 1);
            self.line = start..at + after.find('\n').unwrap_or(after.len());
            let line = self.text.get(self.line.clone()).unwrap_or_default();
            self.first = quotes(line).find(|(_, at)| is_lifetime(line, *at, false)).map(|(_, at)| at);
            self.is_of_lifetimes = is_of_lifetimes(line);
            self.is_of_words = is_of_words(line);
        }
        self.text.get(self.line.clone()).unwrap_or_default()
    }
}

fn quotes(line: &str) -> impl Iterator<Item = (usize, usize)> {
    line.match_indices('\'').map(|(at, _)| at).enumerate()
}

fn is_of_lifetimes(line: &str) -> bool {
    quotes(line).all(|(nth, at)| is_lifetime(line, at, nth > 0))
}

fn is_of_words(line: &str) -> bool {
    quotes(line).all(|(_, at)| is_inside_word(line, at))
}

/// `it's` and `don't`; but `b's'` is a string, and so is what an option has behind it in `-e's/a/b/'`.
fn is_inside_word(text: &str, at: usize) -> bool {
    let (before, after) = text.split_at_checked(at).unwrap_or((text, ""));
    let rest = after.get(1..).unwrap_or_default();
    let letters = |text: &str| text.len() - text.trim_start_matches(char::is_alphanumeric).len();
    let (ending, behind) = rest.split_at_checked(letters(rest)).unwrap_or((rest, ""));
    let (before, word) =
        before.split_at_checked(before.trim_end_matches(char::is_alphanumeric).len()).unwrap_or_default();
    let is_word = !word.is_empty() && !PREFIXES.contains(&word.to_ascii_lowercase().as_str());
    is_word
        && !before.ends_with('-')
        && ENDINGS.contains(&ending)
        && (behind.is_empty() || behind.starts_with(BEHIND_WORDS))
}

/// Whether a quote stands where a lifetime may, in front of a name that no other one closes.
fn is_lifetime(line: &str, at: usize, is_further: bool) -> bool {
    let (before, after) = line.split_at_checked(at).unwrap_or((line, ""));
    let name = after.get(1..).unwrap_or_default();
    let behind = name.trim_start_matches(|letter: char| letter.is_alphanumeric() || letter == '_');
    let begins = name.starts_with(|letter: char| letter.is_alphabetic() || letter == '_');
    let before = before.trim_end_matches(' ');
    let stands = before.ends_with(['&', '<', '+']) || (is_further && before.ends_with([',', ':', '(', '|']));
    stands && begins && !behind.starts_with('\'')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn opens(line: &str) -> Vec<bool> {
        let mut apostrophes = Apostrophes::of(line);
        line.match_indices('\'').map(|(at, _)| !apostrophes.opens_nothing(at)).collect()
    }

    #[test]
    fn lifetimes_and_words_open_no_string() {
        for line in [
            "fn f<'a>(x:   &'a str) {}",
            "impl<'a, 'b>  Foo<'a, 'b> for Bar {}",
            "fn f<'a, T: Read + 'static>(x: &'a   mut T) where T: 'a {",
            "It's fine.  Don't touch, I'm told they're mine",
        ] {
            assert!(opens(line).iter().all(|opens| !opens), "{line}");
        }
    }

    #[test]
    fn one_lifetime_beside_a_character_may_be_one() {
        for (line, right) in
            [("f::<'a>('  ')", vec![true, false, false]), ("<'a, 'b>('x')", vec![true, true, false, false])]
        {
            let mut apostrophes = Apostrophes::of(line);
            let places = line.match_indices('\'').map(|(at, _)| at);
            let may: Vec<bool> = places.map(|at| apostrophes.may_open_nothing(at)).collect();
            assert_eq!(may, right, "{line}");
        }
    }

    #[test]
    fn what_may_open_a_string_does() {
        for (line, first) in [
            ("f('a  b', 'c')", true),
            ("x = &'a  b'", true),
            ("x <'a  b'", true),
            ("f<'a>(c == 'x')", true),
            ("rb's  t'", true),
            ("b's'", true),
            ("echo foo'a  b'bar", true),
            ("where name<'s  t'", true),
            ("k: 'a  b", true),
            ("x = 's  t'", true),
            ("sed -e's/a  b/c/' x", true),
            ("perl -pe's  t' f", true),
            ("x = return's  t'", true),
            ("SELECT * WHERE a in's  t'", true),
            ("echo it's 'a  b'", true),
            ("echo <'a  b\nc'", true),
            ("cmd &'foo  bar\nbaz'", true),
        ] {
            assert_eq!(opens(line).first(), Some(&first), "{line}");
        }
    }
}
