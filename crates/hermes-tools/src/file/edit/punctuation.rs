//! Typographic punctuation: a model writes plain quotes and dashes where the file has curly ones.

use std::ops::Range;

use super::view::View;

/// How a long dash is written plainly.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Dash {
    Single,
    Double,
}

/// The text with typographic punctuation seen as its plain form.
pub(super) fn plain(text: &str, dash: Dash) -> View {
    View::new(text, |rest| {
        let Some(first) = rest.chars().next() else { return (0, "".into()) };
        let stands = match first {
            '‘' | '’' | '‚' | '‛' => "'",
            '“' | '”' | '„' | '‟' => "\"",
            '—' if dash == Dash::Double => "--",
            '‐' | '‑' | '‒' | '–' | '—' | '―' | '−' => "-",
            '…' => "...",
            '\u{a0}' | '\u{202f}' | '\u{2009}' => " ",
            _ => return (0, "".into()),
        };
        (first.len_utf8(), stands.into())
    })
}

/// Whether two texts say the same but for typography.
pub(crate) fn is_plainly_same(left: &str, right: &str) -> bool {
    [Dash::Single, Dash::Double].into_iter().any(|dash| plain(left, dash).text == plain(right, dash).text)
}

/// `new` with the file's own punctuation where it says the same as `old`, and where the file is of one
/// mind about how to write a sign.
pub(super) fn keep_punctuation(region: &str, old: &str, new: &str, dash: Dash) -> String {
    let view = plain(region, dash);
    let (start, end) = unchanged(old, new);
    let (head, tail) = (common(&view, 0..start), common(&view, old.len() - end..old.len()));
    let head_text = head.as_ref().and_then(|range| region.get(range.clone()));
    let tail_text = tail.as_ref().and_then(|range| region.get(range.clone()));
    let (Some(head_text), Some(tail_text)) = (head_text, tail_text) else { return new.to_owned() };
    let middle = new.get(start..new.len() - end).unwrap_or_default();
    format!("{head_text}{}{tail_text}", uniform(region, middle, dash))
}

/// How many bytes the two have in common at the start and at the end, without overlap.
fn unchanged(old: &str, new: &str) -> (usize, usize) {
    let same = |(a, b): &(char, char)| a == b;
    let start: usize = old.chars().zip(new.chars()).take_while(same).map(|(a, _)| a.len_utf8()).sum();
    let rest = |text: &str| text.get(start..).unwrap_or_default().to_owned();
    let (old_rest, new_rest) = (rest(old), rest(new));
    let end =
        old_rest.chars().rev().zip(new_rest.chars().rev()).take_while(same).map(|(a, _)| a.len_utf8()).sum();
    (start, end)
}

fn common(view: &View, part: Range<usize>) -> Option<Range<usize>> {
    view.original(part)
}

/// Writes plain signs the way the region does, if it writes each of them in one way only.
fn uniform(region: &str, text: &str, dash: Dash) -> String {
    let mut written = text.to_owned();
    let dashes: (&str, &[char]) = match dash {
        Dash::Single => ("-", &['–', '—', '‑', '−']),
        Dash::Double => ("--", &['—']),
    };
    for (plain, variants) in [("...", &['…'][..]), ("'", &['’', '‘']), dashes] {
        let used: Vec<char> = variants.iter().copied().filter(|variant| region.contains(*variant)).collect();
        if let ([only], false) = (used.as_slice(), region.contains(plain)) {
            written = written.replace(plain, &only.to_string());
        }
    }
    written
}
