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

pub(super) struct Shapes {
    automaton: AhoCorasick,
    detectors: Vec<Detector>,
}

impl Shapes {
    pub(super) fn new() -> Result<Shapes, BuildError> {
        let cues: Vec<(&str, Detector)> = VENDORS
            .iter()
            .map(|vendor| (vendor.prefix, vendors::detect as Detector))
            .chain(credentials::CUES.iter().copied())
            .chain(assignment::CUES.iter().map(|cue| (*cue, assignment::detect as Detector)))
            .collect();
        let automaton = AhoCorasick::builder()
            .match_kind(MatchKind::LeftmostLongest)
            .kind(Some(AhoCorasickKind::DFA))
            .build(cues.iter().map(|(cue, _)| cue))?;
        Ok(Shapes { automaton, detectors: cues.into_iter().map(|(_, detector)| detector).collect() })
    }

    pub(super) fn find(&self, text: &str) -> Vec<Span<'static>> {
        let mut spans = Vec::new();
        let mut from = 0;
        while let Some(cue) = self.automaton.find(Input::new(text).range(from..)) {
            from = cue.start() + 1;
            let Some(detector) = self.detectors.get(cue.pattern().as_usize()) else { continue };
            if let Some((start, end)) = detector(text, cue.start(), cue.end()) {
                spans.push(Span { start, end, marker: MARKER });
                from = end.max(from);
            }
        }
        spans
    }
}
