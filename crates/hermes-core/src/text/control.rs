//! Removal of terminal escape sequences and control characters.

use std::str::Chars;

use super::visible::{deceives, take_plain};

const ESCAPE: char = '\u{1b}';
const BELL: char = '\u{07}';
/// The one-character forms of `ESC [` and of the escapes that begin a string, such as `ESC ]`.
const CSI: char = '\u{9b}';
const STRING_TERMINATOR: char = '\u{9c}';

/// The text with ANSI sequences, control and invisible characters taken out. Line feeds and tabs stay; a
/// carriage return becomes a line feed, so that overwritten progress lines do not run together.
pub(super) fn strip(text: &str) -> String {
    let mut kept = String::with_capacity(text.len());
    strip_into(&mut kept, text);
    kept
}

/// The same, behind what is already `kept`.
pub(super) fn strip_into(kept: &mut String, text: &str) {
    let mut left = text;
    while let Some(c) = take_plain(&mut left, kept) {
        let mut rest = left.chars();
        match c {
            ESCAPE => skip_sequence(&mut rest),
            CSI => skip_control_sequence(&mut rest),
            '\u{90}' | '\u{98}' | '\u{9d}'..='\u{9f}' => skip_string(&mut rest),
            '\r' => {
                if !rest.as_str().starts_with('\n') {
                    kept.push('\n');
                }
            }
            '\u{2028}' | '\u{2029}' => kept.push('\n'),
            // Nobody sees them, so they serve to hide what stands around them.
            _ if deceives(c) => {}
            _ => kept.push(c),
        }
        left = rest.as_str();
    }
}

fn skip_sequence(rest: &mut Chars<'_>) {
    match rest.clone().next() {
        Some('[') => {
            rest.next();
            skip_control_sequence(rest);
        }
        Some(']' | 'P' | 'X' | '^' | '_') => {
            rest.next();
            skip_string(rest);
        }
        // Intermediate bytes and one final byte, as in `ESC ( B`.
        Some(' '..='/') => {
            skip_while(rest, |c| matches!(c, ' '..='/'));
            skip_one(rest, |c| matches!(c, '0'..='~'));
        }
        Some('0'..='~') => {
            rest.next();
        }
        _ => {}
    }
}

fn skip_control_sequence(rest: &mut Chars<'_>) {
    skip_while(rest, |c| matches!(c, '0'..='?'));
    skip_while(rest, |c| matches!(c, ' '..='/'));
    skip_one(rest, |c| matches!(c, '@'..='~'));
}

/// Skips a string such as a window title. One that is never ended keeps its text, so that it cannot
/// swallow the message; the search stops at any control character, so that it stays short.
fn skip_string(rest: &mut Chars<'_>) {
    let mut ahead = rest.clone();
    while let Some(c) = ahead.next() {
        match c {
            BELL | STRING_TERMINATOR => {
                *rest = ahead;
                return;
            }
            ESCAPE if ahead.as_str().starts_with('\\') => {
                ahead.next();
                *rest = ahead;
                return;
            }
            _ if c.is_control() => return,
            _ => {}
        }
    }
}

fn skip_while(rest: &mut Chars<'_>, wanted: impl Fn(char) -> bool) {
    while rest.clone().next().is_some_and(&wanted) {
        rest.next();
    }
}

fn skip_one(rest: &mut Chars<'_>, wanted: impl Fn(char) -> bool) {
    if rest.clone().next().is_some_and(wanted) {
        rest.next();
    }
}
