//! A policy text as types. Every rule knows where it was written.

use std::fmt;
use std::sync::Arc;

use hermes_core::Verdict;

use super::matchers::{Argument, CommandPattern, HostPattern, PathGlob, Wildcard};
use crate::pattern::Pattern;
use hermes_core::yaml::{At, Place};

/// What one text says.
#[derive(Clone, Debug)]
pub struct PolicyFile {
    pub name: Arc<str>,
    /// Holds above every profile.
    pub global: Option<Arc<Body>>,
    /// Hold for single tools, whatever the profile.
    pub tools: Vec<ToolBody>,
    pub profiles: Vec<Arc<Profile>>,
}

/// A named set of permissions.
#[derive(Clone, Debug)]
pub struct Profile {
    pub name: String,
    pub at: Place,
    pub description: Option<String>,
    /// Profiles that must agree too. A profile never allows more than those it extends.
    pub extends: Vec<At<String>>,
    /// Nobody is there to ask: what would need approval is denied.
    pub unattended: bool,
    pub body: Arc<Body>,
    pub tools: Vec<ToolBody>,
}

/// The body that holds for one tool.
#[derive(Clone, Debug)]
pub struct ToolBody {
    /// The canonical name.
    pub tool: At<String>,
    pub body: Arc<Body>,
}

/// Lists, restrictions and rules of one level.
#[derive(Clone, Debug, Default)]
pub struct Body {
    /// Without a list, a level leaves it to the others what is allowed.
    pub allow: Option<Vec<At<Pattern>>>,
    pub deny: Vec<At<Pattern>>,
    /// Allowed, after approval.
    pub approval_required: Vec<At<Pattern>>,
    pub restrictions: Vec<Restriction>,
    pub rules: Vec<Rule>,
}

impl Body {
    /// The paths that it names, as they were written.
    pub(super) fn paths(&self) -> impl Iterator<Item = &str> {
        let limited = self.restrictions.iter().flat_map(|restriction| {
            restriction.denied_paths.iter().chain(restriction.allowed_paths.iter().flatten())
        });
        let ruled = self.rules.iter().flat_map(|rule| &rule.path);
        limited.map(|path| &path.value).chain(ruled).map(PathGlob::text)
    }
}

/// Limits on how a permission may be used. Lists that are not written limit nothing.
#[derive(Clone, Debug)]
pub struct Restriction {
    pub permission: At<Pattern>,
    pub allowed_paths: Option<Vec<At<PathGlob>>>,
    pub denied_paths: Vec<At<PathGlob>>,
    pub allowed_commands: Option<Vec<At<CommandPattern>>>,
    pub denied_commands: Vec<At<CommandPattern>>,
    pub allowed_hosts: Option<Vec<At<HostPattern>>>,
    pub denied_hosts: Vec<At<HostPattern>>,
    pub allowed_methods: Option<At<Vec<String>>>,
    pub max_bytes: Option<At<u64>>,
    pub max_calls_per_minute: Option<At<u32>>,
    pub commands: OfCommands,
}

/// Who says what commands may do of what a restriction allows to tools.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum OfCommands {
    /// The same lists: what a command is known to do must be allowed, and what nobody knows is asked about.
    #[default]
    Listed,
    /// The analysis of commands, which asks before anything is changed outside the session's folder.
    Analysed,
}

impl Restriction {
    pub(super) fn on(permission: At<Pattern>) -> Self {
        Restriction {
            permission,
            allowed_paths: None,
            denied_paths: Vec::new(),
            allowed_commands: None,
            denied_commands: Vec::new(),
            allowed_hosts: None,
            denied_hosts: Vec::new(),
            allowed_methods: None,
            max_bytes: None,
            max_calls_per_minute: None,
            commands: OfCommands::default(),
        }
    }
}

