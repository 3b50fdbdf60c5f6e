//! Everything about an edit that can be done beside the file.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::io::Write;
use std::path::Path;

use hermes_core::{ErrorCode, ToolError};
use rustix::fs::{Mode, Stat, fchmod};
use tokio_util::sync::CancellationToken;

use super::edit::{Done, Edit};
use crate::undo::Touch;
use crate::workspace::errors::explain;
use crate::workspace::folder::Folder;
use crate::workspace::hashing::hash_bytes;
use crate::workspace::previous::{Old, examine};
use crate::workspace::stamp::{give, hand_on};
use crate::workspace::temp::{TempFile, aside_name};
use crate::workspace::write::{WriteMode, WriteRequest, other_names};

/// An edit that only lacks its name.
pub(crate) struct Staged<'a> {
    pub(super) path: &'a Path,
    pub(super) name: &'a OsStr,
    pub(super) folder: &'a Folder,
    pub(super) old: Option<Old>,
    /// The new content, complete; `None` if the file goes away.
    pub(super) new: Option<TempFile<'a>>,
    /// The name for the old content until all edits are made.
    pub(super) aside: String,
    after: Option<(String, u64)>,
}

impl Staged<'_> {
    /// As the undo store wants to know it.
    pub(crate) fn touch(&self) -> Touch<'_> {
        Touch {
            path: self.path,
            before: self.old.as_ref().map(Old::for_undo),
            after: self.after.as_ref().map(|(sha256, size)| (sha256.as_str(), *size)),
        }
    }

    /// The hash of the new content.
    pub(super) fn after_hash(&self) -> Option<&str> {
        self.after.as_ref().map(|(sha256, _)| sha256.as_str())
    }

    pub(super) fn done(self) -> Done {
        Done {
            other_names: self.old.as_ref().map_or(0, |old| other_names(&old.stat)),
            sha256: self.after.map(|(sha256, _)| sha256),
        }
    }
}

/// Whether the file that stands at a path may be replaced, as far as its other names go.
pub(crate) type Admit<'a> = dyn Fn(&Path, &Stat) -> Result<(), ToolError> + 'a;

/// Checks every edit against the file as it is, then writes the new contents beside them.
pub(super) fn stage<'a>(
    edits: &'a [Edit<'_>],
    folders: &'a BTreeMap<&Path, Folder>,
    admit: &Admit<'_>,
    cancel: &CancellationToken,
) -> Result<Vec<Staged<'a>>, ToolError> {
    let mut staged: Vec<Staged<'a>> = Vec::with_capacity(edits.len());
    for edit in edits {
        let path = edit.path.as_path();
        let (Some(name), Some(folder)) =
            (path.file_name(), path.parent().and_then(|parent| folders.get(parent)))
        else {
            return Err(ToolError::invalid("the path names the root folder, not a file"));
        };
        let request = WriteRequest {
            content: edit.after.unwrap_or_default(),
            mode: WriteMode::Overwrite,
            create_dirs: false,
            expected_sha256: edit.expected_sha256,
            fit: None,
        };
        let old = examine(folder, name, (&request, None), |stat| admit(path, stat), cancel)?;
        if old.is_some() && edit.expected_sha256.is_none() {
            return Err(ToolError::new(
                ErrorCode::Conflict,
                format!("'{}' exists already; nothing was written", path.display()),
            ));
        }
        staged.push(Staged { path, name, folder, old, new: None, aside: aside_name(), after: None });
    }
    for (index, edit) in edits.iter().enumerate() {
        let Some(content) = edit.after else { continue };
        let written = write(&staged, index, edit, content)?;
        if let Some(one) = staged.get_mut(index) {
            let size = u64::try_from(content.len()).unwrap_or(u64::MAX);
            (one.new, one.after) = (Some(written), Some((hash_bytes(content), size)));
        }
    }
    Ok(staged)
}

fn write<'a>(
    staged: &[Staged<'a>],
    index: usize,
    edit: &Edit<'_>,
    content: &[u8],
) -> Result<TempFile<'a>, ToolError> {
    let failed = |error: std::io::Error| explain("write", &edit.path, error);
    let Some(one) = staged.get(index) else { return Err(ToolError::internal("an edit was lost")) };
    let of =
        |path: &Path| staged.iter().find(|other| other.path == path).and_then(|other| other.old.as_ref());
    let model = one.old.as_ref().or_else(|| edit.like.as_deref().and_then(of));
    // A private mode while the old owner and mode are not handed on yet.
    let mode = if model.is_some() || edit.mode.is_some() { 0o600 } else { 0o666 };
    let mut temp = TempFile::create(one.folder, mode).map_err(|errno| failed(errno.into()))?;
    temp.write_all(content).map_err(failed)?;
    if let Some(model) = model {
        hand_on(&model.stat, model.file.as_ref(), &temp).map_err(|errno| failed(errno.into()))?;
    }
    // Before the mode: who gives a file away loses what it says about the owner.
    edit.owner.into_iter().for_each(|owner| give(&temp, owner));
    if let Some(mode) = edit.mode {
        let mode = Mode::from_raw_mode(mode & 0o1777);
        fchmod(&temp, mode).map_err(|errno| failed(errno.into()))?;
    }
    temp.sync().map_err(failed)?;
    Ok(temp)
}
