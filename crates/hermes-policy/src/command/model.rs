//! What is said about a command line: a class, what it would do, and why.

use serde::{Deserialize, Serialize};

/// From harmless to never.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Class {
    /// Looks and computes, changes nothing.
    ReadOnly,
    /// Changes only what the default policy lets a developer's command change.
    Safe,
    /// A person must agree first.
    Ask,
    /// The floor that nothing overrides.
    Deny,
}

/// One kind of effect on one thing.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct Effect {
    pub kind: EffectKind,
    /// The path, host, process or service, as far as it is known.
    pub target: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum EffectKind {
    Reads,
    Writes,
    Deletes,
    Network,
    Privilege,
    Process,
    Persistence,
}

/// One thing that was found, and how grave it is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Finding {
    pub class: Class,
    /// The rule that was met; stable, so that approvals and tests can name it.
    pub rule: String,
    /// A stable word such as `recursive_delete`, `remote_exec`, `unknown`.
    pub category: String,
    /// One sentence for the person who is asked.
    pub reason: String,
    /// The part of the command it is about, as bytes of the text.
    pub span: (usize, usize),
}

/// The judgement of a whole command line. The gravest finding decides; all are kept.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Judgement {
    pub class: Class,
    pub category: Option<String>,
    pub effects: Vec<Effect>,
    pub findings: Vec<Finding>,
}

/// Where a command would run; nothing here is read from the machine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stage {
    pub home: String,
    pub cwd: String,
    /// Folders that may be written without asking: the workspace and the temporary folders.
    pub writable: Vec<String>,
    /// Hermes's own folder.
    pub hermes_home: String,
}
