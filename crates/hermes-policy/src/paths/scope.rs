//! Where a path lies: in the workspace, at home, in a temporary folder, or where nobody gave leave.

use std::path::Path;

use hermes_core::Verdict;

use super::folded::Folded;
use super::op::{PathOp, Side};
use super::places::{Door, Holder, Places};
use super::verdict::PathVerdict;

/// Folders that belong to the system rather than to people.
const SYSTEM: &[&str] = &[
    "applications",
    "bin",
    "boot",
    "etc",
    "lib",
    "lib32",
    "lib64",
    "libx32",
    "library",
    "nix",
    "opt",
    "sbin",
    "snap",
    "srv",
    "system",
    "usr",
    "var",
];

/// Folders of the kernel. The table says all there is to say about them.
const MADE_UP: &[&str] = &["dev", "proc", "sys"];

pub(super) fn scope(path: &Path, folded: &Folded, op: PathOp, places: &Places) -> PathVerdict {
    let holder = places.holding(path);
    if places.is_above(path) && (op.makes_file() || matches!(op, PathOp::Delete | PathOp::Rename)) {
        let reason = "this is a whole folder that people work in, not a file in it";
        return PathVerdict::of(Verdict::Deny, "whole_folder", reason);
    }
    let mut verdict = PathVerdict::Allow;
    for side in op.sides() {
        verdict = verdict.or_stricter(side_scope(*side, holder, folded, places.door));
    }
    verdict
}

fn side_scope(side: Side, holder: Option<Holder>, folded: &Folded, door: Door) -> PathVerdict {
    match (side, holder) {
        (_, Some(Holder::Root | Holder::Temp)) | (Side::Look, _) => PathVerdict::Allow,
        (Side::Read, None) if folded.in_other_home() => {
            PathVerdict::of(Verdict::Ask, "other_home", "this lies in the home folder of another user")
        }
        (Side::Read, _) => PathVerdict::Allow,
        (Side::Write, Some(Holder::Home)) if door == Door::Tools => PathVerdict::Allow,
        (Side::Delete, Some(Holder::Home)) => {
            PathVerdict::of(Verdict::Ask, "outside_workspace", "this would delete outside the workspace")
        }
        (Side::Write, Some(Holder::Home)) => outside(),
        (Side::Write | Side::Delete, None) => {
            let is_in =
                |list: &[&str]| folded.names().first().is_some_and(|first| list.contains(&first.as_str()));
            if is_in(MADE_UP) {
                PathVerdict::Allow
            } else if is_in(SYSTEM) || folded.names().len() < 2 {
                PathVerdict::of(Verdict::Ask, "system", "this belongs to the system, not to the workspace")
            } else {
                outside()
            }
        }
    }
}

fn outside() -> PathVerdict {
    PathVerdict::of(
        Verdict::Ask,
        "outside_workspace",
        "this lies outside the workspace and the temporary folders",
    )
}
