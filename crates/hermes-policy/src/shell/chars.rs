//! Characters that look like something they are not, or like nothing at all.

/// What is wrong with a character outside quotes, if anything is.
pub(super) fn strange(c: char) -> Option<&'static str> {
    hidden(c).or(match c {
        '\u{a0}'
        | '\u{1680}'
        | '\u{2000}'..='\u{200a}'
        | '\u{2028}'
        | '\u{2029}'
        | '\u{202f}'
        | '\u{205f}'
        | '\u{3000}' => Some("a blank that the shell takes for a letter"),
        '\u{ad}'
        | '\u{34f}'
        | '\u{61c}'
        | '\u{115f}'
        | '\u{1160}'
        | '\u{17b4}'
        | '\u{17b5}'
        | '\u{180b}'..='\u{180f}'
        | '\u{200b}'..='\u{200f}'
        | '\u{2060}'..='\u{2064}'
        | '\u{206a}'..='\u{206f}'
        | '\u{3164}'
        | '\u{fe00}'..='\u{fe0f}'
        | '\u{feff}'
        | '\u{ffa0}'
        | '\u{fff9}'..='\u{fffb}'
        | '\u{e0000}'..='\u{e0fff}' => Some("an invisible character"),
        '\u{ff01}'..='\u{ff5e}' | '\u{1d400}'..='\u{1d7ff}' | '\u{2215}' | '\u{2044}' | '\u{29f8}' => {
            Some("a letter that only looks like another")
        }
        _ => None,
    })
}

/// What is wrong with a character even inside quotes: it would change what a person sees.
pub(super) fn hidden(c: char) -> Option<&'static str> {
    match c {
        '\t' | '\n' => None,
        '\r' => Some("a carriage return"),
        '\0' => Some("a NUL character"),
        '\u{1b}' => Some("an escape character"),
        '\u{1}'..='\u{1f}' | '\u{7f}'..='\u{9f}' => Some("a control character"),
        '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => {
            Some("a character that turns the direction of text")
        }
        _ => None,
    }
}

/// Whether text has to be looked at character by character: most has not.
pub(super) fn needs_a_look(text: &str) -> bool {
    text.bytes().any(|byte| byte >= 0x7f || (byte < 0x20 && byte != b'\t' && byte != b'\n'))
}

pub(super) fn is_name_start(byte: u8) -> bool {
    byte == b'_' || byte.is_ascii_alphabetic()
}

pub(super) fn is_name_byte(byte: u8) -> bool {
    byte == b'_' || byte.is_ascii_alphanumeric()
}

/// Whether text is a variable's name.
pub(super) fn is_name(text: &str) -> bool {
    text.bytes().next().is_some_and(is_name_start) && text.bytes().all(is_name_byte)
}

/// Ends a word outside quotes.
pub(super) fn is_meta(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\n' | b';' | b'&' | b'|' | b'<' | b'>' | b'(' | b')')
}
