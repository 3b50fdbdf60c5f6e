//! The commit itself, on judged paths.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use hermes_core::{ErrorCode, ToolError};
use tokio_util::sync::CancellationToken;

pub(crate) use super::stage::Staged;
use super::stage::stage;
use super::swap::{self, Swap};
use crate::workspace::errors::{cancelled, explain};
use crate::workspace::folder::Folder;
use crate::workspace::previous::gone;
use crate::workspace::sweep::Swept;

/// What becomes of one file. The path is absolute and free of links.
#[derive(Clone, Debug)]
pub(crate) struct Edit<'a> {
    pub(crate) path: PathBuf,
    /// What the content must be; `None` if there must be no file.
    pub(crate) expected_sha256: Option<&'a str>,
    pub(crate) after: Option<&'a [u8]>,
    /// Permission bits for a file that is made anew.
    pub(crate) mode: Option<u32>,
    /// Another file of the same commit whose mode, owner and attributes a new file takes over.
    pub(crate) like: Option<PathBuf>,
}

/// What came of one edit.
pub(crate) struct Done {
    pub(crate) other_names: u64,
    pub(crate) sha256: Option<String>,
}

/// Makes all edits or none. `remember` sees them when nothing has changed yet and may still refuse.
pub(crate) fn commit(
    edits: &[Edit<'_>],
    remember: impl FnOnce(&[Staged<'_>]) -> Result<(), ToolError>,
    swept: &Swept,
    cancel: &CancellationToken,
) -> Result<Vec<Done>, ToolError> {
    refuse_doubles(edits.iter().map(|edit| edit.path.as_path()))?;
    let mut made = Vec::new();
    let committed = open_folders(edits, &mut made)
        .and_then(|folders| commit_in(edits, &folders, remember, swept, cancel));
    if committed.is_err() {
        Folder::unmake(&made);
    }
    committed
}

fn commit_in(
    edits: &[Edit<'_>],
    folders: &BTreeMap<&Path, Folder>,
    remember: impl FnOnce(&[Staged<'_>]) -> Result<(), ToolError>,
    swept: &Swept,
    cancel: &CancellationToken,
) -> Result<Vec<Done>, ToolError> {
    // In the order of their names, so that two commits never wait for each other.
    for folder in folders.values() {
        if folder.lock(cancel)? {
            swept.sweep(folder);
        }
    }
    let mut staged = stage(edits, folders, cancel)?;
    remember(&staged)?;
    if cancel.is_cancelled() {
        return Err(cancelled());
    }
    let mut swaps: Vec<Swap<'_>> = Vec::with_capacity(staged.len());
    let last = staged.len().saturating_sub(1);
    for (index, one) in staged.iter_mut().enumerate() {
        match swap::forward(one, index == last) {
            Ok(swap) => swaps.push(swap),
            Err(errno) => {
                let error = explain("write", one.path, errno);
                return Err(swap::back(swaps, error));
            }
        }
    }
    for swap in &swaps {
        swap.dispose();
    }
    for folder in folders.values() {
        folder.sync().map_err(|errno| unsettled(edits, errno))?;
    }
    Ok(staged.into_iter().map(Staged::done).collect())
}

pub(crate) fn refuse_doubles<'a>(paths: impl Iterator<Item = &'a Path>) -> Result<(), ToolError> {
    let mut paths: Vec<&Path> = paths.collect();
    paths.sort_unstable();
    match paths.windows(2).find(|pair| matches!(pair, [a, b] if a == b)) {
        Some([path, ..]) => Err(ToolError::invalid(format!(
            "'{}' is named twice, under different spellings; write it in one way",
            path.display()
        ))),
        _ => Ok(()),
    }
}

fn open_folders<'a>(
    edits: &'a [Edit<'_>],
    made: &mut Vec<PathBuf>,
) -> Result<BTreeMap<&'a Path, Folder>, ToolError> {
    let mut folders = BTreeMap::new();
    for edit in edits {
        let Some(parent) = edit.path.parent() else {
            return Err(ToolError::invalid("the path names the root folder, not a file"));
        };
        if folders.contains_key(parent) {
            continue;
        }
        let folder = match Folder::open(parent)? {
            Some(folder) => folder,
            None if edit.expected_sha256.is_some() || edit.after.is_none() => return Err(gone(&edit.path)),
            None => Folder::open_or_create(parent, made)?,
        };
        folders.insert(parent, folder);
    }
    Ok(folders)
}

/// The new contents are in place, but whether they survive a power cut is not known.
fn unsettled(edits: &[Edit<'_>], error: impl Into<std::io::Error>) -> ToolError {
    let paths: Vec<String> = edits.iter().map(|edit| edit.path.display().to_string()).collect();
    ToolError::new(
        ErrorCode::OutcomeUnknown,
        format!("written, but the disk did not confirm it; read back: {}", paths.join(", ")),
    )
    .with_operator(error.into().to_string())
}
