//! Rules that other rules or lists make idle.

use hermes_core::Verdict;

use super::covers::covers;
use crate::profile::model::{Body, Rule};
use hermes_core::yaml::Problem;

pub(super) fn rules(body: &Body) -> Vec<Problem> {
    let mut found = Vec::new();
    for (place, rule) in body.rules.iter().enumerate() {
        found.extend(by_rule(body, place, rule).or_else(|| by_list(body, rule)));
    }
    found
}

/// Another rule speaks of the same calls at least as strictly. Of equal ones the later is idle.
fn by_rule(body: &Body, place: usize, rule: &Rule) -> Option<Problem> {
    let shadows = |(other, wide): (usize, &Rule)| {
        other != place
            && covers(wide, rule)
            && (wide.effect > rule.effect
                || (wide.effect == rule.effect && (!covers(rule, wide) || other < place)))
    };
    // An allow rule for a command or path also answers what analysis asks about it.
    let wide = body.rules.iter().enumerate().find(|pair| shadows(*pair)).map(|(_, wide)| wide)?;
    if wide.effect == Verdict::Allow && answers_questions(rule) {
        return None;
    }
    let text = format!("this rule never takes effect: the rule in line {} covers it", wide.at.line);
    Some(Problem::warning(rule.at.clone(), text).with_hint("remove it"))
}

/// A list speaks of the same permissions at least as strictly.
fn by_list(body: &Body, rule: &Rule) -> Option<Problem> {
    if rule.permission.is_empty() {
        return None;
    }
    let lists = [
        (Verdict::Deny, "deny", body.deny.as_slice()),
        (Verdict::Ask, "approval_required", &body.approval_required),
        (Verdict::Allow, "allow", body.allow.as_deref().unwrap_or_default()),
    ];
    for (effect, name, list) in lists {
        let covering = || {
            let wide = |permission| list.iter().find(|entry| entry.value.covers(permission));
            rule.permission.iter().map(wide).collect::<Option<Vec<_>>>()?.first().copied()
        };
        if effect < rule.effect || (effect == Verdict::Allow && answers_questions(rule)) {
            continue;
        }
        if let Some(entry) = covering() {
            let text = format!(
                "this rule never takes effect: {name} {} in line {} covers it",
                entry.value, entry.at.line
            );
            return Some(Problem::warning(rule.at.clone(), text).with_hint("remove it"));
        }
    }
    None
}

fn answers_questions(rule: &Rule) -> bool {
    rule.effect == Verdict::Allow && (!rule.command.is_empty() || !rule.path.is_empty())
}
