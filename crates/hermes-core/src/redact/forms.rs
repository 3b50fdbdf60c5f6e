//! The ways a secret may be written: as it is, base64, hex, URL-encoded, escaped.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use base64::Engine as _;
use base64::engine::general_purpose::{STANDARD_NO_PAD, URL_SAFE_NO_PAD};

/// Shorter than this, a secret is not looked for: it would be found everywhere.
pub(super) const MIN_LENGTH: usize = 4;

/// Shorter than this, a secret is only looked for as it is.
const MIN_ENCODED_LENGTH: usize = 8;

/// What every marker starts with. No form may end in a part of it: the marker put in behind such a form
/// would complete it, and a second pass would find what the first did not.
const MARKER: &str = "[REDACTED";

/// One written form, and whether base64 characters beside it carry some of the secret's bits too.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Form {
    pub(super) text: String,
    pub(super) shares_before: bool,
    pub(super) shares_after: bool,
    /// Whether it is base64 or hex: these go on over the breaks that programs put in.
    pub(super) encoded: bool,
}

impl Form {
    fn plain(text: impl Into<String>) -> Form {
        Form { text: text.into(), shares_before: false, shares_after: false, encoded: false }
    }
}

/// All forms of a secret, sorted. Empty if it is too short to be looked for.
pub(super) fn forms(secret: &str) -> BTreeSet<Form> {
    let mut forms = BTreeSet::new();
    if secret.len() < MIN_LENGTH {
        return forms;
    }
    forms.insert(Form::plain(secret));
    forms.extend(escaped(secret).into_iter().map(Form::plain));
    forms.extend(url_encoded(secret).into_iter().map(Form::plain));
    if secret.len() >= MIN_ENCODED_LENGTH {
        let hex = |upper| Form { encoded: true, ..Form::plain(hex(secret, upper)) };
        forms.extend([hex(false), hex(true)]);
        forms.extend((0..3).flat_map(|offset| base64(secret, offset)));
    }
    forms.into_iter().filter_map(without_marker).collect()
}

/// The base64 of a secret that starts `offset` bytes into a group of three, without the characters that
/// its neighbours decide as well.
fn base64(secret: &str, offset: usize) -> Vec<Form> {
    let mut bytes = vec![0; offset];
    bytes.extend_from_slice(secret.as_bytes());
    let whole = bytes.len() * 8 / 6;
    // Characters that hold bits of the bytes before.
    let first = (offset * 8).div_ceil(6);
    [STANDARD_NO_PAD.encode(&bytes), URL_SAFE_NO_PAD.encode(&bytes)]
        .into_iter()
        .filter_map(|text| {
            Some(Form {
                text: text.get(first..whole)?.to_owned(),
                shares_before: offset > 0,
                shares_after: !bytes.len().is_multiple_of(3),
                encoded: true,
            })
        })
        .collect()
}

fn hex(secret: &str, upper: bool) -> String {
    secret.bytes().fold(String::new(), |mut text, byte| {
        let _ = if upper { write!(text, "{byte:02X}") } else { write!(text, "{byte:02x}") };
        text
    })
}

/// Percent-encoding as common encoders do it; they differ in what they leave alone.
fn url_encoded(secret: &str) -> Vec<String> {
    let keeps = ["", "/", "!'()*", "!#$&'()*+,/:;=?@", "*"];
    let mut texts = Vec::new();
    for keep in keeps {
        for upper in [true, false] {
            let text = percent(secret, keep, upper);
            texts.push(text.replace("%20", "+"));
            texts.push(text);
        }
    }
    texts
}

fn percent(secret: &str, keep: &str, upper: bool) -> String {
    secret.bytes().fold(String::new(), |mut text, byte| {
        let character = char::from(byte);
        if byte.is_ascii_alphanumeric()
            || "-._~".contains(character)
            || (byte < 0x80 && keep.contains(character))
        {
            text.push(character);
        } else {
            let _ = if upper { write!(text, "%{byte:02X}") } else { write!(text, "%{byte:02x}") };
        }
        text
    })
}

/// Inside JSON, inside JSON inside JSON, in JSON that escapes slashes or everything beyond ASCII, in HTML, in quotes.
fn escaped(secret: &str) -> Vec<String> {
    let json = json(secret);
    let html = secret.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
    let mut texts = vec![html.replace('"', "&quot;").replace('\'', "&#39;"), html, self::json(&json)];
    // Quotes in SQL, YAML and CSV, and in single quotes of a shell.
    texts.extend(["''", r#"'"'"'"#, r"'\''"].map(|quote| secret.replace('\'', quote)));
    texts.push(secret.replace('"', "\"\""));
    for text in [ascii(&json, false), ascii(&json, true), json] {
        texts.push(text.replace('/', "\\/"));
        texts.push(text);
    }
    texts
}

fn ascii(json: &str, upper: bool) -> String {
    let mut text = String::with_capacity(json.len());
    for character in json.chars() {
        if character.is_ascii() {
            text.push(character);
            continue;
        }
        for unit in character.encode_utf16(&mut [0; 2]) {
            let _ = if upper { write!(text, "\\u{unit:04X}") } else { write!(text, "\\u{unit:04x}") };
        }
    }
    text
}

/// The text as it stands between the quotes of a JSON string.
fn json(text: &str) -> String {
    let quoted = serde_json::Value::from(text).to_string();
    quoted.get(1..quoted.len() - 1).unwrap_or_default().to_owned()
}

fn without_marker(mut form: Form) -> Option<Form> {
    if let Some(start) = form.text.find(MARKER) {
        form.text.truncate(start);
    }
    while let Some(part) =
        (1..MARKER.len()).filter_map(|end| MARKER.get(..end)).find(|part| form.text.ends_with(part))
    {
        form.text.truncate(form.text.len() - part.len());
    }
    (form.text.len() >= MIN_LENGTH).then_some(form)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn base64_is_found_at_every_alignment() {
        let secret = "correct-horse-battery";
        let forms = forms(secret);
        for before in ["", "a", "ab", "abc", "abcd"] {
            for after in ["", "x", "xy", "xyz"] {
                let text = STANDARD_NO_PAD.encode(format!("{before}{secret}{after}"));
                assert!(forms.iter().any(|form| text.contains(&form.text)), "{before} {after}");
            }
        }
    }

    #[test]
    fn no_form_can_be_completed_by_a_marker() {
        for secret in ["password[", "password[RED", "pass[REDACTED:X]word", "password[[RE"] {
            for form in forms(secret) {
                assert!(!form.text.contains(MARKER), "{form:?}");
                assert!(!form.text.ends_with('[') && !form.text.ends_with("[RE"), "{form:?}");
            }
        }
    }
}
