//! A text seen through a simplification, with the way back: every character of the view knows the bytes
//! of the original that it stands for.

use std::borrow::Cow;
use std::ops::Range;

use super::places::places;

/// A simplified text and, for each of its bytes, where that byte came from.
pub(super) struct View {
    pub(super) text: String,
    /// For each byte of `text` the start of its origin, and one more for the end of the text.
    origins: Vec<usize>,
}

impl View {
    /// Builds a view piece by piece: `simplify` gets the rest of the text and says how many bytes it
    /// takes and what stands for them.
    pub(super) fn new(original: &str, simplify: impl Fn(&str) -> (usize, Cow<'static, str>)) -> Self {
        let mut view = View { text: String::with_capacity(original.len()), origins: Vec::new() };
        let mut at = 0;
        while let Some(rest) = original.get(at..).filter(|rest| !rest.is_empty()) {
            let (taken, stands) = simplify(rest);
            if taken == 0 {
                let character = rest.chars().next().unwrap_or_default();
                view.text.push(character);
                view.origins.extend(std::iter::repeat_n(at, character.len_utf8()));
                at += character.len_utf8();
            } else {
                view.text.push_str(&stands);
                view.origins.extend(std::iter::repeat_n(at, stands.len()));
                at += taken;
            }
        }
        view.origins.push(original.len());
        view
    }

    /// A view of known pieces: how many bytes of the original each takes, and what stands for them.
    pub(super) fn of_pieces<'a>(pieces: impl IntoIterator<Item = (usize, &'a str)>) -> Self {
        let mut view = View { text: String::new(), origins: Vec::new() };
        let mut at = 0;
        for (taken, stands) in pieces {
            view.text.push_str(stands);
            view.origins.extend(std::iter::repeat_n(at, stands.len()));
            at += taken;
        }
        view.origins.push(at);
        view
    }

    /// The part of the view that shows a part of the original; `None` if it would cut through something.
    pub(super) fn seen(&self, part: Range<usize>) -> Option<Range<usize>> {
        let place = |at: usize| {
            let place = self.origins.partition_point(|origin| *origin < at);
            (self.origins.get(place) == Some(&at)).then_some(place)
        };
        Some(place(part.start)?..place(part.end)?)
    }

    /// The part of the original behind a part of the view; `None` if it would cut through something that
    /// was simplified as one.
    pub(super) fn original(&self, part: Range<usize>) -> Option<Range<usize>> {
        let (start, end) = (*self.origins.get(part.start)?, *self.origins.get(part.end)?);
        let cuts = |at: usize| {
            at > 0 && self.origins.get(at - 1) == self.origins.get(at) && self.text.is_char_boundary(at)
        };
        // Bytes of one character share their origin too, but those are no character boundary.
        if cuts(part.start) || cuts(part.end) { None } else { Some(start..end) }
    }

    /// All places where `needle` stands in the view and may be cut out of the original, with those that overlap.
    pub(super) fn find_all(&self, needle: &str) -> Vec<Range<usize>> {
        places(&self.text, needle).into_iter().filter_map(|place| self.original(place)).collect()
    }
}
