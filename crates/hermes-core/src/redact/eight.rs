//! Questions to eight bytes at once, which the processor takes for one number.
//!
//! Whoever looks for traces of secrets looks at every text there is, and finds nothing in nearly all of them. A byte at
//! a time that took longer than the calls whose results the texts are.

/// One in each byte.
const EACH: u64 = u64::MAX / 255;
const HIGHEST: u64 = EACH << 7;

pub(super) type Eight = [u8; 8];

/// Whether some byte is a blank, a line break or another control character.
pub(super) fn has_blank(eight: Eight) -> bool {
    let bytes = u64::from_le_bytes(eight);
    // What is smaller borrows from the highest bit, which it did not have itself.
    bytes.wrapping_sub(EACH * 0x21) & !bytes & HIGHEST != 0
}

/// Whether some byte is a letter from g to w, capital or small. (Some that are beyond ASCII count as well.) Nearly all
/// words have one, and no number has.
pub(super) fn has_letter_of_words(eight: Eight) -> bool {
    let bytes = (u64::from_le_bytes(eight) | (EACH * 0x20)) & !HIGHEST;
    // Each sum has its highest bit where the byte is at least the letter.
    let from_g = bytes + EACH * (0x80 - b'g' as u64);
    let from_x = bytes + EACH * (0x80 - b'x' as u64);
    from_g & !from_x & HIGHEST != 0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_byte_is_seen_at_every_place_and_beside_every_other() {
        for byte in 0..=u8::MAX {
            for (place, other) in
                (0..8).flat_map(|place| [b'0', b'a', b'~', b'!', 0x7f].map(|other| (place, other)))
            {
                let mut eight = [other; 8];
                eight[place] = byte;
                assert_eq!(has_blank(eight), byte <= b' ', "{eight:?}");
                let in_words = matches!(byte.to_ascii_lowercase(), b'g'..=b'w');
                if byte.is_ascii() {
                    assert_eq!(has_letter_of_words(eight), in_words, "{eight:?}");
                }
            }
        }
    }
}
