//! The places nearest to a text that was not found, for a model to look at. Never for editing.

use std::borrow::Cow;
use std::collections::HashMap;

/// How many places are shown.
const MAX_SHOWN: usize = 3;
/// How much of a line.
const MAX_SHOWN_CHARS: usize = 1_000;
/// Files with more lines than this are not searched for likenesses.
const MAX_LINES: usize = 50_000;

/// A place that resembles what was asked for.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Candidate {
    /// Counted from 1.
    pub(crate) line: usize,
    /// A small diff: `-` lines as asked for, `+` lines as the file has them, others are the same.
    pub(crate) diff: String,
}

/// The runs of lines most like `old`, best first.
pub(crate) fn nearest(text: &str, old: &str) -> Vec<Candidate> {
    let wanted: Vec<&str> = old.trim_matches('\n').lines().collect();
    let lines: Vec<&str> = text.lines().collect();
    if wanted.is_empty() || lines.len() > MAX_LINES {
        return Vec::new();
    }
    // Likeness by words is cheap enough for every line; runs are compared line by line from there.
    let mut known: HashMap<&str, usize> = HashMap::new();
    let mut bags: Vec<Vec<usize>> = Vec::new();
    for line in &wanted {
        let next = |word| {
            let number = known.len();
            *known.entry(word).or_insert(number)
        };
        bags.push(words(line).map(next).collect());
    }
    let present: Vec<Vec<usize>> = lines.iter().map(|line| present(line, &known)).collect();
    let mut scored: Vec<(usize, usize)> = Vec::new();
    for start in 0..lines.len() {
        let run = present.iter().skip(start).zip(&bags);
        let score: usize = run.map(|(present, bag)| shared(bag, present)).sum();
        if score > 0 {
            scored.push((score, start));
        }
    }
    let total: usize = bags.iter().map(Vec::len).sum();
    scored.sort_by(|a, b| b.0.cmp(&a.0).then(a.1.cmp(&b.1)));
    let mut shown: Vec<(usize, usize)> = Vec::new();
    for (score, start) in scored {
        let near = shown.iter().any(|(_, other)| start.abs_diff(*other) < wanted.len());
        if !near && score * 2 >= total {
            shown.push((score, start));
        }
        if shown.len() == MAX_SHOWN {
            break;
        }
    }
    shown.into_iter().map(|(_, start)| candidate(&lines, &wanted, start)).collect()
}

fn words(line: &str) -> impl Iterator<Item = &str> {
    line.split(|character: char| !character.is_alphanumeric() && character != '_')
        .filter(|word| !word.is_empty())
}

/// Which of the known words a line has, in order.
fn present(line: &str, known: &HashMap<&str, usize>) -> Vec<usize> {
    let mut found: Vec<usize> = words(line).filter_map(|word| known.get(word).copied()).collect();
    found.sort_unstable();
    found.dedup();
    found
}

fn shared(bag: &[usize], present: &[usize]) -> usize {
    if present.is_empty() {
        return 0;
    }
    bag.iter().filter(|word| present.binary_search(word).is_ok()).count()
}

fn candidate(lines: &[&str], wanted: &[&str], start: usize) -> Candidate {
    let mut diff = String::new();
    for (offset, asked) in wanted.iter().enumerate() {
        match lines.get(start + offset) {
            Some(found) if found == asked => diff.push_str(&format!("  {}\n", cut(found))),
            Some(found) => diff.push_str(&format!("- {}\n+ {}\n", cut(asked), cut(found))),
            None => diff.push_str(&format!("- {}\n", cut(asked))),
        }
    }
    Candidate { line: start + 1, diff }
}

/// The beginning of a line that is too long to be shown.
fn cut(line: &str) -> Cow<'_, str> {
    match line.char_indices().nth(MAX_SHOWN_CHARS) {
        Some((end, _)) => format!("{}…", line.get(..end).unwrap_or_default()).into(),
        None => line.into(),
    }
}
