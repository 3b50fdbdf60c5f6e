//! Keys that their makers gave a prefix, so that they can be recognised.

/// What the part after the prefix is made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Made {
    /// Letters and digits.
    Alnum,
    /// Capital letters and digits.
    Upper,
    /// Letters, digits, `_` and `-`.
    Word,
    /// The same with dots.
    Dotted,
    /// The same with slashes, for secret URLs.
    Path,
}

pub(super) struct Vendor {
    pub(super) prefix: &'static str,
    made: Made,
    min: usize,
    max: usize,
}

const fn key(prefix: &'static str, made: Made, min: usize, max: usize) -> Vendor {
    Vendor { prefix, made, min, max }
}

use Made::{Alnum, Dotted, Path, Upper, Word};

/// `max` is the exact length where the maker fixed one; otherwise anything longer belongs to the key.
const ANY: usize = usize::MAX;

#[rustfmt::skip]
pub(super) const VENDORS: &[Vendor] = &[
    key("sk-", Word, 20, ANY),               // OpenAI, Anthropic, OpenRouter, DeepSeek
    key("sk_live_", Alnum, 16, ANY), key("sk_test_", Alnum, 16, ANY),          // Stripe
    key("rk_live_", Alnum, 16, ANY), key("rk_test_", Alnum, 16, ANY), key("whsec_", Word, 20, ANY),
    key("ghp_", Alnum, 30, ANY), key("gho_", Alnum, 30, ANY), key("ghu_", Alnum, 30, ANY), // GitHub
    key("ghs_", Alnum, 30, ANY), key("ghr_", Alnum, 30, ANY), key("github_pat_", Word, 22, ANY),
    key("glpat-", Dotted, 20, ANY), key("gldt-", Word, 20, ANY), key("glrt-", Word, 20, ANY), // GitLab
    key("AKIA", Upper, 16, 16), key("ASIA", Upper, 16, 16),                    // AWS
    key("xoxa-", Word, 10, ANY), key("xoxb-", Word, 10, ANY), key("xoxp-", Word, 10, ANY), // Slack
    key("xoxr-", Word, 10, ANY), key("xoxs-", Word, 10, ANY), key("xapp-", Word, 10, ANY),
    key("hooks.slack.com/services/", Path, 20, ANY), key("discord.com/api/webhooks/", Path, 30, ANY),
    key("AIza", Word, 35, 35), key("ya29.", Dotted, 20, ANY), key("GOCSPX-", Word, 24, ANY), // Google
    key("hf_", Alnum, 30, ANY), key("npm_", Alnum, 36, ANY), key("pypi-", Word, 50, ANY),
    key("gsk_", Alnum, 40, ANY), key("xai-", Alnum, 40, ANY), key("pplx-", Alnum, 40, ANY),
    key("r8_", Alnum, 30, ANY), key("tvly-", Word, 24, ANY), key("SG.", Dotted, 60, ANY),
    key("dop_v1_", Alnum, 64, 64), key("doo_v1_", Alnum, 64, 64), key("dor_v1_", Alnum, 64, 64),
    key("shpat_", Alnum, 32, ANY), key("shpss_", Alnum, 32, ANY), key("shpca_", Alnum, 32, ANY),
    key("dckr_pat_", Word, 20, ANY), key("hvs.", Word, 24, ANY), key("tskey-", Word, 20, ANY),
    key("lin_api_", Alnum, 30, ANY), key("ntn_", Alnum, 40, ANY), key("figd_", Word, 30, ANY),
    key("ATATT3", Word, 50, ANY), key("AGE-SECRET-KEY-1", Upper, 50, ANY), key("rubygems_", Alnum, 40, ANY),
];

/// The whole key, prefix included, if what follows the prefix can be one.
pub(super) fn detect(text: &str, start: usize, end: usize) -> Option<(usize, usize)> {
    let prefix = text.get(start..end)?;
    let vendor = VENDORS.iter().find(|vendor| vendor.prefix == prefix)?;
    let before = text.as_bytes().get(start.wrapping_sub(1));
    if !starts_word(text, start) || (vendor.made == Dotted && before == Some(&b'.')) {
        return None;
    }
    let rest = text.get(end..)?;
    let length = rest.bytes().take_while(|byte| vendor.made.has(*byte)).count();
    let body = rest.get(..length)?;
    let fits = vendor.min <= length && length <= vendor.max;
    (fits && is_varied(body, vendor.max != ANY)).then_some((start, end + length))
}

impl Made {
    fn has(self, byte: u8) -> bool {
        match self {
            Alnum => byte.is_ascii_alphanumeric(),
            Upper => byte.is_ascii_uppercase() || byte.is_ascii_digit(),
            Word => is_word(byte),
            Dotted => is_word(byte) || byte == b'.',
            Path => is_word(byte) || byte == b'/',
        }
    }
}

/// A key is no name, no placeholder and no row of crosses: it has several kinds of characters, many
/// different ones, and is not made of words only. An exact length is a sign of its own.
fn is_varied(body: &str, exact: bool) -> bool {
    let has = |kind: fn(&u8) -> bool| usize::from(body.bytes().any(|byte| kind(&byte)));
    let kinds = has(u8::is_ascii_digit) + has(u8::is_ascii_lowercase) + has(u8::is_ascii_uppercase);
    let mut seen = [false; 256];
    body.bytes().for_each(|byte| seen.get_mut(usize::from(byte)).into_iter().for_each(|seen| *seen = true));
    let different = seen.iter().filter(|seen| **seen).count();
    let digits = body.bytes().filter(u8::is_ascii_digit).count();
    let unbroken = body.split(['-', '_', '.', '/']).map(str::len).max().unwrap_or_default();
    kinds >= 2 && different >= 8 && (digits >= 2 || unbroken >= 24 || (exact && digits > 0))
}

/// Whether a word can start here: not in the middle of one, unless what is before is an escape such as
/// `%3D` or `\n`.
pub(super) fn starts_word(text: &str, at: usize) -> bool {
    let before = text.as_bytes().get(..at).unwrap_or_default();
    match before {
        [.., b'%', high, low] if high.is_ascii_hexdigit() && low.is_ascii_hexdigit() => true,
        [.., b'\\', b'n' | b'r' | b't'] => true,
        [.., last] => !is_word(*last),
        [] => true,
    }
}

pub(super) fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-')
}
