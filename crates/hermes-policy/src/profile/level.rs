//! One level: what its lists, rules and restrictions say about one access.

use std::sync::Arc;

use hermes_core::names::could_be;
use hermes_core::{Permission, Verdict};

use super::analysis::{Effect, by_analysis};
use super::answer::{Answer, LevelAnswers, LevelKind, Limit, rule_id};
use super::facts::Facts;
use super::holds::Holds;
use super::model::{Body, Rule};
use super::restrict::{restrict, restrict_effect, unknown_effect};
use crate::pattern::Pattern;
use hermes_core::yaml::{At, Place};

/// How the names of shipped texts begin.
const BUILT_IN: &str = "built-in/";

#[derive(Clone, Debug)]
pub(super) struct Level {
    pub(super) kind: LevelKind,
    pub(super) name: Arc<str>,
    /// The tool that it holds for, if not for all.
    pub(super) tool: Option<String>,
    pub(super) body: Arc<Body>,
    /// What it does not allow is denied.
    pub(super) closed: bool,
    pub(super) at: Option<Place>,
    /// Where it holds, for reasons.
    pub(super) scope: String,
    /// The patterns of its list of what is allowed, as decisions name them.
    pub(super) allowing: Vec<String>,
}

impl Level {
    pub(super) fn new(kind: LevelKind, name: &str, body: &Arc<Body>) -> Self {
        let allows = body.rules.iter().any(|rule| rule.effect == Verdict::Allow);
        let listed = body.allow.iter().flatten();
        let rule = |pattern: &At<Pattern>| rule_id(Some(&pattern.at), name, &listed_as("allow", pattern));
        Level {
            scope: scope(kind, name),
            allowing: listed.map(rule).collect(),
            kind,
            name: Arc::from(name),
            tool: None,
            body: Arc::clone(body),
            closed: body.allow.is_some() || allows,
            at: None,
        }
    }

    pub(super) fn answers(&self, facts: &Facts<'_>, limits: &mut Vec<Limit>) -> LevelAnswers {
        let mut answers = Vec::new();
        if self.tool.as_deref().is_none_or(|tool| could_be(facts.request.tool, tool)) {
            self.judge(facts, &mut answers, limits);
        }
        LevelAnswers { level: self.kind, name: Arc::clone(&self.name), answers }
    }

    fn judge(&self, facts: &Facts<'_>, answers: &mut Vec<Answer>, limits: &mut Vec<Limit>) {
        let mut granted = self.by_lists(facts, answers);
        for rule in &self.body.rules {
            match rule.holds(facts) {
                Holds::No => {}
                Holds::Yes => {
                    granted |= rule.effect != Verdict::Deny && rule.names_tool(facts.request.tool);
                    answers.push(self.by_rule(rule, rule.effect, facts));
                }
                // A rule that lets through must be met for certain; one that stops asks when it may be met.
                Holds::Maybe if rule.effect == Verdict::Allow => {}
                Holds::Maybe => answers.push(self.by_rule(rule, Verdict::Ask, facts)),
            }
        }
        if self.closed && !granted {
            answers.extend(self.not_allowed(facts));
        }
        if self.kind == LevelKind::Session {
            answers.extend(by_analysis(&self.body, facts));
        }
        for restriction in &self.body.restrictions {
            restrict(self, restriction, facts, answers, limits);
        }
        for effect in facts.effects() {
            self.stop_effect(effect, &facts.of(&effect.access), answers);
        }
        answers.extend(self.unknown_effects(facts));
    }

    /// What a command does by itself is stopped by whatever names it, and by lists that do not: a command is no
    /// way around a rule. A path that some program was merely given is only stopped by its name.
    fn stop_effect(&self, effect: &Effect, facts: &Facts<'_>, answers: &mut Vec<Answer>) {
        let mut found = Vec::new();
        if !effect.mentioned {
            self.by_lists(facts, &mut found);
        }
        let named = |rule: &&Rule| match effect.mentioned {
            true => !rule.path.is_empty(),
            false => rule.names_effect(),
        };
        let rules = self.body.rules.iter().filter(named).filter(|rule| rule.holds(facts) == Holds::Yes);
        found.extend(rules.map(|rule| self.by_rule(rule, rule.effect, facts)));
        let limits = self.body.restrictions.iter();
        found.extend(limits.filter_map(|limit| restrict_effect(self, limit, facts, effect.mentioned)));
        found.retain(|answer| answer.verdict > Verdict::Allow);
        for answer in &mut found {
            answer.parameter = true;
            if let Some(access) = facts.access {
                answer.reason = format!("The command would use {access}. {}", answer.reason);
            }
        }
        answers.append(&mut found);
    }

    /// Lists of what is allowed cannot judge what nobody knows; then somebody is asked, unless the level allows the
    /// very command.
    fn unknown_effects(&self, facts: &Facts<'_>) -> Option<Answer> {
        let command = facts.command()?;
        let limits = self.body.restrictions.iter();
        let answer = limits.filter_map(|limit| unknown_effect(self, limit, command)).next()?;
        let by_rule = self.body.rules.iter().any(|rule| {
            rule.effect == Verdict::Allow && !rule.command.is_empty() && rule.holds(facts) == Holds::Yes
        });
        let by_list = self.body.restrictions.iter().any(|limit| {
            limit.allowed_commands.as_ref().is_some_and(|allowed| command.beside(allowed).is_none())
        });
        (!by_rule && !by_list).then_some(answer)
    }

