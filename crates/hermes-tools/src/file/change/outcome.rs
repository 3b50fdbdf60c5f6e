//! What the model reads about a change.

use hermes_host::workspace::Committed;
use serde::Serialize;

use super::plan::{Plan, PlannedFile};
use crate::file::text::body::Body;
use crate::file::text::syntax::broken_by;
use crate::file::text::unified::unified;

/// A longer diff is cut.
const MAX_DIFF: usize = 30_000;

#[derive(Debug, Default, Serialize)]
pub struct Output {
    success: bool,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    preview: bool,
    /// How many places were replaced.
    #[serde(skip_serializing_if = "Option::is_none")]
    replacements: Option<usize>,
    /// What was bridged to find the place, if it did not stand there letter by letter.
    #[serde(skip_serializing_if = "Option::is_none")]
    matched_despite: Option<&'static str>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    files_modified: Vec<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    files_created: Vec<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    files_deleted: Vec<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    files_moved: Vec<String>,
    diff: String,
    /// Of the whole file, if there is only one.
    #[serde(skip_serializing_if = "Option::is_none")]
    sha256: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    note: Option<String>,
}

impl Output {
    pub(super) fn of(plan: &Plan, committed: &[Committed], preview: bool) -> Self {
        let mut output = Output { success: true, preview, ..Output::default() };
        if let Some((count, strategy)) = plan.replaced {
            output.replacements = Some(count);
            output.matched_despite = (strategy != "exact").then_some(strategy);
        }
        let is_origin = |path: &str| plan.files.iter().any(|file| file.moved_from.as_deref() == Some(path));
        let mut notes = Vec::new();
        for file in &plan.files {
            let path = file.path.clone();
            match (file.current.content(), &file.after, &file.moved_from) {
                (_, Some(_), Some(from)) => output.files_moved.push(format!("{from} -> {path}")),
                (Some(_), Some(_), None) => output.files_modified.push(path),
                (None, Some(_), None) => output.files_created.push(path),
                (_, None, _) if !is_origin(&path) => output.files_deleted.push(path),
                (_, None, _) => {}
            }
            output.diff.push_str(&diff(plan, file));
            notes.extend(broken(plan, file));
        }
        cut(&mut output.diff);
        for (file, committed) in plan.files.iter().zip(committed) {
            notes.extend(surprises(file, committed));
        }
        if let ([_], [only]) = (plan.files.as_slice(), committed) {
            output.sha256.clone_from(&only.sha256);
        }
        if plan.files.is_empty() {
            notes.push("The patch leaves every file as it is.".to_owned());
        }
        output.note = (!notes.is_empty()).then(|| notes.join(" "));
        output
    }
}

/// The text this file had before, under whatever name.
fn before<'a>(plan: &'a Plan, file: &'a PlannedFile) -> Option<&'a [u8]> {
    let origin =
        file.moved_from.as_deref().and_then(|from| plan.files.iter().find(|other| other.path == from));
    origin.unwrap_or(file).current.content()
}

fn text_of(bytes: Option<&[u8]>) -> Option<String> {
    Body::decode(bytes?).ok().map(|body| body.text)
}

fn diff(plan: &Plan, file: &PlannedFile) -> String {
    let is_origin = plan.files.iter().any(|other| other.moved_from.as_deref() == Some(file.path.as_str()));
    if file.after.is_none() && is_origin {
        return String::new();
    }
    let old_bytes = before(plan, file);
    let (old, new) = (text_of(old_bytes), text_of(file.after.as_deref()));
    if (old_bytes.is_some() && old.is_none()) || (file.after.is_some() && new.is_none()) {
        return format!("Binary file {} differs\n", file.path);
    }
    let old_name = old_bytes.map(|_| format!("a/{}", file.moved_from.as_deref().unwrap_or(&file.path)));
    let new_name = file.after.as_ref().map(|_| format!("b/{}", file.path));
    let (old, new) = (old.unwrap_or_default(), new.unwrap_or_default());
    unified((old_name.as_deref(), &old), (new_name.as_deref(), &new), 3)
}

fn broken(plan: &Plan, file: &PlannedFile) -> Option<String> {
    let after = text_of(file.after.as_deref())?;
    broken_by(file.path.as_ref(), text_of(before(plan, file)).as_deref(), &after)
        .map(|text| format!("{text}."))
}

/// What the model might not expect.
fn surprises(file: &PlannedFile, committed: &Committed) -> Vec<String> {
    let mut notes = Vec::new();
    if file.current.was_missed() {
        notes.push(format!(
            "'{}' has changed since you read it; what came in between is still there.",
            file.path
        ));
    }
    if committed.through_link {
        notes.push(format!(
            "'{}' leads through a symbolic link; '{}' was changed.",
            file.path,
            committed.path.display()
        ));
    }
    if committed.other_names > 0 && file.after.is_some() {
        notes.push(format!(
            "'{}' had {} more hard links; they keep the old content.",
            file.path, committed.other_names
        ));
    }
    notes
}

fn cut(diff: &mut String) {
    if diff.len() <= MAX_DIFF {
        return;
    }
    let end = diff.floor_char_boundary(MAX_DIFF);
    diff.truncate(end);
    let end = diff.rfind('\n').map_or(0, |at| at + 1);
    diff.truncate(end);
    diff.push_str("… the diff goes on\n");
}
