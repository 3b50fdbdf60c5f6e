//! What stands for a tool that somebody calls of a server that was never reached: nobody knows whether there is such a
//! tool, but why it cannot be called is known.

use std::sync::Arc;

use futures_util::future::BoxFuture;
use hermes_core::{AnyTool, ErrorCode, Prepared, ToolError, ToolInfo};
use serde_json::Value;

use crate::client::Server;
use crate::manifest::{ToolDef, Verdict};
use crate::names::Named;
use crate::text::flags;
use crate::tool::McpTool;

pub(crate) struct Unreached {
    info: ToolInfo,
    reason: String,
}

impl Unreached {
    /// A tool that was called by this name, and why its server was not reached.
    pub(crate) fn new(server: &Arc<Server>, called: &str, reason: &str) -> Self {
        let name = hermes_core::names::normalise(called);
        let alias = (name != called).then(|| called.to_owned());
        let named = Named { name, alias };
        let info =
            McpTool::new(Arc::clone(server), &ToolDef::default(), named, Verdict::Accepted).info().clone();
        let server = &server.config().name;
        // Some of it may be the server's own words, and nothing else of them is looked through.
        let flags = flags(&Value::from(reason));
        let odd = if flags.is_empty() { String::new() } else { format!(" [flags: {}]", flags.join(", ")) };
        let reason = format!(
            "{reason}{odd}. It was never reached, so its tools are not known; 'hermes mcp test {server}' tries it and says more"
        );
        Unreached { info, reason }
    }
}

impl AnyTool for Unreached {
    fn info(&self) -> &ToolInfo {
        &self.info
    }

    fn check(&self) -> BoxFuture<'_, Result<(), String>> {
        Box::pin(std::future::ready(Err(self.reason.clone())))
    }

    fn prepare(self: Arc<Self>, _: &Value) -> Result<Box<dyn Prepared>, ToolError> {
        Err(ToolError::new(ErrorCode::Unavailable, self.reason.clone()))
    }
}
