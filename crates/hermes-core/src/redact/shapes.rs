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

/// Up to so many cues can be looked for many bytes at a time, which is why there are several sets of them.
const FAST_CUES: usize = 64;
const _: () = assert!(VENDORS.len() + credentials::CUES.len() <= FAST_CUES);
const _: () = assert!(assignment::ENDS.len() <= FAST_CUES);

/// Cues of so few bytes occur by chance, and would make every place worth a look if the others stood with them.
const SHORT: usize = 3;

/// Cues that are looked for together.
struct Cues {
    automaton: AhoCorasick,
    detectors: Vec<Detector>,
}

pub(super) struct Shapes {
    sets: [Cues; 3],
}

impl Shapes {
    pub(super) fn new() -> Result<Shapes, BuildError> {
        let vendors = VENDORS.iter().map(|vendor| (vendor.prefix, vendors::detect as Detector));
        let keys = vendors.chain(credentials::CUES.iter().copied());
        let (short, long): (Vec<_>, Vec<_>) = keys.partition(|(cue, _)| cue.len() <= SHORT);
        let names = assignment::ENDS.iter().map(|end| (*end, assignment::detect as Detector));
        Ok(Shapes { sets: [Cues::new(short)?, Cues::new(long)?, Cues::new(names)?] })
    }

    pub(super) fn find(&self, text: &str) -> Vec<Span<'static>> {
        let mut spans = Vec::new();
        // Names of fields are most of the texts there are. What is shaped like a secret has digits, capitals or signs.
        if text.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'_') {
            return spans;
        }
        self.sets.iter().for_each(|cues| cues.find(text, &mut spans));
        spans
    }
}

impl Cues {
    fn new(cues: impl IntoIterator<Item = (&'static str, Detector)>) -> Result<Cues, BuildError> {
        let (texts, detectors): (Vec<_>, Vec<_>) = cues.into_iter().unzip();
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
