//! MCP servers whose tools are used.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// One MCP server: a program that is started at the first call of one of its tools. docs/mcp.md tells more.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct McpServer {
    /// The program to start; `${VAR}` stands for an environment variable here and in `args` and `env`.
    pub command: String,
    /// Its arguments. No shell is involved.
    pub args: Vec<String>,
    /// Environment variables for it. Of ours it gets only those that programs need to find their way, such as PATH.
    pub env: BTreeMap<String, String>,
    /// The folder it is started in; without it, the session's.
    #[schemars(length(min = 1))]
    pub cwd: Option<String>,
    /// Whether its tools are used at all.
    pub enabled: bool,
    /// Seconds that one call may take.
    #[schemars(range(min = 1, max = 3_600))]
    pub timeout_seconds: u64,
    /// Seconds that it may take to start.
    #[schemars(range(min = 1, max = 600))]
    pub connect_timeout_seconds: u64,
    /// Seconds without a call after which it is stopped; the next call starts it again. 0 never stops it.
    #[schemars(range(min = 0, max = 86_400))]
    pub idle_timeout_seconds: u64,
    /// Calls it may get at the same time. From 2 on, its tools run side by side in a batch.
    #[schemars(range(min = 1, max = 256))]
    pub parallel: usize,
    /// Believe its hints on which tools only read and which may be repeated. Approvals never depend on them.
    pub trust_annotations: bool,
    /// Offer tools that it adds later without asking, if nothing about them is suspicious. Changed tools always wait
    /// for `hermes mcp trust`.
    pub accept_new_tools: bool,
    /// Which of its tools are offered.
    pub tools: McpTools,
}

impl Default for McpServer {
    fn default() -> Self {
        McpServer {
            command: String::new(),
            args: Vec::new(),
            env: BTreeMap::new(),
            cwd: None,
            enabled: true,
            timeout_seconds: 300,
            connect_timeout_seconds: 30,
            idle_timeout_seconds: 0,
            parallel: 1,
            trust_annotations: false,
            accept_new_tools: false,
            tools: McpTools::default(),
        }
    }
}

/// Which tools of a server are offered, by the server's own names for them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct McpTools {
    /// Only these, if any are named.
    #[schemars(inner(length(min = 1)))]
    pub include: Vec<String>,
    /// All but these.
    #[schemars(inner(length(min = 1)))]
    pub exclude: Vec<String>,
    /// Offer its resources, if it has any, through `list_resources` and `read_resource`.
    pub resources: bool,
    /// Offer its prompts, if it has any, through `list_prompts` and `get_prompt`.
    pub prompts: bool,
}

impl Default for McpTools {
    fn default() -> Self {
        McpTools { include: Vec::new(), exclude: Vec::new(), resources: true, prompts: true }
    }
}
