//! From bytes to characters, line by line or as a stream.

use std::borrow::Cow;
use std::io::{self, Cursor, Read};

use encoding_rs::{Decoder, UTF_16BE, UTF_16LE, WINDOWS_1252};

use super::sniff::Charset;
use crate::lines::{Line, Page};

/// A stream of UTF-8 from a stream of UTF-16; other encodings share line breaks with ASCII, so their lines
/// are split first and decoded after.
pub(in crate::file) fn utf8_stream<'a>(source: impl Read + 'a, charset: Charset) -> Box<dyn Read + 'a> {
    match charset {
        Charset::Utf16Le => Box::new(Utf16::new(source, UTF_16LE.new_decoder_with_bom_removal())),
        Charset::Utf16Be => Box::new(Utf16::new(source, UTF_16BE.new_decoder_with_bom_removal())),
        Charset::Utf8 | Charset::Utf8Bom | Charset::Latin1 => Box::new(source),
    }
}

/// The characters of a line, or `None` if its bytes are not UTF-8 and should be.
pub(in crate::file) fn line_text<'a>(page: &'a Page, line: &Line, charset: Charset) -> Option<Cow<'a, str>> {
    let bytes = page.bytes(line);
    if charset == Charset::Latin1 {
        return Some(from_latin1(bytes));
    }
    match std::str::from_utf8(bytes) {
        Ok(text) => Some(Cow::Borrowed(text)),
        // Cutting a long line may have split its last character.
        Err(error) if line.cut_from.is_some() && error.error_len().is_none() => {
            bytes.get(..error.valid_up_to()).map(String::from_utf8_lossy)
        }
        Err(_) => None,
    }
}

/// The characters of a text in Latin-1 (Windows-1252).
pub(in crate::file) fn from_latin1(bytes: &[u8]) -> Cow<'_, str> {
    WINDOWS_1252.decode_without_bom_handling(bytes).0
}

/// The bytes of `text` in Latin-1 (Windows-1252), or the first character that has none.
pub(in crate::file) fn to_latin1(text: &str) -> Result<Vec<u8>, char> {
    let unmappable = |character: &char| {
        let mut buffer = [0; 4];
        WINDOWS_1252.encode(character.encode_utf8(&mut buffer)).2
    };
    let (bytes, _, failed) = WINDOWS_1252.encode(text);
    match text.chars().find(unmappable) {
        Some(character) if failed => Err(character),
        _ => Ok(bytes.into_owned()),
    }
}

struct Utf16<R> {
    source: R,
    decoder: Decoder,
    buffer: Vec<u8>,
    decoded: Cursor<Vec<u8>>,
    finished: bool,
}

impl<R: Read> Utf16<R> {
    fn new(source: R, decoder: Decoder) -> Self {
        Utf16 { source, decoder, buffer: vec![0; 32 * 1024], decoded: Cursor::default(), finished: false }
    }
}

impl<R: Read> Read for Utf16<R> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        loop {
            let length = self.decoded.read(out)?;
            // A decoder that was told about the end must not be used again.
            if length > 0 || out.is_empty() || self.finished {
                return Ok(length);
            }
            let length = self.source.read(&mut self.buffer)?;
            self.finished = length == 0;
            let bytes = self.buffer.get(..length).unwrap_or_default();
            let room = self.decoder.max_utf8_buffer_length(length).unwrap_or(4 * length + 16);
            let mut text = String::with_capacity(room);
            // With that much room all of the input is taken at once.
            let _ = self.decoder.decode_to_string(bytes, &mut text, self.finished);
            self.decoded = Cursor::new(text.into_bytes());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn utf16_is_decoded_whatever_the_pieces() {
        let text = "line one\nline 😀 two\n".repeat(5_000);
        let mut bytes = vec![0xff, 0xfe];
        bytes.extend(text.encode_utf16().flat_map(u16::to_le_bytes));
        let mut decoded = String::new();
        utf8_stream(bytes.as_slice(), Charset::Utf16Le).read_to_string(&mut decoded).unwrap();
        assert_eq!(decoded, text);
    }

    #[test]
    fn latin1_goes_both_ways_or_says_what_does_not_fit() {
        assert_eq!(to_latin1("café €"), Ok(b"caf\xe9 \x80".to_vec()));
        assert_eq!(to_latin1("naïve 漢字"), Err('漢'));
    }
}
