//! `password=…` and its like: redacted only where the value can be a secret, because the same words
//! stand in front of types, variables, labels and page tokens all day long.

/// Ends of names whose values are secret. Each has one of [`ENDS`].
#[rustfmt::skip]
const CUES: &[&str] = &[
    "password", "Password", "PASSWORD", "passwd", "Passwd", "PASSWD", "passphrase", "Passphrase", "PASSPHRASE",
    "secret", "Secret", "SECRET", "token", "Token", "TOKEN", "credential", "Credential", "CREDENTIAL",
    "api_key", "api-key", "apikey", "apiKey", "ApiKey", "Api-Key", "API_KEY", "API-KEY", "APIKEY",
    "secret_key", "secret-key", "secretKey", "SecretKey", "SECRET_KEY",
    "access_key", "access-key", "accessKey", "AccessKey", "ACCESS_KEY", "accountKey", "AccountKey",
    "private_key", "private-key", "privateKey", "PrivateKey", "PRIVATE_KEY",
    "auth_key", "AUTH_KEY", "encryption_key", "ENCRYPTION_KEY", "signing_key", "SIGNING_KEY",
];

/// What the cues end with. So few can be looked for in half the time, and of cues that end at the same place the name
/// in front says which it is.
pub(super) const ENDS: &[&str] = &[
    "assword",
    "ASSWORD",
    "asswd",
    "ASSWD",
    "assphrase",
    "ASSPHRASE",
    "ecret",
    "ECRET",
    "oken",
    "OKEN",
    "redential",
    "REDENTIAL",
    "key",
    "Key",
    "KEY",
];

/// Parts of names of tokens that are no secrets: the model needs page tokens to go on reading.
const HARMLESS: &[&str] = &[
    "next",
    "page",
    "continu",
    "cursor",
    "sync",
    "resume",
    "scroll",
    "max",
    "min",
    "num",
    "total",
    "count",
    "limit",
    "prompt",
    "completion",
    "bos",
    "eos",
    "pad",
    "unk",
    "sep",
    "mask",
    "special",
    "cancel",
    "public",
];

/// Names that look random because they have digits.
const ALGORITHMS: &[&str] =
    &["base64", "base32", "sha256", "sha512", "sha1", "md5", "hs256", "rs256", "utf8", "oauth2"];

const MIN_VALUE: usize = 8;
const MAX_VALUE: usize = 512;
const MAX_NAME: usize = 64;

/// How sure the surroundings make us that a value follows, and not code or prose.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Setting {
    /// `name=value` and quoted values.
    Tight,
    /// `name = value`, `name: value`.
    Loose,
}

/// The value assigned to the name that ends with a cue, whose own end was found.
pub(super) fn detect(text: &str, _: usize, end: usize) -> Option<(usize, usize)> {
    let bytes = text.as_bytes();
    // Nearly always something else follows than a value, and that shows at once.
    if !matches!(bytes.get(end), Some(b'=' | b':' | b' ' | b'"' | b'\'' | b'\\')) {
        return None;
    }
    let head = bytes.get(..end)?;
    let cues = CUES.iter().filter(|cue| head.ends_with(cue.as_bytes()));
    let before = head.get(..end - cues.map(|cue| cue.len()).max()?)?;
    let length = before.iter().rev().take(MAX_NAME).take_while(|byte| is_name(**byte)).count();
    let name = text.get(before.len() - length..end)?;
    if is_harmless(name) {
        return None;
    }
    let (begin, mut setting) = value_start(text, end, name.starts_with("--"))?;
    let rest = text.get(begin..)?;
    let quote = ["\\\"", "\"", "'", "`"].into_iter().find(|quote| rest.starts_with(quote));
    let (begin, value) = match quote {
        Some(quote) => {
            setting = Setting::Tight;
            let inner = rest.get(quote.len()..)?;
            let stop = inner
                .bytes()
                .take(MAX_VALUE + 2)
                .position(|byte| quote.as_bytes().first() == Some(&byte) || byte == b'\n')?;
            (begin + quote.len(), inner.get(..stop)?)
        }
        None => (begin, bare(rest)?),
    };
    is_plausible(value, setting).then_some((begin, begin + value.len()))
}

