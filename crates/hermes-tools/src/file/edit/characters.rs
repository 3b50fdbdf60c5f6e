//! Characters as people see them. An accent, a tone of skin or a part of a family stands in the text by itself, but nobody
//! who reads sees it so: what would be taken off it is another character.

use std::ops::Range;

use unicode_normalization::char::is_combining_mark;

const JOINER: char = '\u{200d}';

/// The bytes of half a flag.
const HALF: usize = 4;

/// The characters of a text, for who asks about one place after the other.
pub(super) struct Characters<'a> {
    content: &'a str,
    /// The halves of flags that were looked at last. Of a long row of flags every one would be counted for each place.
    flags: Range<usize>,
}

impl<'a> Characters<'a> {
    pub(super) fn of(content: &'a str) -> Self {
        Characters { content, flags: 0..0 }
    }

    /// Whether a place begins or ends in the middle of one character.
    pub(super) fn cuts(&mut self, range: &Range<usize>) -> bool {
        self.is_inside(range.start) && !self.content.get(range.start..).is_some_and(begins_with_mark)
            || self.is_inside(range.end)
    }

    fn is_inside(&mut self, at: usize) -> bool {
        let Some((before, after)) = self.content.split_at_checked(at) else { return false };
        let (Some(previous), Some(next)) = (before.chars().next_back(), after.chars().next()) else {
            return false;
        };
        // A mark that follows no character is one by itself.
        if previous.is_control() {
            return false;
        }
        is_combining_mark(next)
            || next == JOINER
            || previous == JOINER
            || matches!(next, '\u{1f3fb}'..='\u{1f3ff}')
            || (is_of_flag(next) && is_of_flag(previous) && self.is_half_a_flag(at))
    }

    /// Whether one half of a flag stands in front of a place between two of them.
    fn is_half_a_flag(&mut self, at: usize) -> bool {
        if !self.flags.contains(&at)
            && let Some((before, after)) = self.content.split_at_checked(at)
        {
            let above = before.trim_end_matches(is_of_flag).len();
            self.flags = above..at + after.len() - after.trim_start_matches(is_of_flag).len();
        }
        ((at - self.flags.start) / HALF) % 2 == 1
    }
}

/// Whoever names the mark means it.
fn begins_with_mark(text: &str) -> bool {
    text.chars().next().is_some_and(|first| is_combining_mark(first) || first == JOINER)
}

/// Two of these are one flag.
fn is_of_flag(letter: char) -> bool {
    matches!(letter, '\u{1f1e6}'..='\u{1f1ff}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_a_row_of_flags_every_other_place_is_between_two() {
        let row = "🇩🇪".repeat(3);
        let content = format!("{row} a{row}🇩b{row}");
        let mut characters = Characters::of(&content);
        let is_half = |at: usize| {
            let before = content.get(..at).unwrap_or_default();
            before.chars().rev().take_while(|letter| is_of_flag(*letter)).count() % 2 == 1
        };
        let places: Vec<usize> = content.char_indices().map(|(at, _)| at).collect();
        for at in places.iter().chain(places.iter().rev()) {
            let is_flag = content.get(*at..).is_some_and(|rest| rest.starts_with(is_of_flag));
            assert_eq!(characters.is_inside(*at), is_flag && is_half(*at), "{at}");
        }
    }

    #[test]
    fn what_is_seen_as_one_is_not_cut() {
        let place = |content: &str, text: &str| {
            let at = content.find(text).unwrap();
            Characters::of(content).cuts(&(at..at + text.len()))
        };
        for (content, text) in [
            ("cafe\u{301}", "cafe"),
            ("👍🏽", "👍"),
            ("👩‍👩‍👧", "👩‍👩"),
            ("👩‍👧", "👧"),
            ("🇩🇪", "🇩"),
            ("🇩🇪", "🇪"),
            ("❤\u{fe0f}", "❤"),
        ] {
            assert!(place(content, text), "{content} {text}");
        }
        for (content, text) in [
            ("cafe\u{301}", "cafe\u{301}"),
            ("cafe\u{301}", "\u{301}"),
            ("cafe\u{301}s", "s"),
            ("a👍🏽b", "👍🏽"),
            ("🇩🇪🇫🇷", "🇫🇷"),
            ("a\n\u{301}", "a\n"),
            ("می\u{200c}روم", "می"),
        ] {
            assert!(!place(content, text), "{content} {text}");
        }
    }
}
