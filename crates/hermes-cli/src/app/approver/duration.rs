//! Spans of time as people write them: `90s`, `10m`, `1h30m`, `2d`.

/// A year: what should hold longer is meant to hold always.
const LONGEST_MS: i64 = 366 * 24 * 60 * 60 * 1_000;

/// Milliseconds of a span such as `10m` or `1h 30m`.
pub(crate) fn parse(text: &str) -> Result<i64, String> {
    let wrong = || format!("'{text}' is no span of time; write 90s, 10m, 1h30m or 2d");
    let mut total: i64 = 0;
    let mut digits = String::new();
    for letter in text.chars().filter(|letter| !letter.is_whitespace()) {
        if letter.is_ascii_digit() {
            digits.push(letter);
            continue;
        }
        let unit: i64 = match letter {
            's' => 1_000,
            'm' => 60_000,
            'h' => 3_600_000,
            'd' => 86_400_000,
            'w' => 7 * 86_400_000,
            _ => return Err(wrong()),
        };
        let count: i64 = std::mem::take(&mut digits).parse().map_err(|_| wrong())?;
        total = count.checked_mul(unit).and_then(|part| total.checked_add(part)).ok_or_else(wrong)?;
    }
    match total {
        _ if !digits.is_empty() => Err(wrong()),
        ..=0 => Err(wrong()),
        LONGEST_MS.. => {
            Err("a year is the longest; leave the time out for a grant without an end".to_owned())
        }
        _ => Ok(total),
    }
}

/// The span in its largest units, seconds at the finest.
pub(crate) fn show(ms: i64) -> String {
    let mut rest = ms.max(0).saturating_add(999) / 1_000;
    let mut parts = Vec::new();
    for (unit, seconds) in [("d", 86_400), ("h", 3_600), ("m", 60), ("s", 1)] {
        let count = rest / seconds;
        rest %= seconds;
        if count > 0 {
            parts.push(format!("{count}{unit}"));
        }
    }
    if parts.is_empty() { "0s".to_owned() } else { parts.into_iter().take(2).collect() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spans_are_read_and_shown() {
        for (text, ms, shown) in [
            ("90s", 90_000, "1m30s"),
            ("10m", 600_000, "10m"),
            ("1h 30m", 5_400_000, "1h30m"),
            ("2d", 172_800_000, "2d"),
        ] {
            assert_eq!(parse(text), Ok(ms));
            assert_eq!(show(ms), shown);
        }
        for text in ["", "10", "m", "0s", "-1m", "1y", "10mm", "99999999999999999999s", "400d"] {
            assert!(parse(text).is_err(), "{text}");
        }
    }
}
