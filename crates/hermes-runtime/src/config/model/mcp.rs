//! MCP servers whose tools are used.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// One MCP server: a program that is started at the first call of one of its tools, or a server elsewhere. docs/mcp.md
/// tells more.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct McpServer {
    /// The program to start; `${VAR}` stands for an environment variable here and in `args` and `env`, and
    /// `${workspaceFolder}` for the session's folder. A name is looked for on the PATH.
    pub command: String,
    /// Its arguments. No shell is involved; one that is `.` means the session's folder.
    pub args: Vec<String>,
    /// Environment variables for it. Of ours it gets only those that programs need to find their way, such as PATH.
    pub env: BTreeMap<String, String>,
    /// The address of a server elsewhere, instead of a program; `${VAR}` as above.
    pub url: String,
    /// Headers for every request to it, such as `Authorization: Bearer ${TOKEN}`. They go to that address only.
    pub headers: BTreeMap<String, String>,
    /// How a server elsewhere is spoken to.
    pub transport: McpTransport,
    /// Which era of the protocol it is spoken to in: with the handshake, to 2025-11-25 (`legacy`), without it (`2026`), or
    /// whichever it knows.
    pub protocol: McpProtocol,
    /// What is known beforehand for `hermes mcp login`.
    pub login: McpLogin,
    /// The folder it is started in. Without it, one of its own under Hermes's home: programs such as `npx` and `python -m`
    /// run what lies where they are started, which would be code of whoever wrote the session's folder.
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
    /// Let it ask you to fill in forms and to visit pages while it works.
    pub elicitation: bool,
    /// Let it have a model answer: the client's in `hermes mcp serve`, otherwise `sampling_program`.
    pub sampling: bool,
    /// A program that reads a `sampling/createMessage` request as JSON and prints the result as JSON. At a terminal you
    /// are shown what is asked and may say no; where nobody can be asked the answer is no.
    #[schemars(inner(length(min = 1)))]
    pub sampling_program: Vec<String>,
    /// Environment variables for it, such as a key: `KEY: ${KEY}`. Of ours it gets as few as a server.
    pub sampling_env: BTreeMap<String, String>,
    /// Let the program answer also where nobody can be asked.
    pub sampling_unattended: bool,
    /// Tell it which folder you work in.
    pub roots: bool,
    /// Which of its tools are offered.
    pub tools: McpTools,
}

/// How a server elsewhere is spoken to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum McpTransport {
    /// Streamable HTTP.
    #[default]
    Http,
    /// A stream of events and a separate place to post to, as servers of 2024 had it.
    Sse,
}

// Variants carry no doc comments: schemars would turn the plain list of values into a `oneOf`.
#[allow(missing_docs)]
/// Which era of the protocol a server is spoken to in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum McpEra {
    Auto,
    #[serde(rename = "2026")]
    Stateless,
    Legacy,
}

/// An era by its name, or by the year it began in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum McpProtocol {
    Era(McpEra),
    Year(#[schemars(range(min = 2_026, max = 2_026))] u16),
}

impl Default for McpProtocol {
    fn default() -> Self {
        McpProtocol::Era(McpEra::Auto)
    }
}

impl McpProtocol {
    pub const fn era(self) -> McpEra {
        match self {
            McpProtocol::Era(era) => era,
            McpProtocol::Year(_) => McpEra::Stateless,
        }
    }
}

/// What is known beforehand for logging in. Whatever is missing is found out.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct McpLogin {
    /// The name under which Hermes is known to whoever vouches for you, if it was made known there by hand.
    #[schemars(length(min = 1))]
    pub client_id: Option<String>,
    /// The secret that goes with it; `${VAR}` as above.
    #[schemars(length(min = 1))]
    pub client_secret: Option<String>,
    /// The address of a document that describes Hermes to whoever vouches for you, if you host one.
    #[schemars(length(min = 1))]
    pub client_metadata_url: Option<String>,
    /// What to ask for, if not what the server says.
    #[schemars(inner(length(min = 1)))]
    pub scopes: Vec<String>,
    /// The port of this machine that the browser comes back to; any free one without it.
    pub callback_port: Option<u16>,
}

impl Default for McpServer {
    fn default() -> Self {
        McpServer {
            command: String::new(),
            args: Vec::new(),
            env: BTreeMap::new(),
            url: String::new(),
            headers: BTreeMap::new(),
            transport: McpTransport::default(),
            protocol: McpProtocol::default(),
            login: McpLogin::default(),
            cwd: None,
            enabled: true,
            timeout_seconds: 300,
            connect_timeout_seconds: 30,
            idle_timeout_seconds: 0,
            parallel: 1,
            trust_annotations: false,
            accept_new_tools: false,
            elicitation: false,
            sampling: false,
            sampling_program: Vec::new(),
            sampling_env: BTreeMap::new(),
            sampling_unattended: false,
            roots: false,
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
