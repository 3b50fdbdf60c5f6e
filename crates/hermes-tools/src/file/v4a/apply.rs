//! Applies a whole patch to files in memory. Later operations see what earlier ones did; the first
//! failure means that nothing is to be written.

use std::collections::BTreeMap;

use super::hunk::{self, Lines};
use super::parse::{Line, Operation};
use crate::file::edit::ends_in_returns;
use crate::file::text::body::Body;

/// Why a file cannot be changed that is not there.
pub(crate) const NOT_THERE: &str = "does not exist";

/// How the names of files end that have headings of their own.
const MARKDOWN: [&str; 4] = [".md", ".mdx", ".markdown", ".qmd"];

/// What a patch may ask about the files as they are.
pub(crate) trait Files {
    /// The content of a file, `None` if nothing is there; an error if it cannot be patched.
    fn read(&mut self, path: &str) -> Result<Option<Vec<u8>>, String>;

    /// Whether the file, which was read, is not as the patch's author saw it. Then only what stands there letter by
    /// letter is taken for what was meant.
    fn was_missed(&self, path: &str) -> bool;
}

/// What becomes of one path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Change {
    pub(crate) path: String,
    /// `None` if nothing was there.
    pub(crate) before: Option<Vec<u8>>,
    /// `None` if nothing is left there.
    pub(crate) after: Option<Vec<u8>>,
    /// The path this file was moved from, so that its mode can move with it.
    pub(crate) moved_from: Option<String>,
}

struct Desk<'a> {
    files: &'a mut dyn Files,
    changes: BTreeMap<String, Change>,
}

/// The changes, sorted by path. An error names the file and the reason.
pub(crate) fn apply(operations: &[Operation], files: &mut dyn Files) -> Result<Vec<Change>, String> {
    let mut desk = Desk { files, changes: BTreeMap::new() };
    for operation in operations {
        match operation {
            Operation::Add { path, content } => desk.add(path, content.clone().into_bytes())?,
            Operation::Delete { path } => {
                desk.take(path)?;
            }
            Operation::Move { from, to } => desk.rename(from, to)?,
            Operation::Update { path, move_to, hunks } => {
                desk.update(path, hunks)?;
                if let Some(to) = move_to.as_deref().filter(|to| to != path) {
                    desk.rename(path, to)?;
                }
            }
        }
    }
    desk.has_no_file_below_a_file()?;
    Ok(desk.changes.into_values().filter(|change| change.before != change.after).collect())
}

impl Desk<'_> {
    fn change(&mut self, path: &str) -> Result<&mut Change, String> {
        if !self.changes.contains_key(path) {
            let before = self.files.read(path).map_err(|reason| format!("{path}: {reason}"))?;
            let change = Change { path: path.to_owned(), after: before.clone(), before, moved_from: None };
            self.changes.insert(path.to_owned(), change);
        }
        self.changes.get_mut(path).ok_or_else(|| format!("{path}: lost"))
    }

    fn add(&mut self, path: &str, content: Vec<u8>) -> Result<(), String> {
        let change = self.change(path)?;
        if change.after.is_some() {
            return Err(format!("{path}: already exists; update it instead of adding it"));
        }
        change.after = Some(content);
        Ok(())
    }

    fn take(&mut self, path: &str) -> Result<(Vec<u8>, Option<String>), String> {
        let change = self.change(path)?;
        let origin = change.moved_from.take().or_else(|| change.before.is_some().then(|| path.to_owned()));
        let text = change.after.take().ok_or_else(|| format!("{path}: {NOT_THERE}"))?;
        Ok((text, origin))
    }

    fn rename(&mut self, from: &str, to: &str) -> Result<(), String> {
        if from == to {
            return Err(format!("{to}: would be moved to the name that it has"));
        }
        if self.change(to)?.after.is_some() {
            return Err(format!("{to}: already exists; delete it first if it is to be replaced"));
        }
        let (text, origin) = self.take(from)?;
        let change = self.change(to)?;
        change.after = Some(text);
        change.moved_from = origin;
        Ok(())
    }

    /// What the files were before says this of each by itself; here it is about those that the patch makes.
    fn has_no_file_below_a_file(&self) -> Result<(), String> {
        let is_file = |path: &str| self.changes.get(path).is_some_and(|change| change.after.is_some());
        for path in self.changes.keys().filter(|path| is_file(path)) {
            let mut folders = path.match_indices('/').filter_map(|(end, _)| path.get(..end));
            if let Some(folder) = folders.find(|folder| is_file(folder)) {
                return Err(format!("{path}: '{folder}' would be a file, and so cannot hold another"));
            }
        }
        Ok(())
    }

    fn update(&mut self, path: &str, hunks: &[super::parse::Hunk]) -> Result<(), String> {
        self.change(path)?;
        let exactly = self.files.was_missed(path);
        let change = self.change(path)?;
        let bytes = change.after.as_deref().ok_or_else(|| format!("{path}: {NOT_THERE}"))?;
        let body = Body::decode_for_edit(bytes).map_err(|reason| format!("{path}: {reason}"))?;
        let is_of_returns = ends_in_returns(&body.text);
        let mut lines =
            if is_of_returns { Lines::of(&body.text.replace('\r', "\n")) } else { Lines::of(&body.text) };
        lines.is_markdown = MARKDOWN.iter().any(|ending| path.ends_with(ending));
        let mut from = 0;
        for hunk in hunks {
            let added = hunk.lines.iter().filter_map(|line| match line {
                Line::Add(text) => Some(text.as_str()),
                _ => None,
            });
            for text in added {
                body.accepts(text).map_err(|reason| format!("{path}: {reason}"))?;
            }
            from =
                hunk::apply(&mut lines, hunk, from, exactly).map_err(|reason| format!("{path}: {reason}"))?;
        }
        let text = if is_of_returns { lines.text().replace('\n', "\r") } else { lines.text() };
        change.after = Some(body.encode(&text));
        Ok(())
    }
}
