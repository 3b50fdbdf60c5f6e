//! Configuration: typed, layered, and honest about where each value comes from. Texts in, no file is touched.

mod check;
mod check_scalar;
pub mod docs;
mod env;
mod error;
mod formats;
mod generous;
mod given;
mod json_schema;
mod key;
mod load;
mod loaded;
mod model;
mod nearest;
mod node;
mod origin;
mod parse;
mod replaced;
mod scalar;
mod shape;
mod together;
mod trust;
mod words;

pub use env::{ENV, EnvVar};
pub use error::{ConfigError, ErrorKind, WhyError};
pub use json_schema::schema;
pub use loaded::{Loaded, Why};
pub use model::{
    ApprovalMode, Approvals, Availability, Config, CustomToolset, DangerousClass, DangerousPattern,
    DefinitionDetail, Durability, EnvType, Hook, Hooks, Journal, Limits, McpEra, McpServer, McpTransport,
    Naming, Network, OnFailure, Permissions, PluginEntry, Plugins, Provider, RepeatGuard, Results, Sandbox,
    SandboxMode, SearchSwitch, SearchTable, SearchWord, Security, SmartApproval, SmartModel, Terminal,
    ToolSearch, Tools, Undo,
};
pub use origin::{Layer, Origin, Place, Spot};
pub use trust::{ProjectTrust, project_trust};
