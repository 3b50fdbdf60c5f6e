//! Finds values that are known to be secret, in all their written forms, in one pass.

use std::sync::OnceLock;

use aho_corasick::{AhoCorasick, AhoCorasickKind, MatchKind};

use super::blanks;
use super::dump;
use super::escapes::{self, Hidden};
use super::forms::{self, Form};
use super::halves::Halves;
use super::kinds::{Kinds, is_encoded};
use super::sieve::Sieve;
use super::span::Span;
use super::traces::Traces;
use super::wrapped;

/// Below this many bytes of forms, the fastest automaton is small enough to keep.
const FAST_BYTES: usize = 16 << 10;

/// Shorter than this, nothing holds an encoded form in pieces.
const MIN_IN_PIECES: usize = 12;

pub(super) const MARKER: &str = "[REDACTED]";

/// The automaton over all forms of all secrets.
pub(super) struct Known {
    sieve: Sieve,
    automaton: AhoCorasick,
    patterns: Vec<Pattern>,
    halves: Halves,
    markers: Vec<String>,
    numbers: bool,
    hidden: Hidden,
    /// The encoded forms, and what of them is left in pieces: made when there is a text that could have any.
    encoded: Vec<String>,
    traces: OnceLock<Traces>,
}

struct Pattern {
    /// The index of its marker; none for a marker itself, which is found in order to be left alone.
    marker: Option<usize>,
    shares_before: bool,
    shares_after: bool,
    encoded: bool,
}

impl Known {
    /// `Ok(None)` if there is nothing to look for, `Err` if it cannot be looked for.
    pub(super) fn new(secrets: Vec<(String, String)>) -> Result<Option<Known>, aho_corasick::BuildError> {
        let mut known: Vec<(Form, usize)> = Vec::new();
        let mut markers: Vec<String> = Vec::new();
        let numbers = secrets.iter().any(|(_, value)| value.bytes().all(|byte| byte.is_ascii_digit()));
        let mut values: Vec<String> = Vec::new();
        for (name, value) in secrets {
            let found = forms::forms(&value);
            if !found.is_empty() {
                values.push(value);
                known.extend(found.into_iter().map(|form| (form, markers.len())));
                markers.push(marker(&name));
            }
        }
        if known.is_empty() {
            return Ok(None);
        }
        // Where two secrets have a form in common, the first one gives the name.
        known.sort();
        known.dedup_by(|later, earlier| later.0.text == earlier.0.text);

        let mut texts: Vec<&str> = Vec::new();
        let mut patterns = Vec::new();
        for (Form { text, shares_before, shares_after, encoded }, marker) in &known {
            texts.push(text);
            patterns.push(Pattern {
                marker: Some(*marker),
                shares_before: *shares_before,
                shares_after: *shares_after,
                encoded: *encoded,
            });
        }
        let sieve = Sieve::new(&texts);
        for text in std::iter::once(MARKER).chain(markers.iter().map(String::as_str)) {
            texts.push(text);
            patterns.push(Pattern {
                marker: None,
                shares_before: false,
                shares_after: false,
                encoded: false,
            });
        }
        let halves = Halves::new(&known);
        let longest = known.iter().map(|(form, _)| form.text.len()).max().unwrap_or_default();
        let hidden = Hidden::new(longest, values.iter().map(String::as_str));
        let small = texts.iter().map(|text| text.len()).sum::<usize>() <= FAST_BYTES;
        let automaton = AhoCorasick::builder()
            .match_kind(MatchKind::LeftmostLongest)
            .kind(small.then_some(AhoCorasickKind::DFA))
            .build(&texts)?;
        let encoded = known.into_iter().filter(|(form, _)| form.encoded).map(|(form, _)| form.text).collect();
        let traces = OnceLock::new();
        Ok(Some(Known { sieve, automaton, patterns, halves, markers, numbers, hidden, encoded, traces }))
    }

    /// Whether a secret could stand in a JSON number.
    pub(super) fn has_numbers(&self) -> bool {
        self.numbers
    }

    pub(super) fn find(&self, text: &str) -> Vec<Span<'_>> {
        let mut spans = self.search(text.as_bytes());
        self.halves.find(text, &self.markers, &mut spans);
        escapes::each_word(text, &self.hidden, &mut |word| {
            let found = self.search(&word.bytes);
            spans.extend(found.into_iter().filter_map(|span| {
                let original = word.original(span.start..span.end)?;
                Some(Span { start: original.start, end: original.end, ..span })
            }));
        });
        if text.len() >= MIN_IN_PIECES && !self.encoded.is_empty() && !is_one_piece(text) {
            self.find_in_pieces(text, &mut spans);
        }
        spans
    }

    /// Encoded forms that were broken into lines or groups.
    fn find_in_pieces<'k>(&'k self, text: &str, spans: &mut Vec<Span<'k>>) {
        let traces = self.traces.get_or_init(|| Traces::new(self.encoded.iter().map(String::as_str)));
        let kinds = Kinds::of(text.as_bytes());
        let ways = [wrapped::runs, blanks::runs, dump::runs];
        for run in ways.into_iter().flat_map(|runs| runs(text, &kinds, traces)) {
            let found = self.matches(run.text.as_bytes(), |pattern| pattern.encoded);
            spans.extend(found.into_iter().filter_map(|span| {
                let original = run.original(span.start..span.end)?;
                Some(Span { start: original.start, end: original.end, ..span })
            }));
        }
    }

    fn search(&self, text: &[u8]) -> Vec<Span<'_>> {
        self.matches(text, |_| true)
    }

    fn matches(&self, text: &[u8], counts: fn(&Pattern) -> bool) -> Vec<Span<'_>> {
        let mut spans = Vec::new();
        if !self.sieve.may_match(text) {
            return spans;
        }
        for found in self.automaton.find_iter(text) {
            let pattern = self.patterns.get(found.pattern().as_usize()).filter(|pattern| counts(pattern));
            let Some(pattern) = pattern else { continue };
            let Some(marker) = pattern.marker.and_then(|index| self.markers.get(index)) else { continue };
            let (mut start, mut end) = (found.start(), found.end());
            let byte = |at: usize| text.get(at).copied().unwrap_or(b' ');
            if pattern.shares_before && start > 0 && is_encoded(byte(start - 1)) {
                start -= 1;
            }
            if pattern.shares_after {
                end += usize::from(is_encoded(byte(end)));
                while byte(end) == b'=' {
                    end += 1;
                }
            }
            spans.push(Span { start, end, marker });
        }
        spans
    }
}

/// Whether nothing could part pieces, as in names and hashes. An `x` could: `0x` begins a group.
fn is_one_piece(text: &str) -> bool {
    let joins = |byte: u8| (byte.is_ascii_alphanumeric() && !matches!(byte, b'x' | b'X')) || byte == b'_';
    text.bytes().all(joins)
}

/// `[REDACTED:NAME]`. Only what names are made of gets in, so that the marker itself gives nothing away
/// and cannot be broken by its name.
fn marker(name: &str) -> String {
    let name: String = name
        .chars()
        .filter(|character| character.is_ascii_alphanumeric() || "_-.".contains(*character))
        .take(64)
        .collect();
    if name.is_empty() { MARKER.to_owned() } else { format!("[REDACTED:{name}]") }
}
