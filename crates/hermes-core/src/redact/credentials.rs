//! Secrets known by where they stand: in headers, URLs, key files, and tokens with an inner structure.

use base64::Engine as _;
use base64::engine::general_purpose::{STANDARD, STANDARD_NO_PAD, URL_SAFE_NO_PAD};

use super::vendors::{is_word, starts_word};

type Detector = fn(&str, usize, usize) -> Option<(usize, usize)>;

pub(super) const CUES: &[(&str, Detector)] = &[
    ("Bearer ", bearer as Detector),
    ("bearer ", bearer),
    ("BEARER ", bearer),
    ("Basic ", basic),
    ("basic ", basic),
    ("eyJ", json_web_token),
    ("-----BEGIN ", private_key),
    ("://", url_password),
    (":AA", telegram_bot),
];

/// How far the user and password of a URL may reach.
const MAX_AUTHORITY: usize = 512;

/// Words that stand for a password in examples.
const EXAMPLE_PASSWORDS: &[&str] =
    &["pass", "passwd", "password", "pw", "pwd", "secret", "token", "xxx", "xxxx"];

fn bearer(text: &str, _: usize, end: usize) -> Option<(usize, usize)> {
    let token = run(text, end, |byte| is_word(byte) || matches!(byte, b'.' | b'~' | b'+' | b'/' | b'='))?;
    let digits = token.bytes().filter(u8::is_ascii_digit).count();
    let letters = token.bytes().any(|byte| byte.is_ascii_alphabetic());
    (token.len() >= 16 && digits >= 2 && letters).then_some((end, end + token.len()))
}

/// `user:password` in base64. Ordinary words after "basic" do not decode to that.
fn basic(text: &str, _: usize, end: usize) -> Option<(usize, usize)> {
    let token = run(text, end, |byte| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/' | b'='))?;
    let decoded = STANDARD.decode(token).or_else(|_| STANDARD_NO_PAD.decode(token)).ok()?;
    let decoded = std::str::from_utf8(&decoded).ok()?;
    (decoded.contains(':') && !decoded.chars().any(char::is_control)).then_some((end, end + token.len()))
}

/// Three or more parts, the first of them JSON that names an algorithm.
fn json_web_token(text: &str, start: usize, _: usize) -> Option<(usize, usize)> {
    if !starts_word(text, start) {
        return None;
    }
    let header = run(text, start, is_word)?;
    let dot = start + header.len();
    text.get(dot..)?.strip_prefix('.')?;
    let payload = dot + 1;
    let header = URL_SAFE_NO_PAD.decode(header).ok()?;
    if !std::str::from_utf8(&header).ok()?.contains("\"alg\"") || run(text, payload, is_word)?.len() < 8 {
        return None;
    }
    let rest = run(text, payload, |byte| is_word(byte) || byte == b'.')?;
    Some((start, payload + rest.trim_end_matches('.').len()))
}

/// From the first dash of `BEGIN … PRIVATE KEY` to the last of `END`, or, if the end was cut off, as far
/// as the key's own characters go.
fn private_key(text: &str, start: usize, end: usize) -> Option<(usize, usize)> {
    let label = run(text, end, |byte| byte.is_ascii_uppercase() || byte.is_ascii_digit() || byte == b' ')?;
    if !label.ends_with("PRIVATE KEY") && !label.ends_with("PRIVATE KEY BLOCK") {
        return None;
    }
    let body = end + label.len() + "-----".len();
    let rest = text.get(body..)?;
    let dashes = rest.find("-----").unwrap_or(rest.len());
    let closing = format!("-----END {label}-----");
    if rest.get(dashes..)?.starts_with(&closing) {
        return Some((start, body + dashes + closing.len()));
    }
    // Line breaks may be written as `\n`, and old keys have headers such as `Proc-Type: 4,ENCRYPTED`.
    let belongs = |byte: u8| is_word(byte) || byte.is_ascii_whitespace() || b"+/=\\:,.".contains(&byte);
    let key = run(rest.get(..dashes)?, 0, belongs)?;
    Some((start, body + key.trim_end().len()))
}

/// The password of `scheme://user:password@host`.
fn url_password(text: &str, _: usize, end: usize) -> Option<(usize, usize)> {
    let authority = run(text, end, |byte| byte.is_ascii_graphic() && !b"/?#\"'<>`\\[]{}|".contains(&byte))?;
    let authority = authority.get(..MAX_AUTHORITY).unwrap_or(authority);
    let (user_info, _) = authority.rsplit_once('@')?;
    let (user, password) = user_info.split_once(':')?;
    let example = EXAMPLE_PASSWORDS.contains(&password.to_ascii_lowercase().as_str());
    if password.is_empty() || example || password.starts_with(['$', '%', '*', ':']) {
        return None;
    }
    let start = end + user.len() + 1;
    Some((start, start + password.len()))
}

/// `<bot number>:AA…`, 35 characters after the colon.
fn telegram_bot(text: &str, start: usize, _: usize) -> Option<(usize, usize)> {
    let digits =
        text.as_bytes().get(..start)?.iter().rev().take(12).take_while(|byte| byte.is_ascii_digit()).count();
    let token = run(text, start + 1, is_word)?;
    let begin = start - digits;
    ((8..=10).contains(&digits) && token.len() == 35 && starts_word(text, begin))
        .then_some((begin, start + 36))
}

/// The longest run of such bytes from `from` on.
fn run(text: &str, from: usize, belongs: impl Fn(u8) -> bool) -> Option<&str> {
    let rest = text.get(from..)?;
    let length = rest.bytes().take_while(|byte| belongs(*byte)).count();
    rest.get(..length)
}
