//! Characters a terminal would obey or hide, shown as escapes.

use std::fmt::Write;

/// The text as a terminal may print it: control, bidirectional and zero-width characters become
/// escapes such as `\x1b` or `\u{202e}`. Line feeds and tabs stay.
pub fn visible(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    for c in text.chars() {
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
