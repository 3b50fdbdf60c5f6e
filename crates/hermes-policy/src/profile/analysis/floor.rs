//! Findings of analysis as answers of levels.

use hermes_core::Verdict;

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
    match &facts.place()?.verdict {
        PathVerdict::Deny { category, reason } => {
            Some(answer(Verdict::Deny, "path", category, &named(facts, reason)))
        }
        PathVerdict::Ask { .. } | PathVerdict::Allow => None,
    }
}

/// What a profile asks about, unless a rule of its own answers it.
pub(crate) fn by_analysis(body: &Body, facts: &Facts<'_>) -> Option<Answer> {
    let allows = || body.rules.iter().filter(|rule| rule.effect == Verdict::Allow);
    if let Some(command) = facts.command() {
        let finding = command.found(Class::Ask).next()?;
        let answered = allows().any(|rule| {
            !rule.command.is_empty()
                && rule.holds_beside_command(facts)
                && command.is_answered_by(&rule.command)
        });
        return (!answered).then(|| by_finding(Verdict::Ask, finding));
    }
    let PathVerdict::Ask { category, reason } = &facts.place()?.verdict else { return None };
    let answered = allows().any(|rule| names_path(rule, facts) && rule.holds(facts) == Holds::Yes);
    (!answered).then(|| answer(Verdict::Ask, "path", category, &named(facts, reason)))
}

/// Whether the rule speaks of this path in particular, rather than of all paths.
fn names_path(rule: &Rule, facts: &Facts<'_>) -> bool {
    let cwd = facts.request.cwd;
    facts.path().is_some_and(|path| {
        rule.path.iter().any(|glob| glob.is_specific(facts.ground) && glob.matches(path, cwd))
    })
}

fn named(facts: &Facts<'_>, reason: &str) -> String {
    match facts.path() {
        Some(path) => format!("{}: {reason}", path.display()),
        None => reason.to_owned(),
    }
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
    }
}
