//! A whole text file: its characters, and how they become the same bytes again.

use encoding_rs::WINDOWS_1252;

use super::decode::to_latin1;
use super::many_bytes;
use super::sniff::{Charset, Content, SAMPLE, sniff};

/// A text and its form on disk.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Body {
    /// Without a byte order mark.
    pub(crate) text: String,
    charset: Charset,
    /// Whether the bytes begin with a mark.
    mark: bool,
    /// Some of the bytes are UTF-8 and some are not, so nobody knows how to write a new accent.
    mixed: bool,
}

impl Body {
    /// The characters of a file, or why it is not a text that can be edited without damage.
    pub(crate) fn decode(bytes: &[u8]) -> Result<Body, String> {
        let charset = match sniff(bytes.get(..SAMPLE).unwrap_or(bytes)) {
            Content::Text(charset) => charset,
            Content::Image => return Err("is an image, not text".to_owned()),
            Content::Pdf => return Err("is a PDF document, not text".to_owned()),
            Content::Archive => return Err("is a compressed file, not text".to_owned()),
            Content::Binary => return Err("is a binary file, not text".to_owned()),
        };
        let body = match charset {
            Charset::Utf8 | Charset::Utf8Bom => match std::str::from_utf8(bytes) {
                Ok(text) => {
                    let bare = text.strip_prefix('\u{feff}');
                    let mark = bare.is_some();
                    Body { text: bare.unwrap_or(text).to_owned(), charset, mark, mixed: false }
                }
                Err(_) => Self::latin1(bytes),
            },
            Charset::Latin1 => Self::latin1(bytes),
            Charset::Utf16Le => Self::utf16(bytes, charset, u16::from_le_bytes)?,
            Charset::Utf16Be => Self::utf16(bytes, charset, u16::from_be_bytes)?,
        };
        // Whatever an encoding is taken for, what is not edited must come out as it went in.
        if body.encode(&body.text) == bytes {
            Ok(body)
        } else {
            Err("is in no known text encoding".to_owned())
        }
    }

    /// The same for who changes parts of it, which must begin and end between two characters.
    pub(crate) fn decode_for_edit(bytes: &[u8]) -> Result<Body, String> {
        let body = Self::decode(bytes)?;
        if body.charset == Charset::Latin1 && many_bytes::is_likely(bytes) {
            return Err("is in an encoding like Shift-JIS, GBK, Big5 or EUC, whose characters may be cut; convert it \
                        to UTF-8 first"
                .to_owned());
        }
        Ok(body)
    }

    fn latin1(bytes: &[u8]) -> Body {
        let (text, _) = WINDOWS_1252.decode_without_bom_handling(bytes);
        let mixed = bytes.utf8_chunks().any(|chunk| !chunk.valid().is_ascii());
        Body { text: text.into_owned(), charset: Charset::Latin1, mark: false, mixed }
    }

    fn utf16(bytes: &[u8], charset: Charset, unit: fn([u8; 2]) -> u16) -> Result<Body, String> {
        let (pairs, rest) = bytes.as_chunks::<2>();
        let text = char::decode_utf16(pairs.iter().map(|pair| unit(*pair))).collect::<Result<String, _>>();
        match text {
            Ok(text) if rest.is_empty() => {
                let bare = text.strip_prefix('\u{feff}');
                let mark = bare.is_some();
                Ok(Body { text: bare.unwrap_or(&text).to_owned(), charset, mark, mixed: false })
            }
            _ => Err("is damaged UTF-16".to_owned()),
        }
    }

    /// The encoding, and whether a mark begins it.
    pub(crate) fn form(&self) -> &'static str {
        match (self.charset, self.mark) {
            (Charset::Utf8, true) => Charset::Utf8Bom.name(),
            (Charset::Utf16Le, false) => "utf-16le without a mark",
            (Charset::Utf16Be, false) => "utf-16be without a mark",
            (charset, _) => charset.name(),
        }
    }

    /// Whether `added` can be written in the file's encoding.
    pub(crate) fn accepts(&self, added: &str) -> Result<(), String> {
        if self.charset != Charset::Latin1 || added.is_ascii() {
            return Ok(());
        }
        if self.mixed {
            return Err("mixes encodings; only plain ASCII can be added to it".to_owned());
        }
        to_latin1(added).map(|_| ()).map_err(|character| {
            format!(
                "is in Latin-1, which has no '{character}'; rewrite the whole file in UTF-8 if it needs it"
            )
        })
    }

    /// The bytes of what is added behind the text, with the line endings that it has throughout.
    pub(crate) fn encode_more(&self, more: &str) -> Vec<u8> {
        let crlf = self.text.matches("\r\n").count();
        let is_windows = crlf > 0 && self.text.matches('\n').count() == crlf && !more.contains('\r');
        let more = if is_windows { more.replace('\n', "\r\n") } else { more.to_owned() };
        Body { mark: false, ..self.clone() }.encode(&more)
    }

    /// The bytes of a text in this file's form. Characters that [`Body::accepts`] refuses do not occur.
    pub(crate) fn encode(&self, text: &str) -> Vec<u8> {
        let marked = || self.mark.then_some('\u{feff}').into_iter().chain(text.chars());
        let units = || {
            let mut buffer = [0; 2];
            marked().flat_map(move |character| character.encode_utf16(&mut buffer).to_vec())
        };
        match self.charset {
            Charset::Utf8 | Charset::Utf8Bom => marked().collect::<String>().into_bytes(),
            Charset::Utf16Le => units().flat_map(u16::to_le_bytes).collect(),
            Charset::Utf16Be => units().flat_map(u16::to_be_bytes).collect(),
            Charset::Latin1 => WINDOWS_1252.encode(text).0.into_owned(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_form_comes_back_as_it_was() {
        let utf16 = |mark: &str, unit: fn(u16) -> [u8; 2]| {
            format!("{mark}naïve\r\nplain text\n").encode_utf16().flat_map(unit).collect::<Vec<u8>>()
        };
        for bytes in [
            b"plain\n".to_vec(),
            "\u{feff}mark é\n".as_bytes().to_vec(),
            b"caf\xe9 \x81\x80\n".to_vec(),
            b"caf\xe9 and caf\xc3\xa9\n".to_vec(),
            utf16("\u{feff}", u16::to_le_bytes),
            utf16("\u{feff}", u16::to_be_bytes),
            utf16("", u16::to_le_bytes),
            Vec::new(),
        ] {
            let body = Body::decode(&bytes).unwrap();
            assert!(!body.text.starts_with('\u{feff}'));
            assert_eq!(body.encode(&body.text), bytes, "{bytes:?}");
        }
        assert!(Body::decode(b"a\0\0\0b").is_err());
        assert!(Body::decode(b"\xff\xfea\0b").is_err(), "half a character at the end");
    }

    #[test]
    fn what_an_encoding_lacks_is_not_added() {
        let latin1 = Body::decode(b"caf\xe9\n").unwrap();
        assert!(latin1.accepts("é").is_ok() && latin1.accepts("漢").is_err());
        let mixed = Body::decode(b"caf\xe9 caf\xc3\xa9\n").unwrap();
        assert!(mixed.accepts("e").is_ok() && mixed.accepts("é").is_err());
    }
}
