//! Decimal text to a JSON number: exactly, or not at all where digits would be lost.

use serde_json::Number;

/// No finite number has more digits before its point.
const MAX_INTEGER_DIGITS: usize = 310;

/// 2^53: from here on, floats skip integers.
pub(super) const EXACT: f64 = 9_007_199_254_740_992.0;

/// A decimal as written: `[+-] digits [. digits] [e [+-] digits]`, with digits on at least one side of
/// the point. No grouping, no other radix, no words.
#[derive(Clone, Copy, Debug)]
pub(super) struct Decimal<'a> {
    text: &'a str,
    negative: bool,
    whole: &'a str,
    fraction: &'a str,
    exponent: i64,
    /// Written with digits only, so that every digit is meant.
    plain: bool,
}

impl<'a> Decimal<'a> {
    pub(super) fn parse(text: &'a str) -> Option<Self> {
        let unsigned = text.strip_prefix(['+', '-']).unwrap_or(text);
        let (mantissa, exponent) = match unsigned.split_once(['e', 'E']) {
            Some((mantissa, exponent)) => (mantissa, Some(parse_exponent(exponent)?)),
            None => (unsigned, None),
        };
        let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
        let digits_only = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
        if (whole.is_empty() && fraction.is_empty()) || !digits_only(whole) || !digits_only(fraction) {
            return None;
        }
        Some(Decimal {
            text,
            negative: text.starts_with('-'),
            whole,
            fraction,
            exponent: exponent.unwrap_or(0),
            plain: exponent.is_none() && !mantissa.contains('.'),
        })
    }

    /// The number, if it is a whole one that a JSON number can hold exactly.
    pub(super) fn integer(&self) -> Option<Number> {
        let digits = self.integer_digits()?;
        if digits == "0" {
            return Some(0.into());
        }
        let signed = if self.negative { format!("-{digits}") } else { digits };
        if let Ok(number) = signed.parse::<i64>() {
            return Some(number.into());
        }
        if let Ok(number) = signed.parse::<u64>() {
            return Some(number.into());
        }
        // Beyond 64 bits only what a float holds to the last digit, such as 10^20.
        let float: f64 = signed.parse().ok()?;
        if format!("{float:.0}") == signed { Number::from_f64(float) } else { None }
    }

    /// The number as JSON readers take it: the nearest float where it has a point or an exponent, but
    /// never a rounded integer, because those are ids.
    pub(super) fn number(&self) -> Option<Number> {
        if let Some(exact) = self.integer() {
            return Some(exact);
        }
        if self.plain { None } else { self.float() }
    }

    pub(super) fn float(&self) -> Option<Number> {
        self.text.parse::<f64>().ok().and_then(Number::from_f64)
    }

    /// The whole number of 64 bits that was written, such as `9007199254740993.0`, where the float is another.
    pub(super) fn unrounded(&self, float: &Number) -> Option<Number> {
        let float = float.as_f64().filter(|float| float.abs() >= EXACT)?;
        let exact = self.integer()?;
        let whole = exact.as_i64().map(i128::from).or_else(|| exact.as_u64().map(i128::from))?;
        (whole != float as i128).then_some(exact)
    }

    pub(super) fn is_plain(&self) -> bool {
        self.plain
    }

    /// The digits of the value without leading zeros, if it is a whole number of sane length.
    fn integer_digits(&self) -> Option<String> {
        let digits = format!("{}{}", self.whole, self.fraction);
        let significant = digits.trim_start_matches('0').trim_end_matches('0');
        if significant.is_empty() {
            return Some("0".to_owned());
        }
        let dropped = digits.trim_start_matches('0').len() - significant.len();
        let scale = self
            .exponent
            .saturating_sub(i64::try_from(self.fraction.len()).ok()?)
            .saturating_add(i64::try_from(dropped).ok()?);
        let zeros = usize::try_from(scale).ok()?;
        if significant.len().saturating_add(zeros) > MAX_INTEGER_DIGITS {
            return None;
        }
        Some(format!("{significant}{}", "0".repeat(zeros)))
    }
}

/// An exponent, clamped where no number has one.
fn parse_exponent(text: &str) -> Option<i64> {
    const HUGE: i64 = 1_000_000;
    let digits = text.strip_prefix(['+', '-']).unwrap_or(text);
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let size = digits.parse::<i64>().map_or(HUGE, |size| size.min(HUGE));
    Some(if text.starts_with('-') { -size } else { size })
}
