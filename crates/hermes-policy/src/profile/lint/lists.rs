//! Entries of `allow`, `deny` and `approval_required` that other entries make idle.

use crate::pattern::Pattern;
use crate::profile::model::Body;
use hermes_core::yaml::{At, Problem};

pub(super) fn lists(body: &Body) -> Vec<Problem> {
    let allow = body.allow.as_deref().unwrap_or_default();
    let mut found = Vec::new();
    for (name, list) in
        [("allow", allow), ("deny", &body.deny), ("approval_required", &body.approval_required)]
    {
        found.extend(within(name, list));
    }
    for (name, list) in [("allow", allow), ("approval_required", &body.approval_required)] {
        for entry in list {
            if let Some(deny) = body.deny.iter().find(|deny| deny.value.covers(&entry.value)) {
                let text = format!(
                    "{name} {} never takes effect: deny {} in line {} covers it",
                    entry.value, deny.value, deny.at.line
                );
                found.push(Problem::warning(entry.at.clone(), text).with_hint("remove one of the two"));
            }
        }
    }
    found
}

/// Entries that another entry of the same list covers; of equal ones the later.
fn within(name: &str, list: &[At<Pattern>]) -> Vec<Problem> {
    let mut found = Vec::new();
    for (place, entry) in list.iter().enumerate() {
        let wider = list.iter().enumerate().find(|(other, wide)| {
            *other != place
                && wide.value.covers(&entry.value)
                && (wide.value != entry.value || *other < place)
        });
        if let Some((_, wide)) = wider {
            let text =
                format!("{name} {} adds nothing to {} in line {}", entry.value, wide.value, wide.at.line);
            found.push(Problem::warning(entry.at.clone(), text).with_hint("remove it"));
        }
    }
    found
}
