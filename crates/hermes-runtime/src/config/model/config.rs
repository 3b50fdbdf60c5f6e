//! The root of the configuration.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{
    Approvals, Availability, CustomToolset, Hooks, Journal, Limits, McpServer, Network, Permissions, Plugins,
    Provider, RepeatGuard, Results, Security, Terminal, Tools, Undo,
};

/// Everything that can be set in `config.yaml`, by environment variables and by flags.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Config {
    /// Toolsets a session starts with. Presets such as `hermes-cli` and single sets such as `web` may be mixed. MCP servers are offered beside them, unless the list names some (`mcp-NAME`: only those) or has `no_mcp`.
    #[schemars(inner(length(min = 1)))]
    pub toolsets: Vec<String>,
    /// Toolsets taken away last, whatever turned them on.
    #[schemars(inner(length(min = 1)))]
    pub disabled_toolsets: Vec<String>,
    /// Toolsets of your own, by name.
    pub custom_toolsets: BTreeMap<String, CustomToolset>,
    /// Whose rules the tool schemas are shaped for. `generic` keeps to what every provider accepts.
    pub provider: Provider,
    /// Names, switches and limits of single tools.
    pub tools: Tools,
    /// How much runs and returns at once.
    pub limits: Limits,
    /// How tools are probed before they are offered.
    pub availability: Availability,
    /// Stops a model that repeats a failing call.
    pub repeat_guard: RepeatGuard,
    /// The record of every call.
    pub journal: Journal,
    /// Where large results are kept, and for how long.
    pub results: Results,
    /// How far back changes of files can be taken back.
    pub undo: Undo,
    /// What tools may do. Deny beats ask, ask beats allow, in whatever order they are written.
    pub permissions: Permissions,
    /// Who is asked when a call needs a person's word. `hermes grants` holds what was answered for longer.
    pub approvals: Approvals,
    /// Another place for `approvals.command_allowlist`; both count.
    #[schemars(inner(length(min = 1)))]
    pub command_allowlist: Vec<String>,
    /// Where web requests may go.
    pub network: Network,
    /// How secrets are kept away from the model.
    pub security: Security,
    /// Where commands run, how long, and behind which walls.
    pub terminal: Terminal,
    /// MCP servers whose tools are used, by name. docs/mcp.md tells more.
    pub mcp_servers: BTreeMap<String, McpServer>,
    /// Programs run around tool calls.
    pub hooks: Hooks,
    /// What plugins may do beyond adding tools.
    pub plugins: Plugins,
}

impl Default for Config {
    fn default() -> Self {
        Config {
            toolsets: vec!["hermes-cli".to_owned()],
            disabled_toolsets: Vec::new(),
            custom_toolsets: BTreeMap::new(),
            provider: Provider::default(),
            tools: Tools::default(),
            limits: Limits::default(),
            availability: Availability::default(),
            repeat_guard: RepeatGuard::default(),
            journal: Journal::default(),
            results: Results::default(),
            undo: Undo::default(),
            permissions: Permissions::default(),
            approvals: Approvals::default(),
            command_allowlist: Vec::new(),
            network: Network::default(),
            security: Security::default(),
            terminal: Terminal::default(),
            mcp_servers: BTreeMap::new(),
            hooks: Hooks::default(),
            plugins: Plugins::default(),
        }
    }
}
