//! A text as a terminal may print it: every byte visible, the risky part marked above carets.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use hermes_core::text::visible;

use crate::render::Style;

/// The lines of `text`, each risky one followed by a line of carets. `risky` are ranges of bytes.
pub(super) fn marked(text: &str, risky: &[(usize, usize)], style: Style) -> Vec<String> {
    let mut lines = Vec::new();
    let mut start = 0;
    for line in text.split('\n') {
        lines.extend(one_line(line, start, risky, style));
        start += line.len() + 1;
    }
    lines
}

fn one_line(line: &str, start: usize, risky: &[(usize, usize)], style: Style) -> Vec<String> {
    let (mut shown, mut run, mut carets) = (String::new(), String::new(), String::new());
    let mut bad = false;
    for (at, letter) in line.char_indices() {
        let is_bad = risky.iter().any(|(from, to)| (*from..*to).contains(&(start + at)));
        if is_bad != bad {
            flush(&mut shown, &mut run, bad, style);
            bad = is_bad;
        }
        let piece = piece(letter);
        let width: usize = piece.chars().map(width).sum();
        carets.push_str(&if is_bad { "^" } else { " " }.repeat(width));
        run.push_str(&piece);
    }
    flush(&mut shown, &mut run, bad, style);
    let carets = carets.trim_end();
    let mut lines = vec![shown];
    if !carets.is_empty() {
        lines.push(style.bad(carets));
    }
    lines
}

fn flush(shown: &mut String, run: &mut String, bad: bool, style: Style) {
    let text = std::mem::take(run);
    shown.push_str(&if bad && !text.is_empty() { style.bad(&text) } else { text });
}

/// A tab moves the cursor too, and carets could not follow it.
fn piece(letter: char) -> String {
    match letter {
        '\t' => "\\t".to_owned(),
        letter => visible(letter.encode_utf8(&mut [0; 4])),
    }
}

fn width(letter: char) -> usize {
    match letter {
        '\u{300}'..='\u{36f}' => 0,
        '\u{1100}'..='\u{115f}'
        | '\u{2e80}'..='\u{a4cf}'
        | '\u{ac00}'..='\u{d7a3}'
        | '\u{f900}'..='\u{faff}'
        | '\u{fe30}'..='\u{fe4f}'
        | '\u{ff00}'..='\u{ff60}'
        | '\u{1f300}'..='\u{1faff}'
        | '\u{20000}'..='\u{3fffd}' => 2,
        _ => 1,
    }
}

/// Names the characters that had to be made visible, so that an escape cannot be taken for typed text.
pub(super) fn hidden_characters(text: &str) -> Option<String> {
    let mut found: BTreeMap<char, usize> = BTreeMap::new();
    for letter in text.chars() {
        if piece(letter).chars().ne([letter]) {
            *found.entry(letter).or_default() += 1;
        }
    }
    if found.is_empty() {
        return None;
    }
    let mut names = String::new();
    for (letter, count) in found.iter().take(8) {
        let comma = if names.is_empty() { "" } else { ", " };
        // Writing to a string cannot fail.
        let _ = write!(names, "{comma}U+{:04X} {count} times", u32::from(*letter));
    }
    let more = if found.len() > 8 { " and others" } else { "" };
    Some(format!("characters that a terminal would hide or obey are shown as escapes: {names}{more}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::render::ColorChoice;

    #[test]
    fn the_risky_part_stands_above_carets() {
        let style = Style::for_stderr(ColorChoice::Never);
        assert_eq!(marked("ls; rm -rf x", &[(4, 12)], style), ["ls; rm -rf x", "    ^^^^^^^^"]);
        assert_eq!(marked("a\u{202e}b rm\ncd", &[(6, 8)], style), ["a\\u{202e}b rm", "           ^^", "cd"]);
        assert_eq!(marked("日 rm\trm", &[(4, 6), (7, 9)], style), ["日 rm\\trm", "   ^^  ^^"]);
        assert_eq!(marked("a", &[(7, 3), (0, 0), (50, 60)], style), ["a"]);
        let painted = marked("a rm", &[(2, 4)], Style::for_stderr(ColorChoice::Always));
        assert_eq!(painted[0], "a \u{1b}[31mrm\u{1b}[0m");
    }

    #[test]
    fn nothing_a_terminal_obeys_gets_through() {
        let style = Style::for_stderr(ColorChoice::Never);
        let rows = include_str!("../../../tests/fixtures/spoof_strings.jsonl").lines();
        let rows: Vec<serde_json::Value> = rows.map(|row| serde_json::from_str(row).unwrap()).collect();
        assert!(rows.len() >= 50);
        for row in rows {
            let text = row["text"].as_str().unwrap();
            let shown = marked(text, &[], style);
            assert_eq!(serde_json::json!(shown), row["shown"], "{text:?}");
            assert!(shown.iter().all(|line| visible(line) == *line), "{text:?}");
            assert!(hidden_characters(text).is_some(), "{text:?}");
        }
        assert_eq!(hidden_characters("plain \\x1b \u{e9}\n"), None);
        assert!(hidden_characters("\u{1b}\u{1b}").unwrap().contains("U+001B 2 times"));
    }
}
