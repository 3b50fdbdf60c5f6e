//! Plain scalars by the core schema of YAML 1.2: `yes` and `on` are text, `0o17` is a number.

use serde_json::{Number, Value};

use super::node::Scalar;

impl Scalar {
    /// A scalar without quotes; its type follows from its spelling.
    pub(super) fn plain(raw: &str) -> Self {
        Scalar { raw: raw.to_owned(), value: resolve(raw), quoted: false }
    }

    /// Text, whatever it looks like.
    pub(super) fn text(raw: &str) -> Self {
        Scalar { raw: raw.to_owned(), value: Value::String(raw.to_owned()), quoted: true }
    }
}

fn resolve(raw: &str) -> Value {
    match raw {
        "" | "~" | "null" | "Null" | "NULL" => Value::Null,
        "true" | "True" | "TRUE" => Value::Bool(true),
        "false" | "False" | "FALSE" => Value::Bool(false),
        _ => integer(raw).or_else(|| float(raw)).map_or_else(|| Value::String(raw.to_owned()), Value::Number),
    }
}

fn integer(raw: &str) -> Option<Number> {
    if let Some(digits) = raw.strip_prefix("0x") {
        return radix(digits, 16);
    }
    if let Some(digits) = raw.strip_prefix("0o") {
        return radix(digits, 8);
    }
    let digits = raw.trim_start_matches(['+', '-']);
    // 012 is twelve in YAML 1.2 and ten in YAML 1.1. What two readers read differently stays text.
    if raw.len() - digits.len() > 1 || (digits.len() > 1 && digits.starts_with('0')) {
        return None;
    }
    let unsigned = raw.strip_prefix('+').unwrap_or(raw);
    unsigned.parse::<u64>().ok().map(Number::from).or_else(|| unsigned.parse::<i64>().ok().map(Number::from))
}

fn radix(digits: &str, base: u32) -> Option<Number> {
    // The parser of std takes a sign here, YAML does not.
    let clean = digits.chars().all(|digit| digit.is_digit(base));
    if clean { u64::from_str_radix(digits, base).ok().map(Number::from) } else { None }
}

fn float(raw: &str) -> Option<Number> {
    let unsigned = raw.strip_prefix(['+', '-']).unwrap_or(raw);
    // std also reads `inf`, `nan` and `infinity`, which are words here.
    let numeric = |letter: char| letter.is_ascii_digit() || matches!(letter, '.' | 'e' | 'E' | '+' | '-');
    let starts = unsigned.starts_with(|first: char| first.is_ascii_digit() || first == '.');
    let octal_look =
        unsigned.len() > 1 && unsigned.starts_with('0') && unsigned.chars().all(|c| c.is_ascii_digit());
    if !starts || octal_look || !unsigned.chars().all(numeric) {
        return None;
    }
    raw.parse::<f64>().ok().and_then(Number::from_f64)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn spelling_decides_the_type() {
        for (raw, value) in [
            ("yes", json!("yes")),
            ("on", json!("on")),
            ("true", json!(true)),
            ("", json!(null)),
            ("~", json!(null)),
            ("8", json!(8)),
            ("+8", json!(8)),
            ("-8", json!(-8)),
            ("0x1F", json!(31)),
            ("0o17", json!(15)),
            ("012", json!("012")),
            ("--1", json!("--1")),
            ("0x", json!("0x")),
            ("0x+1", json!("0x+1")),
            ("1e3", json!(1000.0)),
            (".5", json!(0.5)),
            ("inf", json!("inf")),
            (".", json!(".")),
            ("1.2.3", json!("1.2.3")),
            ("-", json!("-")),
        ] {
            assert_eq!(resolve(raw), value, "{raw}");
        }
    }
}
