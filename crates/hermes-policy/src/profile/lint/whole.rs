//! All checks on all levels of a text.

use hermes_core::Verdict;

use super::impossible::{self, of_tool};
use super::lineage::beyond_parents;
use super::lists::lists;
use super::restrictions::restrictions;
use super::rules::rules;
use crate::profile::ground::{Ground, Known};
use crate::profile::model::{Body, PolicyFile, Profile};
use hermes_core::yaml::Problem;

/// Everything in `file` that has no effect. `files` are all texts that profiles may be found in, `file` among
/// them; `known` says what the tools that rules name may do.
pub fn lint(file: &PolicyFile, files: &[PolicyFile], ground: &Ground, known: &Known) -> Vec<Problem> {
    let body = |level: &Body, closed: bool| body(level, closed, ground, known);
    let mut found = Vec::new();
    if let Some(global) = &file.global {
        found.extend(body(global, false));
    }
    for tool in &file.tools {
        found.extend(body(&tool.body, false));
        found.extend(of_tool(&tool.tool.value, &tool.body, known));
    }
    for profile in &file.profiles {
        found.extend(body(&profile.body, profile.extends.is_empty()));
        for tool in &profile.tools {
            found.extend(body(&tool.body, false));
            found.extend(of_tool(&tool.tool.value, &tool.body, known));
        }
        found.extend(nobody_to_ask(profile));
        found.extend(beyond_parents(profile, files, ground));
    }
    found.sort_by(|left, right| left.place.cmp(&right.place));
    found.dedup();
    found
}

fn body(body: &Body, closed: bool, ground: &Ground, known: &Known) -> Vec<Problem> {
    let closed =
        closed || body.allow.is_some() || body.rules.iter().any(|rule| rule.effect == Verdict::Allow);
    let mut found = lists(body);
    found.extend(restrictions(body, closed, ground));
    found.extend(rules(body));
    found.extend(impossible::rules(body, known));
    found.extend(impossible::commands(body));
    found
}

fn nobody_to_ask(profile: &Profile) -> Vec<Problem> {
    if !profile.unattended {
        return Vec::new();
    }
    let lists = profile.body.approval_required.iter().map(|pattern| &pattern.at);
    let rules = profile.body.rules.iter().filter(|rule| rule.effect == Verdict::Ask).map(|rule| &rule.at);
    let warn = |at: &hermes_core::yaml::Place| {
        Problem::warning(at.clone(), "nobody is asked in an unattended profile, so this denies")
            .with_hint("write it under deny")
    };
    lists.chain(rules).map(warn).collect()
}
