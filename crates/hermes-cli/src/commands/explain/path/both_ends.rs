//! Renames and links, which have two ends.

use hermes_policy::paths::PathOp;

use super::outcome::Outcome;
use super::row::one;
use super::stage::Stage;

pub(super) fn judge(stage: &Stage, op: PathOp, path: &str, to: &str) -> Outcome {
    match op {
        PathOp::Symlink => symlink(stage, path, to),
        _ => {
            let turned = op == PathOp::Hardlink && is_there(stage, to) && !is_there(stage, path);
            let (path, to) = if turned { (to, path) } else { (path, to) };
            let mut outcome = one(stage, op, path);
            // The new name needs not be there, and may lie where only writing is asked for.
            outcome.add(written(stage, op, to));
            outcome
        }
    }
}

/// Callers disagree which end of a link is the new one; whichever is there is the old one.
fn is_there(stage: &Stage, path: &str) -> bool {
    stage.forms(path).is_ok_and(|forms| stage.files.kind(&forms.entry).is_some())
}

/// The end that comes into being.
fn written(stage: &Stage, op: PathOp, path: &str) -> Outcome {
    let as_new = if op == PathOp::Rename { PathOp::Symlink } else { PathOp::Write };
    match stage.forms(path) {
        Ok(forms) => stage.judge(&forms, as_new),
        Err(outcome) => outcome,
    }
}

/// One of the ends is the new name, and neither may lead to what is closed.
fn symlink(stage: &Stage, path: &str, to: &str) -> Outcome {
    let (link, target) = if is_there(stage, path) && !is_there(stage, to) { (to, path) } else { (path, to) };
    let mut outcome = written(stage, PathOp::Rename, link);
    let Ok(link) = stage.forms(link) else { return outcome };
    // A target is relative to the folder of its link.
    let folder = link.entry.parent().unwrap_or(&stage.cwd).to_owned();
    let from_link = stage.forms_from(target, &folder);
    let from_here = stage.forms(target);
    let is_there = from_link.as_ref().is_ok_and(|forms| stage.files.kind(&forms.resolved).is_some());
    let is_here = from_here.as_ref().is_ok_and(|forms| stage.files.kind(&forms.resolved).is_some());
    let seen = [Some(from_link), (!is_there && is_here).then_some(from_here)];
    for forms in seen.into_iter().flatten() {
        outcome.add(match forms {
            Ok(forms) => stage.judge(&forms, PathOp::Read),
            Err(refused) => refused,
        });
    }
    outcome
}
