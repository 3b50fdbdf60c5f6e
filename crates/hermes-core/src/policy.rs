//! What policy is asked, what it answers, and the interface between the two.

use std::path::Path;
use std::sync::Arc;

use serde::Serialize;
use serde_json::Value;

use crate::access::{Access, Permission};
use crate::offer::Offer;
use crate::source::Owner;

/// What policy is asked: who wants to do what with which tool. All paths in `access` are resolved.
#[derive(Clone, Debug)]
pub struct AccessRequest<'a> {
    pub call_id: &'a str,
    pub tool: &'a str,
    pub toolset: &'a str,
    /// Who registered the tool; an MCP tool's server stands here.
    pub owner: &'a Owner,
    pub session: &'a str,
    pub actor: &'a str,
    pub cwd: &'a Path,
    /// Where the session's shell stands, if the call runs a command in it.
    pub shell: Option<&'a Path>,
    pub access: &'a [Access],
    pub arguments: &'a Value,
    /// What its commands would themselves do, as it was seen when somebody was to be asked; empty before.
    pub effects: &'a [CommandEffect],
}

/// One thing that a command would itself do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CommandEffect {
    /// Files by where links lead.
    pub access: Access,
    /// Where links lead from the name that is written to another place: what the rules say about that place by itself.
    pub led: Option<Verdict>,
}

/// Allow, ask or deny.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    Allow,
    Ask,
    Deny,
}

/// The policy's answer, with the rule it followed and a reason a person can read.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Decision {
    pub verdict: Verdict,
    pub rule: String,
    pub reason: String,
    /// The permission that the rule is about.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub permission: Option<Permission>,
    /// The level that decided: `floor`, `global`, `session`, `tool`, `parameter` or `config`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub level: Option<&'static str>,
    /// The permission profile in force.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub profile: Option<String>,
    /// What would allow it, where nobody decided against it and somebody would only have to say so.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hint: Option<String>,
}

impl Decision {
    pub fn new(verdict: Verdict, rule: impl Into<String>, reason: impl Into<String>) -> Self {
        Decision {
            verdict,
            rule: rule.into(),
            reason: reason.into(),
            permission: None,
            level: None,
            profile: None,
            hint: None,
        }
    }
}

/// Decides from facts alone. Implemented in `hermes-policy`; pure, so it can be explained and tested.
pub trait Policy: Send + Sync {
    /// Judges a call that is about to run. Where calls are limited in number, this counts it.
    fn decide(&self, request: &AccessRequest<'_>) -> Decision;

    /// The same judgement of a call that was counted already.
    fn look(&self, request: &AccessRequest<'_>) -> Decision {
        self.decide(request)
    }

    /// Whether there is anybody who could be asked; if not, whoever wants to ask must refuse.
    fn may_ask(&self) -> bool {
        true
    }

    /// What the commands of a request would themselves read, write and delete, as far as their text tells.
    fn effects(&self, _request: &AccessRequest<'_>) -> Vec<CommandEffect> {
        Vec::new()
    }

    /// Patterns of the places that rules about files single out, such as `~/.docker/config.json`, `**/.envrc` or
    /// `keep/**`, for whoever must know before anything is named where to look. Each place found is judged by itself.
    fn singled_out(&self) -> Vec<String> {
        Vec::new()
    }

    /// How single files inside a folder are judged that the request was granted as a whole. `None` if
    /// every file there is like the folder.
    fn inner_judge(&self, _request: &AccessRequest<'_>) -> Option<InnerJudge> {
        None
    }

    /// Why no call of a tool would ever go through, whatever its arguments: such a tool is not offered.
    fn shuts_out(&self, _offer: &Offer<'_>) -> Option<Decision> {
        None
    }

    /// Another number whenever [`Policy::shuts_out`] may answer otherwise than before.
    fn generation(&self) -> u64 {
        0
    }
}

/// The decision on one file inside a granted folder.
pub type InnerJudge = Arc<dyn Fn(&Permission, &Path) -> Decision + Send + Sync>;
