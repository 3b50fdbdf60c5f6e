//! Amounts of bytes, as tools take them.

/// More than anybody's build needs in one file.
pub(crate) const LARGE: u128 = 32 * 1024 * 1024 * 1024;

/// `10M`, `1GiB`, `0`, `+5k`; nothing if it is not an amount.
pub(crate) fn bytes(text: &str) -> Option<u128> {
    let text = text.trim_start_matches(['+', '-', '<', '>', '/', '%', '=']);
    let digits = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    let (number, unit) = text.split_at_checked(digits)?;
    let number: u128 = number.parse().ok()?;
    let unit = unit.to_ascii_lowercase();
    let factor: u128 = match unit.chars().next() {
        None => 1,
        Some('c' | 'b') if unit.len() == 1 => 1,
        Some('w') => 2,
        Some('k') => 1 << 10,
        Some('m') => 1 << 20,
        Some('g') => 1 << 30,
        Some('t') => 1 << 40,
        Some('p') => 1 << 50,
        Some('e') => 1 << 60,
        Some(_) => return None,
    };
    number.checked_mul(factor)
}
