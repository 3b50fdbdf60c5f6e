//! The session of a running call, as its handler may use it.

use std::sync::Arc;

use futures_util::future::BoxFuture;
use hermes_core::handle::SCHEME;
use hermes_core::ports::Conversation;
use hermes_core::{
    Access, AccessRequest, Decision, Permission, Permit, Target, ToolCall, ToolError, ToolInfo, ToolOutcome,
    authorise,
};
use serde_json::Value;
use tokio_util::sync::CancellationToken;

use crate::catalog::Listed;
use crate::registry::Entry;
use crate::session::Session;
use crate::toolsets::Selection;

/// A session with the call that runs in it. Cheap to make: most calls never ask.
pub(super) struct OwnSession {
    session: Session,
    entry: Arc<Entry>,
    call_id: String,
    arguments: Arc<Value>,
}

impl OwnSession {
    pub(super) fn of(session: &Session, listed: &Listed, call_id: &str, arguments: &Arc<Value>) -> Self {
        OwnSession {
            session: session.clone(),
            entry: Arc::clone(&listed.entry),
            call_id: call_id.to_owned(),
            arguments: Arc::clone(arguments),
        }
    }

    fn request<'a>(&'a self, access: &'a [Access]) -> AccessRequest<'a> {
        let (info, identity) = (self.entry.info(), self.session.identity());
        AccessRequest {
            call_id: &self.call_id,
            tool: &info.name,
            toolset: &info.toolset,
            owner: &self.entry.owner,
            session: &identity.id,
            actor: &identity.actor,
            cwd: &identity.cwd,
            // What is asked for here says itself where it runs.
            shell: None,
            access,
            arguments: &self.arguments,
            effects: &[],
        }
    }
}

impl Conversation for OwnSession {
    fn decision(&self, access: &Access) -> Decision {
        // The call itself was counted before it came here.
        self.session.options().policy.look(&self.request(std::slice::from_ref(access)))
    }

    fn effects(&self, command: &str) -> Vec<Access> {
        let access = Access::new(Permission::TERMINAL_EXECUTE, Target::Command(command.to_owned()));
        let effects = self.session.options().policy.effects(&self.request(&[access]));
        effects.into_iter().map(|effect| effect.access).collect()
    }

    fn singled_out(&self) -> Vec<String> {
        self.session.options().policy.singled_out()
    }

    fn holds_secrets(&self, text: &str) -> bool {
        self.session.runtime().redactor().redact_text(text) != text
    }

    fn learn_secrets(&self, secrets: Vec<(String, String)>) {
        self.session.runtime().redactor().learn(secrets);
    }

    fn authorise(&self, access: Vec<Access>) -> BoxFuture<'_, Result<Permit, ToolError>> {
        Box::pin(async move {
            let options = self.session.options();
            let request = self.request(&access);
            authorise(&*options.policy, &*options.approver, &request).await.map_err(|refusal| refusal.error)
        })
    }

    fn offered(&self) -> BoxFuture<'_, Vec<ToolInfo>> {
        Box::pin(async move {
            let catalog = self.session.catalog().await;
            let mut offered: Vec<ToolInfo> =
                catalog.tools.iter().map(|listed| listed.entry.info().clone()).collect();
            offered.sort_by(|a, b| a.name.cmp(&b.name));
            offered
        })
    }

    fn keep(&self, mut value: Value) -> BoxFuture<'_, Result<String, ToolError>> {
        Box::pin(async move {
            let session = self.session.clone();
            // Megabytes are searched for secrets beside the reactor.
            let searching = tokio::task::spawn_blocking(move || {
                session.runtime().redactor().redact_value(&mut value);
                value
            });
            let value = searching.await.map_err(|error| {
                ToolError::internal("the value could not be kept").with_operator(error.to_string())
            })?;
            let id = self.session.options().ports.results()?.put(self.session.id(), &value).await?;
            Ok(format!("{SCHEME}{id}"))
        })
    }

    fn call<'a>(&'a self, call: ToolCall, cancel: &'a CancellationToken) -> BoxFuture<'a, ToolOutcome> {
        Box::pin(async move {
            // A session of its own, so that its calls do not wait for the call that makes them.
            let script = self.session.child(self.session.id(), "script", Selection::default(), None);
            script.call(call, cancel).await
        })
    }
}
