//! The policy in force: every level is asked about everything a call would do, and the strictest answer counts.

use std::sync::Arc;

use hermes_core::{
    Access, AccessRequest, CommandEffect, Decision, InnerJudge, Offer, Policy, Target, Verdict,
};
use serde_json::Value;

use super::analysis::floor;
use super::answer::{AccessExplanation, Answer, Explanation, LevelAnswers, LevelKind, Limit, rule_id};
use super::facts::Facts;
use super::ground::Ground;
use super::judged_paths::JudgedPaths;
use super::level::Level;
use super::rate::{NotTaken, RateLedger};
use crate::command::UserRules;
use crate::paths::{Entry, Table};

/// A compiled policy. [`Engine::explain`] and [`Policy::decide`] are the same judgement; deciding also counts
/// the call against its limits.
pub struct Engine {
    pub(super) profile: Arc<str>,
    pub(super) levels: Vec<Level>,
    /// The profile that says that nobody is there to ask.
    pub(super) unattended: Option<Arc<str>>,
    pub(super) ground: Ground,
    pub(super) commands: UserRules,
    pub(super) ledger: Option<Arc<dyn RateLedger>>,
    /// For what calls name. What lies in a folder that one of them looks through comes once.
    pub(super) judged: JudgedPaths,
}

impl Policy for Engine {
    fn decide(&self, request: &AccessRequest<'_>) -> Decision {
        if let Some(decision) = self.plainly_allowed(request, Some(&self.judged)) {
            return decision;
        }
        let Explanation { decision, limits, .. } = self.explain(request);
        if decision.verdict == Verdict::Deny || limits.is_empty() {
            return decision;
        }
        let uncounted = |why: &str| {
            let reason = format!("Calls a minute are limited, and {why}");
            Decision::new(Verdict::Deny, "no ledger", reason)
        };
        match self.ledger.as_ref().map(|ledger| ledger.take(&limits)) {
            None => uncounted("nothing here counts them"),
            Some(Ok(())) => decision,
            Some(Err(NotTaken::Unknown(why))) => uncounted(&why),
            Some(Err(NotTaken::UsedUp(limit))) => {
                let reason = format!("More than {} calls within a minute", limit.per_minute);
                Decision::new(Verdict::Deny, limit.rule.clone(), reason)
            }
        }
    }

    fn look(&self, request: &AccessRequest<'_>) -> Decision {
        self.plainly_allowed(request, None).unwrap_or_else(|| self.explain(request).decision)
    }

    fn effects(&self, request: &AccessRequest<'_>) -> Vec<CommandEffect> {
        let by_itself = |access: &Access| {
            let alone = AccessRequest { access: std::slice::from_ref(access), ..request.clone() };
            self.explain(&alone).decision.verdict
        };
        let of_access = |access| {
            let facts = Facts::new(request, Some(access), &self.ground, &self.commands);
            let told = facts.effects().iter().map(|found| {
                let led = found.unseen.then(|| by_itself(&found.access));
                CommandEffect { access: found.access.clone(), led }
            });
            told.collect::<Vec<CommandEffect>>()
        };
        request.access.iter().flat_map(of_access).collect()
    }

    fn singled_out(&self) -> Vec<String> {
        let table = Table::shipped().map_or(&[][..], Table::entries).iter();
        let shipped = table.flat_map(Entry::patterns).map(ToString::to_string);
        let written = self.levels.iter().flat_map(|level| level.body.paths()).map(str::to_owned);
        shipped.chain(written).collect()
    }

    fn may_ask(&self) -> bool {
        self.unattended.is_none()
    }

    fn shuts_out(&self, offer: &Offer<'_>) -> Option<Decision> {
        self.shut_out(offer)
    }
}

