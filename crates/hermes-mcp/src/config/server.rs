//! One configured server.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::time::Duration;

/// One entry of `mcp_servers`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ServerConfig {
    pub name: String,
    pub endpoint: Endpoint,
    /// How long one call may take once it was sent.
    pub call_timeout: Duration,
    /// How long the server may take to start and shake hands.
    pub connect_timeout: Duration,
    /// Stop a server that nobody called for so long.
    pub idle_timeout: Option<Duration>,
    /// Calls under way at the same time.
    pub parallel: usize,
    /// Believe what the server says of its tools when it comes to repeating and overlapping calls. Approvals
    /// never depend on it.
    pub trust_annotations: bool,
    /// Take tools that appear later without asking, if nothing about them is suspicious.
    pub accept_new_tools: bool,
    pub filter: ToolFilter,
}

/// How a server is reached. Texts may hold `${VAR}`, filled in when the connection is made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Endpoint {
    /// A program of this machine, spoken to over its standard input and output.
    Stdio { command: String, args: Vec<String>, env: BTreeMap<String, String>, cwd: PathBuf },
}

/// Which of a server's tools are taken.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ToolFilter {
    /// If not empty, only these.
    pub include: BTreeSet<String>,
    pub exclude: BTreeSet<String>,
    /// Offer its resources through tools.
    pub resources: bool,
    /// Offer its prompts through tools.
    pub prompts: bool,
}

impl ToolFilter {
    /// Whether a tool is taken. A list of wanted tools beats the list of unwanted ones.
    pub fn takes(&self, tool: &str) -> bool {
        if self.include.is_empty() { !self.exclude.contains(tool) } else { self.include.contains(tool) }
    }
}
