//! Texts that span lines inside of a file: strings, here-documents, block scalars. Blanks in them are data.
//!
//! Nobody knows the file's language here, so whatever may be such a text is taken for one: what follows from a
//! mistake is a refusal.

use std::collections::HashMap;
use std::ops::Range;

/// What opens and closes a string that may span lines, longest first.
const QUOTES: [&str; 4] = ["\"\"\"", "'''", "\"", "`"];

/// Where a text spans lines, in order and apart from each other.
pub(super) fn spanning(text: &str) -> Vec<Range<usize>> {
    let mut found = strings(text);
    let lines = lines(text);
    let ends = if text.contains("<<") { ends(&lines) } else { HashMap::new() };
    for (index, (at, line)) in lines.iter().enumerate() {
        let below = lines.get(index + 1..).unwrap_or_default();
        let length = here_document(line, index, &ends).max(block_scalar(line, below));
        if let Some((last, line)) = length.checked_sub(1).and_then(|last| below.get(last)) {
            found.push(*at..last + line.len());
        }
    }
    found.sort_by_key(|range| range.start);
    found.dedup_by(|next, first| {
        let is_part = next.start <= first.end;
        first.end = if is_part { first.end.max(next.end) } else { first.end };
        is_part
    });
    found
}

/// For every line whether such a text has a part in it.
pub(crate) fn lines_spanned(text: &str) -> Vec<bool> {
    let found = spanning(text);
    let touches = |at: usize, end: usize| first_behind(&found, at).is_some_and(|range| range.start < end);
    lines(text).iter().map(|(at, line)| touches(*at, at + line.len().max(1))).collect()
}

/// For every line whether its end is inside of such a text, and with it the blanks in front of that end.
pub(super) fn ends_spanned(text: &str) -> Vec<bool> {
    let found = spanning(text);
    let ends = text.match_indices('\n').map(|(end, _)| end);
    ends.map(|end| first_behind(&found, end).is_some_and(|range| range.contains(&end))).collect()
}

/// The first one that reaches beyond a place.
fn first_behind(found: &[Range<usize>], at: usize) -> Option<&Range<usize>> {
    found.get(found.partition_point(|range| range.end <= at))
}

fn lines(text: &str) -> Vec<(usize, &str)> {
    let mut next = 0;
    let placed = text.split_inclusive('\n').map(|line| {
        let at = next;
        next += line.len();
        (at, line.trim_end())
    });
    placed.collect()
}

fn strings(text: &str) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut open: Option<(usize, &str)> = None;
    let mut at = 0;
    while let Some(rest) = text.get(at..).filter(|rest| !rest.is_empty()) {
        let (step, next) = match open {
            Some(_) if rest.starts_with('\\') => (escape(rest), open),
            Some((_, quote)) => match rest.strip_prefix(quote) {
                Some(_) => (quote.len(), None),
                None => (character(rest), open),
            },
            // A fence around code, not a string.
            None if rest.starts_with("```") => (3, None),
            None => match QUOTES.iter().find(|quote| rest.starts_with(**quote)) {
                Some(quote) => (quote.len(), Some((at, *quote))),
                // In a string on one line other quotes open nothing.
                None if rest.starts_with('\'') => (short(rest).unwrap_or(1), None),
                None => (character(rest), None),
            },
        };
        if let (Some((start, _)), None) = (open, next) {
            found.push(start..at + step);
        }
        (at, open) = (at + step, next);
    }
    found.extend(open.map(|(start, _)| start..text.len()));
    found.retain(|range| text.get(range.clone()).is_some_and(|string| string.contains('\n')));
    found
}

fn character(rest: &str) -> usize {
    rest.chars().next().map_or(1, char::len_utf8)
}

/// A backslash with what it escapes.
fn escape(rest: &str) -> usize {
    rest.chars().take(2).map(char::len_utf8).sum()
}

/// The length of a string in single quotes that ends on its line.
fn short(rest: &str) -> Option<usize> {
    let inside = rest.get(1..)?;
    let end = inside.find(['\'', '\n'])?;
    inside.get(end..)?.starts_with('\'').then_some(end + 2)
}

/// The lines that a here-document may end with, by what stands on them.
fn ends<'a>(lines: &[(usize, &'a str)]) -> HashMap<&'a str, Vec<usize>> {
    let mut ends: HashMap<&str, Vec<usize>> = HashMap::new();
    for (index, (_, line)) in lines.iter().enumerate() {
        ends.entry(line.trim()).or_default().push(index);
    }
    ends
}

/// How many of the lines below belong to the here-document that a line begins.
fn here_document(line: &str, index: usize, ends: &HashMap<&str, Vec<usize>>) -> usize {
    let words = line.match_indices("<<").filter_map(|(at, _)| {
        let word =
            line.get(at + 2..)?.trim_start_matches(['-', '~', ' ']).trim_start_matches(['\'', '"', '\\']);
        let end = word.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(word.len());
        word.get(..end).filter(|word| !word.is_empty())
    });
    let lengths = words.filter_map(|word| {
        let places = ends.get(word)?;
        places.get(places.partition_point(|end| *end <= index)).map(|end| end - index)
    });
    lengths.max().unwrap_or_default()
}

/// How many of the lines below belong to the block scalar of YAML that a line begins.
fn block_scalar(line: &str, below: &[(usize, &str)]) -> usize {
    let bare = line.split(" #").next().unwrap_or(line).trim_end();
    let Some(head) = bare
        .trim_end_matches(|c: char| c.is_ascii_digit() || matches!(c, '+' | '-'))
        .strip_suffix(['|', '>'])
    else {
        return 0;
    };
    if !head.trim_end().ends_with([':', '-']) || !head.ends_with(' ') {
        return 0;
    }
    let depth = |line: &str| line.len() - line.trim_start().len();
    let ends = below.iter().position(|(_, below)| !below.is_empty() && depth(below) <= depth(line));
    ends.unwrap_or(below.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn assert_spanned(text: &str, expected: &[usize]) {
        let spanned = lines_spanned(text);
        let found: Vec<usize> = (1..=spanned.len()).filter(|line| spanned[line - 1]).collect();
        assert_eq!(found, expected, "{text}");
    }

    #[test]
    fn texts_of_several_lines_are_seen() {
        assert_spanned("a\nx = \"\"\"\nfoo   bar\n\"\"\"\nb\n", &[2, 3, 4]);
        assert_spanned("def f():\n    '''Doc.'''\n    g(a,   b)\n", &[]);
        assert_spanned("s = `a\n  b ${c}`\nd\n", &[1, 2]);
        assert_spanned("echo \"one\n  two\"\nthree\n", &[1, 2]);
        assert_spanned("c = '\"'\nd   = 1\n", &[]);
        assert_spanned("s = \"a \\\" b\"\nt = 1\n", &[]);
        assert_spanned("cat <<-'END' | sort\n  a  b\nEND\necho\n", &[1, 2, 3]);
        assert_spanned("cout << END << x;\na   = 1;\n", &[]);
        assert_spanned("k: |\n  a   b\n\n  c\nl: 1\n", &[1, 2, 3, 4]);
        assert_spanned("- >-  # folded\n   a   b\n- c\n", &[1, 2]);
        assert_spanned("if (a ||\n    b) {}\nx = a >\n  b\n", &[]);
        assert_spanned("```sh\na   b\n```\nc\n", &[]);
        assert_spanned("it's   one\nand two\n", &[]);
    }
}
