//! What each byte of a text is, found out once for all who look for pieces of secrets: a bit per byte. Nearly all texts
//! have none, and where words, lines and digits are shows in 64 bytes at once.

use super::dump::parts_groups;

/// Bytes whose bits stand in one number.
const PART: usize = 64;
const EACH: u64 = u64::MAX / 255;
const HIGHEST: u64 = EACH << 7;

/// Of 64 bytes, the lowest bit for the first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Part {
    pub(super) breaks: u64,
    /// The characters of base64 (both alphabets) and hex.
    pub(super) encoded: u64,
    /// Hexadecimal digits, and what may stand between groups of them.
    pub(super) dump: u64,
    pub(super) digits: u64,
}

pub(super) struct Kinds {
    parts: Vec<Part>,
}

impl Kinds {
    pub(super) fn of(text: &[u8]) -> Kinds {
        let (whole, rest) = text.as_chunks::<PART>();
        // What is behind the end is of no kind.
        let mut last = [0; PART];
        last.iter_mut().zip(rest).for_each(|(room, byte)| *room = *byte);
        let mut parts = Vec::with_capacity(whole.len() + 1);
        #[cfg(target_arch = "x86_64")]
        if let Some(simd) = pulp::x86::V3::try_new() {
            simd.vectorize(wide::All { simd, whole, last: &last, parts: &mut parts });
            return Kinds { parts };
        }
        parts.extend(whole.iter().chain([&last]).map(part_of));
        Kinds { parts }
    }

    /// Every line break, in order.
    pub(super) fn breaks(&self) -> impl Iterator<Item = usize> {
        self.parts
            .iter()
            .enumerate()
            .flat_map(|(number, part)| Bits(part.breaks).map(move |bit| number * PART + bit))
    }

    /// How many bytes right before this place could be encoded.
    pub(super) fn encoded_before(&self, end: usize) -> usize {
        let mut count = 0;
        while let Some(at) = (end - count).checked_sub(1) {
            let bits = self.part(at / PART).encoded << (PART - 1 - at % PART);
            let ones = bits.leading_ones() as usize;
            count += ones;
            if ones <= at % PART {
                break;
            }
        }
        count
    }

    /// How many bytes from this place on could be encoded.
    pub(super) fn encoded_from(&self, start: usize) -> usize {
        let mut at = start;
        loop {
            let ones = (self.part(at / PART).encoded >> (at % PART)).trailing_ones() as usize;
            at += ones;
            if ones == 0 || !at.is_multiple_of(PART) {
                return at - start;
            }
        }
    }

    /// The first of every 16th place, counted from `from`, where eight bytes could all be encoded.
    pub(super) fn eight_encoded(&self, from: usize) -> Option<usize> {
        const EACH_16TH: u64 = u64::MAX / 0xffff;
        let grid = EACH_16TH << (from % 16);
        let mut reached = u64::MAX << (from % PART);
        for number in from / PART..self.parts.len() {
            let two =
                u128::from(self.part(number + 1).encoded) << PART | u128::from(self.part(number).encoded);
            let pairs = two & two >> 1;
            let fours = pairs & pairs >> 2;
            let places = (fours & fours >> 4) as u64 & grid & reached;
            if places != 0 {
                return Some(number * PART + places.trailing_zeros() as usize);
            }
            reached = u64::MAX;
        }
        None
    }

    /// The first of every eighth place, counted from `from`, where eight bytes could all be part of a dump, and how many
    /// of them are digits: one at least.
    pub(super) fn eight_of_dump(&self, from: usize) -> Option<(usize, usize)> {
        let mut at = from;
        while at < self.parts.len() * PART {
            let (one, next) = (self.part(at / PART), self.part(at / PART + 1));
            let bits = |one: u64, next: u64| (u128::from(next) << PART | u128::from(one)) >> (at % PART);
            let (dump, digits) = (bits(one.dump, next.dump) as u64, bits(one.digits, next.digits) as u64);
            // In each byte the highest bit, if the others carry into it or it is set: some bit of that byte is.
            let some = |bits: u64| (((bits & !HIGHEST) + EACH * 0x7f) | bits) & HIGHEST;
            let places = some(digits) & !some(!dump);
            if places != 0 {
                let place = places.trailing_zeros() as usize / 8;
                return Some((at + 8 * place, (digits >> (8 * place) & 0xff).count_ones() as usize));
            }
            at += PART;
        }
        None
    }

    fn part(&self, number: usize) -> Part {
        self.parts.get(number).copied().unwrap_or_default()
    }
}

/// The places of the bits that are set.
struct Bits(u64);

impl Iterator for Bits {
    type Item = usize;

    fn next(&mut self) -> Option<usize> {
        let bit = self.0.trailing_zeros() as usize;
        // Takes the lowest one away.
        self.0 &= self.0.checked_sub(1)?;
        Some(bit)
    }
}

