//! What the runtime and agent-level tools need from the application around them, as small traits.
//! A missing port hides the tools that need it; it never makes them fail halfway.

use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use futures_util::future::BoxFuture;
use serde::Serialize;
use serde_json::Value;
use tokio_util::sync::CancellationToken;

use crate::access::Access;
use crate::call::{ToolCall, ToolOutcome};
use crate::context::SessionIdentity;
use crate::error::{ErrorCode, ToolError};
use crate::meta::ToolInfo;
use crate::permit::Permit;
use crate::policy::{Decision, Verdict};

/// Something on the machine where the session's commands run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Located {
    /// The path that rules speak of: that machine's home is our home, its work folder the session's folder.
    pub judged: PathBuf,
    /// The machine and the path there, as people are shown it; `None` if it is this machine.
    pub place: Option<String>,
}

/// Turns a path as the model wrote it into the object it names: `~` expanded, relative to `cwd`, `..`
/// and every symlink of the existing part followed.
pub trait PathResolver: Send + Sync {
    fn resolve(&self, cwd: &Path, raw: &str) -> Result<PathBuf, ToolError>;

    /// The same where that is known at once; `None` where folders have to be looked through for it.
    fn resolve_at_once(&self, cwd: &Path, raw: &str) -> Option<Result<PathBuf, ToolError>> {
        Some(self.resolve(cwd, raw))
    }

    /// Other names of the file that stands at `path`, which is resolved, as far as they are known in `folder`: hard
    /// links. What rules close under one of them is closed under all. Folders are looked through for them.
    fn other_names(&self, _folder: &Path, _path: &Path) -> Vec<PathBuf> {
        Vec::new()
    }

    /// Whether the file that stands at `path`, which is resolved, has other names at all. This is known at once.
    fn has_other_names(&self, _path: &Path) -> bool {
        false
    }

    /// A path on the machine where the session's commands run, which has to be asked.
    fn locate<'a>(
        &'a self,
        _session: &'a SessionIdentity,
        _raw: &'a str,
    ) -> BoxFuture<'a, Result<Located, ToolError>> {
        let nowhere = ToolError::new(ErrorCode::Unavailable, "this runtime knows no other machine");
        Box::pin(std::future::ready(Err(nowhere)))
    }

    /// Where the session's own shell stands on this machine; `None` if it has none here.
    fn standing<'a>(
        &'a self,
        _session: &'a SessionIdentity,
        _ports: &'a Ports,
    ) -> BoxFuture<'a, Result<Option<PathBuf>, ToolError>> {
        Box::pin(std::future::ready(Ok(None)))
    }
}

/// State that belongs to one session and outlives a call, such as its todo list.
pub trait SessionState: Send + Sync {
    fn load<'a>(&'a self, session: &'a str, slot: &'a str)
    -> BoxFuture<'a, Result<Option<Value>, ToolError>>;
    fn save<'a>(
        &'a self,
        session: &'a str,
        slot: &'a str,
        value: Value,
    ) -> BoxFuture<'a, Result<(), ToolError>>;
}

/// The session of a running call, for what its arguments alone could not tell: what the rules say about
/// something else, a permit for something more, and calls made by a script.
pub trait Conversation: Send + Sync {
    /// What the rules say and which of them, without asking anybody.
    fn decision(&self, access: &Access) -> Decision;

    /// What the rules say, without asking anybody.
    fn verdict(&self, access: &Access) -> Verdict {
        self.decision(access).verdict
    }

    /// What a command would itself read, write and delete, as far as its text tells: by where links lead.
    fn effects(&self, command: &str) -> Vec<Access>;

    /// Patterns of the places that rules about files single out.
    fn singled_out(&self) -> Vec<String>;

    /// Whether there is something in a text that answers leave out, because it is secret or looks like it.
    fn holds_secrets(&self, text: &str) -> bool;

    /// Leaves these values out of every answer from now on, each shown by its name. Takes a while.
    fn learn_secrets(&self, secrets: Vec<(String, String)>);

    /// Asks policy and, where it says so, the approver, for more than the call's own permit holds.
    fn authorise(&self, access: Vec<Access>) -> BoxFuture<'_, Result<Permit, ToolError>>;

