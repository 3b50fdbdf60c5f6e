//! The contracts of Hermes. No I/O, no clock, no globals: what a tool is, what a call goes through,
//! and the pure functions over arguments, schemas and texts.

mod access;
mod any_tool;
pub mod arguments;
mod call;
mod context;
pub mod egress;
mod error;
pub mod grant;
pub mod handle;
mod meta;
pub mod names;
mod offer;
pub mod path;
mod permit;
mod policy;
pub mod ports;
pub mod redact;
mod result;
pub mod schema;
mod source;
mod steering;
pub mod text;
pub mod yaml;

pub use access::{Access, Permission, Target};
pub use any_tool::{AnyTool, Prepared, SchemaOverride, SchemaView};
pub use call::{ToolCall, ToolOutcome};
pub use context::{CallContext, SessionIdentity};
pub use error::{ErrorCode, ToolError};
pub use meta::{
    DEFAULT_MAX_RESULT_CHARS, DEFAULT_STOP_GRACE, Effect, Exposure, Need, Parallel, ToolInfo, ToolMeta,
};
pub use offer::Offer;
pub use permit::{Approval, Approver, Permit, Refusal, authorise};
pub use policy::{AccessRequest, CommandEffect, Decision, InnerJudge, Policy, Verdict};
pub use result::{tool_error, tool_result};
pub use source::{Owner, Source};
pub use steering::{Steers, steering_names, steers};
