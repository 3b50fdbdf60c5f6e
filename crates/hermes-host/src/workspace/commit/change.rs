//! The door for several files: judged by the permit, remembered for undo, committed together.

use std::path::{Path, PathBuf};

use hermes_core::{CallContext, ErrorCode, Permission, ToolError};
use rustix::fs::Stat;

use super::edit::{Edit, Staged, commit};
use crate::undo::{Remembered, Touch};
use crate::workspace::{Eyes, SeenState, Workspace, is_a_link};

/// What becomes of one file.
#[derive(Clone, Debug)]
pub struct Change<'a> {
    /// The path as the model wrote it.
    pub raw: &'a str,
    /// SHA-256 of the content this change was made for; `None` if there must be no file.
    pub expected_sha256: Option<&'a str>,
    /// `None` takes the file away.
    pub after: Option<&'a [u8]>,
    /// The file, changed in the same commit, whose mode and owner a new file takes over.
    pub like: Option<&'a str>,
}

/// A file that was changed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Committed {
    /// The path with all links followed.
    pub path: PathBuf,
    /// Whether a symbolic link in the given path led to `path`.
    pub through_link: bool,
    /// How many other names kept the old content, because the file had several.
    pub other_names: u64,
    /// SHA-256 of what is there now.
    pub sha256: Option<String>,
}

impl Workspace {
    /// Changes all of the files or none. On any error everything is as it was.
    pub fn commit(&self, cx: &CallContext, changes: &[Change<'_>]) -> Result<Vec<Committed>, ToolError> {
        let mut edits = Vec::with_capacity(changes.len());
        for change in changes {
            if change.after.is_none() && self.is_link(cx.cwd(), change.raw) {
                return Err(is_a_link(change.raw));
            }
            let permission =
                if change.after.is_some() { Permission::FILE_WRITE } else { Permission::FILE_DELETE };
            edits.push(Edit {
                path: self.judge(cx, change.raw, &permission)?,
                expected_sha256: change.expected_sha256,
                after: change.after,
                mode: None,
                owner: None,
                like: change.like.map(|raw| self.judge(cx, raw, &Permission::FILE_DELETE)).transpose()?,
            });
        }
        let written = edits.iter().filter(|edit| edit.after.is_some()).map(|edit| &edit.path);
        let _agreed = self.agreed(cx, written);
        let mut remembered = None;
        let remember = |staged: &[Staged<'_>], made: &[PathBuf]| {
            let touches = || staged.iter().map(Staged::touch).collect::<Vec<Touch<'_>>>();
            remembered = self.undo.as_ref().map(|undo| undo.remember(cx, &touches(), made)).transpose()?;
            Ok(())
        };
        let admit = |path: &Path, stat: &Stat| self.admit_others(cx, path, stat);
        let done = commit(&edits, (&admit, remember), (&self.swept, &self.intents), cx.cancel());
        if done.as_ref().is_err_and(|error| error.code == ErrorCode::Conflict) {
            remembered.into_iter().for_each(Remembered::forget);
        }
        let done = done?;
        let origins: Vec<Option<PathBuf>> = edits.iter().map(|edit| edit.like.clone()).collect();
        let committed = changes.iter().zip(edits).zip(done).map(|((change, edit), done)| Committed {
            through_link: self.leads_through_link(cx.cwd(), change.raw, &edit.path),
            path: edit.path,
            other_names: done.other_names,
            sha256: done.sha256,
        });
        let committed: Vec<Committed> = committed.collect();
        see(&self.eyes(cx.session(), None), changes, &committed, &origins);
        committed.iter().for_each(|one| self.settled(cx, &one.path));
        Ok(committed)
    }
}

/// What a session knew before its own change it knows after it. What it did not know it has not seen now either: a patch
/// looks at a few lines only. `origins` are the files that others were moved from.
pub(crate) fn see(eyes: &Eyes, changes: &[Change<'_>], done: &[Committed], origins: &[Option<PathBuf>]) {
    // Whether the session had seen a file as it was before, and how it had seen it.
    let looked = |path: &PathBuf| {
        let change = done.iter().zip(changes).find(|(one, _)| one.path == *path).map(|(_, change)| change);
        let before = change.and_then(|change| change.expected_sha256).map(SeenState::of_hash);
        let last = eyes.last(path);
        (before.zip(last.as_ref()).is_some_and(|(before, last)| last.is_same(&before)), last)
    };
    let states: Vec<Option<SeenState>> = changes
        .iter()
        .zip(done)
        .zip(origins)
        .map(|((change, one), origin)| {
            let after = SeenState::of_hash(one.sha256.as_deref()?);
            match (origin, change.expected_sha256) {
                (None, None) => Some(after),
                (origin, _) => match looked(origin.as_ref().unwrap_or(&one.path)) {
                    (true, _) => Some(after),
                    (false, last) => last,
                },
            }
        })
        .collect();
    for (one, state) in done.iter().zip(states) {
        match state {
            Some(state) => eyes.saw(&one.path, state),
            None => eyes.forget(&one.path),
        }
    }
}