/// The characters of base64 (both alphabets) and hex.
pub(super) const fn is_encoded(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/' | b'-' | b'_' | b'=')
}

/// One byte at a time.
fn part_of(bytes: &[u8; PART]) -> Part {
    let mut part = Part::default();
    for (place, byte) in bytes.iter().enumerate() {
        let digit = byte.is_ascii_hexdigit();
        part.breaks |= u64::from(*byte == b'\n') << place;
        part.encoded |= u64::from(is_encoded(*byte)) << place;
        part.dump |= u64::from(digit || parts_groups(*byte)) << place;
        part.digits |= u64::from(digit) << place;
    }
    part
}

/// The same of 32 bytes at once. All kinds are of ASCII, whose eight rows of 16 fit the bits of a byte: the lower half of
/// a byte says in which rows it would be of a kind, the upper half in which row it is.
#[cfg(target_arch = "x86_64")]
mod wide {
    use std::arch::x86_64::__m256i;

    use pulp::NullaryFnOnce;
    use pulp::x86::V3;

    use super::super::dump::parts_groups;
    use super::{PART, Part, is_encoded};

    pub(super) struct All<'a> {
        pub(super) simd: V3,
        pub(super) whole: &'a [[u8; PART]],
        pub(super) last: &'a [u8; PART],
        pub(super) parts: &'a mut Vec<Part>,
    }

    impl NullaryFnOnce for All<'_> {
        type Output = ();

        #[inline(always)]
        fn call(self) {
            let All { simd, whole, last, parts } = self;
            for bytes in whole {
                parts.push(part_of(simd, bytes));
            }
            parts.push(part_of(simd, last));
        }
    }

    /// Written out: closures and inner loops may end up as calls here.
    #[inline(always)]
    fn part_of(simd: V3, bytes: &[u8; PART]) -> Part {
        let [low, high]: [__m256i; 2] = pulp::cast(*bytes);
        let (low_rows, high_rows) = (rows_in(simd, low), rows_in(simd, high));
        Part {
            breaks: bits(simd, low, low_rows, BREAKS) | bits(simd, high, high_rows, BREAKS) << 32,
            encoded: bits(simd, low, low_rows, ENCODED) | bits(simd, high, high_rows, ENCODED) << 32,
            dump: bits(simd, low, low_rows, DUMP) | bits(simd, high, high_rows, DUMP) << 32,
            digits: bits(simd, low, low_rows, DIGITS) | bits(simd, high, high_rows, DIGITS) << 32,
        }
    }

    /// The bit of the row that each byte is in.
    #[inline(always)]
    fn rows_in(simd: V3, bytes: __m256i) -> __m256i {
        let upper = simd.avx2._mm256_srli_epi16::<4>(bytes);
        let upper = simd.avx2._mm256_and_si256(upper, simd.avx._mm256_set1_epi8(0x0f));
        simd.avx2._mm256_shuffle_epi8(pulp::cast(ROWS), upper)
    }

    /// Which of the bytes are of a kind.
    #[inline(always)]
    fn bits(simd: V3, bytes: __m256i, rows: __m256i, kind: [u8; 32]) -> u64 {
        let is = simd.avx2._mm256_and_si256(simd.avx2._mm256_shuffle_epi8(pulp::cast(kind), bytes), rows);
        let is_not = simd.avx2._mm256_cmpeq_epi8(is, simd.avx._mm256_setzero_si256());
        u64::from(!simd.avx2._mm256_movemask_epi8(is_not).cast_unsigned())
    }

    const BREAKS: [u8; 32] = rows_of(0);
    const ENCODED: [u8; 32] = rows_of(1);
    const DUMP: [u8; 32] = rows_of(2);
    const DIGITS: [u8; 32] = rows_of(3);

    /// The bit of each row, for both halves of a vector.
    #[allow(clippy::indexing_slicing, reason = "reckoned by the compiler, which would say so")]
    const ROWS: [u8; 32] = {
        let mut rows = [0; 32];
        let mut row = 0;
        while row < 8 {
            rows[row] = 1 << row;
            rows[row + 16] = 1 << row;
            row += 1;
        }
        rows
    };

    #[allow(clippy::indexing_slicing, reason = "reckoned by the compiler, which would say so")]
    const fn rows_of(kind: u8) -> [u8; 32] {
        let mut rows = [0; 32];
        let mut byte = 0_u8;
        while byte < 128 {
            let is = match kind {
                0 => byte == b'\n',
                1 => is_encoded(byte),
                2 => byte.is_ascii_hexdigit() || parts_groups(byte),
                _ => byte.is_ascii_hexdigit(),
            };
            if is {
                rows[(byte % 16) as usize] |= 1 << (byte / 16);
                rows[(byte % 16) as usize + 16] |= 1 << (byte / 16);
            }
            byte += 1;
        }
        rows
    }
}

#[cfg(test)]
mod tests;
