//! Restrictions of what is not allowed anyway, or that shut out what they allow.

use super::covers::overlap;
use crate::profile::ground::Ground;
use crate::profile::model::{Body, Restriction};
use hermes_core::Verdict;
use hermes_core::yaml::Problem;

pub(super) fn restrictions(body: &Body, closed: bool, ground: &Ground) -> Vec<Problem> {
    let mut found = Vec::new();
    for restriction in &body.restrictions {
        found.extend(idle(body, closed, restriction));
        found.extend(foreign(restriction));
        found.extend(paths(restriction, ground));
        found.extend(hosts(restriction));
    }
    found
}

/// The permission is never allowed by this level.
fn idle(body: &Body, closed: bool, restriction: &Restriction) -> Option<Problem> {
    let (wanted, at) = (&restriction.permission.value, &restriction.permission.at);
    if let Some(deny) = body.deny.iter().find(|deny| deny.value.covers(wanted)) {
        let text = format!(
            "the restriction of {wanted} is never looked at: deny {} in line {}",
            deny.value, deny.at.line
        );
        return Some(Problem::warning(at.clone(), text).with_hint("remove one of the two"));
    }
    let lists = body.allow.iter().flatten().chain(&body.approval_required);
    let by_list = lists.into_iter().any(|allowed| overlap(&allowed.value, wanted));
    let by_rule = body.rules.iter().any(|rule| {
        rule.effect != Verdict::Deny
            && (rule.permission.is_empty() || rule.permission.iter().any(|allowed| overlap(allowed, wanted)))
    });
    (closed && !by_list && !by_rule).then(|| {
        let text = format!("the restriction of {wanted} is never looked at: {wanted} is not allowed");
        Problem::warning(at.clone(), text)
            .with_hint(format!("add {wanted} to allow, or remove the restriction"))
    })
}

/// Limits on something that the permission has not: every call would be denied.
fn foreign(restriction: &Restriction) -> Vec<Problem> {
    let has = match restriction.permission.value.domain() {
        Some("file") => "path",
        Some("network") => "host",
        Some("terminal") => "command",
        _ => return Vec::new(),
    };
    let limits = [
        ("path", restriction.allowed_paths.is_some() || !restriction.denied_paths.is_empty()),
        ("host", restriction.allowed_hosts.is_some() || !restriction.denied_hosts.is_empty()),
        ("command", restriction.allowed_commands.is_some() || !restriction.denied_commands.is_empty()),
    ];
    let wrong = limits.into_iter().filter(|(what, limited)| *limited && *what != has);
    wrong
        .map(|(what, _)| {
            let permission = &restriction.permission.value;
            let text = format!("{permission} has no {what}, so this denies every use of it");
            Problem::warning(restriction.permission.at.clone(), text).with_hint(format!("limit its {has}s"))
        })
        .collect()
}

fn paths(restriction: &Restriction, ground: &Ground) -> Vec<Problem> {
    let allowed = restriction.allowed_paths.iter().flatten();
    allowed
        .filter_map(|allowed| {
            let inside = ground.cwd.join(allowed.value.literal());
            let closed =
                restriction.denied_paths.iter().find(|denied| denied.value.closes(&inside, &ground.cwd))?;
            let text = format!(
                "allowed path {} is never reached: denied path {} in line {} covers it",
                allowed.value.text(),
                closed.value.text(),
                closed.at.line
            );
            Some(Problem::warning(allowed.at.clone(), text).with_hint("remove one of the two"))
        })
        .collect()
}

fn hosts(restriction: &Restriction) -> Vec<Problem> {
    let allowed = restriction.allowed_hosts.iter().flatten();
    allowed
        .filter_map(|allowed| {
            let denied =
                restriction.denied_hosts.iter().find(|denied| denied.value.covers(&allowed.value))?;
            let text = format!(
                "allowed host {} is never reached: denied host {} in line {} covers it",
                allowed.value, denied.value, denied.at.line
            );
            Some(Problem::warning(allowed.at.clone(), text).with_hint("remove one of the two"))
        })
        .collect()
}
