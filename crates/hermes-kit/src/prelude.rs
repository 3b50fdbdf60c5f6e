//! What every tool file needs: `use hermes_kit::prelude::*;`

pub use hermes_core::{
    Access, CallContext, Effect, ErrorCode, Exposure, Need, Parallel, Permission, Target, ToolError, ToolMeta,
};
pub use hermes_host::Host;
pub use schemars::{self, JsonSchema};
pub use serde::{self, Deserialize, Serialize};
pub use serde_json::json;

pub use crate::{Blocking, BlockingTool, Example, Tool, from_fn, register_tool};
