//! The places nearest to a text that was not found, for a model to look at. Never for editing.

/// How many places are shown.
const MAX_SHOWN: usize = 3;
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
    let bags: Vec<Vec<&str>> = wanted.iter().map(|line| words(line)).collect();
    let mut scored: Vec<(usize, usize)> = Vec::new();
    for start in 0..lines.len() {
        let run = lines.iter().skip(start).zip(&bags);
        let score: usize = run.map(|(line, bag)| shared(bag, line)).sum();
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

fn words(line: &str) -> Vec<&str> {
    line.split(|character: char| !character.is_alphanumeric() && character != '_')
        .filter(|word| !word.is_empty())
        .collect()
}

fn shared(bag: &[&str], line: &str) -> usize {
    let present = words(line);
    bag.iter().filter(|word| present.contains(word)).count()
}

fn candidate(lines: &[&str], wanted: &[&str], start: usize) -> Candidate {
    let mut diff = String::new();
    for (offset, asked) in wanted.iter().enumerate() {
        match lines.get(start + offset) {
            Some(found) if found == asked => diff.push_str(&format!("  {found}\n")),
            Some(found) => diff.push_str(&format!("- {asked}\n+ {found}\n")),
            None => diff.push_str(&format!("- {asked}\n")),
        }
    }
    Candidate { line: start + 1, diff }
}
