//! One case: which paths it touches, and how.

use hermes_policy::paths::PathOp;
use serde_json::{Map, Value};

use super::outcome::{Kept, Outcome};
use super::stage::Stage;
use super::{archive, both_ends, sweep};

/// Letters that some program, somewhere, turns into a climb. Here they are letters of a name.
const DISGUISED_CLIMBS: &[&str] =
    &["%2e", "%2f", "%5c", "%00", "%c0%ae", "..\\", "\\..", "．", "／", "․", "∕", "⁄", "\u{2025}", "file:"];

/// Judges a case in full.
pub(super) fn judge(stage: &Stage, row: &Map<String, Value>) -> Outcome {
    let text = |name: &str| row.get(name).and_then(Value::as_str).map(|text| stage.expand(text));
    let Some(path) = text("path") else { return Outcome::deny("no_path", "the case has no 'path'") };
    let name = row.get("op").and_then(Value::as_str).unwrap_or("read");
    let Some(op) = PathOp::named(name) else {
        return Outcome::deny("unknown_op", &format!("'{name}' is no operation"));
    };
    match op {
        PathOp::Extract if row.contains_key("dest") || row.contains_key("entries") => {
            archive::judge(stage, &path, row)
        }
        PathOp::Rename | PathOp::Symlink | PathOp::Hardlink => match text("to") {
            Some(to) => both_ends::judge(stage, op, &path, &to),
            None => one(stage, op, &path),
        },
        PathOp::Glob => sweep::glob(stage, &path, text("pattern").as_deref()),
        PathOp::Search => sweep::search(stage, &path, text("pattern").as_deref()),
        _ => one(stage, op, &path),
    }
}

/// An operation on one path.
pub(super) fn one(stage: &Stage, op: PathOp, path: &str) -> Outcome {
    let forms = match stage.forms(path) {
        Ok(forms) => forms,
        Err(outcome) => return outcome,
    };
    let mut outcome = stage.judge(&forms, op);
    if !outcome.is_allowed() {
        return outcome;
    }
    if let Some((category, reason)) = stage.obstacle(&forms, op) {
        outcome.add(Outcome::fails(category, reason));
    } else if stage.is_confined() && is_disguised(path) && stage.files.kind(&forms.resolved).is_none() {
        outcome.add(disguised(op));
    }
    outcome
}

fn is_disguised(path: &str) -> bool {
    let small = path.to_lowercase();
    DISGUISED_CLIMBS.iter().any(|climb| small.contains(climb))
}

/// Nothing is decoded, so a new file stays inside, and an old one is not there.
fn disguised(op: PathOp) -> Outcome {
    if op.changes() {
        return Outcome { kept: Some(Kept::Inside), ..Outcome::allow() };
    }
    Outcome::fails("missing", "nothing is decoded, so this is a strange name that nothing has")
}
