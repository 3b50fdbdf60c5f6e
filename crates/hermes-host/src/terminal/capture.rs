//! Keeps the head and the tail of what a program prints, however much that is, and the counts of the rest.

use super::live::Live;
use super::marks::{Heard, Marks};
use super::spill::Spill;

/// What was kept of an output.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Captured {
    pub head: Vec<u8>,
    /// Empty where everything is in `head`.
    pub tail: Vec<u8>,
    /// Bytes between head and tail.
    pub omitted: u64,
    /// All bytes that were printed.
    pub total: u64,
}

/// Collects an output.
pub(super) struct Capture {
    marks: Marks,
    kept: Kept,
}

/// What is kept of it.
struct Kept {
    head: Vec<u8>,
    tail: Vec<u8>,
    most_head: usize,
    most_tail: usize,
    total: u64,
    live: Option<Live>,
    beyond: Beyond,
}

/// What becomes of the output between head and tail.
enum Beyond {
    /// It is counted.
    Counted,
    /// It will be kept, if there is any.
    Awaited,
    Kept(Spill),
}

impl Capture {
    /// Keeps two fifths of `most` bytes from the beginning and three fifths from the end. Between two of the marks stands
    /// what is not output.
    pub(super) fn new(most: usize, mark: Option<&str>) -> Self {
        let kept = Kept {
            head: Vec::new(),
            tail: Vec::new(),
            most_head: most * 2 / 5,
            most_tail: most - most * 2 / 5,
            total: 0,
            live: None,
            beyond: Beyond::Counted,
        };
        Capture { marks: Marks::new(mark), kept }
    }

    /// The same, with what does not fit kept on disk.
    pub(super) fn keeping(mut self) -> Self {
        self.kept.beyond = Beyond::Awaited;
        self
    }

    /// The same, told to whoever watches as it comes.
    pub(super) fn watched(mut self, live: Option<Live>) -> Self {
        self.kept.live = live;
        self
    }

    pub(super) fn push(&mut self, bytes: &[u8]) {
        self.marks.sift(bytes, &mut |heard| self.kept.hear(heard));
    }

    /// What was kept, and what stood between the marks.
    pub(super) fn finish(mut self) -> Finished {
        let state = self.marks.finish(&mut |heard| self.kept.hear(heard));
        let (captured, spill) = self.kept.finish();
        Finished { captured, state, spill }
    }
}

impl Kept {
    fn hear(&mut self, heard: Heard<'_>) {
        match heard {
            Heard::Output(bytes) => self.keep(bytes),
            Heard::LineEnd => {
                if let Some(live) = &mut self.live {
                    live.line_ended();
                }
            }
        }
    }

    fn finish(mut self) -> (Captured, Option<Spill>) {
        if let Some(live) = self.live.take() {
            live.finish();
        }
        let excess = self.tail.len().saturating_sub(self.most_tail);
        self.tail.drain(..excess);
        let kept = u64::try_from(self.head.len() + self.tail.len()).unwrap_or(u64::MAX);
        let omitted = self.total.saturating_sub(kept);
        let spill = match self.beyond {
            Beyond::Kept(spill) => Some(spill),
            Beyond::Counted | Beyond::Awaited => None,
        };
        (Captured { head: self.head, tail: self.tail, omitted, total: self.total }, spill)
    }

    fn keep(&mut self, bytes: &[u8]) {
        self.total += u64::try_from(bytes.len()).unwrap_or_default();
        if let Some(live) = &mut self.live {
            live.push(bytes);
        }
        let room = self.most_head - self.head.len();
        let (head, rest) = bytes.split_at_checked(room).unwrap_or((bytes, &[]));
        self.head.extend(head);
        self.spill(rest);
        // Only the end of a long piece can stay.
        let end = rest.get(rest.len().saturating_sub(self.most_tail)..).unwrap_or_default();
        self.tail.extend(end);
        // Moving the rest is worth it only once in a while.
        if self.tail.len() > self.most_tail * 2 {
            let excess = self.tail.len() - self.most_tail;
            self.tail.drain(..excess);
        }
    }

