//! Escaped text read as what it stands for: `%41`, `\u0026`, `\x2b`, `\$`, `&amp;`, `&#43;`. Any character may be escaped or
//! not, and what programs escape differs, so no list of written forms can hold them all.

use std::ops::Range;

/// Escapes inside escapes: JSON inside JSON, a URL inside a URL.
const ROUNDS: usize = 3;

/// The longest escape: a pair of surrogates.
const LONGEST: usize = 12;

/// What escapes begin with: in URLs, in programs and JSON, in pages.
const LANGUAGES: &[u8] = b"%\\&";
const URLS: &[u8] = b"%";

const NAMED: &[(&[u8], u8)] =
    &[(b"&amp;", b'&'), (b"&lt;", b'<'), (b"&gt;", b'>'), (b"&quot;", b'"'), (b"&apos;", b'\'')];

/// A part of a text that has escapes, decoded.
pub(super) struct Decoded {
    pub(super) bytes: Vec<u8>,
    /// Where each byte starts in the original, and where the last one ends.
    starts: Vec<usize>,
}

/// What is looked for, as far as it matters here: most texts have escapes, and hardly one of them could hide a secret.
pub(super) struct Hidden {
    longest: usize,
    /// The bytes that programs escape and that some secret has.
    signs: Vec<bool>,
    /// What the escapes begin with that may stand in a secret.
    languages: &'static [u8],
}

impl Hidden {
    /// Of secrets none of whose forms is longer.
    pub(super) fn new<'s>(longest: usize, secrets: impl Iterator<Item = &'s str>) -> Hidden {
        let mut signs = vec![false; 256];
        // Nobody escapes what joins the words of names.
        let is_sign = |byte: &u8| !byte.is_ascii_alphanumeric() && !b"-_.".contains(byte);
        for byte in secrets.flat_map(str::bytes).filter(is_sign) {
            signs.get_mut(usize::from(byte)).into_iter().for_each(|known| *known = true);
        }
        let languages = if signs.contains(&true) { LANGUAGES } else { URLS };
        Hidden { longest, signs, languages }
    }

    fn has(&self, byte: u8) -> bool {
        self.signs.get(usize::from(byte)).copied().unwrap_or_default()
    }

    /// Whether a secret may go on with what this escape stands for. A URL may escape any letter.
    fn may_have(&self, stands: &Stands, escape: &[u8]) -> bool {
        let byte = match stands {
            Stands::For(character) => u8::try_from(*character).unwrap_or(u8::MAX),
            Stands::ForByte(byte) => *byte,
        };
        match escape {
            [b'%', ..] => true,
            // `\\u0026`: what is escaped is an escape.
            [b'\\', b'\\', next, ..] => {
                let is_escape =
                    matches!(next, b'u' | b'x') || (next.is_ascii_punctuation() && self.has(*next));
                is_escape || self.has(b'\\')
            }
            _ if byte == u8::MAX || !byte.is_ascii() => true,
            _ => matches!(byte, b'%' | b'&') || self.has(byte),
        }
    }
}

/// Every part of the text that has escapes which matter, with as much around each as something hidden needs. Each language is
/// read by itself: to one a backslash is an escape, to the next it is the secret's own.
pub(super) fn words(text: &str, hidden: &Hidden) -> Vec<Decoded> {
    let mut words = Vec::new();
    let mut round = of_all_languages(text.as_bytes(), hidden);
    for _ in 1..ROUNDS {
        let inside = |outer: &Decoded| {
            let inner = of_all_languages(&outer.bytes, hidden).into_iter();
            inner.map(|inner| inner.within(&outer.starts)).collect::<Vec<_>>()
        };
        let deeper = round.iter().flat_map(inside).collect();
        words.append(&mut round);
        round = deeper;
    }
    words.append(&mut round);
    words
}

fn of_all_languages(bytes: &[u8], hidden: &Hidden) -> Vec<Decoded> {
    hidden.languages.iter().flat_map(|mark| decoded(bytes, *mark, hidden)).collect()
}

/// One round of one language.
fn decoded(bytes: &[u8], mark: u8, hidden: &Hidden) -> Vec<Decoded> {
    let (mut words, mut from) = (Vec::new(), 0);
    while let Some(found) = bytes.get(from..).and_then(|rest| memchr::memchr(mark, rest)) {
        let at = from + found;
        from = at + 1;
        let matters =
            |(stands, _): (Stands, usize)| bytes.get(at..).is_some_and(|rest| hidden.may_have(&stands, rest));
        if escape(bytes, at).is_some_and(matters) {
            let near = at.saturating_sub(hidden.longest);
            let before = bytes.get(near..at).unwrap_or_default();
            let blank = before.iter().rposition(u8::is_ascii_whitespace);
            let start = blank.map_or(near, |blank| near + blank + 1);
            let word = decode(bytes, start, mark, hidden.longest);
            from = word.starts.last().copied().unwrap_or(from).max(from);
            words.push(word);
        }
    }
    words
}

