//! Held against the same questions asked byte by byte.

use proptest::prelude::*;

use super::*;

fn encoded_before(text: &[u8], end: usize) -> usize {
    text[..end].iter().rev().take_while(|byte| is_encoded(**byte)).count()
}

fn encoded_from(text: &[u8], start: usize) -> usize {
    text[start..].iter().take_while(|byte| is_encoded(**byte)).count()
}

fn eight_encoded(text: &[u8], from: usize) -> Option<usize> {
    let mut places = (from..).step_by(16).take_while(|at| at + 8 <= text.len());
    places.find(|at| text[*at..at + 8].iter().all(|byte| is_encoded(*byte)))
}

fn eight_of_dump(text: &[u8], from: usize) -> Option<(usize, usize)> {
    let digits = |at: usize| text[at..at + 8].iter().filter(|byte| byte.is_ascii_hexdigit()).count();
    let is_of_dump = |byte: &u8| byte.is_ascii_hexdigit() || parts_groups(*byte);
    let mut places = (from..).step_by(8).take_while(|at| at + 8 <= text.len());
    let at = places.find(|at| text[*at..at + 8].iter().all(is_of_dump) && digits(*at) > 0)?;
    Some((at, digits(at)))
}

fn assert_same(text: &[u8]) {
    let kinds = Kinds::of(text);
    let (whole, rest) = text.as_chunks::<PART>();
    let mut last = [0; PART];
    last[..rest.len()].copy_from_slice(rest);
    let parts: Vec<Part> = whole.iter().chain([&last]).map(part_of).collect();
    assert_eq!(kinds.parts, parts, "{text:?}");
    let breaks: Vec<usize> = memchr::memchr_iter(b'\n', text).collect();
    assert_eq!(kinds.breaks().collect::<Vec<usize>>(), breaks, "{text:?}");
    for at in 0..=text.len() {
        assert_eq!(kinds.encoded_before(at), encoded_before(text, at), "{at} {text:?}");
        assert_eq!(kinds.encoded_from(at), encoded_from(text, at), "{at} {text:?}");
        assert_eq!(kinds.eight_encoded(at), eight_encoded(text, at), "{at} {text:?}");
        assert_eq!(kinds.eight_of_dump(at), eight_of_dump(text, at), "{at} {text:?}");
    }
}

#[test]
fn every_byte_is_of_its_kinds_at_every_place() {
    for byte in 0..=u8::MAX {
        for (length, others) in [(1, b' '), (7, b'a'), (64, b'0'), (65, b'-'), (130, b'z'), (200, 0xc3)] {
            let mut text = vec![others; length];
            for place in [0, length / 3, length / 2, length - 1] {
                text[place] = byte;
            }
            assert_same(&text);
        }
    }
}

#[test]
fn long_words_go_over_every_edge() {
    for length in [0, 1, 62, 63, 64, 65, 127, 128, 129, 300] {
        assert_same(&vec![b'a'; length]);
        assert_same(&vec![b'0'; length]);
        assert_same(format!("{}\n{}", "f".repeat(length), "9".repeat(70)).as_bytes());
    }
}

proptest! {
    #[test]
    fn texts_and_other_bytes_are_what_they_are_byte_by_byte(
        pieces in proptest::collection::vec(
            prop_oneof![
                "[a-zA-Z0-9+/=_-]{1,40}", "[0-9a-f]{2}( [0-9a-f]{2}){1,20}", "[ \t]{1,20}", "[\n\r]{1,2}", "[ -~é…]{0,20}",
            ],
            0..20,
        ),
        bytes in proptest::collection::vec(any::<u8>(), 0..200),
    ) {
        assert_same(pieces.concat().as_bytes());
        assert_same(&bytes);
    }
}
