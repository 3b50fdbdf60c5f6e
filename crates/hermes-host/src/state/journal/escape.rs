//! JSON that is safe to print: characters that move the cursor, hide or reorder text are escaped.

use std::io::{self, Write};

use serde::Serialize;
use serde_json::ser::{Formatter, Serializer};

/// Compact JSON of `value`. Reading it back gives the same value.
pub(super) fn to_json(value: &impl Serialize) -> serde_json::Result<String> {
    let mut bytes = Vec::with_capacity(512);
    value.serialize(&mut Serializer::with_formatter(&mut bytes, Printable))?;
    String::from_utf8(bytes).map_err(serde::ser::Error::custom)
}

struct Printable;

impl Formatter for Printable {
    fn write_string_fragment<W: ?Sized + Write>(&mut self, writer: &mut W, text: &str) -> io::Result<()> {
        // serde_json itself escapes everything below the space.
        if text.bytes().all(|byte| byte < 0x7f) {
            return writer.write_all(text.as_bytes());
        }
        let mut units = [0; 2];
        for character in text.chars() {
            if is_unprintable(character) {
                for unit in character.encode_utf16(&mut units) {
                    write!(writer, "\\u{unit:04x}")?;
                }
            } else {
                writer.write_all(character.encode_utf8(&mut [0; 4]).as_bytes())?;
            }
        }
        Ok(())
    }
}

/// Control characters, and those that are invisible or change the direction of text.
fn is_unprintable(character: char) -> bool {
    character.is_control()
        || matches!(character,
            '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e007f}')
}
