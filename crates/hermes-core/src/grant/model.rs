//! What a grant says.

use std::fmt;
use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use super::binding::NamedFile;
use super::prefix::{self, Refused};
use super::words::quoted;
use crate::access::Permission;

/// A stored approval: this tool, these arguments, there, so often, until then, for this actor.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Grant {
    pub id: String,
    pub created_ms: i64,
    /// Who gave it.
    pub created_by: String,
    pub tool: String,
    /// If set, every permission the call uses must be this one.
    pub permission: Option<Permission>,
    pub pattern: Pattern,
    /// Scripts that the pattern names, as they were: changed since, the grant does not hold.
    pub files: Vec<NamedFile>,
    pub scope: Scope,
    /// Who may use it; `None` is anybody.
    pub actor: Option<String>,
    /// `None` is any number.
    pub uses_left: Option<u64>,
    pub uses: u64,
    pub expires_ms: Option<i64>,
    pub reason: String,
    pub revoked_ms: Option<i64>,
    pub last_used_ms: Option<i64>,
}

/// A grant that is yet to be stored; the ledger gives it its id and its time.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct NewGrant {
    pub created_by: String,
    pub tool: String,
    pub permission: Option<Permission>,
    pub pattern: Pattern,
    pub files: Vec<NamedFile>,
    pub scope: Scope,
    pub actor: Option<String>,
    pub uses: Option<u64>,
    /// How long it holds from the moment it is stored.
    pub lifetime_ms: Option<i64>,
    pub reason: String,
}

impl NewGrant {
    /// Refuses what must never be stored.
    pub fn check(&self) -> Result<(), Refused> {
        if self.uses == Some(0) {
            return Err(Refused::new("a grant for no use at all grants nothing"));
        }
        if self.lifetime_ms.is_some_and(|lifetime| lifetime <= 0) {
            return Err(Refused::new("a grant that has ended already grants nothing"));
        }
        if self.tool.is_empty() {
            return Err(Refused::new("a grant names the tool it is for"));
        }
        if self.tool.contains(['*', '?']) || self.tool.chars().any(char::is_whitespace) {
            return Err(Refused::new("a grant is for one tool, and no tool has such a name"));
        }
        if self.actor.as_deref() == Some("") {
            return Err(Refused::new("a grant names who may use it, or is for anybody"));
        }
        prefix::check_pattern(&self.pattern)
    }
}

/// Which arguments of the tool are meant.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Pattern {
    /// The very call, by the SHA-256 of [`super::Binding::call`] as hexadecimal text.
    Exact(String),
    /// A command line, letter for letter.
    Command(String),
    /// The first words of a simple command.
    Prefix(Vec<String>),
    /// A glob that every touched path must match.
    Path(String),
    /// A host, with its port where calls name one.
    Host(String),
}

/// Where a grant holds.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Scope {
    Session(String),
    /// Sessions that work in this very folder.
    Project(PathBuf),
    Always,
}

impl fmt::Display for Pattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Pattern::Exact(digest) => {
                write!(f, "exactly this call ({}…)", digest.get(..12).unwrap_or(digest))
            }
            Pattern::Command(text) => write!(f, "exactly the command `{text}`"),
            Pattern::Prefix(words) => {
                write!(f, "simple commands that begin with the words `{}`", quoted(words))
            }
            Pattern::Path(glob) => write!(f, "the path {glob}"),
            Pattern::Host(host) => write!(f, "the host {host}"),
        }
    }
}

impl fmt::Display for Scope {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Scope::Session(id) => write!(f, "session {id}"),
            Scope::Project(folder) => write!(f, "folder {}", folder.display()),
            Scope::Always => f.write_str("everywhere"),
        }
    }
}
