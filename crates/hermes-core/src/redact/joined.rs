//! Pieces of one encoded text that a program set apart, read as if it had not.

use std::ops::Range;

/// A piece of a dump of at most this length is a group of bytes, and goes as a whole.
const GROUP: usize = 8;

#[derive(Default)]
pub(super) struct Joined {
    pub(super) text: String,
    pieces: Vec<Piece>,
}

struct Piece {
    /// Where it starts in the joined text.
    at: usize,
    original: Range<usize>,
    /// Whether it is shown or hidden as a whole.
    whole: bool,
    /// Where that ends which shows the same bytes once more, as the right column of a dump does.
    column: usize,
}

impl Joined {
    /// Adds a piece of the original as it is.
    pub(super) fn add(&mut self, text: &str, original: Range<usize>) {
        let column = original.end;
        self.pieces.push(Piece { at: self.text.len(), original, whole: false, column });
        self.text.push_str(text);
    }

    /// Adds digits of a dump.
    pub(super) fn add_digits(&mut self, digits: &str, original: Range<usize>, column: usize) {
        let whole = digits.len() <= GROUP;
        self.pieces.push(Piece { at: self.text.len(), original, whole, column });
        self.text.push_str(digits);
    }

    pub(super) fn has_several(&self) -> bool {
        self.pieces.len() > 1
    }

    /// Where a part of the joined text lies in the original, if it goes over several pieces. A part within one needs no
    /// joining to be found.
    pub(super) fn original(&self, part: Range<usize>) -> Option<Range<usize>> {
        let (first, last) = (self.piece(part.start)?, self.piece(part.end.checked_sub(1)?)?);
        if first.at == last.at {
            return None;
        }
        let start = if first.whole { 0 } else { part.start - first.at };
        let end = match last.whole {
            true => last.original.end,
            false => last.original.start + (part.end - last.at),
        };
        Some(first.original.start + start..end.max(last.column))
    }

    fn piece(&self, at: usize) -> Option<&Piece> {
        let after = self.pieces.partition_point(|piece| piece.at <= at);
        self.pieces.get(after.checked_sub(1)?)
    }
}
