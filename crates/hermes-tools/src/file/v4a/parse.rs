//! Reads the text of a patch. Everything is understood before anything is done.

use super::diff_head::is_head_of;
use super::fences::Fences;
use super::last_line::{self, LastLine, NO_NEWLINE};
use super::numbers::Numbers;

/// One thing the patch does to one file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Operation {
    Add { path: String, content: String },
    Delete { path: String },
    Move { from: String, to: String },
    Update { path: String, move_to: Option<String>, hunks: Vec<Hunk> },
}

/// A change at one place of a file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Hunk {
    /// Lines that stand above the place, outermost first.
    pub(crate) scope: Vec<String>,
    /// Where the lines stand, if the patch says it as `diff` does.
    pub(crate) numbers: Option<Numbers>,
    pub(crate) lines: Vec<Line>,
    /// The place is the end of the file.
    pub(crate) at_end: bool,
    /// Which of the lines are said to have no end, and what that makes of the file's last line.
    pub(crate) unended: Vec<usize>,
    pub(crate) last_line: LastLine,
    /// Where the hunk stands in the patch, counted from 1.
    pub(crate) patch_line: usize,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Line {
    Context(String),
    /// Context without the leading space.
    Bare(String),
    /// An empty line without the leading space: context, unless it only separates parts of the patch.
    Blank,
    Remove(String),
    Add(String),
}

impl Hunk {
    /// Whether it leaves other lines than it finds.
    fn changes(&self) -> bool {
        let found = self.lines.iter().filter(|line| !matches!(line, Line::Add(_))).map(Line::text);
        let left = self.lines.iter().filter(|line| !matches!(line, Line::Remove(_))).map(Line::text);
        !found.eq(left) || self.last_line != LastLine::AsItIs
    }
}

impl Line {
    pub(super) fn text(&self) -> &str {
        match self {
            Line::Context(text) | Line::Bare(text) | Line::Remove(text) | Line::Add(text) => text,
            Line::Blank => "",
        }
    }
}

impl Operation {
    /// Every path the operation touches.
    pub(crate) fn paths(&self) -> Vec<&str> {
        match self {
            Operation::Add { path, .. } | Operation::Delete { path } => vec![path],
            Operation::Move { from, to } => vec![from, to],
            Operation::Update { path, move_to, .. } => {
                std::iter::once(path.as_str()).chain(move_to.as_deref()).collect()
            }
        }
    }
}

/// Reads a patch; an error names the line and what was expected there.
pub(crate) fn parse(patch: &str) -> Result<Vec<Operation>, String> {
    let patch = patch.strip_prefix('\u{feff}').unwrap_or(patch);
    let mut operations: Vec<Operation> = Vec::new();
    // What stands around the frame is talk, unless it looks like a part of the patch.
    let mut is_outside = patch.lines().any(|line| matches!(header(line), Some(Header::Begin)));
    let mut fences = Fences::of(patch);
    // Blank lines of a new file that lack their sign.
    let mut blanks = 0;
    for (index, raw) in patch.lines().enumerate() {
        let line = raw.strip_suffix('\r').unwrap_or(raw);
        match header(line) {
            Some(Header::Begin) => is_outside = false,
            Some(Header::End) => is_outside = true,
            None if fences.takes(line, index, is_outside || operations.is_empty()) => {}
            None if is_outside && (operations.is_empty() || !line.starts_with(['+', '-', '@'])) => {}
            _ if is_outside => {
                return Err(format!("line {}: '{line}' stands outside Begin Patch and End Patch", index + 1));
            }
            Some(Header::EndOfFile) => end_of_file(&mut operations, index + 1)?,
            Some(Header::MoveTo(path)) => move_to(&mut operations, path, index + 1)?,
            Some(Header::Operation(operation)) => {
                operations.push(operation);
                blanks = 0;
            }
            Some(Header::Unknown) => {
                return Err(format!("line {}: '{line}' is no header of a patch", index + 1));
            }
            None => body(&mut operations, &mut blanks, line, index + 1)?,
        }
    }
    if operations.is_empty() {
        return Err("the patch names no file; it needs '*** Update File: path' or the like".to_owned());
    }
    for operation in &mut operations {
        if let Some(folder) = operation.paths().into_iter().find(|path| path.ends_with('/')) {
            return Err(format!("'{folder}' names a folder, not a file"));
        }
        finish(operation)?;
    }
    Ok(operations)
}

/// Every file that a text names as a patch would, also where it is none.
pub(crate) fn mentioned(text: &str) -> Vec<String> {
    let paths = |line| match header(line) {
        Some(Header::MoveTo(path)) => vec![path],
        Some(Header::Operation(operation)) => operation.paths().into_iter().map(str::to_owned).collect(),
        _ => Vec::new(),
    };
    text.lines().flat_map(paths).collect()
}

enum Header {
    Begin,
    End,
    EndOfFile,
    MoveTo(String),
    Operation(Operation),
    Unknown,
}

fn header(line: &str) -> Option<Header> {
    let text = line.strip_prefix("***")?.trim();
    let after = |words: &str| text.strip_prefix(words).map(plain_path).filter(|rest| !rest.is_empty());
    Some(if text == "Begin Patch" {
        Header::Begin
    } else if text == "End Patch" {
        Header::End
    } else if text == "End of File" {
        Header::EndOfFile
    } else if let Some(path) = after("Add File:") {
        Header::Operation(Operation::Add { path, content: String::new() })
    } else if let Some(path) = after("Delete File:") {
        Header::Operation(Operation::Delete { path })
    } else if let Some(path) = after("Update File:") {
        Header::Operation(Operation::Update { path, move_to: None, hunks: Vec::new() })
    } else if let Some(path) = after("Move to:") {
        Header::MoveTo(path)
    } else if let Some((from, to)) = after("Move File:").as_deref().and_then(|both| both.split_once(" -> ")) {
        Header::Operation(Operation::Move { from: plain_path(from), to: plain_path(to) })
    } else {
        Header::Unknown
    })
}

