//! The functions between the matrices: normalising rows, GELU, softmax. Written so that the compiler can
//! take eight numbers at a time, with polynomials instead of library calls.

use pulp::NullaryFnOnce;

use super::weights::Norm;

const LANES: usize = 8;
/// Adding this to a small number rounds it: the whole part is then in the lowest bits.
pub(super) const ROUNDING: f32 = 12_582_912.0;

/// Runs `body` with the widest instructions this machine has.
pub(super) fn wide(body: impl FnOnce()) {
    struct Body<F>(F);
    impl<F: FnOnce()> NullaryFnOnce for Body<F> {
        type Output = ();
        #[inline(always)]
        fn call(self) {
            (self.0)();
        }
    }
    pulp::Arch::new().dispatch(Body(body));
}

/// The sum in a fixed order: eight running sums, then those.
#[inline(always)]
pub(super) fn sum(numbers: &[f32], of: impl Fn(f32) -> f32) -> f32 {
    let (chunks, rest) = numbers.as_chunks::<LANES>();
    let mut lanes = [0.0_f32; LANES];
    for chunk in chunks {
        for (lane, number) in lanes.iter_mut().zip(chunk) {
            *lane += of(*number);
        }
    }
    lanes.iter().sum::<f32>() + rest.iter().map(|number| of(*number)).sum::<f32>()
}

/// Makes each row mean 0 and variance 1, then applies factor and offset.
pub(super) fn normalise(rows: &mut [f32], norm: &Norm) {
    let width = norm.factor.len();
    wide(
        #[inline(always)]
        || {
            for row in rows.chunks_exact_mut(width) {
                let mean = sum(row, |number| number) / width as f32;
                let variance = sum(row, |number| (number - mean) * (number - mean)) / width as f32;
                let scale = 1.0 / (variance + 1e-12).sqrt();
                for ((number, factor), offset) in row.iter_mut().zip(&norm.factor).zip(&norm.offset) {
                    *number = (*number - mean) * scale * factor + offset;
                }
            }
        },
    );
}

/// `x * Φ(x)`, the normal distribution by Abramowitz and Stegun 7.1.26 (error below 2e-7).
pub(super) fn gelu(numbers: &mut [f32]) {
    wide(
        #[inline(always)]
        || {
            for number in numbers {
                *number *= 0.5 * (1.0 + erf(*number * std::f32::consts::FRAC_1_SQRT_2));
            }
        },
    );
}

#[inline(always)]
fn erf(x: f32) -> f32 {
    let size = x.abs();
    let t = 1.0 / (1.0 + 0.327_591_1 * size);
    let polynomial =
        ((((1.061_405_4 * t - 1.453_152) * t + 1.421_413_7) * t - 0.284_496_74) * t + 0.254_829_6) * t;
    (1.0 - polynomial * exp(-size * size)).copysign(x)
}

/// e to the power of a number from about -87 to 88, others held to these.
#[inline(always)]
pub(super) fn exp(x: f32) -> f32 {
    let power = (x * std::f32::consts::LOG2_E).clamp(-126.0, 126.0);
    let shifted = power + ROUNDING;
    let whole = shifted - ROUNDING;
    let part = (power - whole) * std::f32::consts::LN_2;
    let series = 1.0
        + part
            * (1.0
                + part
                    * (0.5
                        + part
                            * (0.166_666_67
                                + part * (0.041_666_668 + part * (0.008_333_334 + part * 0.001_388_889)))));
    let scale = f32::from_bits(shifted.to_bits().wrapping_add(127) << 23);
    series * scale
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn polynomials_are_close_enough() {
        for step in -400..400 {
            let x = step as f32 / 20.0;
            let exact = f64::from(x).exp();
            assert!(((f64::from(exp(x)) - exact) / exact).abs() < 2e-6, "{x}");
        }
        let mut numbers = [-3.0, -1.0, 0.0, 0.5, 2.0];
        gelu(&mut numbers);
        for (got, want) in numbers.iter().zip([-0.004_049_7, -0.158_655_3, 0.0, 0.345_731_3, 1.954_499_7]) {
            assert!((got - want).abs() < 2e-6, "{got} {want}");
        }
    }
}
