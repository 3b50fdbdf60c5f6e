//! What a call would touch, in words that policy, approvals, the journal and the doors share.

use std::borrow::Cow;
use std::fmt;
use std::path::PathBuf;

use serde::{Deserialize, Serialize};

/// A permission name of the form `domain:action`, as it stands in permission profiles.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Permission(Cow<'static, str>);

impl Permission {
    pub const FILE_READ: Permission = Permission(Cow::Borrowed("file:read"));
    pub const FILE_WRITE: Permission = Permission(Cow::Borrowed("file:write"));
    pub const FILE_DELETE: Permission = Permission(Cow::Borrowed("file:delete"));
    /// Keeping a change of the environment for all sessions to come.
    pub const ENV_PERSIST: Permission = Permission(Cow::Borrowed("env:persist"));
    pub const ENV_READ: Permission = Permission(Cow::Borrowed("env:read"));
    pub const ENV_WRITE: Permission = Permission(Cow::Borrowed("env:write"));
    pub const ENV_REVEAL: Permission = Permission(Cow::Borrowed("env:reveal"));
    pub const SYSTEM_READ: Permission = Permission(Cow::Borrowed("system:read"));
    pub const TERMINAL_EXECUTE: Permission = Permission(Cow::Borrowed("terminal:execute"));
    pub const PROCESS_MANAGE: Permission = Permission(Cow::Borrowed("process:manage"));
    pub const CODE_EXECUTE: Permission = Permission(Cow::Borrowed("code:execute"));
    pub const NETWORK_FETCH: Permission = Permission(Cow::Borrowed("network:fetch"));
    pub const NETWORK_SEARCH: Permission = Permission(Cow::Borrowed("network:search"));

    /// Every permission that a profile may name without a wildcard. `mcp:<server>` is known by its domain.
    pub const KNOWN: &'static [&'static str] = &[
        "agent:delegate",
        "api:call",
        "browser:use",
        "calendar:read",
        "calendar:write",
        "clipboard:read",
        "clipboard:write",
        "code:execute",
        "cron:manage",
        "database:read",
        "database:write",
        "docker:manage",
        "docker:read",
        "docker:run",
        "email:send",
        "env:persist",
        "env:read",
        "env:reveal",
        "env:write",
        "file:delete",
        "file:read",
        "file:write",
        "git:read",
        "git:write",
        "media:generate",
        "media:read",
        "memory:read",
        "memory:write",
        "network:dns",
        "network:fetch",
        "network:search",
        "notification:send",
        "plugin:call",
        "process:manage",
        "session:read",
        "session:write",
        "skills:read",
        "skills:write",
        "storage:read",
        "storage:write",
        "system:read",
        "terminal:execute",
    ];

    /// A permission whose name is only known at run time, such as `mcp:<server>`.
    pub fn named(name: impl Into<String>) -> Self {
        Permission(Cow::Owned(name.into()))
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Whether `name` is one a profile may speak of.
    pub fn is_known(name: &str) -> bool {
        Self::KNOWN.binary_search(&name).is_ok()
            || name.strip_prefix("mcp:").is_some_and(|server| !server.is_empty())
    }
}

impl fmt::Display for Permission {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// The thing a permission is used on.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Target {
    /// The permission has no narrower object.
    Any,
    /// A path as the model wrote it; resolved by [`crate::ports::PathResolver`] before it is judged.
    Path(String),
    /// A path on the machine where the session's commands run, as the model wrote it; found there by
    /// [`crate::ports::PathResolver::locate`] before it is judged.
    Elsewhere(String),
    /// A path after `~`, `..` and symlinks, ready to be judged.
    Resolved(PathBuf),
    /// A shell command line.
    Command(String),
    /// The same for the session's own shell; where that stands is asked of
    /// [`crate::ports::PathResolver::standing`] before the command is judged.
    InShell(String),
    /// A host, with a port where it matters.
    Host(String),
    /// A variable, server, session or other named thing.
    Name(String),
}

impl fmt::Display for Target {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Target::Any => Ok(()),
            Target::Resolved(path) => write!(f, "{}", path.display()),
            Target::Path(text)
            | Target::Elsewhere(text)
            | Target::Command(text)
            | Target::InShell(text)
            | Target::Host(text)
            | Target::Name(text) => f.write_str(text),
        }
    }
}

/// One thing a call would do: a permission used on a target.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize)]
pub struct Access {
    pub permission: Permission,
    pub target: Target,
    /// Where that is, if it is on another machine or in a container. Rules speak of the target; people are shown
    /// this.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub place: Option<String>,
    /// Things are put into the folder that the target names, and nothing in its place. Each of them is judged by its own
    /// name.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub into: bool,
}

impl Access {
    pub fn new(permission: Permission, target: Target) -> Self {
        Access { permission, target, place: None, into: false }
    }

    /// A permission without a narrower object.
    pub fn any(permission: Permission) -> Self {
        Self::new(permission, Target::Any)
    }

    pub fn read_path(path: impl Into<String>) -> Self {
        Self::new(Permission::FILE_READ, Target::Path(path.into()))
    }

    pub fn write_path(path: impl Into<String>) -> Self {
        Self::new(Permission::FILE_WRITE, Target::Path(path.into()))
    }

    /// Putting things into a folder, which is made if it is missing.
    pub fn write_into(path: impl Into<String>) -> Self {
        Access { into: true, ..Self::write_path(path) }
    }

    pub fn delete_path(path: impl Into<String>) -> Self {
        Self::new(Permission::FILE_DELETE, Target::Path(path.into()))
    }

    pub fn name(permission: Permission, name: impl Into<String>) -> Self {
        Self::new(permission, Target::Name(name.into()))
    }
}

impl fmt::Display for Access {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (&self.place, &self.target) {
            (Some(place), _) => write!(f, "{} {place}", self.permission),
            (None, Target::Any) => write!(f, "{}", self.permission),
            (None, target) => write!(f, "{} {target}", self.permission),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_permissions_are_sorted_so_that_lookup_works() {
        assert!(Permission::KNOWN.is_sorted());
        assert!(Permission::is_known("file:read"));
        assert!(Permission::is_known("mcp:github"));
        assert!(!Permission::is_known("mcp:"));
        assert!(!Permission::is_known("file:reed"));
    }
}
