//! One configured server.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::time::Duration;

/// One entry of `mcp_servers`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ServerConfig {
    pub name: String,
    pub endpoint: Endpoint,
    pub era: Era,
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
    pub allowed: Allowed,
    /// The folder the user works in.
    pub root: PathBuf,
}

/// Which era of the protocol a server is spoken to in.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Era {
    /// Whichever it knows.
    #[default]
    Any,
    /// With the handshake.
    Sessions,
    /// Without it.
    Stateless,
}

/// How a server is reached. Texts may hold `${VAR}`, filled in when the connection is made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Endpoint {
    /// A program of this machine, spoken to over its standard input and output.
    Stdio {
        command: String,
        /// One that is `.` means the folder the user works in.
        args: Vec<String>,
        env: BTreeMap<String, String>,
        /// Where it is started, if not in a folder of its own that nobody else writes to.
        cwd: Option<PathBuf>,
    },
    /// A server elsewhere.
    Http {
        url: String,
        headers: BTreeMap<String, String>,
        /// From before streamable HTTP: a stream of events and a separate place to post to.
        legacy: bool,
        login: Login,
    },
}

impl Endpoint {
    /// What the user wrote down as the server: another program or another address is another server, whatever it calls
    /// itself. What it is given to say who asks is not part of it.
    pub(crate) fn identity(&self) -> String {
        match self {
            Endpoint::Stdio { command, args, .. } => {
                let line: Vec<&String> = std::iter::once(command).chain(args).collect();
                format!("{line:?}")
            }
            Endpoint::Http { url, .. } => url.clone(),
        }
    }

    /// The texts that may hold references.
    pub(crate) fn texts(&self) -> impl Iterator<Item = &String> {
        let (one, listed, named) = match self {
            Endpoint::Stdio { command, args, env, .. } => (command, args.as_slice(), env),
            Endpoint::Http { url, headers, .. } => (url, [].as_slice(), headers),
        };
        std::iter::once(one).chain(listed).chain(named.values())
    }
}

/// What is known beforehand for logging in at a server. Everything else is found out.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Login {
    pub client_id: Option<String>,
    pub client_secret: Option<String>,
    /// A document that describes Hermes, where the user hosts one.
    pub client_metadata_url: Option<String>,
    pub scopes: Vec<String>,
    /// The port of this machine that the browser comes back to; any free one without it.
    pub callback_port: Option<u16>,
}

/// What a server may ask while it works.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Allowed {
    /// Questions to the user.
    pub elicitation: bool,
    /// Questions to a model.
    pub sampling: bool,
    /// Which folder the user works in.
    pub roots: bool,
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