impl Restriction {
    /// What it limits, as it was written.
    pub fn limits(&self) -> Vec<(&'static str, Vec<String>)> {
        let paths = |list: &[At<PathGlob>]| list.iter().map(|path| path.value.text().to_owned()).collect();
        let commands = |list: &[At<CommandPattern>]| {
            list.iter().map(|command| command.value.text().to_owned()).collect()
        };
        let hosts = |list: &[At<HostPattern>]| list.iter().map(|host| host.value.to_string()).collect();
        let mut limits: Vec<(&'static str, Vec<String>)> = Vec::new();
        limits.extend(self.allowed_paths.as_deref().map(|list| ("allowed_paths", paths(list))));
        limits.push(("denied_paths", paths(&self.denied_paths)));
        limits.extend(self.allowed_commands.as_deref().map(|list| ("allowed_commands", commands(list))));
        limits.push(("denied_commands", commands(&self.denied_commands)));
        limits.extend(self.allowed_hosts.as_deref().map(|list| ("allowed_hosts", hosts(list))));
        limits.push(("denied_hosts", hosts(&self.denied_hosts)));
        limits.extend(self.allowed_methods.as_ref().map(|list| ("allowed_methods", list.value.clone())));
        limits.extend(self.max_bytes.as_ref().map(|most| ("max_bytes", vec![most.value.to_string()])));
        let calls = self.max_calls_per_minute.as_ref();
        limits.extend(calls.map(|most| ("max_calls_per_minute", vec![most.value.to_string()])));
        let left = (self.commands == OfCommands::Analysed).then(|| vec!["analysed".to_owned()]);
        limits.extend(left.map(|values| ("commands", values)));
        limits.retain(|(name, values)| !values.is_empty() || name.starts_with("allowed"));
        limits
    }
}

/// One rule: an effect, and everything that must be true of a call for it to have that effect. A condition
/// that lists several values is met by any of them; an empty one is no condition.
#[derive(Clone, Debug)]
pub struct Rule {
    pub at: Place,
    pub effect: Verdict,
    pub tool: Vec<Wildcard>,
    pub toolset: Vec<Wildcard>,
    pub server: Vec<Wildcard>,
    pub actor: Vec<Wildcard>,
    pub permission: Vec<Pattern>,
    pub argument: Vec<Argument>,
    pub path: Vec<PathGlob>,
    pub host: Vec<HostPattern>,
    pub command: Vec<CommandPattern>,
    pub reason: Option<String>,
}

impl Rule {
    /// Rules that look at what is in a call, rather than at who calls what.
    pub fn is_on_parameters(&self) -> bool {
        !self.argument.is_empty()
            || !self.path.is_empty()
            || !self.host.is_empty()
            || !self.command.is_empty()
    }

    /// The conditions as one text; rules with the same text mean the same calls.
    pub fn conditions(&self) -> String {
        let mut parts = Vec::new();
        let mut add = |name: &str, values: Vec<String>| match values.as_slice() {
            [] => {}
            [one] => parts.push(format!("{name} {one}")),
            several => parts.push(format!("{name} in [{}]", several.join(", "))),
        };
        let names = |names: &[Wildcard]| names.iter().map(|name| name.text().to_owned()).collect::<Vec<_>>();
        add("tool", names(&self.tool));
        add("toolset", names(&self.toolset));
        add("server", names(&self.server));
        add("actor", names(&self.actor));
        add("permission", self.permission.iter().map(ToString::to_string).collect());
        for argument in &self.argument {
            add("argument", vec![argument.to_string()]);
        }
        add("path", self.path.iter().map(|path| path.text().to_owned()).collect());
        add("host", self.host.iter().map(ToString::to_string).collect());
        add("command", self.command.iter().map(|command| command.text().to_owned()).collect());
        parts.join(", ")
    }
}

impl fmt::Display for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", word(self.effect), self.conditions())
    }
}

/// The verdict as a rule writes it.
pub(super) fn word(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Allow => "allow",
        Verdict::Ask => "ask",
        Verdict::Deny => "deny",
    }
}
