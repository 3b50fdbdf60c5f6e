//! An example text that respects format, pattern and length.

use regex::RegexBuilder;
use serde_json::Value;

use crate::schema::Flat;

const FORMATS: [(&str, &str); 14] = [
    ("date-time", "2025-01-31T12:00:00Z"),
    ("date", "2025-01-31"),
    ("time", "12:00:00Z"),
    ("duration", "PT1H"),
    ("email", "name@example.com"),
    ("uri", "https://example.com"),
    ("url", "https://example.com"),
    ("uri-reference", "/path"),
    ("uuid", "123e4567-e89b-12d3-a456-426614174000"),
    ("ipv4", "192.0.2.1"),
    ("ipv6", "2001:db8::1"),
    ("hostname", "example.com"),
    ("json-pointer", "/path"),
    ("regex", ".*"),
];
/// Texts of common shapes, tried in turn against a pattern.
const SHAPES: [&str; 14] = [
    "text",
    "a",
    "1",
    "12",
    "2025-01-31",
    "12:00",
    "a1b2c3",
    "abc-123",
    "ABC",
    "ABC-1",
    "1.0.0",
    "owner/name",
    "https://example.com",
    "#aabbcc",
];
const DEFAULT: &str = "text";
const MAX_LENGTH: usize = 200;
const MAX_PATTERN_PROGRAM: usize = 1 << 16;

pub(super) fn text_example(rules: &Flat<'_>) -> String {
    let word = |keyword: &str| rules.get(keyword).and_then(Value::as_str);
    if let Some((_, shown)) =
        word("format").and_then(|format| FORMATS.iter().find(|(name, _)| *name == format))
    {
        return (*shown).to_owned();
    }
    let length = |keyword: &str, otherwise: usize| {
        rules.get(keyword).and_then(Value::as_u64).and_then(|n| usize::try_from(n).ok()).unwrap_or(otherwise)
    };
    let least = length("minLength", 0).min(MAX_LENGTH);
    let most = length("maxLength", MAX_LENGTH);
    let matching = word("pattern").and_then(|pattern| {
        // The pattern comes from outside: a program that is too big is no pattern to satisfy.
        let pattern = RegexBuilder::new(pattern).size_limit(MAX_PATTERN_PROGRAM).build().ok()?;
        SHAPES.iter().find(|shape| (least..=most).contains(&shape.len()) && pattern.is_match(shape))
    });
    match matching {
        Some(shape) => (*shape).to_owned(),
        None => {
            let length = DEFAULT.len().max(least).min(most);
            DEFAULT.chars().chain(std::iter::repeat('x')).take(length).collect()
        }
    }
}
