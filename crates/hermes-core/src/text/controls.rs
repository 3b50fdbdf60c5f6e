//! Control characters that texts do not have.

/// Counts that fit into a byte, of a whole number of vectors: the compiler looks at many bytes at once.
const STRIDE: usize = 32;

/// How many of these bytes no text has. Escape and backspace occur in logs.
pub fn odd_controls(bytes: &[u8]) -> usize {
    let (strides, rest) = bytes.as_chunks::<STRIDE>();
    strides.iter().map(|stride| usize::from(count(stride))).sum::<usize>() + usize::from(count(rest))
}

#[inline(always)]
fn count(bytes: &[u8]) -> u8 {
    bytes.iter().map(|byte| u8::from(is_odd(*byte))).sum()
}

fn is_odd(byte: u8) -> bool {
    matches!(byte, 0..=7 | 0x0e..=0x1a | 0x1c..=0x1f | 0x7f)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_byte_is_counted_once_and_those_of_texts_are_not() {
        let every: Vec<u8> = (0..=255).collect();
        assert_eq!(odd_controls(&every), 8 + 13 + 4 + 1);
        assert_eq!(odd_controls(&[7; 1_000]), 1_000);
        assert_eq!(odd_controls("text\t\u{8}\u{1b}[31m\r\n\u{c}ä".as_bytes()), 0);
    }
}