    /// The tools that this session is offered now, sorted by name.
    fn offered(&self) -> BoxFuture<'_, Vec<ToolInfo>>;

    /// Keeps a value that is too large to be shown, without the secrets in it, and says by which handle it can be read.
    fn keep(&self, value: Value) -> BoxFuture<'_, Result<String, ToolError>>;

    /// Takes a call of a script through the whole pipeline, with this session's scope and rules.
    fn call<'a>(&'a self, call: ToolCall, cancel: &'a CancellationToken) -> BoxFuture<'a, ToolOutcome>;
}

/// The store behind `hermes://result/<id>`: values by content, readable by the session that made them.
pub trait ResultStore: Send + Sync {
    fn put<'a>(&'a self, session: &'a str, value: &'a Value) -> BoxFuture<'a, Result<String, ToolError>>;
    fn get<'a>(
        &'a self,
        session: &'a str,
        id: &'a str,
    ) -> BoxFuture<'a, Result<Option<Arc<Value>>, ToolError>>;
}

/// One entry of the journal.
#[derive(Clone, Debug, Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum JournalRecord {
    /// Written before a handler that can change anything is entered, or when a call is refused.
    Decision { call: JournalCall, decision: Decision },
    /// Written before the caller sees the outcome.
    Outcome { call_id: String, session: String, tool: String, outcome: JournalOutcome },
    /// Both at once, for calls that cannot change anything.
    Completed { call: JournalCall, decision: Decision, outcome: JournalOutcome },
}

/// What was asked, redacted and bounded.
#[derive(Clone, Debug, Serialize)]
pub struct JournalCall {
    pub call_id: String,
    pub session: String,
    pub actor: String,
    pub tool: String,
    pub arguments: Value,
    /// SHA-256 of the exact arguments that were judged, less those the tool calls secret.
    pub arguments_sha256: String,
    pub access: Vec<Access>,
}

/// What came of it.
#[derive(Clone, Debug, Serialize)]
pub struct JournalOutcome {
    /// `success`, or the error code.
    pub status: String,
    pub error: Option<String>,
    pub duration_us: u64,
    pub result_chars: usize,
}

/// The append-only record of decisions and outcomes.
pub trait Journal: Send + Sync {
    /// Resolves once the record would survive the death of this process.
    fn append(&self, record: JournalRecord) -> BoxFuture<'_, Result<(), ToolError>>;
}

/// Bytes under a name that outlive the process and may be lost at any time: whatever is in here can be
/// made again.
pub trait CacheStore: Send + Sync {
    fn load(&self, name: &str) -> Option<Vec<u8>>;
    fn save(&self, name: &str, bytes: &[u8]) -> Result<(), ToolError>;
}

/// Somebody who watches what commands print while they run. Whatever is told here is in the result again.
pub trait LiveOutput: Send + Sync {
    /// Must not wait: a command is never held up by who watches it.
    fn printed(&self, session: &str, call: &str, text: &str);
}

/// Everything an application may supply to agent-level tools.
#[derive(Clone, Default)]
pub struct Ports {
    pub session_state: Option<Arc<dyn SessionState>>,
    pub results: Option<Arc<dyn ResultStore>>,
    pub live: Option<Arc<dyn LiveOutput>>,
}

impl Ports {
    /// Whether the port that [`crate::meta::Need::Port`] names is there.
    pub fn has(&self, name: &str) -> bool {
        match name {
            "session_state" => self.session_state.is_some(),
            "results" => self.results.is_some(),
            _ => false,
        }
    }

    pub fn session_state(&self) -> Result<&Arc<dyn SessionState>, ToolError> {
        self.session_state.as_ref().ok_or_else(|| missing("session_state"))
    }

    pub fn results(&self) -> Result<&Arc<dyn ResultStore>, ToolError> {
        self.results.as_ref().ok_or_else(|| missing("results"))
    }
}

fn missing(port: &str) -> ToolError {
    ToolError::new(ErrorCode::Unavailable, format!("this runtime was started without the '{port}' port"))
}

impl fmt::Debug for Ports {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Ports")
            .field("session_state", &self.session_state.is_some())
            .field("results", &self.results.is_some())
            .finish()
    }
}
