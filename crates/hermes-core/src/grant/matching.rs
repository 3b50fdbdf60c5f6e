//! Whether a grant covers a call. One grant must account for everything the call touches; what it does
//! not speak of is a no.

use std::path::Path;

use serde_json::Value;

use super::binding::{NamedFile, VARIABLES};
use super::folder::FOLDERS;
use super::glob;
use super::model::{Grant, Pattern, Scope};
use super::prefix::check_pattern;
use super::words::simple_words;
use crate::access::{Access, Target};
use crate::policy::AccessRequest;

/// A call as the ledger sees it.
#[derive(Clone, Copy, Debug)]
pub struct Facts<'a> {
    pub request: &'a AccessRequest<'a>,
    /// The session as scopes name it.
    pub session: &'a str,
    /// SHA-256 of [`super::Binding::call`].
    pub exact: &'a str,
    /// The scripts that the call names, as they are now, in the order of its words; last the session's
    /// variables, where it has any, and the places that links lead it to.
    pub files: &'a [NamedFile],
    pub now_ms: i64,
}

/// Arguments beside a command that do not change what it does.
const HARMLESS: &[&str] = &["description", "timeout", "timeout_seconds"];

impl Grant {
    /// Whether it can still be used: not revoked, not expired, not used up.
    pub fn is_live(&self, now_ms: i64) -> bool {
        self.revoked_ms.is_none()
            && self.expires_ms.is_none_or(|expires| expires > now_ms)
            && self.uses_left != Some(0)
    }

    /// Whether it allows exactly what the call would do.
    pub fn covers(&self, facts: &Facts<'_>) -> bool {
        let request = facts.request;
        self.is_live(facts.now_ms)
            && self.tool == request.tool
            && self.actor.as_deref().is_none_or(|actor| actor == request.actor)
            && self.scope.holds(facts)
            && self
                .permission
                .as_ref()
                .is_none_or(|permission| request.access.iter().all(|access| access.permission == *permission))
            && self.pattern.covers(facts)
            && self.names_same_files(facts)
    }

    /// Whether the scripts that the pattern names, the session's variables and the places that links lead to are what
    /// they were, none changed, added or gone.
    fn names_same_files(&self, facts: &Facts<'_>) -> bool {
        let named = |file: &&NamedFile| match &self.pattern {
            Pattern::Command(_) => true,
            Pattern::Prefix(words) => {
                file.word == VARIABLES || file.is_led_astray() || words.contains(&file.word)
            }
            // These are bound by the digest, or name no command.
            Pattern::Exact(_) | Pattern::Path(_) | Pattern::Host(_) => false,
        };
        facts.files.iter().filter(named).eq(self.files.iter())
    }
}

impl Scope {
    fn holds(&self, facts: &Facts<'_>) -> bool {
        match self {
            Scope::Session(id) => id == facts.session,
            Scope::Project(folder) => folder == facts.request.cwd,
            Scope::Always => true,
        }
    }
}

impl Pattern {
    /// Whether the pattern speaks of every access of the call.
    pub(super) fn covers(&self, facts: &Facts<'_>) -> bool {
        let access = facts.request.access;
        if let Pattern::Exact(digest) = self {
            return digest == facts.exact;
        }
        // A call that touches nothing known can only be known whole.
        !access.is_empty()
            && access.iter().all(|access| self.takes(access))
            && self.takes_arguments(facts.request)
    }

    fn takes(&self, access: &Access) -> bool {
        match (self, &access.target) {
            (Pattern::Command(wanted), Target::Command(text)) => wanted == text,
            // Whether it may be a prefix is asked again: the list of what may not can have grown.
            (Pattern::Prefix(prefix), Target::Command(text)) => {
                check_pattern(self).is_ok() && simple_words(text).is_ok_and(|words| words.starts_with(prefix))
            }
            (Pattern::Path(pattern), Target::Resolved(path)) => {
                path.to_str().is_some_and(|path| glob::matches(pattern, path))
            }
            (Pattern::Host(wanted), Target::Host(host)) => same_host(wanted, host),
            _ => false,
        }
    }

    /// A command says what runs, but not where or with what; arguments that do are not covered by it.
    fn takes_arguments(&self, request: &AccessRequest<'_>) -> bool {
        if !matches!(self, Pattern::Command(_) | Pattern::Prefix(_)) {
            return true;
        }
        let is_command = |value: &Value| {
            let text = value.as_str();
            request
                .access
                .iter()
                .all(|access| matches!(&access.target, Target::Command(it) if Some(it.as_str()) == text))
        };
        let stands_here = match self {
            // What the words do was seen to be harmless; the very command was approved for one folder.
            Pattern::Prefix(_) => request.shell.is_none_or(|shell| shell.starts_with(request.cwd)),
            _ => request.shell.is_none_or(|shell| shell == request.cwd),
        };
        let Some(arguments) = request.arguments.as_object().filter(|_| stands_here) else { return false };
        arguments.iter().all(|(name, value)| {
            HARMLESS.contains(&name.as_str())
                || matches!(value, Value::Null | Value::Bool(false))
                || is_command(value)
                // Where it runs must be the session's own folder.
                || (FOLDERS.contains(&name.as_str()) && value.as_str().map(Path::new) == Some(request.cwd))
        })
    }
}

/// Names of hosts are the same in any case and with a dot at the end.
fn same_host(one: &str, other: &str) -> bool {
    one.trim_end_matches('.').eq_ignore_ascii_case(other.trim_end_matches('.'))
}
