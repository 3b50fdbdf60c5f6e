//! What the levels say about a call, in words that people and programs can read.

use std::fmt;
use std::sync::Arc;

use hermes_core::{Access, Decision, Verdict};
use serde::Serialize;

use hermes_core::yaml::Place;

/// The kinds of levels, in the order they are asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum LevelKind {
    /// What command and path analysis refuses, whatever any rule says.
    Floor,
    Global,
    /// A profile.
    Session,
    Tool,
    /// The `permissions` section of the configuration.
    Config,
}

impl LevelKind {
    pub const fn as_str(self) -> &'static str {
        match self {
            LevelKind::Floor => "floor",
            LevelKind::Global => "global",
            LevelKind::Session => "session",
            LevelKind::Tool => "tool",
            LevelKind::Config => "config",
        }
    }
}

impl fmt::Display for LevelKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// One rule's answer about one access.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Answer {
    pub verdict: Verdict,
    /// The rule in one line, such as `deny env:write`.
    pub rule: String,
    /// Where it is written; analysis has no place.
    pub place: Option<Place>,
    pub reason: String,
    /// Whether it looked at what is in the call, rather than at the permission alone.
    pub parameter: bool,
    /// What would allow it, where somebody would only have to say so.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hint: Option<String>,
}

/// Everything one level says about one access. No answers means that it leaves it to the others.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct LevelAnswers {
    pub level: LevelKind,
    /// The profile, the tool, or the kind of level again.
    pub name: Arc<str>,
    pub answers: Vec<Answer>,
}

impl LevelAnswers {
    /// The strictest answer; of equals the first.
    pub fn deciding(&self) -> Option<&Answer> {
        self.answers.iter().reduce(|found, next| if next.verdict > found.verdict { next } else { found })
    }
}

/// How one access was judged.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct AccessExplanation {
    /// None where the call touches nothing.
    pub access: Option<Access>,
    pub decision: Decision,
    pub levels: Vec<LevelAnswers>,
}

/// How a call was judged. The strictest access decides; of equals the first.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Explanation {
    pub profile: Arc<str>,
    pub decision: Decision,
    pub accesses: Vec<AccessExplanation>,
    /// Calls a minute that the rules met by this call allow.
    pub limits: Vec<Limit>,
}

/// How often a call that met a rule may be made.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Limit {
    /// The rule that says so.
    pub rule: String,
    pub per_minute: u32,
}

/// The rule as decisions name it: `file:line level: rule`.
pub(super) fn rule_id(place: Option<&Place>, name: &str, rule: &str) -> String {
    match place {
        Some(place) if place.line > 0 => format!("{}:{} {name}: {rule}", place.file, place.line),
        Some(place) => format!("{} {name}: {rule}", place.file),
        None => format!("{name}: {rule}"),
    }
}
