//! The fenced blocks of a page, and running those that show commands.

use std::process::Command;

/// One fenced block.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Block<'a> {
    /// The comment on the line before it, such as `file: a/b.rs`.
    pub(crate) note: Option<&'a str>,
    pub(crate) language: &'a str,
    pub(crate) body: String,
}

/// All fenced blocks, in order.
pub(crate) fn blocks(page: &str) -> Vec<Block<'_>> {
    let mut found: Vec<Block<'_>> = Vec::new();
    let (mut note, mut inside) = (None, false);
    for line in page.lines() {
        let fence = line.strip_prefix("```");
        match (inside, fence) {
            (true, Some(_)) => inside = false,
            (true, None) => {
                let body = &mut found.last_mut().unwrap().body;
                body.push_str(line);
                body.push('\n');
            }
            (false, Some(language)) => {
                inside = true;
                found.push(Block { note: note.take(), language, body: String::new() });
            }
            (false, None) => note = line.strip_prefix("<!-- ").and_then(|line| line.strip_suffix(" -->")),
        }
    }
    assert!(!inside, "a block is not closed");
    found
}

/// A command of a `console` block and what it must print, standard error included.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Step {
    pub(crate) command: String,
    pub(crate) expected: Vec<String>,
}

/// `$ ` begins a command, `> ` continues it, everything else is what it prints.
pub(crate) fn steps(body: &str) -> Vec<Step> {
    let mut steps: Vec<Step> = Vec::new();
    for line in body.lines() {
        if let Some(command) = line.strip_prefix("$ ") {
            steps.push(Step { command: command.to_owned(), expected: Vec::new() });
            continue;
        }
        let step = steps.last_mut().expect("a block begins with a command");
        match line.strip_prefix("> ").or((line == ">").then_some("")) {
            Some(more) if step.expected.is_empty() => step.command.push_str(&format!("\n{more}")),
            _ => step.expected.push(line.to_owned()),
        }
    }
    steps
}

/// Runs a step with `shell`, a prepared `bash`, and compares. `[..]` stands for any text within a line,
/// `...` alone for any lines.
pub(crate) fn run(step: &Step, mut shell: Command) {
    // One stream, as on a terminal.
    shell.arg("-c").arg(format!("exec 2>&1\n{}", step.command));
    let output = shell.output().unwrap();
    let printed = String::from_utf8(output.stdout).unwrap();
    let lines: Vec<&str> = printed.lines().map(str::trim_end).collect();
    let expected: Vec<&str> = step.expected.iter().map(|line| line.trim_end()).collect();
    assert!(
        lines_match(&expected, &lines),
        "\n$ {}\n--- expected\n{}\n--- printed\n{printed}",
        step.command,
        step.expected.join("\n"),
    );
}

fn lines_match(expected: &[&str], lines: &[&str]) -> bool {
    match (expected, lines) {
        (["...", rest @ ..], _) => (0..=lines.len()).any(|skipped| lines_match(rest, &lines[skipped..])),
        ([wanted, expected @ ..], [line, lines @ ..]) => {
            line_matches(wanted, line) && lines_match(expected, lines)
        }
        (expected, lines) => expected.is_empty() && lines.is_empty(),
    }
}

fn line_matches(wanted: &str, line: &str) -> bool {
    match wanted.split_once("[..]") {
        None => wanted == line,
        Some((head, rest)) => line.strip_prefix(head).is_some_and(|line| {
            let mut ends = line.char_indices().map(|(at, _)| at).chain([line.len()]);
            ends.any(|at| line.get(at..).is_some_and(|line| line_matches(rest, line)))
        }),
    }
}

#[test]
fn pages_are_read() {
    let page = "text\n<!-- file: a.rs -->\n```rust\nfn a() {}\n```\n\n```console\n$ a \\\n> b\nc\n$ d\n```\n";
    let blocks = blocks(page);
    assert_eq!(blocks[0], Block { note: Some("file: a.rs"), language: "rust", body: "fn a() {}\n".into() });
    assert_eq!(blocks[1].note, None);
    let steps = steps(&blocks[1].body);
    assert_eq!(steps[0], Step { command: "a \\\nb".into(), expected: vec!["c".into()] });
    assert_eq!(steps[1].command, "d");
}

#[test]
fn wildcards_match() {
    let matches = |expected: &str, printed: &str| {
        lines_match(&expected.lines().collect::<Vec<_>>(), &printed.lines().collect::<Vec<_>>())
    };
    assert!(matches("a [..] c\n...\nz", "a b c\nx\ny\nz"));
    assert!(matches("...", ""));
    assert!(matches("[..]", "anything"));
    assert!(!matches("a", "a\nb"));
    assert!(!matches("a [..] d", "a b c"));
    assert!(!matches("...\nz", "x\ny"));
}
