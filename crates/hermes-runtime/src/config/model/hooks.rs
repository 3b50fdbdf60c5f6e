//! Programs run around tool calls.

use regex::{Regex, RegexBuilder};
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Deserializer, Serialize};

use crate::config::words::split_words;

/// Programs run around tool calls. Each gets the event as JSON on its standard input.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Hooks {
    /// Run before a session sees its tools. May hide some of them and describe some anew.
    #[serde(deserialize_with = "fail_closed")]
    #[schemars(with = "Vec<HookEntry>")]
    pub tools_list: Vec<Hook>,
    /// Run before a call. May refuse it or rewrite its arguments.
    #[serde(deserialize_with = "fail_closed")]
    #[schemars(with = "Vec<HookEntry>")]
    pub pre_tool_call: Vec<Hook>,
    /// Run after a call. Observes.
    #[serde(deserialize_with = "fail_open")]
    #[schemars(with = "Vec<HookEntry>")]
    pub post_tool_call: Vec<Hook>,
    /// Run after a call. May replace what the model sees of the result.
    #[serde(deserialize_with = "fail_open")]
    #[schemars(with = "Vec<HookEntry>")]
    pub transform_tool_result: Vec<Hook>,
    /// Run when a call needs approval, before a person is asked. May answer for the person.
    #[serde(deserialize_with = "fail_open")]
    #[schemars(with = "Vec<HookEntry>")]
    pub pre_approval_request: Vec<Hook>,
    /// Run when a question was answered. Observes.
    #[serde(deserialize_with = "fail_open")]
    #[schemars(with = "Vec<HookEntry>")]
    pub post_approval_response: Vec<Hook>,
}

/// One program, ready to run: words split, defaults of its event filled in.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Hook {
    /// The program and its arguments. No shell is involved.
    pub command: Vec<String>,
    /// The regular expression that tool names must match, see [`Hook::regex`]. None means every tool.
    pub matcher: Option<String>,
    /// Seconds the program may take.
    pub timeout_seconds: u64,
    /// What a failure of the program means for the call.
    pub on_failure: OnFailure,
}

impl Hook {
    /// The matcher, compiled the way it was checked when the configuration was loaded.
    pub fn regex(&self) -> Option<Result<Regex, regex::Error>> {
        self.matcher.as_deref().map(full_match)
    }
}

/// A regular expression that must match a whole tool name.
pub(in crate::config) fn full_match(pattern: &str) -> Result<Regex, regex::Error> {
    // The bound keeps a hostile pattern from costing megabytes; tool names have 64 characters.
    let build = |text: &str| RegexBuilder::new(text).size_limit(1 << 20).build();
    // Alone first: `a)|(b` is no pattern, but would become one inside the group and match half a name.
    build(pattern)?;
    build(&format!("^(?:{pattern})$"))
}

// Variants carry no doc comments: schemars would turn the plain list of values into a `oneOf`.
#[allow(missing_docs)]
/// What a failed hook means: the call is refused or its result withheld, or it goes on as if there were no hook.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum OnFailure {
    Deny,
    Allow,
}

/// A hook as it is written.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct HookEntry {
    /// The program and its arguments, as a list of words or as one line that is split like a shell would, without
    /// running a shell.
    #[schemars(schema_with = "command_schema")]
    command: Command,
    /// Regular expression that must match a whole name of the tool; any name that reaches the tool will do. Without it
    /// the hook runs for every tool.
    #[serde(default)]
    #[schemars(extend("format" = "regex"))]
    matcher: Option<String>,
    /// Seconds the program may take.
    #[serde(default = "one_minute")]
    #[schemars(range(min = 1, max = 300))]
    timeout_seconds: u64,
    /// What it means when the program fails, is late or answers nonsense: `deny` refuses the call or withholds
    /// the result, `allow` goes on without the hook: of `pre_approval_request` that leaves the question to the person. Of
    /// `tools_list`, `deny` hides the tools. Default: `deny` for `tools_list` and `pre_tool_call`, `allow` for the others.
    #[serde(default)]
    on_failure: Option<OnFailure>,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Command {
    Line(String),
    Words(Vec<String>),
}

fn command_schema(_: &mut SchemaGenerator) -> Schema {
    json_schema!({"anyOf": [
        {"type": "string", "format": "command-line"},
        {"type": "array", "items": {"type": "string"}, "minItems": 1, "format": "command-words"},
    ]})
}

fn one_minute() -> u64 {
    60
}

fn fail_closed<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<Hook>, D::Error> {
    hooks(from, OnFailure::Deny)
}

fn fail_open<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<Hook>, D::Error> {
    hooks(from, OnFailure::Allow)
}

fn hooks<'de, D: Deserializer<'de>>(from: D, otherwise: OnFailure) -> Result<Vec<Hook>, D::Error> {
    let settle = |entry: HookEntry| {
        let command = match entry.command {
            Command::Line(line) => split_words(&line).map_err(serde::de::Error::custom)?,
            Command::Words(words) => words,
        };
        Ok(Hook {
            command,
            matcher: entry.matcher,
            timeout_seconds: entry.timeout_seconds,
            on_failure: entry.on_failure.unwrap_or(otherwise),
        })
    };
    Vec::<HookEntry>::deserialize(from)?.into_iter().map(settle).collect()
}
