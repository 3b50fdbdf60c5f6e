//! The characters of a file's bytes, where they are a text, for showing them.

use std::borrow::Cow;

use encoding_rs::{Encoding, UTF_8, UTF_16BE, UTF_16LE, WINDOWS_1252};
use hermes_core::text::odd_controls;

/// How bytes are a text; `None` for what is none.
pub(super) fn encoding_of(content: &[u8]) -> Option<&'static Encoding> {
    match content {
        [0xff, 0xfe, 0, 0, ..] => None,
        [0xff, 0xfe, ..] => Some(UTF_16LE),
        [0xfe, 0xff, ..] => Some(UTF_16BE),
        _ if memchr::memchr(0, content).is_some() => None,
        _ if std::str::from_utf8(content).is_ok() => Some(UTF_8),
        // As read_file tells a text from other bytes.
        _ => (odd_controls(content) <= content.len() / 50).then_some(WINDOWS_1252),
    }
}

/// The characters, or as many of them as these bytes are.
pub(super) fn characters<'a>(content: &'a [u8], encoding: &'static Encoding) -> Cow<'a, str> {
    match encoding == UTF_8 {
        true => String::from_utf8_lossy(content),
        false => encoding.decode_with_bom_removal(content).0,
    }
}

/// The encoding as read_file calls it; nothing where that goes without saying.
pub(super) fn name(encoding: &'static Encoding) -> Option<&'static str> {
    match encoding {
        _ if encoding == UTF_16LE => Some("utf-16le"),
        _ if encoding == UTF_16BE => Some("utf-16be"),
        _ if encoding == WINDOWS_1252 => Some("latin-1"),
        _ => None,
    }
}

/// Bytes of the least part of a text.
pub(super) fn unit_of(encoding: &'static Encoding) -> usize {
    if encoding == UTF_16LE || encoding == UTF_16BE { 2 } else { 1 }
}
