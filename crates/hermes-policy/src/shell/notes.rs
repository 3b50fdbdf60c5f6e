//! What a reading costs and what it could not be sure of; shared by every part of the reader.

use std::ops::Range;

use super::model::Doubt;

/// More doubts than this tell a person nothing new.
const MAX_DOUBTS: usize = 50;

/// Steps that may be spent on any text, however short it is. A step is about ten nanoseconds.
const FREE_STEPS: usize = 200_000;

/// Steps that may be spent for each byte of text.
const STEPS_PER_BYTE: usize = 10;

/// The budget and the doubts of one reading. Reading every byte once is free; following costs: a function
/// called again, a loop read again, a command with several readings, a value used again. The budget grows
/// with the length of the text and with nothing else, so no text can cost more than linear time.
#[derive(Debug)]
pub(super) struct Notes {
    pub doubts: Vec<Doubt>,
    /// A word occurs that gives a command another name: only then is the source of commands kept.
    pub aliases: bool,
    limit: usize,
    spent: usize,
    free: usize,
    exhausted: bool,
    /// Bytes that may still be read a second time, where only trying tells what they are. Texts inside texts share
    /// it: with a budget each, every level would double the work of the one around it.
    rereads: usize,
}

impl Notes {
    pub fn for_text(text: &str) -> Self {
        let limit = FREE_STEPS.saturating_add(text.len().saturating_mul(STEPS_PER_BYTE));
        Notes {
            doubts: Vec::new(),
            aliases: text.contains("alias") || text.contains("hash"),
            limit,
            spent: 0,
            free: 0,
            exhausted: false,
            rereads: text.len().saturating_mul(4).saturating_add(4096),
        }
    }

    /// Pays for so many bytes that are read once more. False if that happened too often.
    pub fn reread(&mut self, bytes: usize) -> bool {
        let left = self.rereads.checked_sub(bytes);
        self.rereads = left.unwrap_or(self.rereads);
        left.is_some()
    }

    /// Pays for `steps`. False if that is too much, and from then on.
    pub fn spend(&mut self, steps: usize) -> bool {
        if self.exhausted {
            return false;
        }
        let spent = self.spent.saturating_add(steps);
        self.exhausted = spent > self.limit;
        if !self.exhausted {
            self.spent = spent;
        }
        !self.exhausted
    }

    /// Tells that commands may be missing, because finding them costs too much. Values that are not
    /// followed for that reason are only unknown.
    pub fn gave_up(&mut self, span: &Range<usize>) {
        self.doubt("following this text costs too much", span.clone());
    }

    /// Counts work that is free.
    pub fn count(&mut self, steps: usize) {
        self.free = self.free.saturating_add(steps);
    }

    pub fn exhausted(&self) -> bool {
        self.exhausted
    }

    /// All steps so far, paid and free.
    pub fn steps(&self) -> usize {
        self.spent.saturating_add(self.free)
    }

    pub fn doubt(&mut self, reason: impl Into<String>, span: Range<usize>) {
        self.tell(Doubt { reason: reason.into(), span, unfinished: false });
    }

    pub fn tell(&mut self, doubt: Doubt) {
        if self.doubts.len() < MAX_DOUBTS && !self.doubts.contains(&doubt) {
            self.doubts.push(doubt);
        }
    }
}
