//! Matrix products of int8 weights with 14-bit activations, in exact integer arithmetic.
//!
//! A row of activations is scaled so that its largest number is [`MOST`]; the sum of 1,536 products with
//! int8 numbers then fits 32 bits, and nothing is lost but the last bit of each activation. Integer sums do
//! not depend on their order, so the wide path and the plain one give the same numbers.

use pulp::NullaryFnOnce;

use super::activation::{ROUNDING, wide};

/// The largest activation after scaling: `1536 * 127 * 8191 < 2^31`.
const MOST: f32 = 8191.0;

/// Rows of activations as integers, with the factor that gives the floats back.
#[derive(Default)]
pub(super) struct Scaled {
    pub(super) numbers: Vec<i16>,
    pub(super) factors: Vec<f32>,
}

impl Scaled {
    /// Scales each row of `width` floats.
    pub(super) fn of(rows: &[f32], width: usize) -> Self {
        let mut scaled = Scaled { numbers: Vec::with_capacity(rows.len()), factors: Vec::new() };
        scaled.numbers.resize(rows.len(), 0);
        wide(
            #[inline(always)]
            || {
                for (row, numbers) in rows.chunks_exact(width).zip(scaled.numbers.chunks_exact_mut(width)) {
                    let largest = largest(row).max(f32::MIN_POSITIVE);
                    let up = MOST / largest;
                    scaled.factors.push(largest / MOST);
                    for (to, from) in numbers.iter_mut().zip(row) {
                        *to = round(from * up);
                    }
                }
            },
        );
        scaled
    }
}

#[inline(always)]
fn largest(row: &[f32]) -> f32 {
    let mut lanes = [0.0_f32; 16];
    for chunk in row.as_chunks::<16>().0 {
        for (lane, number) in lanes.iter_mut().zip(chunk) {
            *lane = if number.abs() > *lane { number.abs() } else { *lane };
        }
    }
    lanes.into_iter().fold(0.0, f32::max)
}

/// To the nearest, without a call into the maths library.
#[inline(always)]
fn round(number: f32) -> i16 {
    (number + ROUNDING).to_bits() as i16
}

/// For every row of activations, its product with every row of weights: `take(row, weight_row, sum)`.
pub(super) fn products(weights: &[i8], width: usize, rows: &[i16], sums: &mut [i32]) {
    let many = weights.len() / width.max(1);
    let product = Product { weights, width, rows, sums, many };
    #[cfg(target_arch = "x86_64")]
    if let Some(simd) = pulp::x86::V3::try_new() {
        return simd.vectorize(Wide { simd, product });
    }
    pulp::Arch::new().dispatch(Plain { product });
}

struct Product<'a> {
    weights: &'a [i8],
    width: usize,
    rows: &'a [i16],
    /// One line of `many` sums for each row of activations.
    sums: &'a mut [i32],
    many: usize,
}

struct Plain<'a> {
    product: Product<'a>,
}

impl NullaryFnOnce for Plain<'_> {
    type Output = ();

    #[inline(always)]
    fn call(self) {
        let Product { weights, width, rows, sums, many } = self.product;
        for (row, sums) in rows.chunks_exact(width).zip(sums.chunks_exact_mut(many)) {
            for (weight, sum) in weights.chunks_exact(width).zip(sums) {
                *sum = weight.iter().zip(row).map(|(&a, &b)| i32::from(a) * i32::from(b)).sum();
            }
        }
    }
}

#[cfg(target_arch = "x86_64")]
struct Wide<'a> {
    simd: pulp::x86::V3,
    product: Product<'a>,
}

#[cfg(target_arch = "x86_64")]
impl NullaryFnOnce for Wide<'_> {
    type Output = ();

    /// Blocks of four weight rows by two activation rows: eight sums in registers, each number loaded once
    /// for several products. A larger block would not fit the sixteen registers.
    #[inline(always)]
    fn call(self) {
        let Product { weights, width, rows, sums, many } = self.product;
        let simd = self.simd;
        for (weight_block, first) in weights.chunks(4 * width).zip((0..).step_by(4)) {
            let mut weight = weight_block.chunks_exact(width);
            let Some(w0) = weight.next() else { break };
            let (w1, w2, w3) =
                (weight.next().unwrap_or(w0), weight.next().unwrap_or(w0), weight.next().unwrap_or(w0));
            for (row_block, lines) in rows.chunks(2 * width).zip(sums.chunks_mut(2 * many)) {
                let (r0, r1) = row_block.split_at_checked(width).unwrap_or((row_block, &[]));
                let (line0, line1) = lines.split_at_mut_checked(many).unwrap_or_default();
                let found = match r1.is_empty() {
                    false => block_of_two(simd, [w0, w1, w2, w3], [r0, r1]),
                    true => [block_of_one(simd, [w0, w1, w2, w3], r0), [0; 4]],
                };
                let [found0, found1] = found;
                put(line0, first, found0);
                put(line1, first, found1);
            }
        }
    }
}

#[cfg(target_arch = "x86_64")]
#[inline(always)]
fn put(line: &mut [i32], first: usize, found: [i32; 4]) {
    if let Some(at) = line.get_mut(first..) {
        for (sum, found) in at.iter_mut().zip(found) {
            *sum = found;
        }
    }
}

