//! What a secret leaves where it is written in pieces: few characters of its encoded forms beside each break, or two of
//! its bytes side by side in a dump. Nearly no text has any, and that is told quickly.

/// Characters of a form that stand beside a break: one side of any form has as many.
pub(super) const GRAM: usize = 4;

const BITS: usize = 1 << 18;
const WORD: usize = 64;

pub(super) struct Traces {
    /// Of each gram, one bit by its hash.
    bits: Vec<u64>,
    grams: Vec<[u8; GRAM]>,
    /// Of each two neighbouring bytes of a secret, in either order, one bit: half of all dumps swap them.
    pairs: Vec<u64>,
    /// Characters of the longest form.
    pub(super) longest: usize,
}

impl Traces {
    /// Of forms in base64 and hex.
    pub(super) fn new<'f>(forms: impl Iterator<Item = &'f str> + Clone) -> Traces {
        let mut traces = Traces {
            bits: vec![0; BITS / WORD],
            grams: Vec::new(),
            pairs: vec![0; (1 << 16) / WORD],
            longest: forms.clone().map(str::len).max().unwrap_or_default(),
        };
        for form in forms {
            let bytes = form.as_bytes();
            traces.grams.extend(bytes.windows(GRAM).filter_map(|gram| gram.first_chunk().copied()));
            let digits = bytes.chunks_exact(2).map(byte_of).collect::<Option<Vec<u8>>>().unwrap_or_default();
            for pair in digits.windows(2) {
                if let [first, second] = *pair {
                    set(&mut traces.pairs, pair_bit(first, second));
                    set(&mut traces.pairs, pair_bit(second, first));
                }
            }
        }
        traces.grams.sort_unstable();
        traces.grams.dedup();
        for gram in &traces.grams {
            set(&mut traces.bits, gram_bit(gram));
        }
        traces
    }

    /// Whether a form may have been broken before or behind this piece of a line.
    pub(super) fn may_be_broken_beside(&self, piece: &[u8]) -> bool {
        piece.first_chunk().is_some_and(|gram| self.has(gram))
            || piece.last_chunk().is_some_and(|gram| self.has(gram))
    }

    fn has(&self, gram: &[u8; GRAM]) -> bool {
        get(&self.bits, gram_bit(gram)) && self.grams.binary_search(gram).is_ok()
    }

    /// Whether some secret has these two bytes side by side.
    pub(super) fn has_pair(&self, first: u8, second: u8) -> bool {
        get(&self.pairs, pair_bit(first, second))
    }
}

/// The byte that two hexadecimal digits stand for.
pub(super) fn byte_of(digits: &[u8]) -> Option<u8> {
    let [high, low] = digits else { return None };
    let digit = |byte: u8| char::from(byte).to_digit(16).and_then(|digit| u8::try_from(digit).ok());
    Some(digit(*high)? << 4 | digit(*low)?)
}

fn gram_bit(gram: &[u8; GRAM]) -> usize {
    let mixed = u32::from_le_bytes(*gram).wrapping_mul(0x9e37_79b1);
    usize::try_from(mixed >> 14).unwrap_or_default() % BITS
}

fn pair_bit(first: u8, second: u8) -> usize {
    usize::from(first) << 8 | usize::from(second)
}

fn set(bits: &mut [u64], bit: usize) {
    bits.get_mut(bit / WORD).into_iter().for_each(|word| *word |= 1 << (bit % WORD));
}

fn get(bits: &[u64], bit: usize) -> bool {
    bits.get(bit / WORD).is_some_and(|word| word >> (bit % WORD) & 1 == 1)
}
