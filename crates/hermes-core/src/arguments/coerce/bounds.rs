//! Whether a text keeps within what a schema says of its length and spelling. What tells the alternatives of a union
//! apart may be no more than that: a word of letters, or a number that came as text.

use regex::{Regex, RegexBuilder};
use serde_json::{Map, Value};

/// Patterns come from foreign schemas: one that compiles to more than this many bytes is not looked at.
const MOST_PATTERN: usize = 64 * 1024;

/// What cannot be judged counts as kept.
pub(super) fn keeps(rules: &Map<String, Value>, text: &str) -> bool {
    let bound = |name: &str| rules.get(name).and_then(Value::as_u64);
    let (least, most) = (bound("minLength"), bound("maxLength"));
    if least.is_some() || most.is_some() {
        let length = u64::try_from(text.chars().count()).unwrap_or(u64::MAX);
        if least.is_some_and(|least| length < least) || most.is_some_and(|most| length > most) {
            return false;
        }
    }
    let format = rules.get("format").and_then(Value::as_str);
    format.is_none_or(|format| bears_mark(format, text))
        && pattern(rules).is_none_or(|pattern| pattern.is_match(text))
}

/// Whether the text has what every text of the format has. Enough to tell a day or an address from a number or a
/// `true` that came as text; validation looks closer.
fn bears_mark(format: &str, text: &str) -> bool {
    let has = |mark: char| text.contains(mark);
    let opens = |bracket: char| text.trim_start().starts_with(bracket);
    match format {
        // A list or an object that came as text. Some addresses of mail begin with a brace.
        "email" | "idn-email" if opens('[') => false,
        "date" | "date-time" | "time" | "uri" | "iri" | "ipv6" | "duration" | "ipv4" | "uuid"
            if opens('[') || opens('{') =>
        {
            false
        }
        "date" => has('-'),
        "date-time" => has('-') && has(':'),
        "time" | "uri" | "iri" | "ipv6" => has(':'),
        "duration" => has('P'),
        "email" | "idn-email" => has('@'),
        "ipv4" => text.matches('.').count() == 3,
        "uuid" => text.len() == 36 && has('-'),
        _ => true,
    }
}

fn pattern(rules: &Map<String, Value>) -> Option<Regex> {
    let pattern = rules.get("pattern").and_then(Value::as_str)?;
    RegexBuilder::new(pattern).size_limit(MOST_PATTERN).build().ok()
}
