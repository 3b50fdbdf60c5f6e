//! Whether the conditions of a rule are met.

use hermes_core::names::{could_be, without_mark};
use hermes_core::{Permission, Verdict};

use super::facts::Facts;
use super::matchers::Wildcard;
use super::model::Rule;

/// Whether a rule's conditions are met.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Holds {
    No,
    Maybe,
    Yes,
}

impl Rule {
    /// Whether the rule speaks of what a command may do by itself, rather than of who runs it.
    pub(crate) fn names_effect(&self) -> bool {
        self.command.is_empty()
            && !(self.permission.is_empty() && self.path.is_empty() && self.host.is_empty())
    }

    pub(crate) fn holds(&self, facts: &Facts<'_>) -> Holds {
        if !self.holds_beside_command(facts) {
            return Holds::No;
        }
        match (self.command.is_empty(), facts.command()) {
            (true, _) => Holds::Yes,
            (false, None) => Holds::No,
            (false, Some(command)) if self.effect == Verdict::Allow => {
                if command.is_made_of(&self.command) {
                    Holds::Yes
                } else {
                    Holds::No
                }
            }
            (false, Some(command)) => {
                self.command.iter().map(|wanted| command.holds(wanted)).max().unwrap_or(Holds::No)
            }
        }
    }

    /// Whether all conditions are met, the command left aside.
    pub(crate) fn holds_beside_command(&self, facts: &Facts<'_>) -> bool {
        let host = |found: &str| self.host.iter().any(|wanted| wanted.matches(found));
        let lets_through = self.effect == Verdict::Allow;
        self.speaks_of(facts)
            && self.argument.iter().all(|argument| argument.matches(facts.request.arguments, lets_through))
            && (self.path.is_empty() || self.path_holds(facts))
            && (self.host.is_empty() || facts.host().is_some_and(host))
    }

    /// Whether every call like this one meets the rule if its tool, its actor and its permission do.
    pub(crate) fn is_for_every_call(&self) -> bool {
        self.argument.is_empty() && self.path.is_empty() && self.host.is_empty() && self.command.is_empty()
    }

    /// Whether the rule is about a tool that is called so.
    pub(super) fn names_tool(&self, tool: &str) -> bool {
        self.tool.is_empty() || self.tool.iter().any(|wanted| wanted.matches(tool))
    }

    /// Whether the rule stops a tool that could be called what it names: another tool of a similar name must not be a way
    /// out of it.
    fn stops_tool(&self, tool: &str) -> bool {
        let meant = |wanted: &Wildcard| match wanted.is_exact() {
            true => could_be(tool, wanted.text()),
            false => without_mark(tool).is_some_and(|plain| wanted.matches(plain)),
        };
        self.effect != Verdict::Allow && self.tool.iter().any(meant)
    }

    /// Whether the rule is about this tool, this actor and this permission, whatever the call is given.
    pub(crate) fn speaks_of(&self, facts: &Facts<'_>) -> bool {
        let request = facts.request;
        let name = |wanted: &[Wildcard], found: Option<&str>| {
            wanted.is_empty() || found.is_some_and(|found| wanted.iter().any(|wanted| wanted.matches(found)))
        };
        let permission = |found: &Permission| self.permission.iter().any(|wanted| wanted.matches(found));
        (self.names_tool(request.tool) || self.stops_tool(request.tool))
            && name(&self.toolset, Some(request.toolset))
            && name(&self.server, facts.server())
            && name(&self.actor, Some(request.actor))
            && (self.permission.is_empty() || facts.permission().is_some_and(permission))
    }

    fn path_holds(&self, facts: &Facts<'_>) -> bool {
        let Some(path) = facts.path() else { return false };
        let cwd = facts.request.cwd;
        self.path.iter().any(|glob| match self.effect {
            Verdict::Allow => glob.matches(path, cwd),
            Verdict::Ask | Verdict::Deny => facts.is_closed_by(glob, path),
        })
    }
}
