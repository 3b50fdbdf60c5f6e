//! Restrictions: limits on how a permission may be used. They only ever stop a call; what they cannot judge
//! they stop too.

use std::path::Path;

use hermes_core::{Permission, Verdict};

use super::analysis::CommandFacts;
use super::answer::{Answer, Limit, rule_id};
use super::facts::{Facts, bytes_of};
use super::holds::Holds;
use super::level::Level;
use super::model::{OfCommands, Restriction};
use hermes_core::yaml::Place;

pub(super) fn restrict(
    level: &Level,
    restriction: &Restriction,
    facts: &Facts<'_>,
    answers: &mut Vec<Answer>,
    limits: &mut Vec<Limit>,
) {
    if !facts.permission().is_some_and(|permission| restriction.permission.value.matches(permission)) {
        return;
    }
    let check = Check { level, restriction, facts };
    answers.extend(check.paths());
    answers.extend(check.commands());
    answers.extend(check.hosts());
    answers.extend(check.methods());
    answers.extend(check.bytes());
    if let Some(most) = &restriction.max_calls_per_minute {
        let rule = format!("max_calls_per_minute {} of {}", most.value, restriction.permission.value);
        let limit = Limit { rule: rule_id(Some(&most.at), &level.name, &rule), per_minute: most.value };
        // A call counts once, whatever number of things it does.
        if !limits.contains(&limit) {
            limits.push(limit);
        }
    }
}

/// The same for something that a command would do by itself. What it was merely given (`mentioned`) is only
/// stopped by a list that names it.
pub(super) fn restrict_effect(
    level: &Level,
    restriction: &Restriction,
    facts: &Facts<'_>,
    mentioned: bool,
) -> Option<Answer> {
    if !facts.permission().is_some_and(|permission| restriction.permission.value.matches(permission)) {
        return None;
    }
    let check = Check { level, restriction, facts };
    let denied = facts.path().and_then(|path| check.denied_path(path));
    let denied = denied.or_else(|| facts.host().and_then(|host| check.denied_host(host)));
    if denied.is_some() || mentioned || restriction.commands == OfCommands::Analysed {
        return denied;
    }
    let path = facts.path().and_then(|path| check.outside(path));
    path.or_else(|| facts.host().and_then(|host| check.host_of_command(host)))
        .or_else(|| facts.host().and_then(|_| check.method_of_command()))
}

/// What a list of allowed paths or hosts cannot judge: nobody knows all that the command would touch.
pub(super) fn unknown_effect(
    level: &Level,
    restriction: &Restriction,
    command: &CommandFacts,
) -> Option<Answer> {
    if restriction.commands == OfCommands::Analysed {
        return None;
    }
    let limits = |permission: &Permission| restriction.permission.value.matches(permission);
    let files = [Permission::FILE_READ, Permission::FILE_WRITE, Permission::FILE_DELETE];
    let list = if restriction.allowed_paths.is_some() && files.iter().any(limits) {
        "allowed_paths"
    } else if restriction.allowed_hosts.is_some() && limits(&Permission::NETWORK_FETCH) {
        "allowed_hosts"
    } else {
        return None;
    };
    let program = command.unknown(list == "allowed_paths" && limits(&Permission::FILE_READ))?;
    let wanted = &restriction.permission.value;
    Some(Answer {
        verdict: Verdict::Ask,
        rule: format!("{list} of {wanted}"),
        place: Some(restriction.permission.at.clone()),
        reason: format!(
            "Nobody can say what {program:?} would touch, and {wanted} is limited {}",
            level.scope
        ),
        parameter: true,
        hint: None,
    })
}

struct Check<'a, 'f> {
    level: &'a Level,
    restriction: &'a Restriction,
    facts: &'a Facts<'f>,
}

impl Check<'_, '_> {
    fn paths(&self) -> Option<Answer> {
        let (allowed, denied) = (&self.restriction.allowed_paths, &self.restriction.denied_paths);
        if allowed.is_none() && denied.is_empty() {
            return None;
        }
        let Some(path) = self.facts.path() else { return self.unjudged("path", "file") };
        if let Some(answer) = self.denied_path(path) {
            return Some(answer);
        }
        self.outside(path)
    }

    /// The path is none of the allowed ones.
    fn outside(&self, path: &Path) -> Option<Answer> {
        let allowed = self.restriction.allowed_paths.as_ref()?;
        if allowed.iter().any(|glob| glob.value.matches(path, self.facts.request.cwd)) {
            return None;
        }
        let verb = match self.permission().split_once(':') {
            Some(("file", action)) => action.to_owned(),
            _ => self.permission().to_owned(),
        };
        let reason = format!("Path {} is outside the allowed {verb} scope", path.display());
        Some(self.stop(&self.restriction.permission.at, "allowed_paths", reason))
    }

    fn denied_path(&self, path: &Path) -> Option<Answer> {
        let denied = &self.restriction.denied_paths;
        let glob = denied.iter().find(|glob| self.facts.is_closed_by(&glob.value, path))?;
        let reason =
            format!("Path {} is denied for {} {}", path.display(), self.permission(), self.level.scope);
        Some(self.stop(&glob.at, &format!("denied_paths {}", glob.value.text()), reason))
    }

