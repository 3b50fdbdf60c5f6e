//! Decodes the call, resolves what it would touch, and gets the permit for exactly that.

use std::sync::Arc;

use hermes_core::{
    Access, AccessRequest, Decision, InnerJudge, Permit, Policy, Prepared, Refusal, Target, ToolError,
    Verdict, authorise,
};
use serde_json::Value;

use crate::catalog::Listed;
use crate::session::Session;

/// A decoded call with its accesses resolved.
pub(super) struct Ready {
    pub(super) prepared: Box<dyn Prepared>,
    pub(super) access: Vec<Access>,
}

/// Decodes the arguments; paths are judged as the objects they name.
pub(super) fn prepare(session: &Session, listed: &Listed, arguments: Value) -> Result<Ready, ToolError> {
    let prepared = Arc::clone(&listed.entry.tool).prepare(arguments)?;
    let mut access = prepared.access();
    for access in &mut access {
        if let Target::Path(raw) = &access.target {
            let resolved = session.runtime().paths().resolve(&session.identity().cwd, raw)?;
            access.target = Target::Resolved(resolved);
        }
    }
    Ok(Ready { prepared, access })
}

/// Asks policy and, where needed, the approver.
pub(super) async fn permit(
    session: &Session,
    listed: &Listed,
    call_id: &str,
    arguments: &Value,
    access: &[Access],
    ask: Option<String>,
) -> Result<Permit, Refusal> {
    let info = listed.entry.info();
    let identity = session.identity();
    let request = AccessRequest {
        call_id,
        tool: &info.name,
        toolset: &info.toolset,
        owner: &listed.entry.owner,
        session: &identity.id,
        actor: &identity.actor,
        cwd: &identity.cwd,
        access,
        arguments,
    };
    let options = session.options();
    match ask {
        None => authorise(&*options.policy, &*options.approver, &request).await,
        Some(reason) => {
            let escalated = Escalated { policy: &*options.policy, reason };
            authorise(&escalated, &*options.approver, &request).await
        }
    }
}

/// A policy whose allow a guard has turned into ask; a deny stays a deny.
struct Escalated<'a> {
    policy: &'a dyn Policy,
    reason: String,
}

impl Policy for Escalated<'_> {
    fn decide(&self, request: &AccessRequest<'_>) -> Decision {
        let decision = self.policy.decide(request);
        match decision.verdict {
            Verdict::Allow => Decision::new(Verdict::Ask, "hook", self.reason.clone()),
            Verdict::Ask | Verdict::Deny => decision,
        }
    }

    fn inner_judge(&self, request: &AccessRequest<'_>) -> Option<InnerJudge> {
        self.policy.inner_judge(request)
    }
}
