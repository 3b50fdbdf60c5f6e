//! Mappings in braces, on one line or on many.

use super::key::after;

/// Where an entry stands: from behind the brace or comma before it to the brace or comma after it.
struct Entry {
    start: usize,
    end: usize,
}

/// The text without the entry of this name in the mapping that opens at this place. Comments before it stay.
pub(super) fn cut(text: &str, open: usize, name: &str) -> Option<String> {
    let entries = entries(text, open)?;
    let key_of = |entry: &Entry| {
        let written = text.get(entry.start..entry.end)?;
        Some(entry.end - without_comments(written).len())
    };
    let is_named = |entry: &Entry| {
        let written = key_of(entry).and_then(|key| text.get(key..entry.end));
        written.is_some_and(|written| after(written, name).is_some())
    };
    let at = entries.iter().position(is_named)?;
    let entry = entries.get(at)?;
    let key = key_of(entry)?;
    if let Some(rest) = text.get(entry.end..)?.strip_prefix(',') {
        return Some(joined(text.get(..key)?, rest.trim_start_matches(' ')));
    }
    // The last one takes the comma before it along.
    let before = at.checked_sub(1).and_then(|before| entries.get(before));
    let kept = match before {
        Some(before) => {
            format!("{}{}", text.get(..before.end)?, text.get(before.end + 1..key)?.trim_end_matches(' '))
        }
        None => text.get(..key)?.to_owned(),
    };
    let written = text.get(key..entry.end)?;
    let end = entry.end - (written.len() - written.trim_end().len());
    Some(joined(&kept, text.get(end..)?))
}

/// Two parts of a text, without the empty line that would be left between them.
fn joined(before: &str, rest: &str) -> String {
    let line = before.trim_end_matches(' ').strip_suffix('\n').filter(|_| rest.starts_with('\n'));
    format!("{}{rest}", line.unwrap_or(before))
}

fn without_comments(text: &str) -> &str {
    let mut rest = text.trim_start();
    while rest.starts_with('#') {
        rest = rest.split_once('\n').map_or("", |(_, after)| after).trim_start();
    }
    rest
}

/// The entries of a mapping; none if it has no end.
fn entries(text: &str, open: usize) -> Option<Vec<Entry>> {
    let mut entries = Vec::new();
    let (mut start, mut depth, mut before) = (open + 1, 1_usize, '{');
    let mut chars = text.get(start..)?.char_indices().map(|(at, c)| (at + open + 1, c)).peekable();
    let mut blank = false;
    while let Some((at, c)) = chars.next() {
        match c {
            '"' | '\'' if "{[,:".contains(before) => {
                // A doubled mark in the other kind of quotation opens it again at once.
                while let Some((_, inner)) = chars.next() {
                    match inner {
                        '\\' if c == '"' => {
                            chars.next();
                        }
                        '\'' if c == '\'' && chars.peek().is_some_and(|(_, next)| *next == '\'') => {
                            chars.next();
                        }
                        inner if inner == c => break,
                        _ => {}
                    }
                }
            }
            '#' if blank => while chars.next_if(|(_, c)| *c != '\n').is_some() {},
            '{' | '[' => depth += 1,
            '}' | ']' => {
                depth -= 1;
                if depth == 0 {
                    entries.push(Entry { start, end: at });
                    return Some(entries);
                }
            }
            ',' if depth == 1 => {
                entries.push(Entry { start, end: at });
                start = at + 1;
            }
            _ => {}
        }
        blank = c.is_whitespace();
        if !blank {
            before = c;
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_entry_goes_and_the_rest_stays() {
        for (before, name, expected) in [
            ("{a: {x: 1}, b: 2}", "a", Some("{b: 2}")),
            ("{a: {x: 1}, b: [1, 2]}", "b", Some("{a: {x: 1}}")),
            ("{a: 1}", "a", Some("{}")),
            ("{\n  a: 1, # one, two\n  'b': 2,\n}", "b", Some("{\n  a: 1, # one, two\n}")),
            ("{\n  a: 1, # one, two\n  'b': 2\n}", "b", Some("{\n  a: 1 # one, two\n}")),
            ("{\n  # of a\n  a: 1,\n  b: 2\n}", "a", Some("{\n  # of a\n  b: 2\n}")),
            ("{a: it's, b: \"}\", c: 'it''s, }'}", "b", Some("{a: it's, c: 'it''s, }'}")),
            ("{a: {b: 1}}", "b", None),
            ("{a: 1", "a", None),
        ] {
            assert_eq!(cut(before, 0, name).as_deref(), expected, "{before}");
        }
    }
}