/// Whether a field of this name holds a secret.
pub(super) fn is_secret_name(name: &str) -> bool {
    // Asked of every field there is: most end with a letter that few cues end with.
    let last = name.as_bytes().last();
    let may_end = |cue: &&&str| cue.as_bytes().last() == last;
    CUES.iter().filter(may_end).any(|cue| name.ends_with(cue)) && !is_harmless(name)
}

/// Whether this can be a secret: no label, no placeholder, no path, no code.
pub(super) fn is_plausible(value: &str, setting: Setting) -> bool {
    if !(MIN_VALUE..=MAX_VALUE).contains(&value.len())
        || value.starts_with(['$', '<', '{', '%', '*', '/', '~', '.', '#'])
        || value.contains("[REDACTED")
        || value.bytes().any(|byte| byte.is_ascii_whitespace())
        || is_member_path(value)
    {
        return false;
    }
    let lower = value.bytes().any(|byte| byte.is_ascii_lowercase());
    let upper = value.bytes().any(|byte| byte.is_ascii_uppercase());
    let sign = value.bytes().any(|byte| b"!@#$%^&*+/~=".contains(&byte));
    if !value.bytes().any(|byte| byte.is_ascii_digit()) {
        return lower && upper && sign;
    }
    let plain = ALGORITHMS.iter().fold(value.to_ascii_lowercase(), |text, name| text.replace(name, ""));
    let digits = plain.bytes().filter(u8::is_ascii_digit).count();
    let letters = plain.bytes().any(|byte| byte.is_ascii_alphabetic());
    let enough = match setting {
        Setting::Tight => digits >= 1,
        Setting::Loose => digits >= 3 || (digits >= 1 && sign),
    };
    (letters && enough) || (lower && upper && sign)
}

/// Where the value starts: after `=`, `:`, `=>` or `:=`, or after the blank behind a `--flag`.
fn value_start(text: &str, end: usize, flag: bool) -> Option<(usize, Setting)> {
    let rest = text.get(end..)?;
    let unquoted = rest.strip_prefix("\\\"").or_else(|| rest.strip_prefix(['"', '\''])).unwrap_or(rest);
    let sign = unquoted.trim_start_matches(' ');
    let value = sign
        .strip_prefix(":=")
        .or_else(|| sign.strip_prefix("=>"))
        .or_else(|| sign.strip_prefix(['=', ':']))
        .or_else(|| if flag { unquoted.strip_prefix(' ') } else { None })?;
    let begin = text.len() - value.trim_start_matches(' ').len();
    let tight = (rest.starts_with('=') && !value.starts_with(' ')) || flag;
    Some((begin, if tight { Setting::Tight } else { Setting::Loose }))
}

/// A value without quotes. What looks like a call or an index is code.
fn bare(rest: &str) -> Option<&str> {
    // What begins with the sign is a comparison; within a value it is a part of it.
    if rest.starts_with('=') {
        return None;
    }
    let body = rest
        .bytes()
        .take(MAX_VALUE + 1)
        .take_while(|byte| byte.is_ascii_graphic() && !b"\"'`,;:()[]{}<>|\\&".contains(byte))
        .count();
    let value = rest.get(..body)?;
    let next = rest.as_bytes().get(body);
    (!matches!(next, Some(b'(' | b'[' | b'{'))).then_some(value)
}

/// `settings.oauth2.value`: names joined by dots, none of them long enough to be a key.
fn is_member_path(value: &str) -> bool {
    value.contains('.')
        && value.split('.').all(|part| {
            part.len() < 20
                && part.starts_with(|first: char| first.is_ascii_alphabetic() || first == '_')
                && part.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
        })
}

fn is_harmless(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    name.ends_with("token") && HARMLESS.iter().any(|part| name.contains(part))
}

fn is_name(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_cue_is_found_by_its_end() {
        for cue in CUES {
            assert!(ENDS.iter().any(|end| cue.ends_with(end)), "{cue}");
            let text = format!("my_{cue}=\"abcd1234efgh\"");
            let value = text.len() - 13;
            let end = text.find('=').unwrap();
            assert_eq!(detect(&text, end, end), Some((value, text.len() - 1)), "{cue}");
        }
        assert_eq!(detect("monkey=\"abcd1234efgh\"", 3, 6), None, "no cue");
    }
}
