//! MCP for Hermes: servers as a source of tools, and Hermes as a server in any client. The SDK lives only
//! here; the rest of the house sees erased tools, plain data and one small trait for what is served.

mod assistant;
mod client;
mod config;
mod convert;
mod login;
mod manifest;
mod names;
mod serve;
mod source;
mod text;
mod tool;
mod utility;

pub use assistant::{Assistant, Desk, Elicitation, Elicited, Progress, Standing};
pub use client::{Guest, GuestCall, Link, Server, State, Status};
pub use config::{Allowed, Endpoint, Login, ServerConfig, ToolFilter, expand};
pub use login::{LoginFlow, LoginStore};
pub use manifest::{Change, Manifest, ManifestStore, Record, ToolDef, Verdict};
pub use serve::{Backend, HttpOptions, Offer, ServeToken, serve_http, serve_stdio};
pub use source::{Hub, HubParts, ServerSource};
pub use text::{Finding, scan};
