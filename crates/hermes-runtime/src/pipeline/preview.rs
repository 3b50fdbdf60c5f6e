//! A call as policy would see it, without asking anybody and without running it.

use std::path::PathBuf;

use hermes_core::{Access, AccessRequest, Owner, SessionIdentity, ToolCall, ToolError};
use serde_json::Value;

use super::arguments::coerce_and_validate;
use super::authorise::prepare;
use super::handles;
use super::lookup::lookup;
use super::unwrap::unwrap;
use crate::session::Session;

/// Everything that [`AccessRequest`] is made of. Hooks are not asked: one may still rewrite or stop the call.
#[derive(Clone, Debug)]
pub struct Preview {
    pub call_id: String,
    pub tool: String,
    pub toolset: String,
    pub owner: Owner,
    pub arguments: Value,
    pub access: Vec<Access>,
    pub shell: Option<PathBuf>,
}

impl Preview {
    /// The request that policy would decide on.
    pub fn request<'a>(&'a self, identity: &'a SessionIdentity) -> AccessRequest<'a> {
        AccessRequest {
            call_id: &self.call_id,
            tool: &self.tool,
            toolset: &self.toolset,
            owner: &self.owner,
            session: &identity.id,
            actor: &identity.actor,
            cwd: &identity.cwd,
            shell: self.shell.as_deref(),
            access: &self.access,
            arguments: &self.arguments,
            effects: &[],
        }
    }
}

impl Session {
    /// Takes a call as far as policy, by the same steps that a real one takes, and adds what is judged only while it runs.
    pub async fn preview(&self, call: &ToolCall) -> Result<Preview, ToolError> {
        let catalog = self.catalog().await;
        let redactor = self.runtime().redactor();
        let (name, unwrapped) = unwrap(call, redactor)?;
        let listed = lookup(&catalog, &name, redactor)?.listed;
        let info = listed.entry.info();
        let mut arguments = unwrapped.arguments;
        if !info.raw_handles {
            handles::resolve(self, &mut arguments).await?;
        }
        coerce_and_validate(&listed.entry, &mut arguments, redactor)?;
        let ready = prepare(self, listed, &arguments).await?;
        let mut access = ready.access;
        access.extend(ready.prepared.judged_later()?);
        Ok(Preview {
            call_id: call.id.clone(),
            tool: info.name.clone(),
            toolset: info.toolset.clone(),
            owner: listed.entry.owner.clone(),
            arguments,
            access,
            shell: ready.shell,
        })
    }
}
