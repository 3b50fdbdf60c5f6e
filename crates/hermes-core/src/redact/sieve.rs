//! Says quickly that a text holds none of many patterns, by looking at every few bytes of it only
//! (after Wu and Manber). Texts without secrets are the rule, and cost next to nothing this way.

/// Bytes looked at together.
const BLOCK: usize = 3;

/// Bytes of a pattern's start that must match before it is worth a closer look.
const START: usize = 4;

const SLOTS: usize = 1 << 16;

/// A longer window would have more blocks in it, and soon one that some text has by chance.
const MAX_WINDOW: usize = 32;

/// Bits in one word of [`Sieve::used`].
const WORD: usize = 64;

pub(super) struct Sieve {
    /// A bit for every slot that some pattern uses. Nearly all blocks of a text use none, and a table this small stays
    /// near the processor: the window then moves on without waiting for how far it may.
    used: Vec<u64>,
    /// For a block at the end of the window: how far the window can move before some pattern could lie
    /// in it.
    shifts: Vec<u8>,
    /// The first bytes of all patterns, sorted.
    starts: Vec<[u8; START]>,
    window: usize,
}

impl Sieve {
    /// Patterns have at least [`START`] bytes; shorter ones would never be found.
    pub(super) fn new(patterns: &[&str]) -> Sieve {
        let shortest = patterns.iter().map(|pattern| pattern.len()).min().unwrap_or(START);
        let window = shortest.clamp(START, MAX_WINDOW);
        let mut shifts = vec![narrow(window - BLOCK + 1); SLOTS];
        let mut starts = Vec::new();
        for pattern in patterns {
            let head = pattern.as_bytes().get(..window).unwrap_or_default();
            starts.extend(head.first_chunk().copied());
            for (at, block) in head.windows(BLOCK).enumerate() {
                let shift = narrow(window - BLOCK - at);
                slot(block).and_then(|slot| shifts.get_mut(slot)).into_iter().for_each(|known| {
                    *known = shift.min(*known);
                });
            }
        }
        starts.sort_unstable();
        starts.dedup();
        let free = narrow(window - BLOCK + 1);
        let bits = |shifts: &[u8]| {
            shifts.iter().enumerate().fold(0, |bits, (at, shift)| bits | u64::from(*shift != free) << at)
        };
        let used = shifts.chunks(WORD).map(bits).collect();
        Sieve { used, shifts, starts, window }
    }

    /// `false` is certain, `true` is not.
    pub(super) fn may_match(&self, text: &[u8]) -> bool {
        let mut at = self.window - BLOCK;
        let free = self.window - BLOCK + 1;
        while let Some(slot) = text.get(at..).and_then(slot) {
            let bits = self.used.get(slot / WORD).copied().unwrap_or_default();
            if bits >> (slot % WORD) & 1 == 0 {
                at += free;
                continue;
            }
            let shift = self.shifts.get(slot).copied().unwrap_or_default();
            if shift == 0 && self.starts_here(text, at + BLOCK - self.window) {
                return true;
            }
            at += usize::from(shift).max(1);
        }
        false
    }

    fn starts_here(&self, text: &[u8], at: usize) -> bool {
        let start = text.get(at..).and_then(|rest| rest.first_chunk());
        start.is_some_and(|start| self.starts.binary_search(start).is_ok())
    }
}

fn slot(bytes: &[u8]) -> Option<usize> {
    let [first, second, third] = bytes.first_chunk()?;
    Some(usize::from(*first) ^ usize::from(*second) << 4 ^ usize::from(*third) << 8)
}

/// Windows are short.
fn narrow(shift: usize) -> u8 {
    u8::try_from(shift).unwrap_or(u8::MAX)
}
