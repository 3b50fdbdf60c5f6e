//! Commits a plan and says what came of it.

use hermes_core::ToolError;
use hermes_host::files::FileDoor;
use hermes_host::workspace::{Change, Committed};

use super::outcome::Output;
use super::plan::{Plan, PlannedFile};

pub(crate) struct Apply<'a> {
    pub(crate) door: &'a FileDoor<'a>,
    /// Nothing is changed.
    pub(crate) preview: bool,
}

impl Apply<'_> {
    pub(crate) fn run(&self, plan: Plan) -> Result<Output, ToolError> {
        let committed = if self.preview { Vec::new() } else { self.commit(&plan.files)? };
        Ok(Output::of(&plan, &committed, self.preview))
    }

    fn commit(&self, files: &[PlannedFile]) -> Result<Vec<Committed>, ToolError> {
        let changes: Vec<Change<'_>> = files
            .iter()
            .map(|file| Change {
                raw: &file.path,
                expected_sha256: file.current.sha256(),
                after: file.after.as_deref(),
                like: file.moved_from.as_deref(),
            })
            .collect();
        self.door.commit(&changes)
    }
}
