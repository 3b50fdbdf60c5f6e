//! The commit itself, on judged paths.

use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};

use hermes_core::{ErrorCode, ToolError};
use rustix::io::Errno;
use tokio_util::sync::CancellationToken;

use super::intent::{Intent, Intents};
use super::stage::stage;
pub(crate) use super::stage::{Admit, Staged};
use super::swap::{self, Swap};
use crate::workspace::errors::{cancelled, explain};
use crate::workspace::folder::{Folder, unmake};
use crate::workspace::previous::{gone, overtaken};
use crate::workspace::sweep::Swept;

/// What becomes of one file. The path is absolute and free of links.
#[derive(Clone, Debug)]
pub(crate) struct Edit<'a> {
    pub(crate) path: PathBuf,
    /// What the content must be; `None` if there must be no file.
    pub(crate) expected_sha256: Option<&'a str>,
    pub(crate) after: Option<&'a [u8]>,
    /// Permission bits, and user and group, for a file that is made anew.
    pub(crate) mode: Option<u32>,
    pub(crate) owner: Option<(u32, u32)>,
    /// Another file of the same commit whose mode, owner and attributes a new file takes over.
    pub(crate) like: Option<PathBuf>,
}

/// What came of one edit.
pub(crate) struct Done {
    pub(crate) other_names: u64,
    pub(crate) sha256: Option<String>,
}

/// Makes all edits or none. `admit` may refuse each file that is there; `remember` sees them all and the folders made for
/// them when nothing else has changed yet, and may still refuse.
pub(crate) fn commit(
    edits: &[Edit<'_>],
    (admit, remember): (&Admit<'_>, impl FnOnce(&[Staged<'_>], &[PathBuf]) -> Result<(), ToolError>),
    (swept, intents): (&Swept, &Intents),
    cancel: &CancellationToken,
) -> Result<Vec<Done>, ToolError> {
    refuse_doubles(edits.iter().map(|edit| edit.path.as_path()))?;
    intents.heal();
    let mut made = Vec::new();
    let opened = open_folders(edits, &mut made);
    let committed = opened
        .and_then(|folders| commit_in(edits, (&folders, &made), (admit, remember), (swept, intents), cancel));
    if committed.is_err() {
        unmake(&made);
    }
    committed
}

fn commit_in(
    edits: &[Edit<'_>],
    (folders, made): (&BTreeMap<&Path, Folder>, &[PathBuf]),
    (admit, remember): (&Admit<'_>, impl FnOnce(&[Staged<'_>], &[PathBuf]) -> Result<(), ToolError>),
    (swept, intents): (&Swept, &Intents),
    cancel: &CancellationToken,
) -> Result<Vec<Done>, ToolError> {
    // In the order of their names, so that two commits never wait for each other.
    for folder in folders.values() {
        if folder.lock(cancel)? {
            swept.sweep(folder);
        }
    }
    let mut staged = stage(edits, folders, admit, cancel)?;
    remember(&staged, made)?;
    if cancel.is_cancelled() {
        return Err(cancelled());
    }
    let only = staged.len() == 1;
    let mut intent = match only {
        true => None,
        false => Some(intents.begin(&staged, made).map_err(unplanned)?),
    };
    let mut swaps: Vec<Swap<'_>> = Vec::with_capacity(staged.len());
    // What goes away goes last: a file that moves always has one of its names.
    let (kept, gone): (Vec<_>, Vec<_>) = staged.iter_mut().partition(|one| one.new.is_some());
    for one in kept.into_iter().chain(gone) {
        match swap::forward(one, only) {
            Ok(swap) => swaps.push(swap),
            Err(errno) => {
                let cause = match errno {
                    Errno::STALE => {
                        let edit = edits.iter().find(|edit| edit.path == one.path);
                        overtaken(one.folder, one.name, edit.and_then(|edit| edit.after).unwrap_or_default())
                    }
                    errno => explain("write", one.path, errno),
                };
                let error = swap::back(swaps, cause);
                // What could not be put back is tried again by whoever comes next.
                if let Some(intent) = intent.filter(|_| error.code != ErrorCode::OutcomeUnknown) {
                    intent.forget();
                }
                return Err(error);
            }
        }
    }
    let synced = folders.values().try_for_each(|folder| folder.sync().map_err(io::Error::from));
    let settled = intent.as_mut().map_or(Ok(()), Intent::settle);
    if settled.is_ok() {
        swaps.iter().for_each(Swap::dispose);
        if let Some(intent) = intent {
            intent.forget();
        }
    }
    synced.and(settled).map_err(|error| unsettled(edits, error))?;
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

fn unplanned(error: io::Error) -> ToolError {
    ToolError::new(
        ErrorCode::Unavailable,
        "nothing was changed: what is about to change could not be written down",
    )
    .with_operator(error.to_string())
}

/// The new contents are in place, but whether they survive a power cut is not known.
fn unsettled(edits: &[Edit<'_>], error: io::Error) -> ToolError {
    let paths: Vec<String> = edits.iter().map(|edit| edit.path.display().to_string()).collect();
    ToolError::new(
        ErrorCode::OutcomeUnknown,
        format!("written, but the disk did not confirm it; read back: {}", paths.join(", ")),
    )
    .with_operator(error.to_string())
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    /// Between the look and the change others can save.
    #[test]
    fn what_somebody_else_saved_meanwhile_stays() {
        let outer = tempfile::tempdir().unwrap();
        let folder = outer.path().join("work");
        let (one, two) = (folder.join("one"), folder.join("two"));
        let old = crate::workspace::hashing::hash_bytes(b"old");
        let edit = |path: &Path, after: Option<&'static [u8]>| Edit {
            path: path.to_owned(),
            expected_sha256: Some(old.as_str()),
            after,
            mode: None,
            owner: None,
            like: None,
        };
        let by_rename = |path: &Path| {
            fs::write(outer.path().join("new"), "saved").unwrap();
            fs::rename(outer.path().join("new"), path).unwrap();
        };
        let in_place = |path: &Path| fs::write(path, "saved").unwrap();
        for save in [&by_rename as &dyn Fn(&Path), &in_place] {
            for edits in [
                vec![edit(&two, Some(b"new"))],
                vec![edit(&two, None)],
                vec![edit(&one, Some(b"new")), edit(&two, Some(b"new"))],
                vec![edit(&one, Some(b"new")), edit(&two, None)],
            ] {
                let _ = fs::remove_dir_all(&folder);
                fs::create_dir(&folder).unwrap();
                fs::write(&one, "old").unwrap();
                fs::write(&two, "old").unwrap();
                let saved = |_: &[Staged<'_>], _: &[PathBuf]| {
                    save(&two);
                    Ok(())
                };
                let intents = Intents::at(outer.path());
                let cancel = CancellationToken::new();
                let error = commit(&edits, (&|_, _| Ok(()), saved), (&Swept::default(), &intents), &cancel)
                    .err()
                    .unwrap();
                assert_eq!(error.code, ErrorCode::Conflict, "{}", error.message);
                assert!(error.data.contains_key("current_sha256"), "whoever asked can look again");
                assert_eq!(fs::read_to_string(&two).unwrap(), "saved");
                assert_eq!(fs::read_to_string(&one).unwrap(), "old");
                assert_eq!(fs::read_dir(&folder).unwrap().count(), 2, "nothing else is left");
            }
        }
    }
}
