//! Tools that nothing would let through: every kind of call they have is denied before its arguments count.

use hermes_core::names::could_be;
use hermes_core::{Access, AccessRequest, Decision, Offer, Permission, Verdict};
use serde_json::Value;

use super::answer::Answer;
use super::engine::Engine;
use super::facts::Facts;
use super::holds::Holds;
use super::level::Level;

impl Engine {
    /// The decision that every call of the tool would meet, if there is one.
    pub(super) fn shut_out(&self, offer: &Offer<'_>) -> Option<Decision> {
        if self.unattended.is_none() && !self.levels.iter().any(Level::may_shut_out) {
            return None;
        }
        // Of a tool that nobody knows anything about only its name can be judged.
        const UNKNOWN: &[Vec<Permission>] = &[Vec::new()];
        let uses = (offer.uses)();
        let kinds = if uses.is_empty() { UNKNOWN } else { uses };
        let mut decisions = kinds.iter().map(|needed| self.refuses(offer, needed));
        let first = decisions.next()??;
        decisions.all(|decision| decision.is_some()).then_some(first)
    }

    /// Why a call that needs all of these is denied whatever else it says.
    fn refuses(&self, offer: &Offer<'_>, needed: &[Permission]) -> Option<Decision> {
        let access: Vec<Access> = needed.iter().cloned().map(Access::any).collect();
        let request = AccessRequest {
            call_id: "",
            tool: offer.tool,
            toolset: offer.toolset,
            owner: offer.owner,
            session: offer.session,
            actor: offer.actor,
            cwd: offer.cwd,
            shell: None,
            access: &access,
            arguments: &Value::Null,
            effects: &[],
        };
        let judged = |access: Option<&Access>| {
            let facts = Facts::new(&request, access, &self.ground, &self.commands);
            let found = self
                .levels
                .iter()
                .find_map(|level| Some((level, level.refuses(&facts, self.unattended.is_some())?)));
            found.map(|(level, answer)| self.settled(level.kind, &level.name, &answer, access))
        };
        if access.is_empty() { judged(None) } else { access.iter().find_map(|access| judged(Some(access))) }
    }
}

impl Level {
    fn may_shut_out(&self) -> bool {
        let allows_all = self.body.allow.iter().flatten().any(|pattern| pattern.value.is_everything());
        (self.closed && !allows_all)
            || !self.body.deny.is_empty()
            || self.body.rules.iter().any(|rule| rule.effect == Verdict::Deny)
    }

    /// What the level has against every call that does this. Where nobody is there to ask, a question is a no.
    fn refuses(&self, facts: &Facts<'_>, unattended: bool) -> Option<Answer> {
        if self.tool.as_deref().is_some_and(|tool| !could_be(facts.request.tool, tool)) {
            return None;
        }
        let mut answers = Vec::new();
        let mut granted = self.by_lists(facts, &mut answers);
        for rule in &self.body.rules {
            let lets_through = rule.effect != Verdict::Deny && rule.names_tool(facts.request.tool);
            if !rule.is_for_every_call() {
                granted |= lets_through && rule.speaks_of(facts);
            } else if rule.holds(facts) == Holds::Yes {
                granted |= lets_through;
                answers.push(self.by_rule(rule, rule.effect, facts));
            }
        }
        if self.closed && !granted {
            answers.extend(self.not_allowed(facts));
        }
        let refuses = |answer: &Answer| {
            answer.verdict == Verdict::Deny || (unattended && answer.verdict == Verdict::Ask)
        };
        answers.into_iter().find(refuses)
    }
}