/// A path without what does not matter, so that one file has one name.
fn plain_path(text: &str) -> String {
    let path = text.trim();
    let parts: Vec<&str> = path.split('/').filter(|part| !matches!(*part, "" | ".")).collect();
    let (root, folder) = (path.starts_with('/'), path.ends_with('/') && !parts.is_empty());
    format!("{}{}{}", if root { "/" } else { "" }, parts.join("/"), if folder { "/" } else { "" })
}

fn end_of_file(operations: &mut [Operation], number: usize) -> Result<(), String> {
    match operations.last_mut() {
        Some(Operation::Update { hunks, .. }) if !hunks.is_empty() => {
            if let Some(hunk) = hunks.last_mut() {
                hunk.at_end = true;
            }
            Ok(())
        }
        _ => Err(format!("line {number}: '*** End of File' stands outside a hunk")),
    }
}

fn move_to(operations: &mut [Operation], path: String, number: usize) -> Result<(), String> {
    match operations.last_mut() {
        Some(Operation::Update { move_to: to @ None, hunks, .. }) if hunks.is_empty() => {
            *to = Some(path);
            Ok(())
        }
        _ => Err(format!("line {number}: '*** Move to:' belongs right below '*** Update File:'")),
    }
}

fn body(operations: &mut [Operation], blanks: &mut usize, line: &str, number: usize) -> Result<(), String> {
    let misplaced = || Err(format!("line {number}: '{line}' belongs to no file"));
    match operations.last_mut() {
        None if line.trim().is_empty() => Ok(()),
        None => misplaced(),
        Some(Operation::Add { content, .. }) => match line.strip_prefix('+') {
            Some(_) if !content.is_empty() && !content.ends_with('\n') => {
                Err(format!("line {number}: stands below '{NO_NEWLINE}'"))
            }
            Some(added) => {
                content.extend(std::iter::repeat_n('\n', std::mem::take(blanks)));
                content.push_str(added);
                content.push('\n');
                Ok(())
            }
            None if line.trim_end() == NO_NEWLINE && content.ends_with('\n') => {
                content.pop();
                Ok(())
            }
            // Between lines it is one of them; before the first and after the last it only separates.
            None if line.trim().is_empty() => {
                *blanks += usize::from(!content.is_empty());
                Ok(())
            }
            None => Err(format!("line {number}: every line of a new file begins with '+'")),
        },
        Some(Operation::Update { hunks, .. }) => {
            in_hunk(hunks, line, number);
            Ok(())
        }
        Some(Operation::Delete { .. } | Operation::Move { .. }) if line.trim().is_empty() => Ok(()),
        Some(Operation::Delete { .. } | Operation::Move { .. }) => misplaced(),
    }
}

fn in_hunk(hunks: &mut Vec<Hunk>, line: &str, number: usize) {
    if let Some(rest) = line.strip_prefix("@@") {
        let numbers = Numbers::read(rest);
        let hint = rest.trim().trim_end_matches("@@").trim();
        let scope = (!hint.is_empty() && numbers.is_none()).then(|| hint.to_owned());
        // `@@` right below another one narrows the same place.
        match hunks.last_mut() {
            Some(open) if open.lines.is_empty() && !open.scope.is_empty() => {
                open.scope.extend(scope);
                open.numbers = numbers;
            }
            _ => {
                let scope = scope.into_iter().collect();
                hunks.push(Hunk { scope, numbers, patch_line: number, ..Hunk::default() });
            }
        }
        return;
    }
    // This is about the line above it. Any other backslash is the file's.
    if line.trim_end() == NO_NEWLINE
        && let Some(hunk) = hunks.last_mut()
        && let Some(above) = hunk.lines.len().checked_sub(1)
    {
        hunk.unended.push(above);
        return;
    }
    if hunks.is_empty() {
        if line.trim().is_empty() {
            return;
        }
        hunks.push(Hunk { patch_line: number, ..Hunk::default() });
    }
    let Some(hunk) = hunks.last_mut() else { return };
    let mut characters = line.chars();
    hunk.lines.push(match characters.next() {
        None => Line::Blank,
        Some('+') => Line::Add(characters.as_str().to_owned()),
        Some('-') => Line::Remove(characters.as_str().to_owned()),
        Some(' ') => Line::Context(characters.as_str().to_owned()),
        Some(_) => Line::Bare(line.to_owned()),
    });
}

fn finish(operation: &mut Operation) -> Result<(), String> {
    let Operation::Update { path, move_to, hunks } = operation else { return Ok(()) };
    hunks.retain(|hunk| hunk.lines.iter().any(|line| *line != Line::Blank));
    if let [first, _, ..] = hunks.as_slice()
        && is_head_of(first, path, move_to.as_deref())
    {
        hunks.remove(0);
    }
    for hunk in hunks.iter_mut().filter(|hunk| !hunk.unended.is_empty()) {
        hunk.at_end = true;
        hunk.last_line = last_line::of(hunk)?;
    }
    if let Some(idle) = hunks.iter().find(|hunk| !hunk.changes()) {
        return Err(format!("line {}: the hunk for '{path}' changes nothing", idle.patch_line));
    }
    if hunks.is_empty() && move_to.is_none() {
        return Err(format!("the update of '{path}' has no hunks"));
    }
    Ok(())
}
