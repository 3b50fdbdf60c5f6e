//! Paths as texts that mean them again. Names of files are bytes; tools are called with text.

use std::borrow::Cow;
use std::ffi::OsString;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::{Path, PathBuf};

/// What the text of a path begins with if some of its bytes are written as `%E9`.
const ESCAPED: &str = "file:";

/// The path as a text that [`meant`] turns into the same path: as it is wherever that is possible, otherwise such as
/// `file:caf%E9.txt`.
pub fn spelled(path: &Path) -> String {
    if let Some(text) = path.to_str()
        && matches!(meant(text), Cow::Borrowed(_))
        && !text.contains(char::is_control)
    {
        return text.to_owned();
    }
    let mut text = ESCAPED.to_owned();
    for part in path.as_os_str().as_bytes().utf8_chunks() {
        for letter in part.valid().chars() {
            match letter {
                // A name with the end of a line in it would look like two lines of a list.
                '%' | '\0'..='\u{1f}' | '\u{7f}' => text.push_str(&format!("%{:02X}", u32::from(letter))),
                '\u{80}'..='\u{9f}' => {
                    let mut bytes = [0; 2];
                    letter.encode_utf8(&mut bytes);
                    text.push_str(&format!("%{:02X}%{:02X}", bytes[0], bytes[1]));
                }
                letter => text.push(letter),
            }
        }
        part.invalid().iter().for_each(|byte| text.push_str(&format!("%{byte:02X}")));
    }
    text
}

/// The path that a text means. Only what begins like an escaped path and has an escape is read as one.
pub fn meant(text: &str) -> Cow<'_, Path> {
    match text.strip_prefix(ESCAPED).and_then(unescaped) {
        Some(bytes) => Cow::Owned(PathBuf::from(OsString::from_vec(bytes))),
        None => Cow::Borrowed(Path::new(text)),
    }
}

/// The bytes that a text with escapes stands for; `None` if it has none.
fn unescaped(text: &str) -> Option<Vec<u8>> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((first, after)) = rest.split_first() {
        let escape = match after {
            [high, low, ..] if *first == b'%' => digit(*high).zip(digit(*low)),
            _ => None,
        };
        bytes.push(escape.map_or(*first, |(high, low)| high << 4 | low));
        rest = if escape.is_some() { after.get(2..)? } else { after };
    }
    (bytes.len() < text.len()).then_some(bytes)
}

fn digit(byte: u8) -> Option<u8> {
    char::from(byte).to_digit(16).and_then(|digit| u8::try_from(digit).ok())
}

#[cfg(test)]
mod tests {
    use std::ffi::OsStr;

    use proptest::prelude::*;

    use super::*;

    #[test]
    fn texts_stay_and_other_bytes_are_escaped() {
        let path = |bytes: &[u8]| PathBuf::from(OsStr::from_bytes(bytes));
        assert_eq!(spelled(&path(b"a/b.txt")), "a/b.txt");
        assert_eq!(spelled(&path(b"100%25.txt")), "100%25.txt");
        assert_eq!(spelled(&path("größe.txt".as_bytes())), "größe.txt");
        assert_eq!(spelled(&path(b"/x/caf\xe9 50%.txt")), "file:/x/caf%E9 50%25.txt");
        assert_eq!(spelled(&path(b"a.py\n42:x\x7f")), "file:a.py%0A42:x%7F", "one that looks like two lines");
        assert_eq!(spelled(&path("a\u{85}b".as_bytes())), "file:a%C2%85b");
        assert_eq!(spelled(&path(b"file:a%41")), "file:file:a%2541", "one that would be read as another");
        assert_eq!(meant("file:50% off"), Path::new("file:50% off"), "no escape");
        assert_eq!(meant("file:///etc/passwd"), Path::new("file:///etc/passwd"));
        assert_eq!(meant("caf%E9"), Path::new("caf%E9"));
    }

    proptest! {
        #[test]
        fn what_is_spelled_is_meant(bytes in prop::collection::vec(
            prop_oneof![Just(b'%'), Just(b'e'), Just(b'9'), Just(0xe9), Just(b'/'), 1_u8..], 0..12,
        ), prefixed in any::<bool>()) {
            let mut name = if prefixed { b"file:".to_vec() } else { Vec::new() };
            name.extend(bytes);
            let path = PathBuf::from(OsString::from_vec(name));
            prop_assert_eq!(meant(&spelled(&path)).into_owned().into_os_string(), path.into_os_string());
        }
    }
}