#[cfg(target_arch = "x86_64")]
use std::arch::x86_64::__m256i;

/// Written out: what goes through `map` or an inner loop here may end up as calls instead of instructions.
#[cfg(target_arch = "x86_64")]
#[inline(always)]
fn block_of_two(simd: pulp::x86::V3, w: [&[i8]; 4], r: [&[i16]; 2]) -> [[i32; 4]; 2] {
    let zero = simd.avx._mm256_setzero_si256();
    let (mut a0, mut a1, mut a2, mut a3) = (zero, zero, zero, zero);
    let (mut b0, mut b1, mut b2, mut b3) = (zero, zero, zero, zero);
    let [w0, w1, w2, w3] = w.map(sixteens);
    let [r0, r1] = r.map(sixteens);
    for (((((w0, w1), w2), w3), r0), r1) in w0.iter().zip(w1).zip(w2).zip(w3).zip(r0).zip(r1) {
        let (a, b): (__m256i, __m256i) = (pulp::cast(*r0), pulp::cast(*r1));
        let w = simd.avx2._mm256_cvtepi8_epi16(pulp::cast(*w0));
        a0 = simd.avx2._mm256_add_epi32(a0, simd.avx2._mm256_madd_epi16(w, a));
        b0 = simd.avx2._mm256_add_epi32(b0, simd.avx2._mm256_madd_epi16(w, b));
        let w = simd.avx2._mm256_cvtepi8_epi16(pulp::cast(*w1));
        a1 = simd.avx2._mm256_add_epi32(a1, simd.avx2._mm256_madd_epi16(w, a));
        b1 = simd.avx2._mm256_add_epi32(b1, simd.avx2._mm256_madd_epi16(w, b));
        let w = simd.avx2._mm256_cvtepi8_epi16(pulp::cast(*w2));
        a2 = simd.avx2._mm256_add_epi32(a2, simd.avx2._mm256_madd_epi16(w, a));
        b2 = simd.avx2._mm256_add_epi32(b2, simd.avx2._mm256_madd_epi16(w, b));
        let w = simd.avx2._mm256_cvtepi8_epi16(pulp::cast(*w3));
        a3 = simd.avx2._mm256_add_epi32(a3, simd.avx2._mm256_madd_epi16(w, a));
        b3 = simd.avx2._mm256_add_epi32(b3, simd.avx2._mm256_madd_epi16(w, b));
    }
    [[total(a0), total(a1), total(a2), total(a3)], [total(b0), total(b1), total(b2), total(b3)]]
}

#[cfg(target_arch = "x86_64")]
#[inline(always)]
fn sixteens<T>(numbers: &[T]) -> &[[T; 16]] {
    numbers.as_chunks::<16>().0
}

#[cfg(target_arch = "x86_64")]
#[inline(always)]
fn block_of_one(simd: pulp::x86::V3, w: [&[i8]; 4], r: &[i16]) -> [i32; 4] {
    let zero = simd.avx._mm256_setzero_si256();
    let (mut s0, mut s1, mut s2, mut s3) = (zero, zero, zero, zero);
    let [w0, w1, w2, w3] = w.map(sixteens);
    for ((((w0, w1), w2), w3), r) in w0.iter().zip(w1).zip(w2).zip(w3).zip(sixteens(r)) {
        let r: __m256i = pulp::cast(*r);
        let w = simd.avx2._mm256_cvtepi8_epi16(pulp::cast(*w0));
        s0 = simd.avx2._mm256_add_epi32(s0, simd.avx2._mm256_madd_epi16(w, r));
        let w = simd.avx2._mm256_cvtepi8_epi16(pulp::cast(*w1));
        s1 = simd.avx2._mm256_add_epi32(s1, simd.avx2._mm256_madd_epi16(w, r));
        let w = simd.avx2._mm256_cvtepi8_epi16(pulp::cast(*w2));
        s2 = simd.avx2._mm256_add_epi32(s2, simd.avx2._mm256_madd_epi16(w, r));
        let w = simd.avx2._mm256_cvtepi8_epi16(pulp::cast(*w3));
        s3 = simd.avx2._mm256_add_epi32(s3, simd.avx2._mm256_madd_epi16(w, r));
    }
    [total(s0), total(s1), total(s2), total(s3)]
}

#[cfg(target_arch = "x86_64")]
#[inline(always)]
fn total(lanes: __m256i) -> i32 {
    let lanes: [i32; 8] = pulp::cast(lanes);
    lanes.into_iter().sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_wide_path_gives_the_numbers_of_the_plain_one() {
        let width = 48;
        for (many, count) in [(1, 1), (4, 3), (7, 5), (9, 4), (6, 2)] {
            let weights: Vec<i8> = (0..many * width).map(|at| ((at * 37 + 11) % 255) as i8).collect();
            let rows: Vec<i16> =
                (0..count * width).map(|at| ((at * 5_003) % 16_383) as i16 - 8_191).collect();
            let (mut wide, mut plain) = (vec![0; many * count], vec![0; many * count]);
            products(&weights, width, &rows, &mut wide);
            let product = Product { weights: &weights, width, rows: &rows, sums: &mut plain, many };
            Plain { product }.call();
            assert_eq!(wide, plain);
        }
    }
}
