//! What the runtime knows about a tool before it runs: metadata as data, never as code paths.

use std::time::Duration;

use serde::{Deserialize, Serialize};
use serde_json::Value;

/// What a call may change, from nothing to the outside world.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Effect {
    /// Computes or waits; touches nothing.
    None,
    /// Looks at the outside world without changing it.
    ReadOnly,
    /// Changes state that belongs to this session only.
    Session,
    /// Changes files, processes, services or anything else outside the session.
    Mutating,
}

impl Effect {
    /// Whether an interrupted call may have changed something that nobody can vouch for.
    pub const fn leaves_traces(self) -> bool {
        matches!(self, Effect::Mutating)
    }
}

/// How calls of a tool may overlap with other calls of the same batch.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Parallel {
    /// Never beside another call.
    Exclusive,
    /// Beside any call whose paths do not overlap with a write.
    Paths,
    /// Beside everything but what uses the same permission, such as another call of one server. Among the calls of
    /// one turn it keeps its place.
    Queued,
    /// Beside everything that is not exclusive.
    Shared,
}

/// Whether a tool may hide behind tool search.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Exposure {
    /// Always listed.
    Core,
    /// May be listed on demand only.
    Deferrable,
}

/// Something a tool cannot work without. The check, the docs and `tools why` read the same list.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Need {
    /// An environment variable that must be set and not empty.
    Env(&'static str),
    /// A program that must be on `PATH`.
    Binary(&'static str),
    /// One of these programs, where code runs: on this machine or wherever the session's commands run.
    Interpreter(&'static [&'static str]),
    /// A port that the embedding application must supply, see [`crate::ports`].
    Port(&'static str),
}

/// The default bound on what one result may show the model.
pub const DEFAULT_MAX_RESULT_CHARS: usize = 100_000;

/// How long a tool may take to stop after it was told to, where it says nothing else.
pub const DEFAULT_STOP_GRACE: Duration = Duration::from_millis(500);

/// The constant description of a built-in tool.
///
/// Written with struct update syntax, so a tool file names only what differs from the default:
/// `ToolMeta { emoji: "📖", ..ToolMeta::new("read_file", "file", Effect::ReadOnly) }`.
#[derive(Clone, Copy, Debug)]
pub struct ToolMeta {
    pub name: &'static str,
    pub toolset: &'static str,
    /// Other names that reach this tool in calls, rules and toolsets.
    pub aliases: &'static [&'static str],
    /// The name shown under `tools.naming: chapter18`; always accepted as an alias too.
    pub chapter_name: Option<&'static str>,
    pub effect: Effect,
    pub exposure: Exposure,
    pub parallel: Parallel,
    /// Whether running the same call twice ends in the same state as running it once.
    pub idempotent: bool,
    pub timeout: Duration,
    /// How long it may take to stop after it was told to. Whoever needs longer is not heard any more.
    pub stop_grace: Duration,
    pub max_result_chars: usize,
    pub emoji: &'static str,
    pub tags: &'static [&'static str],
    pub needs: &'static [Need],
    /// The tool reads result handles itself; the pipeline must not replace them in its arguments.
    pub raw_handles: bool,
    /// Arguments whose values no record may keep.
    pub secret_arguments: &'static [&'static str],
}

impl ToolMeta {
    /// A tool with cautious defaults derived from its effect.
    pub const fn new(name: &'static str, toolset: &'static str, effect: Effect) -> Self {
        let (parallel, idempotent) = match effect {
            Effect::None | Effect::ReadOnly => (Parallel::Shared, true),
            Effect::Session | Effect::Mutating => (Parallel::Exclusive, false),
        };
        ToolMeta {
            name,
            toolset,
            aliases: &[],
            chapter_name: None,
            effect,
            exposure: Exposure::Core,
            parallel,
            idempotent,
            timeout: Duration::from_secs(60),
            stop_grace: DEFAULT_STOP_GRACE,
            max_result_chars: DEFAULT_MAX_RESULT_CHARS,
            emoji: "⚡",
            tags: &[],
            needs: &[],
            raw_handles: false,
            secret_arguments: &[],
        }
    }
}

/// The owned description of any tool, also of one that came from MCP, YAML or a plugin.
#[derive(Clone, Debug, Serialize)]
pub struct ToolInfo {
    pub name: String,
    pub toolset: String,
    pub description: String,
    /// The arguments as the tool itself defines them (JSON Schema draft 7). Calls are validated
    /// against this, whatever a provider was shown.
    pub parameters: Value,
    pub aliases: Vec<String>,
    pub chapter_name: Option<String>,
    pub effect: Effect,
    pub exposure: Exposure,
    pub parallel: Parallel,
    pub idempotent: bool,
    pub timeout: Duration,
    pub stop_grace: Duration,
    pub max_result_chars: usize,
    pub emoji: String,
    pub tags: Vec<String>,
    pub needs: Vec<Need>,
    pub raw_handles: bool,
    pub secret_arguments: Vec<String>,
}

impl ToolInfo {
    /// The owned form of a built-in tool's constant metadata.
    pub fn from_meta(meta: &ToolMeta, description: String, parameters: Value) -> Self {
        let owned = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect::<Vec<_>>();
        ToolInfo {
            name: meta.name.to_owned(),
            toolset: meta.toolset.to_owned(),
            description,
            parameters,
            aliases: owned(meta.aliases),
            chapter_name: meta.chapter_name.map(str::to_owned),
            effect: meta.effect,
            exposure: meta.exposure,
            parallel: meta.parallel,
            idempotent: meta.idempotent,
            timeout: meta.timeout,
            stop_grace: meta.stop_grace,
            max_result_chars: meta.max_result_chars,
            emoji: meta.emoji.to_owned(),
            tags: owned(meta.tags),
            needs: meta.needs.to_vec(),
            raw_handles: meta.raw_handles,
            secret_arguments: owned(meta.secret_arguments),
        }
    }

    /// Every name that reaches this tool, the canonical one first.
    pub fn all_names(&self) -> impl Iterator<Item = &str> {
        std::iter::once(self.name.as_str())
            .chain(self.chapter_name.as_deref())
            .chain(self.aliases.iter().map(String::as_str))
    }
}
