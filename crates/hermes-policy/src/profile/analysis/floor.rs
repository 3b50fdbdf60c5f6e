//! Findings of analysis as answers of levels.

use hermes_core::Verdict;

use super::host::HostFacts;
use crate::command::{Class, Finding};
use crate::paths::PathVerdict;
use crate::profile::answer::Answer;
use crate::profile::facts::Facts;
use crate::profile::holds::Holds;
use crate::profile::model::{Body, Rule};

/// What nothing overrides.
pub(crate) fn floor(facts: &Facts<'_>) -> Option<Answer> {
    if let Some(finding) = facts.command().and_then(|command| command.found(Class::Deny).next()) {
        return Some(by_finding(Verdict::Deny, finding));
    }
    let denied = facts.effects().iter().find(|effect| effect.verdict.verdict() == Verdict::Deny);
    if let Some(effect) = denied {
        return by_place(&facts.of(&effect.access), &effect.verdict, true);
    }
    if let Some(HostFacts::Shut(blocked)) = facts.guard() {
        return Some(answer(Verdict::Deny, "host", blocked.category, &blocked.reason));
    }
    let place = &facts.place()?.verdict;
    if place.verdict() == Verdict::Deny { by_place(facts, place, false) } else { None }
}

/// What a profile asks about, unless a rule of its own answers it.
pub(crate) fn by_analysis(body: &Body, facts: &Facts<'_>) -> Option<Answer> {
    if facts.command().is_some() {
        return by_command(body, facts).or_else(|| by_effects(body, facts));
    }
    if let Some(HostFacts::Private(blocked)) = facts.guard() {
        let named = names_host(body, facts);
        return (!named).then(|| answer(Verdict::Deny, "host", blocked.category, &blocked.reason));
    }
    let place = &facts.place()?.verdict;
    if place.verdict() == Verdict::Ask { asked_about(body, facts, place, false) } else { None }
}

fn by_command(body: &Body, facts: &Facts<'_>) -> Option<Answer> {
    let command = facts.command()?;
    let finding = command.found(Class::Ask).next()?;
    let answered = allows(body).any(|rule| {
        !rule.command.is_empty() && rule.holds_beside_command(facts) && command.is_answered_by(&rule.command)
    });
    (!answered).then(|| by_finding(Verdict::Ask, finding))
}

/// Places that a command reaches through links, which its analysis could not see.
fn by_effects(body: &Body, facts: &Facts<'_>) -> Option<Answer> {
    let unseen = facts.effects().iter().filter(|effect| effect.unseen);
    unseen
        .filter(|effect| effect.verdict.verdict() == Verdict::Ask)
        .find_map(|effect| asked_about(body, &facts.of(&effect.access), &effect.verdict, true))
}

fn asked_about(body: &Body, facts: &Facts<'_>, place: &PathVerdict, of_command: bool) -> Option<Answer> {
    let answered = allows(body).any(|rule| names_path(rule, facts) && rule.holds(facts) == Holds::Yes);
    if answered { None } else { by_place(facts, place, of_command) }
}

fn allows(body: &Body) -> impl Iterator<Item = &Rule> {
    body.rules.iter().filter(|rule| rule.effect == Verdict::Allow)
}

/// Whether the rule speaks of this path in particular, rather than of all paths.
fn names_path(rule: &Rule, facts: &Facts<'_>) -> bool {
    let cwd = facts.request.cwd;
    facts.path().is_some_and(|path| {
        rule.path.iter().any(|glob| glob.is_specific(facts.ground) && glob.matches(path, cwd))
    })
}

/// Whether the profile speaks of this host in particular: in a rule that allows it, or in a list of those allowed.
fn names_host(body: &Body, facts: &Facts<'_>) -> bool {
    let (Some(host), Some(permission)) = (facts.host(), facts.permission()) else { return false };
    let by_rule = allows(body).any(|rule| {
        rule.host.iter().any(|wanted| wanted.is_specific() && wanted.matches(host))
            && rule.holds(facts) == Holds::Yes
    });
    let limits = body.restrictions.iter().filter(|limit| limit.permission.value.matches(permission));
    let listed = limits.flat_map(|limit| limit.allowed_hosts.iter().flatten());
    by_rule || listed.into_iter().any(|wanted| wanted.value.is_specific() && wanted.value.matches(host))
}

fn by_place(facts: &Facts<'_>, place: &PathVerdict, of_command: bool) -> Option<Answer> {
    let (category, reason) = (place.category()?, place.reason()?);
    let named = match facts.path() {
        Some(path) => format!("{}: {reason}", path.display()),
        None => reason.to_owned(),
    };
    let reason = match facts.access.filter(|_| of_command) {
        Some(access) => format!("The command would use {}. {named}", access.permission),
        None => named,
    };
    Some(answer(place.verdict(), "path", category, &reason))
}

fn by_finding(verdict: Verdict, finding: &Finding) -> Answer {
    answer(verdict, "command", &format!("{} ({})", finding.category, finding.rule), &finding.reason)
}

fn answer(verdict: Verdict, what: &str, category: &str, reason: &str) -> Answer {
    Answer {
        verdict,
        rule: format!("{what} analysis {category}"),
        place: None,
        reason: reason.to_owned(),
        parameter: true,
        hint: None,
    }
}
