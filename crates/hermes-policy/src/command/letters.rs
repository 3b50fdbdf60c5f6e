//! Letters that hide what a command is: control sequences, letters of no width, text that runs backwards.

use super::model::{Class, Finding};
use super::trial::Trial;

pub(crate) fn look(trial: &mut Trial<'_>, text: &str) {
    if text.bytes().all(|byte| (0x20..0x7f).contains(&byte) || byte == b'\n' || byte == b'\t') {
        return;
    }
    let mut before = ' ';
    for (place, letter) in text.char_indices() {
        if let Some(what) = hides(letter, before) {
            trial.found(Finding {
                class: Class::Ask,
                rule: "hidden-letters".to_owned(),
                category: "display_spoofing".to_owned(),
                reason: format!(
                    "the command holds {what} (U+{:04X}), so it is not what it looks like",
                    letter as u32
                ),
                span: (place, place + letter.len_utf8()),
            });
            return;
        }
        before = letter;
    }
}

fn hides(letter: char, before: char) -> Option<&'static str> {
    match letter {
        '\n' | '\t' => None,
        // A carriage return at the end of a line comes from Windows; elsewhere it overwrites.
        '\r' => Some("a carriage return"),
        '\0'..='\x1f' | '\x7f'..='\u{9f}' => Some("a control character"),
        // Families and professions among the emoji are joined by this letter.
        '\u{200d}' if is_emoji(before) || before == '\u{fe0f}' => None,
        '\u{200b}'..='\u{200f}' | '\u{2060}'..='\u{2064}' | '\u{feff}' | '\u{ad}' | '\u{180e}' => {
            Some("a letter of no width")
        }
        '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{61c}' => {
            Some("a letter that turns text around")
        }
        '\u{e0000}'..='\u{e007f}' => Some("an invisible tag letter"),
        '\u{115f}' | '\u{1160}' | '\u{3164}' | '\u{ffa0}' => Some("an invisible letter"),
        _ => None,
    }
}

fn is_emoji(letter: char) -> bool {
    matches!(letter, '\u{1f000}'..='\u{1faff}' | '\u{2600}'..='\u{27bf}')
}
