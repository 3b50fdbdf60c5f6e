//! What a script answers: records, each some bytes followed by a line that begins with the mark.

use std::ops::ControlFlow;

use memchr::memmem::Finder;

/// One record.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Record {
    pub(super) bytes: Vec<u8>,
    /// What the script says about them.
    pub(super) words: String,
}

/// Cuts a stream into records. What stands before the first mark may begin with words of a login script, so the
/// first record is always the script's own greeting, and dropped.
pub(super) struct Records {
    finder: Finder<'static>,
    mark: usize,
    buffer: Vec<u8>,
    searched: usize,
    greeted: bool,
    /// Bytes that one record may have.
    most: usize,
}

impl Records {
    pub(super) fn new(mark: &str, most: usize) -> Self {
        let needle = format!("\n{mark} ");
        Records {
            finder: Finder::new(needle.as_bytes()).into_owned(),
            mark: needle.len(),
            buffer: Vec::new(),
            searched: 0,
            greeted: false,
            most,
        }
    }

    /// Takes a piece of the stream. `Break` if a record is too long or `each` has enough.
    pub(super) fn push(
        &mut self,
        piece: &[u8],
        each: &mut (dyn FnMut(Record) -> ControlFlow<()> + Send),
    ) -> ControlFlow<()> {
        self.buffer.extend_from_slice(piece);
        let (mut start, mut unfinished) = (0, None);
        while let Some(found) = self.finder.find(self.buffer.get(self.searched..).unwrap_or_default()) {
            let at = self.searched + found;
            let line = self.buffer.get(at + self.mark..).unwrap_or_default();
            let Some(length) = memchr::memchr(b'\n', line) else {
                unfinished = Some(at);
                break;
            };
            let words = String::from_utf8_lossy(line.get(..length).unwrap_or_default()).into_owned();
            let bytes = self.buffer.get(start..at).unwrap_or_default().to_vec();
            start = at + self.mark + length + 1;
            self.searched = start;
            if std::mem::replace(&mut self.greeted, true) {
                each(Record { bytes, words })?;
            }
        }
        self.buffer.drain(..start);
        // The end may be the beginning of a mark.
        let looked_through = self.buffer.len().saturating_sub(self.mark - 1);
        self.searched = unfinished.map_or(looked_through, |at| at - start);
        if self.buffer.len() > self.most { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn records_are_cut_whatever_the_pieces() {
        let stream =
            b"Welcome!\n\nM begin\nname\nwith a line\nM 81a4 3 7\n\nM empty\nbytes \0\nM\nM x\nM done\nrest";
        let expected = [("name\nwith a line", "81a4 3 7"), ("", "empty"), ("bytes \0\nM", "x")];
        for size in 1..=stream.len() {
            let mut found = Vec::new();
            let mut records = Records::new("M", 1_000);
            for piece in stream.chunks(size) {
                let each = &mut |record: Record| {
                    found.push((String::from_utf8(record.bytes).unwrap(), record.words));
                    ControlFlow::Continue(())
                };
                assert!(records.push(piece, each).is_continue());
            }
            let found: Vec<(&str, &str)> = found.iter().map(|(bytes, words)| (&**bytes, &**words)).collect();
            assert_eq!(found, expected, "pieces of {size}");
        }
    }

    #[test]
    fn a_record_without_end_is_not_collected_for_ever() {
        let mut records = Records::new("M", 100);
        assert!(records.push(&[b'x'; 101], &mut |_| ControlFlow::Continue(())).is_break());
    }
}
