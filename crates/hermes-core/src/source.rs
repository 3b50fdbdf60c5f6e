//! Where tools come from. Built-ins, MCP servers, YAML files and plugins all enter through [`Source`].

use std::fmt;
use std::sync::Arc;

use futures_util::future::BoxFuture;
use serde::Serialize;

use crate::any_tool::AnyTool;

/// Who put a tool into the registry. Only the owner may replace or remove it.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
#[serde(tag = "kind", content = "id", rename_all = "snake_case")]
pub enum Owner {
    BuiltIn,
    /// The program that embeds the runtime.
    Host,
    Plugin(String),
    Mcp(String),
    Yaml(String),
}

impl Owner {
    /// The id that `plugins.entries.<id>.allow_tool_override` speaks of.
    pub fn id(&self) -> &str {
        match self {
            Owner::BuiltIn => "builtin",
            Owner::Host => "host",
            Owner::Plugin(id) | Owner::Mcp(id) | Owner::Yaml(id) => id,
        }
    }
}

impl fmt::Display for Owner {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Owner::BuiltIn => f.write_str("built-in"),
            Owner::Host => f.write_str("host application"),
            Owner::Plugin(id) => write!(f, "plugin {id}"),
            Owner::Mcp(id) => write!(f, "MCP server {id}"),
            Owner::Yaml(id) => write!(f, "YAML file {id}"),
        }
    }
}

/// A supplier of tools. The registry asks for the whole set and swaps it in as one snapshot.
pub trait Source: Send + Sync {
    fn owner(&self) -> Owner;

    /// The complete current set. An error keeps the set that the registry already has.
    fn tools(&self) -> BoxFuture<'_, Result<Vec<Arc<dyn AnyTool>>, String>>;
}
