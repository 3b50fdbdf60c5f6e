//! MCP for Hermes: servers as a source of tools, and Hermes as a server in any client. The SDK lives only
//! here; the rest of the house sees erased tools, plain data and one small trait for what is served.

mod assistant;
mod board;
mod book;
mod client;
mod config;
mod convert;
mod front;
mod lines;
mod log_line;
mod login;
mod manifest;
mod names;
mod page;
mod promise;
mod secrets;
mod serve;
mod source;
mod text;
mod tool;
mod unreached;
mod utility;

pub use assistant::{Assistant, Desk, Elicitation, Elicited, Progress, Question, Reply, Standing};
pub use board::{Board, Overview, Posted, Using};
pub use client::{Follow, Guest, GuestCall, Link, Server, State, Status, Updated, inherited};
pub use config::{
    Allowed, Endpoint, Era, Login, ServerConfig, ToolFilter, check_program, expand, is_reference_only,
};
pub use front::{Completing, Front, Had, Shown};
pub use log_line::{LogLevel, LogLine};
pub use login::{LoginFlow, LoginStore};
pub use manifest::{Agreed, Change, Listed, Manifest, ManifestStore, OtherServer, Record, ToolDef, Verdict};
pub use secrets::{Given, given};
pub use serve::{Backend, Epochs, HttpOptions, Offer, ServeToken, serve_http, serve_stdio};
pub use source::{Hub, HubParts, ServerSource, rooms};
pub use text::{Finding, findings, scan};