    fn commands(&self) -> Option<Answer> {
        let (allowed, denied) = (&self.restriction.allowed_commands, &self.restriction.denied_commands);
        if allowed.is_none() && denied.is_empty() {
            return None;
        }
        let Some(command) = self.facts.command() else { return self.unjudged("command", "terminal") };
        let found = denied.iter().map(|pattern| (command.holds(&pattern.value), pattern));
        let found = found.reduce(|found, next| if next.0 > found.0 { next } else { found });
        if let Some((Holds::Yes, pattern)) = found {
            let reason = format!("Command {:?} is denied {}", pattern.value.text(), self.level.scope);
            return Some(self.stop(
                &pattern.at,
                &format!("denied_commands {}", pattern.value.text()),
                reason,
            ));
        }
        if let Some(allowed) = allowed
            && let Some(other) = command.beside(allowed)
        {
            let reason = format!("Command {other:?} is not one of the allowed commands {}", self.level.scope);
            return Some(self.stop(&self.restriction.permission.at, "allowed_commands", reason));
        }
        let (Holds::Maybe, pattern) = found? else { return None };
        let reason = format!(
            "The command cannot be read with certainty and may be {:?}, which is denied {}",
            pattern.value.text(),
            self.level.scope
        );
        let rule = format!("denied_commands {}", pattern.value.text());
        Some(Answer { verdict: Verdict::Ask, ..self.stop(&pattern.at, &rule, reason) })
    }

    fn hosts(&self) -> Option<Answer> {
        let (allowed, denied) = (&self.restriction.allowed_hosts, &self.restriction.denied_hosts);
        if allowed.is_none() && denied.is_empty() {
            return None;
        }
        let Some(host) = self.facts.host() else { return self.unjudged("host", "network") };
        if let Some(answer) = self.denied_host(host) {
            return Some(answer);
        }
        self.other_host(host)
    }

    /// The host of a command, which may be no more than the name of a remote or of a service.
    fn host_of_command(&self, host: &str) -> Option<Answer> {
        let stop = self.other_host(host)?;
        if host.contains(['.', ':']) || host == "localhost" {
            return Some(stop);
        }
        let reason =
            format!("Nobody can say which host {host:?} is, and only some are allowed {}", self.level.scope);
        Some(Answer { verdict: Verdict::Ask, reason, ..stop })
    }

    /// The host is none of the allowed ones.
    fn other_host(&self, host: &str) -> Option<Answer> {
        let allowed = self.restriction.allowed_hosts.as_ref()?;
        if allowed.iter().any(|pattern| pattern.value.matches(host)) {
            return None;
        }
        let reason = format!("Host {host} is not one of the allowed hosts {}", self.level.scope);
        Some(self.stop(&self.restriction.permission.at, "allowed_hosts", reason))
    }

    fn denied_host(&self, host: &str) -> Option<Answer> {
        let pattern = self.restriction.denied_hosts.iter().find(|pattern| pattern.value.matches(host))?;
        let reason = format!("Host {host} is denied for {} {}", self.permission(), self.level.scope);
        Some(self.stop(&pattern.at, &format!("denied_hosts {}", pattern.value), reason))
    }

    fn methods(&self) -> Option<Answer> {
        let allowed = self.restriction.allowed_methods.as_ref()?;
        let method = self.facts.method();
        if method.as_ref().is_some_and(|method| allowed.value.contains(method)) {
            return None;
        }
        let reason = match method {
            Some(method) => {
                format!("Method {method} is not one of the allowed methods {}", self.level.scope)
            }
            None => {
                format!("The call does not say its method, and only some are allowed {}", self.level.scope)
            }
        };
        Some(self.stop(&allowed.at, "allowed_methods", reason))
    }

    /// Commands say their method in too many ways for anybody to be sure.
    fn method_of_command(&self) -> Option<Answer> {
        let allowed = self.restriction.allowed_methods.as_ref()?;
        let reason = format!("Only some methods are allowed {}", self.level.scope);
        Some(Answer { verdict: Verdict::Ask, ..self.stop(&allowed.at, "allowed_methods", reason) })
    }

    fn bytes(&self) -> Option<Answer> {
        let most = self.restriction.max_bytes.as_ref()?;
        let carried = bytes_of(self.facts.request.arguments);
        if carried <= most.value {
            return None;
        }
        let reason = format!(
            "The call carries {carried} bytes, more than the {} that {} may {}",
            most.value,
            self.permission(),
            self.level.scope
        );
        Some(self.stop(&most.at, &format!("max_bytes {}", most.value), reason))
    }

    fn permission(&self) -> &str {
        self.facts.permission().map_or("", |permission| permission.as_str())
    }

    /// A restriction of everything passes over what has no such target; one that names the permission's kind
    /// does not.
    fn unjudged(&self, what: &str, domain: &str) -> Option<Answer> {
        let names_it = self.restriction.permission.value.domain().is_some();
        let is_natural = self.permission().split(':').next() == Some(domain);
        if !names_it && !is_natural {
            return None;
        }
        let reason = format!("{} has no {what} to judge {}", self.permission(), self.level.scope);
        Some(self.stop(&self.restriction.permission.at, &format!("no {what}"), reason))
    }

    fn stop(&self, at: &Place, rule: &str, reason: String) -> Answer {
        Answer {
            verdict: Verdict::Deny,
            rule: format!("{rule} of {}", self.restriction.permission.value),
            place: Some(at.clone()),
            reason,
            parameter: true,
            hint: None,
        }
    }
}
