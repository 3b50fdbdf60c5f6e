//! What a profile allows although a profile that it extends does not.

use std::sync::Arc;

use super::covers::overlap;
use crate::profile::ground::Ground;
use crate::profile::model::{PolicyFile, Profile};
use crate::profile::shipped::read_shipped;
use hermes_core::yaml::Problem;

pub(super) fn beyond_parents(profile: &Profile, files: &[PolicyFile], ground: &Ground) -> Vec<Problem> {
    let mut found = Vec::new();
    for parent in &profile.extends {
        let own = files.iter().flat_map(|file| &file.profiles).find(|other| other.name == parent.value);
        let shipped = || read_shipped(&parent.value, ground).ok().flatten();
        let Some(other) = own.map(Arc::clone).or_else(shipped) else { continue };
        let body = &other.body;
        for pattern in profile.body.allow.iter().flatten() {
            let lists = body.allow.iter().flatten().chain(&body.approval_required);
            let listed = body.allow.is_none()
                || lists.into_iter().any(|allowed| overlap(&allowed.value, &pattern.value));
            let denied = body.deny.iter().any(|deny| deny.value.covers(&pattern.value));
            if denied || (!listed && body.rules.is_empty()) {
                let text = format!(
                    "{} does not allow {}, so neither does {}",
                    parent.value, pattern.value, profile.name
                );
                found.push(
                    Problem::warning(pattern.at.clone(), text)
                        .with_hint("a profile only narrows what it extends"),
                );
            }
        }
    }
    found
}
