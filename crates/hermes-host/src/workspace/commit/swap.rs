//! The moment of change: names are exchanged, each in a way that can be reversed until all are done.

use std::ffi::OsStr;
use std::path::Path;

use hermes_core::{ErrorCode, ToolError};
use rustix::fs::{AtFlags, RenameFlags, Stat, linkat, renameat, renameat_with, unlinkat};
use rustix::io::{Errno, Result};

use super::stage::Staged;
use crate::workspace::folder::Folder;
use crate::workspace::temp::is_same;

/// One exchange that was made.
pub(super) struct Swap<'a> {
    folder: &'a Folder,
    path: &'a Path,
    name: &'a OsStr,
    kept: Kept,
}

/// Where the old content is meanwhile.
enum Kept {
    /// There was none.
    Nothing,
    /// Under this temporary name.
    Under(String),
    /// Gone: this is the only exchange, and nothing can make it necessary to reverse it.
    Gone,
}

/// Puts the new content in place, if the old one is still what was looked at; [`Errno::STALE`] if it is not. The `only`
/// one needs no way back.
pub(super) fn forward<'a>(staged: &mut Staged<'a>, only: bool) -> Result<Swap<'a>> {
    let (folder, name, aside) = (staged.folder, staged.name, staged.aside.clone());
    let kept = match (staged.new.take(), &staged.old) {
        (Some(new), None) => {
            new.place(name)?;
            Kept::Nothing
        }
        (Some(new), Some(old)) if only => {
            new.replace(name, &old.stat)?;
            Kept::Gone
        }
        (Some(new), Some(old)) => {
            match linkat(folder.handle(), name, folder.handle(), aside.as_str(), AtFlags::empty()) {
                Ok(()) => {
                    let replaced = new.replace(name, &old.stat);
                    if replaced.is_err() {
                        let _ = unlinkat(folder.handle(), aside.as_str(), AtFlags::empty());
                    }
                    replaced?;
                }
                // Some file systems have no second names; there the old content gets another one for a moment.
                Err(_) => {
                    put_aside(folder, name, &aside, &old.stat)?;
                    let placed = new.place(name);
                    if placed.is_err() {
                        let _ = renameat(folder.handle(), aside.as_str(), folder.handle(), name);
                    }
                    placed?;
                }
            }
            Kept::Under(aside)
        }
        (None, Some(old)) if only => {
            is_same(folder.handle(), name, &old.stat)?;
            unlinkat(folder.handle(), name, AtFlags::empty())?;
            Kept::Gone
        }
        (None, Some(old)) => {
            put_aside(folder, name, &aside, &old.stat)?;
            Kept::Under(aside)
        }
        (None, None) => return Err(Errno::NOENT),
    };
    Ok(Swap { folder, path: staged.path, name, kept })
}

/// Gives a file another name, if it is still the one that was seen.
fn put_aside(folder: &Folder, name: &OsStr, aside: &str, seen: &Stat) -> Result<()> {
    let handle = folder.handle();
    renameat(handle, name, handle, aside)?;
    is_same(handle, OsStr::new(aside), seen).inspect_err(|_| {
        // Who saved under the name in between has the last word.
        let _ = renameat_with(handle, aside, handle, name, RenameFlags::NOREPLACE);
    })
}

impl Swap<'_> {
    fn reverse(&self) -> Result<()> {
        let folder = self.folder.handle();
        match &self.kept {
            Kept::Nothing => unlinkat(folder, self.name, AtFlags::empty()),
            Kept::Under(aside) => renameat(folder, aside.as_str(), folder, self.name),
            Kept::Gone => Err(Errno::NOENT),
        }
    }

    /// Lets go of the old content.
    pub(super) fn dispose(&self) {
        if let Kept::Under(aside) = &self.kept {
            let _ = unlinkat(self.folder.handle(), aside.as_str(), AtFlags::empty());
        }
    }
}

/// Reverses what was done, newest first, and says what came of it.
pub(super) fn back(swaps: Vec<Swap<'_>>, cause: ToolError) -> ToolError {
    let mut stuck = Vec::new();
    for swap in swaps.iter().rev() {
        if swap.reverse().is_err() {
            stuck.push(swap.path.display().to_string());
        }
        let _ = swap.folder.sync();
    }
    if stuck.is_empty() {
        let message = format!("{}; all files are as they were", cause.message);
        return ToolError { message, ..cause };
    }
    ToolError::new(
        ErrorCode::OutcomeUnknown,
        format!("{}; these files could not be put back: {}", cause.message, stuck.join(", ")),
    )
    .with_hint("'hermes undo' has their old content.")
    .with_operator(cause.operator.unwrap_or_default())
}
