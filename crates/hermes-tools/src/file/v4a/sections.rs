//! Sections that nothing closes and that are no deeper than their heading: in configuration, in prose, and in lists that
//! begin below their key. The next heading of the kind ends them.

use super::block::depth;
use super::hunk::Lines;

/// The form of a heading.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Form {
    /// `[name]`
    Bracketed,
    /// `## name`, `== name` or `\section{name}`, each with its level.
    Hashes(usize),
    Equals(usize),
    Command(usize),
    /// `name:` above items that stand as far out as it does.
    Key,
}

/// Where the section of a heading ends; `None` if it heads none.
pub(super) fn section_end(file: &Lines, heading: usize) -> Option<usize> {
    let own = form(file, heading)?;
    let line = file.lines.get(heading)?;
    let mut is_quoted = false;
    let mut below = file.lines.iter().enumerate().skip(heading + 1).filter(|(_, line)| {
        let is_fence = is_fence(line);
        is_quoted ^= is_fence;
        !is_fence && !is_quoted
    });
    let end = below.find(|(at, below)| match own {
        Form::Key => {
            !below.trim().is_empty() && depth(below) <= depth(line) && !is_item(below) && !is_remark(below)
        }
        _ => depth(below) <= depth(line) && form(file, *at).is_some_and(|other| ends(own, other)),
    });
    Some(end.map_or(file.lines.len(), |(at, _)| at))
}

/// Whether a place behind the end of a section lies in another one: in a list only its items do.
pub(super) fn is_in_next(file: &Lines, heading: usize, end: usize, place: usize) -> bool {
    match form(file, heading) {
        Some(Form::Key) => place >= end && file.lines.get(place).is_some_and(|line| is_item(line)),
        Some(_) => place > end,
        None => false,
    }
}

fn form(file: &Lines, at: usize) -> Option<Form> {
    let line = file.lines.get(at)?.trim();
    let level = |sign: char| {
        let text = line.trim_start_matches(sign);
        text.starts_with(' ').then_some(line.len() - text.len()).filter(|level| (1..=6).contains(level))
    };
    if let Some(name) = bare(line).strip_prefix('[').and_then(|name| name.strip_suffix(']')) {
        // A list of values is none.
        return (!name.is_empty() && !name.contains(',')).then_some(Form::Bracketed);
    }
    if let Some(level) = level('#') {
        // Elsewhere this is a remark.
        return (file.is_markdown || is_set_off(file, at)).then_some(Form::Hashes(level));
    }
    if let Some(level) = level('=').filter(|level| *level > 1) {
        return Some(Form::Equals(level));
    }
    if let Some(command) = line.strip_prefix('\\').and_then(|line| line.split(['{', '*']).next()) {
        return COMMANDS.iter().position(|known| *known == command).map(Form::Command);
    }
    let mut below = file.lines.iter().skip(at + 1).filter(|line| !line.trim().is_empty() && !is_remark(line));
    let mut has_items = || below.next().is_some_and(|first| is_item(first) && is_as_deep(file, at, first));
    (bare(line).ends_with(':') && !is_item(line) && has_items()).then_some(Form::Key)
}

/// Headings of LaTeX, outermost first.
const COMMANDS: [&str; 6] = ["part", "chapter", "section", "subsection", "subsubsection", "paragraph"];

/// Whether a heading ends the section of another.
fn ends(own: Form, other: Form) -> bool {
    match (own, other) {
        (Form::Bracketed, Form::Bracketed) => true,
        (Form::Hashes(own), Form::Hashes(other))
        | (Form::Equals(own), Form::Equals(other))
        | (Form::Command(own), Form::Command(other)) => other <= own,
        _ => false,
    }
}

/// Whether nothing stands right above and right below a line.
fn is_set_off(file: &Lines, at: usize) -> bool {
    let is_empty =
        |at: Option<usize>| at.and_then(|at| file.lines.get(at)).is_none_or(|line| line.trim().is_empty());
    is_empty(at.checked_sub(1)) && is_empty(at.checked_add(1))
}

/// The line without a remark behind it.
fn bare(line: &str) -> &str {
    let end = [" #", " ;"].iter().filter_map(|sign| line.find(sign)).min();
    end.and_then(|end| line.get(..end)).unwrap_or(line).trim_end()
}

fn is_fence(line: &str) -> bool {
    line.trim_start().starts_with("```")
}

fn is_item(line: &str) -> bool {
    let line = line.trim_start();
    line.starts_with("- ") || line == "-"
}

fn is_remark(line: &str) -> bool {
    line.trim_start().starts_with('#')
}

fn is_as_deep(file: &Lines, at: usize, line: &str) -> bool {
    file.lines.get(at).is_some_and(|own| depth(own) == depth(line))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn assert_end(text: &str, heading: usize, end: Option<usize>) {
        assert_eq!(section_end(&Lines::of(text), heading), end, "{text}");
    }

    #[test]
    fn the_next_heading_of_the_kind_ends_a_section() {
        assert_end("[a]\nb = 1\n\n[[c]] # d\ne = 1\n", 0, Some(3));
        assert_end("[a]\nb = [\n1\n]\n", 0, Some(4));
        assert_end("# a\n\n## b\n\nc\n\n# d\n\ne\n", 0, Some(6));
        assert_end("# a\n\n## b\n\nc\n\n# d\n\ne\n", 2, Some(6));
        assert_end("# a\n\n```sh\n\n# b\n\n```\nc\n", 0, Some(8));
        assert_end("== a\nb\n=== c\n== d\n", 0, Some(3));
        assert_end("\\section*{a}\nb\n\\subsection{c}\n\\section{d}\n", 0, Some(3));
        assert_end("a:\n- b\n# c\n- d:\n    e\nf: 1\n", 0, Some(5));
    }

    #[test]
    fn other_lines_head_none() {
        for text in
            ["# a\nb = 1\n\n# c\nd = 1\n", "a:\n  - b\nc:\n", "[1, 2]\n[3]\n", "a {\n}\n", "- a:\n- b\n"]
        {
            assert_end(text, 0, None);
        }
    }
}
