//! Decodes the call, resolves what it would touch, and gets the permit for exactly that.

use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use hermes_core::ports::Located;
use hermes_core::{
    Access, AccessRequest, CommandEffect, Decision, InnerJudge, Permission, Permit, Policy, Prepared,
    Refusal, Target, ToolError, Verdict, authorise,
};
use serde_json::Value;

use super::run::panic_text;
use crate::catalog::Listed;
use crate::session::Session;

/// More names of files that are closed in the same call are nothing that anybody reads.
const MOST_NAMES: usize = 32;

/// A decoded call with its accesses resolved.
pub(super) struct Ready {
    pub(super) prepared: Box<dyn Prepared>,
    pub(super) access: Vec<Access>,
    /// Where the session's shell stands, if the call runs a command in it.
    pub(super) shell: Option<PathBuf>,
}

/// Decodes the arguments; paths are judged as the objects they name.
pub(super) async fn prepare(
    session: &Session,
    listed: &Listed,
    arguments: &Value,
) -> Result<Ready, ToolError> {
    let tool = Arc::clone(&listed.entry.tool);
    let decoded = std::panic::AssertUnwindSafe(|| {
        let prepared = tool.prepare(arguments)?;
        let access = prepared.access();
        Ok((prepared, access))
    });
    let (prepared, mut access) = std::panic::catch_unwind(decoded).unwrap_or_else(|panic| {
        let text = panic_text(&*panic);
        tracing::error!(tool = %listed.entry.info().name, %text, "tool panicked before it ran");
        Err(ToolError::internal(format!("'{}' crashed before it ran: {text}", listed.entry.info().name)))
    })?;
    // Another machine is asked once for each path, however often a call uses it.
    let mut located: HashMap<String, Located> = HashMap::new();
    let mut shell = None;
    for access in &mut access {
        let paths = session.runtime().paths();
        if let Target::InShell(text) = &mut access.target {
            shell = paths.standing(session.identity(), &session.options().ports).await?;
            access.target = Target::Command(std::mem::take(text));
            continue;
        }
        let Located { judged, place } = match &access.target {
            Target::Path(raw) => Located { judged: resolved(session, raw).await?, place: None },
            Target::Elsewhere(raw) => match located.get(raw) {
                Some(known) => known.clone(),
                None => {
                    let found = paths.locate(session.identity(), raw).await?;
                    located.insert(raw.clone(), found.clone());
                    found
                }
            },
            _ => continue,
        };
        access.target = Target::Resolved(judged);
        access.place = place;
    }
    let others = by_other_names(session, listed, arguments, (&access, shell.as_deref())).await;
    access.extend(others?);
    Ok(Ready { prepared, access, shell })
}

async fn resolved(session: &Session, raw: &str) -> Result<PathBuf, ToolError> {
    let (paths, cwd) = (session.runtime().paths(), &session.identity().cwd);
    if let Some(known) = paths.resolve_at_once(cwd, raw) {
        return known;
    }
    // Folders are looked through for its names, which others need not wait for.
    let (held, raw) = (session.clone(), raw.to_owned());
    let found =
        tokio::task::spawn_blocking(move || held.runtime().paths().resolve(&held.identity().cwd, &raw));
    found.await.map_err(|error| ToolError::internal(format!("a path was not resolved: {error}")))?
}

/// What is read by one name is read by all names of the file. Whoever writes to one changes that one alone, but may keep
/// what was in it; a name that goes takes nothing from the others. A file may have thousands of names: only those count
/// that are not plainly open, and of these the most closed. The doors hold to the others.
async fn by_other_names(
    session: &Session,
    listed: &Listed,
    arguments: &Value,
    (access, shell): (&[Access], Option<&Path>),
) -> Result<Vec<Access>, ToolError> {
    let paths = session.runtime().paths();
    let reads = |one: &&Access| {
        one.place.is_none() && [Permission::FILE_READ, Permission::FILE_WRITE].contains(&one.permission)
    };
    let linked = access.iter().filter(reads).filter_map(|one| match &one.target {
        Target::Resolved(path) if paths.has_other_names(path) => Some(path.clone()),
        _ => None,
    });
    let linked: HashSet<PathBuf> = linked.collect();
    if linked.is_empty() {
        return Ok(Vec::new());
    }
    let judge =
        session.options().policy.inner_judge(&request(session, listed, "", arguments, (access, shell)));
    let held = session.clone();
    // Folders are looked through for them, which others need not wait for.
    let found = tokio::task::spawn_blocking(move || {
        let (paths, cwd) = (held.runtime().paths(), &held.identity().cwd);
        let names: HashSet<PathBuf> = linked.iter().flat_map(|path| paths.other_names(cwd, path)).collect();
        let Some(judge) = judge else { return names.into_iter().collect() };
        let judged = names.into_iter().map(|name| (judge(&Permission::FILE_READ, &name).verdict, name));
        let mut closed: Vec<(Verdict, PathBuf)> =
            judged.filter(|(verdict, _)| *verdict > Verdict::Allow).collect();
        closed.sort_unstable_by(|(verdict, name), (other, with)| other.cmp(verdict).then(name.cmp(with)));
        closed.truncate(MOST_NAMES);
        closed.into_iter().map(|(_, name)| name).collect::<Vec<PathBuf>>()
    });
    let names =
        found.await.map_err(|error| ToolError::internal(format!("a look at other names failed: {error}")))?;
    let reads = names.into_iter().map(|name| Access::new(Permission::FILE_READ, Target::Resolved(name)));
    Ok(reads.filter(|read| !access.contains(read)).collect())
}

/// What policy is asked about a call.
fn request<'a>(
    session: &'a Session,
    listed: &'a Listed,
    call_id: &'a str,
    arguments: &'a Value,
    (access, shell): (&'a [Access], Option<&'a Path>),
) -> AccessRequest<'a> {
    let info = listed.entry.info();
    let identity = session.identity();
    AccessRequest {
        call_id,
        tool: &info.name,
        toolset: &info.toolset,
        owner: &listed.entry.owner,
        session: &identity.id,
        actor: &identity.actor,
        cwd: &identity.cwd,
        shell,
        access,
        arguments,
        effects: &[],
    }
}

/// Asks policy and, where needed, the approver.
pub(super) async fn permit(
    session: &Session,
    listed: &Listed,
    call_id: &str,
    arguments: &Value,
    touched: (&[Access], Option<&Path>),
    ask: Option<String>,
) -> Result<Permit, Refusal> {
    let request = request(session, listed, call_id, arguments, touched);
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
        self.escalate(self.policy.decide(request))
    }

    fn look(&self, request: &AccessRequest<'_>) -> Decision {
        self.escalate(self.policy.look(request))
    }

    fn may_ask(&self) -> bool {
        self.policy.may_ask()
    }

    fn effects(&self, request: &AccessRequest<'_>) -> Vec<CommandEffect> {
        self.policy.effects(request)
    }

    fn inner_judge(&self, request: &AccessRequest<'_>) -> Option<InnerJudge> {
        self.policy.inner_judge(request)
    }
}

impl Escalated<'_> {
    fn escalate(&self, decision: Decision) -> Decision {
        match decision.verdict {
            Verdict::Allow if self.may_ask() => Decision::new(Verdict::Ask, "hook", self.reason.clone()),
            Verdict::Allow => {
                let reason = format!("{}, and nobody is there to ask", self.reason);
                Decision::new(Verdict::Deny, "hook", reason)
            }
            Verdict::Ask | Verdict::Deny => decision,
        }
    }
}