    /// Answers by the lists, and whether they let the access through, be it after approval.
    pub(super) fn by_lists(&self, facts: &Facts<'_>, answers: &mut Vec<Answer>) -> bool {
        let body = &*self.body;
        let mut granted = false;
        let lists = [
            (Verdict::Deny, body.deny.as_slice()),
            (Verdict::Ask, &body.approval_required),
            (Verdict::Allow, body.allow.as_deref().unwrap_or_default()),
        ];
        for (verdict, patterns) in lists {
            let Some(pattern) = patterns.iter().find(|pattern| is_meant(pattern, facts)) else { continue };
            granted |= verdict != Verdict::Deny;
            // A call that touches nothing needs no permission.
            if verdict != Verdict::Allow || facts.permission().is_some() {
                answers.push(self.by_list(verdict, pattern, facts.permission()));
            }
        }
        granted
    }

    /// What a list says by one of its patterns.
    pub(super) fn by_list(
        &self,
        verdict: Verdict,
        pattern: &At<Pattern>,
        permission: Option<&Permission>,
    ) -> Answer {
        let (list, says) = match verdict {
            Verdict::Deny => ("deny", "is denied"),
            Verdict::Ask => (self.ask_list(), "needs approval"),
            Verdict::Allow => ("allow", "is allowed"),
        };
        let reason = match permission {
            Some(permission) => ["Permission", permission.as_str(), says, &self.scope].join(" "),
            None => ["Everything", says, &self.scope].join(" "),
        };
        Answer {
            verdict,
            rule: listed_as(list, pattern),
            place: Some(pattern.at.clone()),
            reason,
            parameter: false,
            hint: None,
        }
    }

    pub(super) fn by_rule(&self, rule: &Rule, verdict: Verdict, facts: &Facts<'_>) -> Answer {
        let what = facts.access.map_or_else(|| "This call".to_owned(), ToString::to_string);
        let says = match (verdict, rule.effect) {
            (Verdict::Ask, Verdict::Deny) => "may be what is denied by a rule",
            (Verdict::Ask, _) => "needs approval by a rule",
            (Verdict::Deny, _) => "is denied by a rule",
            (Verdict::Allow, _) => "is allowed by a rule",
        };
        let reason = match &rule.reason {
            Some(reason) => reason.clone(),
            None => format!("{what} {says} {}", self.scope),
        };
        Answer {
            verdict,
            rule: rule.to_string(),
            place: Some(rule.at.clone()),
            reason,
            parameter: rule.is_on_parameters(),
            hint: None,
        }
    }

    /// What nothing allows. A call that touches nothing needs no permission, but an empty level allows nothing.
    pub(super) fn not_allowed(&self, facts: &Facts<'_>) -> Option<Answer> {
        let body = &*self.body;
        let allows_something = body.allow.as_ref().is_some_and(|allow| !allow.is_empty())
            || !body.approval_required.is_empty()
            || body.rules.iter().any(|rule| rule.effect != Verdict::Deny);
        let reason = match facts.permission() {
            Some(permission) => format!("Permission {permission} is not allowed {}", self.scope),
            None if allows_something => return None,
            None => format!("Nothing is allowed {}", self.scope),
        };
        Some(Answer {
            verdict: Verdict::Deny,
            rule: "no rule allows it".to_owned(),
            place: self.at.clone(),
            reason,
            parameter: false,
            hint: facts.permission().map(|permission| self.what_would_allow(permission)),
        })
    }

    /// Where somebody would have to write what.
    fn what_would_allow(&self, permission: &Permission) -> String {
        let file = self.at.as_ref().map(|at| at.file.as_ref());
        let list = match (self.kind, file) {
            (LevelKind::Session, Some(file)) if file.starts_with(BUILT_IN) => {
                return format!(
                    "Profile {} is built in and does not allow {permission}. A person may choose another with \
                     permissions.profile, or write one that lists {permission} under allow in \
                     hermes_permissions.yaml.",
                    self.name
                );
            }
            (LevelKind::Session, Some(file)) => format!("allow of profile {} in {file}", self.name),
            (LevelKind::Session, None) => format!("allow of profile {}", self.name),
            (LevelKind::Tool, Some(file)) => format!("allow of tool {} in {file}", self.name),
            (LevelKind::Tool, None) => format!("allow of tool {}", self.name),
            (LevelKind::Config, _) => "permissions.allow of the configuration".to_owned(),
            (LevelKind::Global | LevelKind::Floor, _) => {
                "allow under global in hermes_permissions.yaml".to_owned()
            }
        };
        format!("A person may add {permission} to {list}.")
    }

    /// What the list of things to ask about is called.
    fn ask_list(&self) -> &'static str {
        if self.kind == LevelKind::Config { "ask" } else { "approval_required" }
    }
}

fn scope(kind: LevelKind, name: &str) -> String {
    match kind {
        LevelKind::Session => format!("in profile {name}"),
        LevelKind::Tool => format!("for tool {name}"),
        LevelKind::Global => "in every profile".to_owned(),
        LevelKind::Config => "in the configuration".to_owned(),
        LevelKind::Floor => "always".to_owned(),
    }
}

fn listed_as(list: &str, pattern: &At<Pattern>) -> String {
    format!("{list} {}", pattern.value)
}

/// Whether a pattern of a list speaks of this access. Only `*` speaks of calls that touch nothing.
pub(super) fn is_meant(pattern: &At<Pattern>, facts: &Facts<'_>) -> bool {
    match facts.permission() {
        Some(permission) => pattern.value.matches(permission),
        None => pattern.value.is_everything(),
    }
}
