//! Text or not, and in which encoding, judged by the first bytes.

use hermes_core::text::odd_controls;

/// How many bytes are looked at.
pub(in crate::file) const SAMPLE: usize = 8 * 1024;

/// How the bytes of a text become characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::file) enum Charset {
    Utf8,
    /// UTF-8 with a mark at its start that is not part of the text.
    Utf8Bom,
    Utf16Le,
    Utf16Be,
    /// Windows-1252, which shows every Latin-1 text right.
    Latin1,
}

impl Charset {
    pub(in crate::file) fn is_utf16(self) -> bool {
        matches!(self, Charset::Utf16Le | Charset::Utf16Be)
    }

    pub(in crate::file) fn name(self) -> &'static str {
        match self {
            Charset::Utf8 => "utf-8",
            Charset::Utf8Bom => "utf-8-bom",
            Charset::Utf16Le => "utf-16le",
            Charset::Utf16Be => "utf-16be",
            Charset::Latin1 => "latin-1",
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::file) enum Content {
    Text(Charset),
    Image,
    Pdf,
    Archive,
    /// Anything else that is not text.
    Binary,
}

/// Beginnings by which a format is known.
const MAGIC: &[(&[u8], Content)] = &[
    (b"%PDF-", Content::Pdf),
    (b"\x89PNG\r\n\x1a\n", Content::Image),
    (b"\xff\xd8\xff", Content::Image),
    (b"GIF87a", Content::Image),
    (b"GIF89a", Content::Image),
    (b"PK\x03\x04", Content::Archive),
    (b"\x1f\x8b", Content::Archive),
    (b"\x28\xb5\x2f\xfd", Content::Archive),
    (b"\xfd7zXZ\0", Content::Archive),
    (b"7z\xbc\xaf\x27\x1c", Content::Archive),
    (b"\x7fELF", Content::Binary),
];

/// Judges a file by its first [`SAMPLE`] bytes.
pub(in crate::file) fn sniff(sample: &[u8]) -> Content {
    if let Some((_, content)) = MAGIC.iter().find(|(magic, _)| sample.starts_with(magic)) {
        return *content;
    }
    if sample.starts_with(b"RIFF") && sample.get(8..12) == Some(b"WEBP") {
        return Content::Image;
    }
    match sample {
        [0xef, 0xbb, 0xbf, ..] => return Content::Text(Charset::Utf8Bom),
        // UTF-32, which nothing here writes.
        [0xff, 0xfe, 0, 0, ..] | [0, 0, 0xfe, 0xff, ..] => return Content::Binary,
        [0xff, 0xfe, ..] => return Content::Text(Charset::Utf16Le),
        [0xfe, 0xff, ..] => return Content::Text(Charset::Utf16Be),
        _ => {}
    }
    if memchr::memchr(0, sample).is_some() {
        return utf16_without_mark(sample).map_or(Content::Binary, Content::Text);
    }
    let (charset, most_controls) = match std::str::from_utf8(sample) {
        Ok(_) => (Charset::Utf8, sample.len() / 10),
        // The sample may end in the middle of a character.
        Err(error) if error.error_len().is_none() => (Charset::Utf8, sample.len() / 10),
        Err(_) => (Charset::Latin1, sample.len() / 50),
    };
    if odd_controls(sample) > most_controls { Content::Binary } else { Content::Text(charset) }
}

/// Mostly Latin text in UTF-16 has a zero in every other byte, always on the same side.
fn utf16_without_mark(sample: &[u8]) -> Option<Charset> {
    let zeros = |first: usize| sample.iter().skip(first).step_by(2).filter(|byte| **byte == 0).count();
    let (even, odd, pairs) = (zeros(0), zeros(1), sample.len() / 2);
    let mostly = |count: usize| pairs > 1 && count * 10 >= pairs * 7;
    match (even, odd) {
        (0, odd) if mostly(odd) => Some(Charset::Utf16Le),
        (even, 0) if mostly(even) => Some(Charset::Utf16Be),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tells_texts_from_other_things() {
        let utf16: Vec<u8> = "plain text\n".encode_utf16().flat_map(u16::to_le_bytes).collect();
        let utf16_be: Vec<u8> = "plain text\n".encode_utf16().flat_map(u16::to_be_bytes).collect();
        let every_byte: Vec<u8> = (1..=255).collect();
        let cases: &[(&[u8], Content)] = &[
            (b"", Content::Text(Charset::Utf8)),
            (b"\xff\xfe\0\0a\0\0\0\n\0\0\0", Content::Binary),
            (b"\0\0\xfe\xff\0\0\0a\0\0\0\n", Content::Binary),
            ("päivää".as_bytes(), Content::Text(Charset::Utf8)),
            (b"caf\xc3", Content::Text(Charset::Utf8)),
            (b"caf\xe9 au lait", Content::Text(Charset::Latin1)),
            (b"\x1b[31mred\x1b[0m\n", Content::Text(Charset::Utf8)),
            (b"\xef\xbb\xbfx", Content::Text(Charset::Utf8Bom)),
            (b"\xff\xfex\0", Content::Text(Charset::Utf16Le)),
            (&utf16, Content::Text(Charset::Utf16Le)),
            (&utf16_be, Content::Text(Charset::Utf16Be)),
            (&every_byte, Content::Binary),
            (b"a\0\0\0b", Content::Binary),
            (b"%PDF-1.7\nplain", Content::Pdf),
            (b"\x89PNG\r\n\x1a\n", Content::Image),
            (b"RIFF\x01\x02\x03\x04WEBPVP8 ", Content::Image),
        ];
        for (sample, content) in cases {
            assert_eq!(sniff(sample), *content, "{sample:?}");
        }
    }
}
