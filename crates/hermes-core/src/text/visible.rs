//! Characters a terminal would obey or hide, shown as escapes.

use std::fmt::Write;

/// The text as a terminal may print it: control, bidirectional and zero-width characters become
/// escapes such as `\x1b` or `\u{202e}`. Line feeds and tabs stay.
pub fn visible(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(c) = take_plain(&mut rest, &mut shown) {
        if !deceives(c) {
            shown.push(c);
            continue;
        }
        // Writing to a string cannot fail.
        let _ = match c {
            '\r' => shown.write_str("\\r"),
            '\0'..='\u{ff}' => write!(shown, "\\x{:02x}", u32::from(c)),
            _ => write!(shown, "\\u{{{:x}}}", u32::from(c)),
        };
    }
    shown
}

/// Moves what is surely harmless to `kept` as it is, and takes the first character that may not be, if there is one.
/// Nearly all of nearly all texts is harmless, and need not be looked at one by one.
pub(super) fn take_plain(rest: &mut &str, kept: &mut String) -> Option<char> {
    const AT_ONCE: usize = 32;
    let is_plain = |byte: &u8| matches!(byte, b' '..=b'~' | b'\n' | b'\t');
    let all_plain = |bytes: &&[u8]| bytes.iter().fold(true, |plain, byte| plain & is_plain(byte));
    let bytes = rest.as_bytes();
    let whole = bytes.chunks_exact(AT_ONCE).take_while(all_plain).count() * AT_ONCE;
    let more = bytes.get(whole..).unwrap_or_default().iter().take_while(|byte| is_plain(byte)).count();
    let (plain, other) = rest.split_at_checked(whole + more)?;
    kept.push_str(plain);
    let mut characters = other.chars();
    let first = characters.next();
    *rest = characters.as_str();
    first
}

/// Whether a terminal would obey this character or not show it.
pub(super) fn deceives(c: char) -> bool {
    match c {
        '\n' | '\t' => false,
        '\u{ad}'                          // soft hyphen
        | '\u{34f}'                       // combining grapheme joiner
        | '\u{61c}'                       // Arabic letter mark
        | '\u{115f}' | '\u{1160}' | '\u{3164}' | '\u{ffa0}' // Hangul fillers
        | '\u{17b4}' | '\u{17b5}'         // Khmer inherent vowels
        | '\u{180b}'..='\u{180f}'         // Mongolian selectors
        | '\u{200b}'..='\u{200f}'         // zero widths, direction marks
        | '\u{2028}'..='\u{202e}'         // separators, embeddings, overrides
        | '\u{2060}'..='\u{206f}'         // invisible operators, isolates
        | '\u{feff}'                      // byte order mark
        | '\u{fff9}'..='\u{fffb}'         // interlinear annotation
        | '\u{e0000}'..='\u{e007f}'       // tags
        | '\u{e0100}'..='\u{e01ef}'       // variation selectors that can carry data
        => true,
        _ => c.is_control(),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn one_by_one(text: &str) -> String {
        let shown = |c: char| match c {
            _ if !deceives(c) => c.to_string(),
            '\r' => "\\r".to_owned(),
            '\0'..='\u{ff}' => format!("\\x{:02x}", u32::from(c)),
            _ => format!("\\u{{{:x}}}", u32::from(c)),
        };
        text.chars().map(shown).collect()
    }

    proptest! {
        #[test]
        fn what_is_taken_at_once_is_shown_as_one_by_one(text in "([ -~]{0,70}|[\\x00-\u{202f}]{0,3}|\\PC{0,5}){0,4}") {
            prop_assert_eq!(visible(&text), one_by_one(&text));
        }
    }
}
