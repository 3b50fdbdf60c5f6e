//! Lines as they are seen by who looks past their punctuation and past how their accents are put together.

use std::borrow::Cow;

use super::blocks::bare;
use super::carried::carried;
use super::composed::{first_composed, in_form_of};
use super::indent::split;
use super::punctuation::{Dash, first_plainly};
use super::view::View;

/// A line in its parts. Blanks behind it are left out.
pub(super) struct Seen<'a> {
    pub(super) indent: Cow<'a, str>,
    /// Everything else, as it is seen.
    pub(super) rest: Cow<'a, str>,
}

impl<'a> Seen<'a> {
    pub(super) fn of(line: &'a str, dash: Dash) -> Self {
        if line.is_ascii() {
            let (indent, rest) = split(bare(line));
            return Seen { indent: indent.into(), rest: rest.into() };
        }
        let view = view(line, dash).text;
        let (indent, rest) = split(bare(&view));
        Seen { indent: indent.to_owned().into(), rest: rest.to_owned().into() }
    }
}

/// The runs of lines that are seen as those that are wanted, by their first line. They are looked for one dash after the
/// other; a line may stand at another depth if it is `reindented`.
pub(crate) fn places_seen_as<'a>(
    lines: impl Iterator<Item = &'a str> + Clone,
    wanted: &[&str],
    reindented: bool,
) -> Vec<usize> {
    // Then nothing differs but blanks, which others look past.
    if wanted.is_empty() || (lines.clone().all(str::is_ascii) && wanted.iter().all(|line| line.is_ascii())) {
        return Vec::new();
    }
    let places = |dash| {
        let wanted: Vec<Seen<'_>> = wanted.iter().map(|line| Seen::of(line, dash)).collect();
        let lines: Vec<Seen<'_>> = lines.clone().map(|line| Seen::of(line, dash)).collect();
        let is_same = |(line, wanted): (&Seen<'_>, &Seen<'_>)| {
            line.rest == wanted.rest && (reindented || line.indent == wanted.indent)
        };
        let runs = lines.windows(wanted.len()).enumerate();
        let runs = runs.filter(|(_, run)| run.iter().zip(&wanted).all(is_same));
        runs.map(|(first, _)| first).collect::<Vec<usize>>()
    };
    let single = places(Dash::Single);
    let is_long = |line: &str| line.contains('—');
    let has_long_dash = || lines.clone().any(is_long) || wanted.iter().any(|line| is_long(line));
    if single.is_empty() && has_long_dash() { places(Dash::Double) } else { single }
}

/// `new` with the signs of the file's `lines`, as which `old` is seen, where it repeats them. It stays as deep as it is
/// written. `None` where something cannot be taken apart, or the lines are not the same.
pub(crate) fn with_own_signs(lines: &[&str], old: &[&str], new: &str) -> Option<String> {
    [Dash::Single, Dash::Double].into_iter().find_map(|dash| {
        let parts = lines.iter().zip(old).map(|(line, old)| {
            let ((_, own), (indent, asked)) = (parts(line, dash)?, parts(old, dash)?);
            Some((format!("{indent}{own}"), format!("{indent}{asked}")))
        });
        let (region, old): (Vec<String>, Vec<String>) =
            parts.collect::<Option<Vec<_>>>()?.into_iter().unzip();
        let (region, old) = (region.join("\n"), old.join("\n"));
        let (own, asked) = (view(&region, dash), view(&old, dash));
        let form = |added: &str| in_form_of(&region, added);
        (own.text == asked.text)
            .then(|| carried(&region, &old, new, |part| own.original(asked.seen(part)?), form))
    })
}

/// The indentation of a line and what follows it, as they are.
fn parts(line: &str, dash: Dash) -> Option<(&str, &str)> {
    let view = view(line, dash);
    let bare = bare(&view.text);
    let end = split(bare).0.len();
    let part = |from, to| line.get(view.original(from..to)?);
    Some((part(0, end)?, part(end, bare.len())?))
}

fn view(text: &str, dash: Dash) -> View {
    View::new(text, |rest| match first_plainly(rest, dash) {
        (0, _) => first_composed(rest),
        sign => sign,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_seen_past_all_of_it() {
        let lines = ["  “cafe\u{301}”\t", "a — b ", "  “café”", "a — b"];
        let places = |wanted: &[&str], reindented| places_seen_as(lines.into_iter(), wanted, reindented);
        assert_eq!(places(&["\"café\""], true), [0, 2]);
        assert!(places(&["\"café\""], false).is_empty());
        assert_eq!(places(&["  \"café\"", "a -- b"], false), [0, 2]);
        assert_eq!(places(&["a - b", "  \"cafe\u{301}\""], false), [1]);
        assert!(places(&["\"cafe\""], true).is_empty());
    }

    #[test]
    fn what_is_repeated_has_the_files_signs() {
        let own = ["    “cafe\u{301}”  ", "    it’s"];
        let old = ["\"café\"", "it's"];
        let written = with_own_signs(&own, &old, "\"café\" é\nx\nit's 'b'");
        assert_eq!(written.as_deref(), Some("“cafe\u{301}” e\u{301}\nx\nit’s 'b'"));
        assert_eq!(with_own_signs(&own, &["\"cafe\"", "it's"], "x"), None);
    }
}
