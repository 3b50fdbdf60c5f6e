//! Escaped text read as what it stands for: `%41`, `\u0026`, `\x2b`, `\$`, `&amp;`, `&#43;`. Any character may be escaped or
//! not, and what programs escape differs, so no list of written forms can hold them all.

use std::ops::Range;

/// Escapes inside escapes: JSON inside JSON, a URL inside a URL.
const ROUNDS: usize = 3;

/// What was decoded already is decoded again up to so many bytes of a text, so that one made of nothing but escapes of
/// escapes takes no longer than others.
const MOST_AGAIN: usize = 32 << 20;

/// A part is decoded in pieces of about so many bytes.
const PIECE: usize = 64 << 10;

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
    /// Whether a secret goes on behind a blank.
    has_blanks: bool,
}

impl Hidden {
    /// Of secrets none of whose forms is longer.
    pub(super) fn new<'s>(longest: usize, secrets: impl Iterator<Item = &'s str>) -> Hidden {
        let mut signs = vec![false; 256];
        // Nobody escapes what joins the words of names.
        let is_sign = |byte: &u8| !byte.is_ascii_alphanumeric() && !b"-_.".contains(byte);
        let mut has_blanks = false;
        for byte in secrets.flat_map(str::bytes).filter(is_sign) {
            has_blanks |= byte.is_ascii_whitespace();
            signs.get_mut(usize::from(byte)).into_iter().for_each(|known| *known = true);
        }
        let languages = if signs.contains(&true) { LANGUAGES } else { URLS };
        Hidden { longest, signs, languages, has_blanks }
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

/// Shows every part of the text that has escapes which matter, with as much around each as something hidden needs, one
/// after the other: of a text that is made for it, all of them together would be many times as long. Each language is read
/// by itself: to one a backslash is an escape, to the next it is the secret's own.
pub(super) fn each_word(text: &str, hidden: &Hidden, show: &mut dyn FnMut(&Decoded)) {
    let mut words = Words { hidden, show, again: MOST_AGAIN };
    words.in_all_languages(text.as_bytes(), &|place| place, ROUNDS);
}

struct Words<'a> {
    hidden: &'a Hidden,
    show: &'a mut dyn FnMut(&Decoded),
    /// How many bytes may be decoded again.
    again: usize,
}

impl Words<'_> {
    /// `original` says where a place of these bytes is in the text.
    fn in_all_languages(&mut self, bytes: &[u8], original: &dyn Fn(usize) -> usize, rounds: usize) {
        for mark in self.hidden.languages {
            self.in_one(bytes, *mark, original, rounds);
        }
    }

    fn in_one(&mut self, bytes: &[u8], mark: u8, original: &dyn Fn(usize) -> usize, rounds: usize) {
        let mut from = 0;
        while let Some(found) = bytes.get(from..).and_then(|rest| memchr::memchr(mark, rest)) {
            let at = from + found;
            from = at + 1;
            let rest = bytes.get(at..).unwrap_or_default();
            if escape(bytes, at).is_some_and(|(stands, _)| self.hidden.may_have(&stands, rest)) {
                let word = self.around(bytes, at, mark);
                from = word.next.max(from);
                self.look_into(word.decoded, original, rounds);
            }
        }
    }

    /// The word with an escape at this place.
    fn around(&self, bytes: &[u8], at: usize, mark: u8) -> Word {
        let near = at.saturating_sub(self.hidden.longest);
        let before = bytes.get(near..at).unwrap_or_default();
        let blank = before.iter().rposition(u8::is_ascii_whitespace).filter(|_| !self.hidden.has_blanks);
        decode(bytes, blank.map_or(near, |blank| near + blank + 1), mark, self.hidden)
    }

    fn look_into(&mut self, mut word: Decoded, original: &dyn Fn(usize) -> usize, rounds: usize) {
        let again = self.again.checked_sub(word.bytes.len()).filter(|_| rounds > 1);
        if let Some(again) = again {
            self.again = again;
            let outer =
                |place: usize| original(word.starts.get(place).or(word.starts.last()).copied().unwrap_or(0));
            self.in_all_languages(&word.bytes, &outer, rounds - 1);
        }
        word.starts.iter_mut().for_each(|start| *start = original(*start));
        (self.show)(&word);
    }
}

impl Decoded {
    /// Where a part lies in the original, if some of it was escaped. What was not needs no decoding to be found.
    pub(super) fn original(&self, part: Range<usize>) -> Option<Range<usize>> {
        let (start, end) = (*self.starts.get(part.start)?, *self.starts.get(part.end)?);
        (end - start != part.len()).then_some(start..end)
    }
}

struct Word {
    decoded: Decoded,
    /// Where to look for the next one.
    next: usize,
}

/// From here to a blank, or until so many bytes have come without an escape. What is longer than a piece goes on in the
/// next, which begins early enough for what stands across the two.
fn decode(bytes: &[u8], start: usize, mark: u8, hidden: &Hidden) -> Word {
    let longest = hidden.longest;
    let most = PIECE.max(longest.saturating_mul(4));
    let mut decoded = Decoded { bytes: Vec::new(), starts: Vec::new() };
    let (mut at, mut plain) = (start, 0);
    let goes_on = |byte: &&u8| hidden.has_blanks || !byte.is_ascii_whitespace();
    while let Some(byte) = bytes.get(at).filter(goes_on) {
        if decoded.bytes.len() >= most {
            let next = decoded.starts.get(most - longest).copied().unwrap_or(at);
            decoded.starts.push(at);
            return Word { decoded, next };
        }
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
    Word { decoded, next: at }
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