    /// Keeps what comes after the head as soon as it is more than fits into memory. Where the disk does not take it,
    /// it is counted.
    fn spill(&mut self, rest: &[u8]) {
        let most = u64::try_from(self.most_head + self.most_tail).unwrap_or(u64::MAX);
        let kept = match &mut self.beyond {
            Beyond::Counted => return,
            Beyond::Awaited if self.total <= most => return,
            // Up to here nothing of the tail was dropped.
            Beyond::Awaited => Spill::begin(&self.tail).and_then(|mut spill| {
                spill.push(rest)?;
                self.beyond = Beyond::Kept(spill);
                Ok(())
            }),
            Beyond::Kept(spill) => spill.push(rest),
        };
        if let Err(error) = kept {
            tracing::warn!(%error, "the middle of an output could not be kept");
            self.beyond = Beyond::Counted;
        }
    }
}

/// What came of collecting an output.
pub(super) struct Finished {
    pub(super) captured: Captured,
    /// What stood between the marks.
    pub(super) state: Option<Vec<u8>>,
    /// What came after the head, where head and tail are not all of it.
    pub(super) spill: Option<Spill>,
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::marks::find;
    use super::*;

    fn finished(most: usize, pieces: &[&[u8]]) -> Finished {
        let mut capture = Capture::new(most, Some("M")).keeping();
        for piece in pieces {
            capture.push(piece);
        }
        capture.finish()
    }

    fn all(most: usize, pieces: &[&[u8]]) -> (Captured, Option<Vec<u8>>) {
        let Finished { captured, state, .. } = finished(most, pieces);
        (captured, state)
    }

    #[test]
    fn the_state_is_taken_out_wherever_the_pieces_end() {
        let whole = b"out\n\nM\n/home\0export A='1'\nM\nlate\n";
        for size in 1..whole.len() {
            let pieces: Vec<&[u8]> = whole.chunks(size).collect();
            let (output, state) = all(100, &pieces);
            assert_eq!(output.head, b"out\nlate\n", "{size}");
            assert_eq!(state.as_deref(), Some(&b"/home\0export A='1'\n"[..]), "{size}");
        }
        assert_eq!(all(100, &[b"just M and\nM"]).0.head, b"just M and\nM");
    }

    proptest! {
        #[test]
        fn wherever_the_pieces_end_the_same_is_kept(output in "[\\nMx]{0,200}", size in 1_usize..12, most in 1_usize..60) {
            let pieces: Vec<&[u8]> = output.as_bytes().chunks(size).collect();
            prop_assert_eq!(all(most, &pieces), all(most, &[output.as_bytes()]));
        }

        #[test]
        fn head_and_tail_are_the_ends_of_the_output(
            output in proptest::collection::vec(any::<u8>(), 0..400), most in 1_usize..120, size in 1_usize..60,
        ) {
            prop_assume!(find(&output, b"\nM\n").is_none());
            let pieces: Vec<&[u8]> = output.chunks(size).collect();
            let (kept, state) = all(most, &pieces);
            prop_assert_eq!(state, None);
            prop_assert_eq!(kept.total, output.len() as u64);
            prop_assert!(output.starts_with(&kept.head) && output.ends_with(&kept.tail));
            prop_assert_eq!(kept.head.len() + kept.tail.len() + kept.omitted as usize, output.len());
            prop_assert!(kept.head.len() + kept.tail.len() <= most);
            prop_assert!(kept.omitted == 0 || kept.head.len() + kept.tail.len() == most);
            let spilled = finished(most, &pieces).spill.map(|spill| spill.behind(&kept.head, 0).unwrap());
            prop_assert_eq!(spilled.is_some(), kept.omitted > 0);
            if let Some(spilled) = spilled {
                prop_assert_eq!(spilled, output);
            }
        }
    }
}
