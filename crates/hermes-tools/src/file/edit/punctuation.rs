//! Typographic punctuation: a model writes plain quotes and dashes where the file has curly ones.

use std::borrow::Cow;

use super::carried::carried;
use super::view::View;

/// How a long dash is written plainly.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Dash {
    Single,
    Double,
}

/// The text with typographic punctuation seen as its plain form.
pub(super) fn plain(text: &str, dash: Dash) -> View {
    View::new(text, |rest| first_plainly(rest, dash))
}

/// How many bytes the sign takes that a text begins with, and its plain form; none if it has no other.
pub(super) fn first_plainly(text: &str, dash: Dash) -> (usize, Cow<'static, str>) {
    let Some(first) = text.chars().next() else { return (0, "".into()) };
    match plain_sign(first) {
        Some(_) if first == '—' && dash == Dash::Double => (first.len_utf8(), "--".into()),
        Some(sign) => (first.len_utf8(), sign.into()),
        None => (0, "".into()),
    }
}

/// The plain form of a typographic sign.
pub(super) fn plain_sign(sign: char) -> Option<&'static str> {
    Some(match sign {
        '‘' | '’' | '‚' | '‛' => "'",
        '“' | '”' | '„' | '‟' => "\"",
        '‐' | '‑' | '‒' | '–' | '—' | '―' | '−' => "-",
        '…' => "...",
        '\u{a0}' | '\u{202f}' | '\u{2009}' => " ",
        _ => return None,
    })
}

/// Whether two texts say the same but for typography.
pub(crate) fn is_plainly_same(left: &str, right: &str) -> bool {
    dash_of(left, right).is_some()
}

/// How a long dash is written, if the two say the same.
fn dash_of(left: &str, right: &str) -> Option<Dash> {
    [Dash::Single, Dash::Double].into_iter().find(|dash| plain(left, *dash).text == plain(right, *dash).text)
}

/// `new` with the typography of the lines that `old` was found as.
pub(crate) fn with_own_punctuation(lines: &str, old: &str, new: &str) -> String {
    match dash_of(lines, old) {
        Some(dash) => keep_punctuation(lines, old, new, dash),
        None => new.to_owned(),
    }
}

/// `new` with the file's own punctuation where it repeats `old`.
pub(super) fn keep_punctuation(region: &str, old: &str, new: &str, dash: Dash) -> String {
    let (own, asked) = (plain(region, dash), plain(old, dash));
    carried(region, old, new, |part| own.original(asked.seen(part)?), str::to_owned)
}
