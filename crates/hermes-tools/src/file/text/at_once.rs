//! A short text as the model reads it, made in one go. Nearly all files that are read are short UTF-8 with lines that
//! need not be cut; whatever is otherwise is left to [`super::render`].

use hermes_core::text::json_chars_fit;

use super::render::{Rendered, hint};
use super::sniff::Charset;
use crate::lines::MAX_LINE_CHARS;

/// Lines of a text with their numbers, and how many lines the text has.
pub(in crate::file) fn numbered(
    text: &[u8],
    charset: Charset,
    (offset, limit): (u64, u64),
    room: usize,
) -> Option<(Rendered, u64)> {
    let first = offset.max(1);
    let breaks = memchr::memchr_iter(b'\n', text).count();
    let unended = text.last().is_some_and(|last| *last != b'\n');
    let total = u64::try_from(breaks).ok()? + u64::from(unended);
    let skipped = usize::try_from(first - 1).ok()?;
    let start = match skipped {
        0 => 0,
        _ => memchr::memchr_iter(b'\n', text).nth(skipped - 1).map_or(text.len(), |at| at + 1),
    };
    let mut number = Number::new(first)?;
    let taken = total.saturating_sub(first - 1).min(limit);
    let taken_lines = usize::try_from(taken).ok()?;
    // Exact for a whole file: nothing is moved while it is put together.
    let mut content = Vec::with_capacity(text.len() - start + taken_lines * Number::MOST + 1);
    let (mut lf, mut crlf) = (false, false);
    let page = text.get(start..)?;
    let ends = memchr::memchr_iter(b'\n', page).map(|at| at + 1);
    let mut from = 0;
    for end in ends.chain(unended.then_some(page.len())).take(taken_lines) {
        let line = page.get(from..end)?;
        if line.len() > MAX_LINE_CHARS {
            return None;
        }
        number.put(&mut content);
        match line {
            [text @ .., b'\r', b'\n'] => {
                crlf = true;
                content.extend_from_slice(text);
                content.push(b'\n');
            }
            [.., b'\n'] => {
                lf = true;
                content.extend_from_slice(line);
            }
            unended => {
                content.extend_from_slice(unended);
                content.push(b'\n');
            }
        }
        number.next()?;
        from = end;
    }
    // Looked at as a whole, which takes less than looking at the file and at its parts.
    let content = String::from_utf8(content).ok()?;
    if !json_chars_fit(&content, room) {
        return None;
    }
    let next = first + taken;
    let rendered = Rendered {
        content,
        charset,
        next: (next <= total).then_some(next),
        hint: hint(Some(total), first, next, 0),
        line_endings: crlf.then_some(if lf { "mixed" } else { "crlf" }),
    };
    Some((rendered, total))
}

/// A line number that counts up in the digits it is written with.
struct Number {
    /// Written from the front, with the sign behind it.
    text: [u8; Number::MOST],
    length: usize,
}

impl Number {
    /// Seven digits and the sign: no short text has more lines.
    const MOST: usize = 8;

    fn new(number: u64) -> Option<Self> {
        let mut text = [b'|'; Number::MOST];
        let mut digits = itoa::Buffer::new();
        let digits = digits.format(number).as_bytes();
        text.get_mut(..digits.len()).filter(|room| room.len() < Number::MOST)?.copy_from_slice(digits);
        Some(Number { text, length: digits.len() + 1 })
    }

    /// As many bytes as a number can have are copied at once, which is quicker than copying just those it has.
    fn put(&self, content: &mut Vec<u8>) {
        let end = content.len() + self.length;
        content.extend_from_slice(&self.text);
        content.truncate(end);
    }

    fn next(&mut self) -> Option<()> {
        for digit in self.text.get_mut(..self.length - 1)?.iter_mut().rev() {
            if *digit < b'9' {
                *digit += 1;
                return Some(());
            }
            *digit = b'0';
        }
        // 99 has become 00: one digit more, of which the first is one.
        if self.length >= Number::MOST {
            return None;
        }
        self.text = [b'|'; Number::MOST];
        self.text.get_mut(..self.length)?.fill(b'0');
        *self.text.first_mut()? = b'1';
        self.length += 1;
        Some(())
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::file::text::render::{Style, render};
    use crate::lines::page_of;

    const ROOM: usize = 100_000;

    fn slowly(text: &[u8], offset: u64, limit: u64) -> (Rendered, u64) {
        let page = page_of(text.to_vec(), offset, limit);
        let style = Style { first: offset, numbers: true, room: ROOM };
        (render(&page, Charset::Utf8, style).unwrap(), page.total.unwrap())
    }

    #[track_caller]
    fn assert_same(text: &str, offset: u64, limit: u64) {
        let (quick, total) = numbered(text.as_bytes(), Charset::Utf8, (offset, limit), ROOM).unwrap();
        let (slow, slow_total) = slowly(text.as_bytes(), offset, limit);
        assert_eq!(
            format!("{quick:?} {total}"),
            format!("{slow:?} {slow_total}"),
            "{offset} {limit} {text:?}"
        );
    }

    #[test]
    fn numbers_count_on_over_every_digit() {
        let text = "x\n".repeat(10_100);
        for offset in [1, 2, 8, 9, 10, 97, 99, 100, 995, 1_000, 9_998, 10_100, 10_101, 20_000] {
            assert_same(&text, offset, 5);
        }
        assert_same(&text, 1, 1_500);
    }

    #[test]
    fn what_is_unusual_is_left_to_others() {
        let long = format!("a\n{}\n", "x".repeat(2_001));
        assert!(numbered(long.as_bytes(), Charset::Utf8, (1, 9), ROOM).is_none(), "a line to be cut");
        assert!(numbered(long.as_bytes(), Charset::Utf8, (1, 1), ROOM).is_some(), "which is not asked for");
        assert!(numbered(b"caf\xe9\n", Charset::Utf8, (1, 9), ROOM).is_none(), "no UTF-8");
        assert!(
            numbered(&[b'\x01'; 20_000].map(|byte| byte), Charset::Utf8, (1, 9), ROOM).is_none(),
            "long as JSON"
        );
        assert!(numbered(b"a\n", Charset::Utf8, (10_000_000, 9), ROOM).is_none(), "a number of eight digits");
    }

    proptest! {
        #[test]
        fn both_ways_show_the_same(
            pieces in proptest::collection::vec(
                prop_oneof![Just("\n".to_owned()), Just("\r\n".to_owned()), Just("\r".to_owned()), "[a-zé\"…]{0,5}"],
                0..30,
            ),
            offset in 1_u64..12, limit in 1_u64..12,
        ) {
            assert_same(&pieces.concat(), offset, limit);
        }
    }
}
