//! Finds texts that look like secrets although nobody named them. One automaton looks for cues; only
//! where one is found does a detector look closer. No regular expressions, so no text makes it slow.

use aho_corasick::{AhoCorasick, AhoCorasickKind, BuildError, Input, MatchKind};

use super::assignment;
use super::credentials;
use super::known::MARKER;
use super::span::Span;
use super::vendors::{self, VENDORS};

/// Says which bytes are secret around a cue that lies from the first to the second index.
type Detector = fn(&str, usize, usize) -> Option<(usize, usize)>;

/// Up to so many cues can be looked for many bytes at a time, which is why there are two sets of them.
const FAST_CUES: usize = 64;
const _: () = assert!(VENDORS.len() + credentials::CUES.len() <= FAST_CUES);
const _: () = assert!(assignment::CUES.len() <= FAST_CUES);

/// Cues that are looked for together.
struct Cues {
    automaton: AhoCorasick,
    detectors: Vec<Detector>,
}

pub(super) struct Shapes {
    keys: Cues,
    assignments: Cues,
}

impl Shapes {
    pub(super) fn new() -> Result<Shapes, BuildError> {
        let vendors = VENDORS.iter().map(|vendor| (vendor.prefix, vendors::detect as Detector));
        let names = assignment::CUES.iter().map(|cue| (*cue, assignment::detect as Detector));
        Ok(Shapes {
            keys: Cues::new(vendors.chain(credentials::CUES.iter().copied()))?,
            assignments: Cues::new(names)?,
        })
    }

    pub(super) fn find(&self, text: &str) -> Vec<Span<'static>> {
        let mut spans = Vec::new();
        self.keys.find(text, &mut spans);
        self.assignments.find(text, &mut spans);
        spans
    }
}

impl Cues {
    fn new(cues: impl Iterator<Item = (&'static str, Detector)>) -> Result<Cues, BuildError> {
        let (texts, detectors): (Vec<_>, Vec<_>) = cues.unzip();
        let automaton = AhoCorasick::builder()
            .match_kind(MatchKind::LeftmostLongest)
            .kind(Some(AhoCorasickKind::DFA))
            .build(texts)?;
        Ok(Cues { automaton, detectors })
    }

    fn find(&self, text: &str, spans: &mut Vec<Span<'static>>) {
        let mut from = 0;
        while let Some(cue) = self.automaton.find(Input::new(text).range(from..)) {
            from = cue.start() + 1;
            let Some(detector) = self.detectors.get(cue.pattern().as_usize()) else { continue };
            if let Some((start, end)) = detector(text, cue.start(), cue.end()) {
                spans.push(Span { start, end, marker: MARKER });
                from = end.max(from);
            }
        }
    }
}
