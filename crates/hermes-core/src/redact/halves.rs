//! Halves of known secrets beside a cut.
//!
//! Tools shorten what they show before the runtime redacts it: a long line, the middle of an output. What is
//! left of a secret there is no form of it any more, yet gives most of it away. The cuts are looked at here
//! and not in each tool, because a tool neither knows the secrets nor should, and the next one that cuts is
//! covered as well.

use memchr::memmem::Finder;

use super::forms::Form;
use super::span::Span;

/// So many bytes of a form beside a cut are taken for the form. Of a short form half is enough.
const ENOUGH: usize = 8;
const AT_LEAST: usize = 4;

/// What tools put where they left something out: `…`, or a notice with these words in square brackets.
const ELLIPSIS: &str = "…";
const NOTICE: &str = " bytes left out here";
const MOST_NOTICE: usize = 200;

/// A text of at least this length may have been cut at its ends without a mark; nothing cuts shorter.
const MAYBE_CUT: usize = 400;

/// What may stand between a half and the mark: blanks, a bracket, half a character.
const BEFORE_MARK: [char; 4] = [' ', '\n', '[', '\u{fffd}'];
const AFTER_MARK: [char; 4] = [' ', '\n', ']', '\u{fffd}'];

/// All forms, to be asked for by their start and by their end.
pub(super) struct Halves {
    by_start: Ordered,
    /// Each written backwards.
    by_end: Ordered,
    longest: usize,
    ellipsis: Finder<'static>,
    notice: Finder<'static>,
}

/// Texts in order, each with the index of its marker.
struct Ordered {
    texts: Vec<(Vec<u8>, usize)>,
    /// Which two bytes some text starts with: most places can be passed over at that.
    pairs: Vec<bool>,
}

impl Halves {
    /// Of forms with the index of their marker.
    pub(super) fn new(forms: &[(Form, usize)]) -> Halves {
        let by_start = forms.iter().map(|(form, marker)| (form.text.as_bytes().to_vec(), *marker));
        let by_end = forms.iter().map(|(form, marker)| (form.text.bytes().rev().collect(), *marker));
        let longest = forms.iter().map(|(form, _)| form.text.len()).max().unwrap_or_default();
        Halves {
            by_start: Ordered::new(by_start),
            by_end: Ordered::new(by_end),
            longest,
            ellipsis: Finder::new(ELLIPSIS),
            notice: Finder::new(NOTICE),
        }
    }

    pub(super) fn find<'m>(&self, text: &str, markers: &'m [String], spans: &mut Vec<Span<'m>>) {
        // Names and single words, which most texts are, have no room for a mark.
        if text.len() < NOTICE.len() && (text.len() < AT_LEAST || text.is_ascii()) {
            return;
        }
        let bytes = text.as_bytes();
        for at in self.ellipsis.find_iter(bytes) {
            spans.extend(self.before(text, at, markers));
            spans.extend(self.after(text, at + ELLIPSIS.len(), markers));
        }
        for at in self.notice.find_iter(bytes) {
            let start = at.saturating_sub(MOST_NOTICE);
            if let Some(open) = bytes.get(start..at).and_then(|before| memchr::memrchr(b'[', before)) {
                spans.extend(self.before(text, start + open, markers));
            }
            let rest = bytes.get(at..bytes.len().min(at + MOST_NOTICE)).unwrap_or_default();
            if let Some(close) = memchr::memchr(b']', rest) {
                spans.extend(self.after(text, at + close + 1, markers));
            }
        }
        if text.len() >= MAYBE_CUT {
            spans.extend(self.before(text, text.len(), markers));
            spans.extend(self.after(text, 0, markers));
        }
    }

    /// The start of a form that the text before `cut` ends with.
    fn before<'m>(&self, text: &str, cut: usize, markers: &'m [String]) -> Option<Span<'m>> {
        let head = text.get(..cut)?.trim_end_matches(BEFORE_MARK);
        let near = head.as_bytes().get(head.len().saturating_sub(self.longest)..)?;
        let (length, marker) = self.by_start.half_at_end_of(near)?;
        Some(Span { start: head.len() - length, end: head.len(), marker: markers.get(marker)? })
    }

    /// The end of a form that the text after `cut` starts with.
    fn after<'m>(&self, text: &str, cut: usize, markers: &'m [String]) -> Option<Span<'m>> {
        let tail = text.get(cut..)?.trim_start_matches(AFTER_MARK);
        let near: Vec<u8> = tail.bytes().take(self.longest).collect();
        let backwards: Vec<u8> = near.into_iter().rev().collect();
        let (length, marker) = self.by_end.half_at_end_of(&backwards)?;
        let start = text.len() - tail.len();
        Some(Span { start, end: start + length, marker: markers.get(marker)? })
    }
}

impl Ordered {
    fn new(texts: impl Iterator<Item = (Vec<u8>, usize)>) -> Ordered {
        let mut texts: Vec<_> = texts.collect();
        texts.sort();
        let mut pairs = vec![false; 1 << 16];
        for (text, _) in &texts {
            pair(text).and_then(|pair| pairs.get_mut(pair)).into_iter().for_each(|known| *known = true);
        }
        Ordered { texts, pairs }
    }

    /// How much of `bytes`, counted from its end, is the start of one of the texts, and that one's marker.
    fn half_at_end_of(&self, bytes: &[u8]) -> Option<(usize, usize)> {
        (AT_LEAST..=bytes.len()).rev().find_map(|length| {
            let piece = bytes.get(bytes.len() - length..)?;
            self.pairs.get(pair(piece)?).filter(|known| **known)?;
            let first = self.texts.partition_point(|(text, _)| text.as_slice() < piece);
            let mut fitting = self.texts.get(first..)?.iter().take_while(|(text, _)| text.starts_with(piece));
            let (_, marker) = fitting.find(|(text, _)| length >= (text.len() / 2).clamp(AT_LEAST, ENOUGH))?;
            Some((length, *marker))
        })
    }
}

fn pair(bytes: &[u8]) -> Option<usize> {
    let [first, second] = bytes.first_chunk()?;
    Some(usize::from(*first) << 8 | usize::from(*second))
}
