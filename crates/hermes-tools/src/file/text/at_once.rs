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
    // Enough for all of it, and for the blocks that reach beyond it.
    let mut content = vec![0; text.len() - start + taken_lines * Number::MOST + BLOCK];
    let (mut lf, mut crlf) = (false, false);
    let mut rest = text.get(start..)?;
    let mut at = 0;
    for _ in 0..taken_lines {
        *content.get_mut(at..)?.first_chunk_mut()? = number.text.to_le_bytes();
        at += number.length;
        let length = put_line(content.get_mut(at..)?, rest)?;
        at += length;
        let line = rest.get(..length).filter(|line| line.len() <= MAX_LINE_CHARS)?;
        match line {
            [.., b'\r', b'\n'] => {
                crlf = true;
                at -= 1;
            }
            [.., b'\n'] => lf = true,
            _ => at += 1,
        }
        *content.get_mut(at - 1)? = b'\n';
        number.next()?;
        rest = rest.get(length..)?;
    }
    content.truncate(at);
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

/// Bytes that are copied, and looked at for a line break, at once.
const BLOCK: usize = 32;

/// Copies the first line of `text` with its line break, and says how long it is; what stands behind it in `room` is of
/// no account. Lines are short: to call for each somebody who finds its end, and somebody who copies it, takes longer
/// than to do both on the way.
fn put_line(room: &mut [u8], text: &[u8]) -> Option<usize> {
    let (blocks, last) = text.as_chunks::<BLOCK>();
    let (rooms, _) = room.as_chunks_mut::<BLOCK>();
    for ((number, block), room) in blocks.iter().enumerate().zip(rooms) {
        *room = *block;
        if let Some(at) = break_in(block) {
            return Some(number * BLOCK + at + 1);
        }
    }
    let whole = text.len() - last.len();
    let length = memchr::memchr(b'\n', last).map_or(last.len(), |at| at + 1);
    room.get_mut(whole..whole + length)?.copy_from_slice(last.get(..length)?);
    Some(whole + length)
}

/// Where the first line break of a block is. Most blocks have none, which the compiler sees in all bytes at once.
fn break_in(block: &[u8; BLOCK]) -> Option<usize> {
    if !block.iter().fold(false, |any, byte| any | (*byte == b'\n')) {
        return None;
    }
    let (words, _) = block.as_chunks();
    words.iter().enumerate().find_map(|(number, word)| Some(8 * number + break_in_word(*word)?))
}

/// The same for eight bytes, taken for one number: where each loses one, those that were zero turn over, and those
/// before the first of them do not.
fn break_in_word(word: [u8; 8]) -> Option<usize> {
    const EACH: u64 = u64::MAX / 255;
    let others = u64::from_le_bytes(word) ^ (EACH * 10);
    let turned = others.wrapping_sub(EACH) & !others & (EACH << 7);
    if turned == 0 { None } else { usize::try_from(turned.trailing_zeros() / 8).ok() }
}

/// A line number that counts up in the digits it is written with.
struct Number {
    /// Written from the front, with the sign behind it, as one number of the processor: the first digit is its lowest
    /// byte.
    text: u64,
    length: usize,
}

impl Number {
    /// Seven digits and the sign: no short text has more lines.
    const MOST: usize = size_of::<u64>();

    fn new(number: u64) -> Option<Self> {
        let mut text = [b'|'; Number::MOST];
        let mut digits = itoa::Buffer::new();
        let digits = digits.format(number).as_bytes();
        text.get_mut(..digits.len()).filter(|room| room.len() < Number::MOST)?.copy_from_slice(digits);
        Some(Number { text: u64::from_le_bytes(text), length: digits.len() + 1 })
    }

    fn next(&mut self) -> Option<()> {
        for place in (0..self.length - 1).rev().map(|digit| 8 * digit) {
            if self.text >> place & 0xff < u64::from(b'9') {
                self.text += 1 << place;
                return Some(());
            }
            self.text -= 9 << place;
        }
        // 99 has become 00: one digit more, of which the first is one.
        self.length = Some(self.length + 1).filter(|length| *length <= Number::MOST)?;
        self.text = self.text << 8 | u64::from(b'1');
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
                prop_oneof![
                    Just("\n".to_owned()), Just("\r\n".to_owned()), Just("\r".to_owned()),
                    "[a-zé\"…\u{a}\u{b}\u{8a}]{0,5}", "[a-z]{14,18}",
                ],
                0..30,
            ),
            offset in 1_u64..12, limit in 1_u64..12,
        ) {
            assert_same(&pieces.concat(), offset, limit);
        }
    }
}
