//! The short way to the most frequent answer: every level allows everything by its lists, and nothing else speaks. It
//! comes to the decision that [`Engine::explain`] comes to, without a word about what did not matter.

use hermes_core::names::could_be;
use hermes_core::yaml::At;
use hermes_core::{Access, AccessRequest, Decision, Target, Verdict};

use super::analysis::{by_analysis, floor};
use super::answer::LevelKind;
use super::engine::Engine;
use super::facts::Facts;
use super::holds::Holds;
use super::judged_paths::JudgedPaths;
use super::level::{Level, is_meant};
use crate::pattern::Pattern;

/// What a level says at a glance.
enum Glance<'a> {
    Nothing,
    /// By this rule.
    Allows(&'a str),
}

impl Engine {
    /// `None`: it is not so, or it takes more than a glance to say.
    pub(super) fn plainly_allowed(
        &self,
        request: &AccessRequest<'_>,
        judged: Option<&JudgedPaths>,
    ) -> Option<Decision> {
        let (first, others) = request.access.split_first()?;
        let (level, rule) = self.plain_allowance(request, first, judged)?;
        for access in others {
            self.plain_allowance(request, access, judged)?;
        }
        let permission = &first.permission;
        let reason = ["Permission ", permission.as_str(), " is allowed ", &level.scope].concat();
        let mut decision = Decision::new(Verdict::Allow, rule, reason);
        decision.level = Some(level.kind.as_str());
        decision.permission = Some(permission.clone());
        decision.profile = Some(self.profile.to_string());
        Some(decision)
    }

    /// The first level that allows it, where none has anything against it, and the rule by which it does.
    fn plain_allowance<'a>(
        &'a self,
        request: &AccessRequest<'_>,
        access: &Access,
        judged: Option<&JudgedPaths>,
    ) -> Option<(&'a Level, &'a str)> {
        // Commands are taken apart once, by whoever may have to explain them.
        if matches!(access.target, Target::Command(_)) {
            return None;
        }
        let facts = Facts::new(request, Some(access), &self.ground, &self.commands).knowing(judged);
        if floor(&facts).is_some() {
            return None;
        }
        let mut first = None;
        for level in &self.levels {
            match level.glance(&facts)? {
                Glance::Nothing => {}
                Glance::Allows(rule) => first = first.or(Some((level, rule))),
            }
        }
        first
    }
}

impl Level {
    /// `None`: something else than a list has a say.
    fn glance(&self, facts: &Facts<'_>) -> Option<Glance<'_>> {
        if self.tool.as_deref().is_some_and(|tool| !could_be(facts.request.tool, tool)) {
            return Some(Glance::Nothing);
        }
        let body = &*self.body;
        let named = |patterns: &[At<Pattern>]| patterns.iter().any(|pattern| is_meant(pattern, facts));
        let limited =
            |permission| body.restrictions.iter().any(|limit| limit.permission.value.matches(permission));
        let spoken_of = named(&body.deny)
            || named(&body.approval_required)
            || facts.permission().is_none_or(limited)
            || body.rules.iter().any(|rule| rule.holds(facts) != Holds::No)
            || (self.kind == LevelKind::Session && by_analysis(body, facts).is_some());
        if spoken_of {
            return None;
        }
        let mut listed = body.allow.iter().flatten().zip(&self.allowing);
        match listed.find(|(pattern, _)| is_meant(pattern, facts)) {
            Some((_, rule)) => Some(Glance::Allows(rule)),
            None if self.closed => None,
            None => Some(Glance::Nothing),
        }
    }
}