impl Decoded {
    /// Where a part lies in the original, if some of it was escaped. What was not needs no decoding to be found.
    pub(super) fn original(&self, part: Range<usize>) -> Option<Range<usize>> {
        let (start, end) = (*self.starts.get(part.start)?, *self.starts.get(part.end)?);
        (end - start != part.len()).then_some(start..end)
    }

    /// The same, where what it was decoded from was decoded itself.
    fn within(mut self, starts: &[usize]) -> Decoded {
        let last = starts.last().copied().unwrap_or_default();
        self.starts.iter_mut().for_each(|start| *start = starts.get(*start).copied().unwrap_or(last));
        self
    }
}

/// From here to a blank, or until so many bytes have come without an escape.
fn decode(bytes: &[u8], start: usize, mark: u8, longest: usize) -> Decoded {
    let mut decoded = Decoded { bytes: Vec::new(), starts: Vec::new() };
    let (mut at, mut plain) = (start, 0);
    while let Some(byte) = bytes.get(at).filter(|byte| !byte.is_ascii_whitespace()) {
        let Some((character, length)) = escape(bytes, at).filter(|_| *byte == mark) else {
            // Before the first escape there are as many.
            if plain > longest.saturating_mul(2) {
                break;
            }
            decoded.starts.push(at);
            decoded.bytes.push(*byte);
            (at, plain) = (at + 1, plain + 1);
            continue;
        };
        match character {
            Stands::For(character) => {
                decoded.bytes.extend_from_slice(character.encode_utf8(&mut [0; 4]).as_bytes());
            }
            Stands::ForByte(byte) => decoded.bytes.push(byte),
        }
        decoded.starts.resize(decoded.bytes.len(), at);
        (at, plain) = (at + length, 0);
    }
    decoded.starts.push(at);
    decoded
}

/// What an escape stands for.
enum Stands {
    For(char),
    /// A byte, which may be a part of a character.
    ForByte(u8),
}

/// What the escape at this place stands for, and how long it is.
fn escape(bytes: &[u8], at: usize) -> Option<(Stands, usize)> {
    let rest = bytes.get(at..bytes.len().min(at + LONGEST))?;
    match rest {
        [b'%', ..] | [b'\\', b'x', ..] => {
            let skip = if rest.starts_with(b"%") { 1 } else { 2 };
            let byte = number(rest.get(skip..skip + 2)?, 16)?;
            Some((Stands::ForByte(u8::try_from(byte).ok()?), skip + 2))
        }
        [b'\\', b'u', ..] => unit(rest),
        [b'\\', mark, ..] if mark.is_ascii_punctuation() => Some((Stands::ForByte(*mark), 2)),
        [b'&', b'#', ..] => {
            let end = memchr::memchr(b';', rest)?;
            let (digits, radix) = match rest.get(2..end)? {
                [b'x' | b'X', digits @ ..] => (digits, 16),
                digits => (digits, 10),
            };
            Some((Stands::For(char::from_u32(number(digits, radix)?)?), end + 1))
        }
        [b'&', b'a' | b'g' | b'l' | b'q', ..] => {
            let named = NAMED.iter().find(|(name, _)| rest.starts_with(name));
            named.map(|(name, byte)| (Stands::ForByte(*byte), name.len()))
        }
        _ => None,
    }
}

/// `\u0026`, or two of them for a character beyond 16 bits.
fn unit(rest: &[u8]) -> Option<(Stands, usize)> {
    let first = number(rest.get(2..6)?, 16)?;
    if let Some(character) = char::from_u32(first) {
        return Some((Stands::For(character), 6));
    }
    let second = rest.get(6..).filter(|second| second.starts_with(b"\\u"))?;
    let units = [u16::try_from(first).ok()?, u16::try_from(number(second.get(2..6)?, 16)?).ok()?];
    let character = char::decode_utf16(units).next()?.ok()?;
    Some((Stands::For(character), 12))
}

fn number(digits: &[u8], radix: u32) -> Option<u32> {
    if !digits.iter().all(u8::is_ascii_hexdigit) {
        return None;
    }
    u32::from_str_radix(std::str::from_utf8(digits).ok()?, radix).ok()
}
