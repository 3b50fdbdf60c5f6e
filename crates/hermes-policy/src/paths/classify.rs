//! The judgement of one path.

use std::path::Path;

use hermes_core::Verdict;

use super::folded::Folded;
use super::op::PathOp;
use super::places::Places;
use super::scope::scope;
use super::table::{Around, Table};
use super::verdict::PathVerdict;

/// Judges an operation on a path that is absolute, free of `..` and, as far as the caller can, of links.
///
/// The same answer serves file tools, command analysis ([`super::Door::Shell`]) and sandboxes. A folder
/// that merely holds sensitive files may be listed and searched; whoever does must judge each file too.
pub fn classify(path: &Path, op: PathOp, places: &Places) -> PathVerdict {
    let folded = Folded::new(path, places);
    by_table(path, &folded, op, places).or_stricter(scope(path, &folded, op, places))
}

/// Judges every form that one path takes on its way to the object: as it was written, at each link, and
/// last the resolved one. Sensitive in any form is sensitive; where the path may lie is asked of the last.
pub fn judge<'a>(forms: impl IntoIterator<Item = &'a Path>, op: PathOp, places: &Places) -> PathVerdict {
    let mut verdict = PathVerdict::Allow;
    let mut last = None;
    for form in forms {
        let folded = Folded::new(form, places);
        verdict = verdict.or_stricter(by_table(form, &folded, op, places));
        last = Some((form, folded));
    }
    match last {
        Some((path, folded)) => verdict.or_stricter(scope(path, &folded, op, places)),
        None => PathVerdict::of(Verdict::Deny, "empty", "there is no path to judge"),
    }
}

/// By the name itself and, of a copy, by the name of what it copies.
fn by_table(path: &Path, folded: &Folded, op: PathOp, places: &Places) -> PathVerdict {
    let Some(table) = Table::shipped() else {
        return PathVerdict::of(Verdict::Deny, "no_table", "the table of protected paths cannot be read");
    };
    let around = Around::of(path, places);
    let mut strictest = Verdict::Allow;
    let mut found = None;
    for folded in std::iter::once(folded).chain(folded.original().as_ref()) {
        for entry in table.about(folded, op, &around) {
            let verdict = entry.says(folded, op, &around);
            if verdict > strictest {
                (strictest, found) = (verdict, Some(entry));
            }
        }
    }
    match found {
        Some(entry) => PathVerdict::of(strictest, &entry.category, entry.reason.as_str()),
        None => PathVerdict::Allow,
    }
}