impl Engine {
    /// Judges files inside folders of this request as if each had been named. Counts nothing.
    pub(super) fn inner(self: Arc<Self>, request: &AccessRequest<'_>) -> InnerJudge {
        let AccessRequest { tool, toolset, session, actor, .. } = request;
        let words = [*tool, *toolset, *session, *actor].map(str::to_owned);
        let (owner, cwd, arguments) =
            (request.owner.clone(), request.cwd.to_owned(), brief(request.arguments));
        Arc::new(move |permission, path| {
            let access = [Access::new(permission.clone(), Target::Resolved(path.to_owned()))];
            let [tool, toolset, session, actor] = words.each_ref().map(String::as_str);
            let request = AccessRequest {
                call_id: "",
                tool,
                toolset,
                owner: &owner,
                session,
                actor,
                cwd: &cwd,
                shell: None,
                access: &access,
                arguments: &arguments,
                effects: &[],
            };
            self.look(&request)
        })
    }

    /// The name of the profile in force.
    pub fn profile(&self) -> &str {
        &self.profile
    }

    /// What every level says about everything the call would do. Counts nothing.
    pub fn explain(&self, request: &AccessRequest<'_>) -> Explanation {
        let mut limits = Vec::new();
        let mut accesses: Vec<AccessExplanation> =
            request.access.iter().map(|access| self.judge(request, Some(access), &mut limits)).collect();
        if accesses.is_empty() {
            accesses.push(self.judge(request, None, &mut limits));
        }
        let strictest = accesses.iter().map(|access| &access.decision);
        let strictest =
            strictest.reduce(|found, next| if next.verdict > found.verdict { next } else { found });
        let decision = strictest.cloned().unwrap_or_else(nobody_spoke);
        Explanation { profile: Arc::clone(&self.profile), decision, accesses, limits }
    }

    fn judge(
        &self,
        request: &AccessRequest<'_>,
        access: Option<&Access>,
        limits: &mut Vec<Limit>,
    ) -> AccessExplanation {
        let facts = Facts::new(request, access, &self.ground, &self.commands);
        let floor = LevelAnswers {
            level: LevelKind::Floor,
            name: Arc::from(LevelKind::Floor.as_str()),
            answers: floor(&facts).into_iter().collect(),
        };
        let levels: Vec<LevelAnswers> = std::iter::once(floor)
            .chain(self.levels.iter().map(|level| level.answers(&facts, limits)))
            .collect();
        let deciding = levels.iter().filter_map(|level| Some((level, level.deciding()?)));
        let deciding =
            deciding.reduce(|found, next| if next.1.verdict > found.1.verdict { next } else { found });
        let decision = match deciding {
            Some((level, answer)) => self.settled(level.level, &level.name, answer, access),
            None if access.is_none() => Decision::new(
                Verdict::Allow,
                format!("{}: no access", self.profile),
                "The call touches nothing",
            ),
            None => nobody_spoke(),
        };
        AccessExplanation { access: access.cloned(), decision, levels }
    }

    /// The decision that the strictest answer leads to.
    pub(super) fn settled(
        &self,
        kind: LevelKind,
        name: &str,
        answer: &Answer,
        access: Option<&Access>,
    ) -> Decision {
        let (mut verdict, mut reason) = (answer.verdict, answer.reason.clone());
        if let (Verdict::Ask, Some(profile)) = (verdict, &self.unattended) {
            verdict = Verdict::Deny;
            reason = format!("{reason}, and nobody is there to ask in profile {profile}");
        }
        let mut decision = Decision::new(verdict, rule_id(answer.place.as_ref(), name, &answer.rule), reason);
        decision.level = Some(if answer.parameter { "parameter" } else { kind.as_str() });
        decision.permission = access.map(|access| access.permission.clone());
        decision.profile = Some(self.profile.to_string());
        decision.hint = answer.hint.clone();
        decision
    }
}

fn nobody_spoke() -> Decision {
    Decision::new(Verdict::Deny, "no rule", "no level of the policy allows it")
}

/// The arguments without long texts: those were judged with the call and say nothing about single files.
fn brief(arguments: &Value) -> Value {
    const LONG: usize = 4_096;
    match arguments {
        Value::Object(fields) => {
            let is_long = |value: &Value| matches!(value, Value::String(text) if text.len() > LONG);
            let kept = fields.iter().filter(|(_, value)| !is_long(value));
            Value::Object(kept.map(|(name, value)| (name.clone(), value.clone())).collect())
        }
        other => other.clone(),
    }
}
