//! Takes back what a plan says, all of it or nothing.

use std::path::PathBuf;

use hermes_core::{ErrorCode, ToolError};
use tokio_util::sync::CancellationToken;

use super::objects::hash;
use super::plan::{PlannedFile, UndoPlan};
use super::record::UndoRecord;
use super::store::{Origin, UndoStore};
use crate::workspace::{Edit, Intents, Staged, Swept, commit, unmake};

/// A change that was taken back.
#[derive(Clone, Debug)]
pub struct Undone {
    /// The record of this very step: an undo can be undone.
    pub record: Option<UndoRecord>,
    pub paths: Vec<PathBuf>,
    /// Folders that were made for the change and are gone again, because nothing else is in them.
    pub folders: Vec<PathBuf>,
}

impl UndoStore {
    /// Carries out a plan. Refuses if any file has drifted, also since the plan was made.
    pub fn apply(&self, plan: &UndoPlan) -> Result<Undone, ToolError> {
        if let Some(file) = plan.files.iter().find(|file| file.problem.is_some()) {
            let why = file.problem.as_deref().unwrap_or_default();
            return Err(ToolError::new(
                ErrorCode::Conflict,
                format!("nothing was taken back: '{}': {why}", file.path.display()),
            ));
        }
        let open: Vec<&PlannedFile> = plan.files.iter().filter(|file| !file.is_done()).collect();
        let now: Vec<Option<String>> = open.iter().map(|file| file.now.as_deref().map(hash)).collect();
        let edits: Vec<Edit<'_>> = open
            .iter()
            .zip(&now)
            .map(|(file, now)| Edit {
                path: file.path.clone(),
                expected_sha256: now.as_deref(),
                after: file.then.as_deref(),
                mode: file.mode,
                owner: file.owner,
                like: None,
            })
            .collect();
        if edits.is_empty() {
            return Ok(Undone { record: None, paths: Vec::new(), folders: unmake(&plan.folders()) });
        }
        let undoes: Vec<String> = plan.records.iter().map(|record| record.id.clone()).collect();
        let session = plan.records.first().map_or("", |record| record.session.as_str());
        let mut record = None;
        let remember = |staged: &[Staged<'_>], made: &[PathBuf]| {
            let touches: Vec<_> = staged.iter().map(Staged::touch).collect();
            let origin = Origin { call: "undo", turn: None, session, undoes: &undoes };
            record = Some(self.record(&origin, &touches, made)?);
            Ok(())
        };
        // The store lies in Hermes's own folder.
        let intents = Intents::at(self.folder.parent().unwrap_or(&self.folder));
        commit(&edits, (&|_, _| Ok(()), remember), (&Swept::default(), &intents), &CancellationToken::new())?;
        let paths = open.iter().map(|file| file.path.clone()).collect();
        Ok(Undone { record, paths, folders: unmake(&plan.folders()) })
    }
}
