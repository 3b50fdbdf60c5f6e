//! One conversation: its scope, its policy, its place. Every entry path calls tools through a session.

use std::path::PathBuf;
use std::sync::Arc;

use hermes_core::ports::Ports;
use hermes_core::schema::Provider;
use hermes_core::{Approver, Policy, SessionIdentity};
use hermes_policy::All;

use crate::catalog::{Catalog, CatalogCell, CatalogInputs, Naming};
use crate::pipeline::{Gate, RepeatGuard};
use crate::registry::Snapshot;
use crate::runtime::Runtime;
use crate::toolsets::Selection;

/// What a session is made from.
#[derive(Clone)]
pub struct SessionOptions {
    pub id: String,
    pub actor: String,
    pub cwd: PathBuf,
    pub selection: Selection,
    pub provider: Provider,
    pub naming: Naming,
    /// The context of the model this session talks to, if known.
    pub context_tokens: Option<usize>,
    pub policy: Arc<dyn Policy>,
    pub approver: Arc<dyn Approver>,
    pub ports: Arc<Ports>,
}

impl SessionOptions {
    /// A session of the user's own that sees every tool, in this folder and under this policy.
    pub fn new(cwd: PathBuf, policy: Arc<dyn Policy>, approver: Arc<dyn Approver>) -> Self {
        SessionOptions {
            id: "main".to_owned(),
            actor: "user".to_owned(),
            cwd,
            selection: Selection::default(),
            provider: Provider::default(),
            naming: Naming::Hermes,
            context_tokens: None,
            policy,
            approver,
            ports: Arc::default(),
        }
    }
}

/// A session of a runtime. Cheap to clone.
#[derive(Clone)]
pub struct Session {
    inner: Arc<Inner>,
    /// Set while the calls of one request run.
    turn: Option<Arc<str>>,
}

struct Inner {
    runtime: Arc<Runtime>,
    identity: Arc<SessionIdentity>,
    options: SessionOptions,
    parent: Option<Session>,
    catalog: CatalogCell,
    gate: Gate,
    repeats: RepeatGuard,
}

impl Session {
    pub(crate) fn new(runtime: Arc<Runtime>, options: SessionOptions, parent: Option<Session>) -> Self {
        let identity = SessionIdentity {
            id: options.id.clone(),
            actor: options.actor.clone(),
            cwd: options.cwd.clone(),
        };
        let repeats = RepeatGuard::new(runtime.settings().identical_failures);
        let inner = Inner {
            runtime,
            identity: Arc::new(identity),
            options,
            parent,
            catalog: CatalogCell::default(),
            gate: Gate::default(),
            repeats,
        };
        Session { inner: Arc::new(inner), turn: None }
    }

    /// This session while it answers one request: its calls can be told from those of other requests.
    pub(crate) fn for_request(&self) -> Self {
        let fresh = || Arc::from(uuid::Uuid::now_v7().simple().to_string());
        Session { inner: Arc::clone(&self.inner), turn: Some(self.turn.clone().unwrap_or_else(fresh)) }
    }

    pub(crate) fn turn(&self) -> Option<Arc<str>> {
        self.turn.clone()
    }

    /// A session for a subagent, job or script. It sees at most what this session sees now and later,
    /// and may do at most what this session may do.
    pub fn child(
        &self,
        id: &str,
        actor: &str,
        selection: Selection,
        policy: Option<Arc<dyn Policy>>,
    ) -> Session {
        let own = &self.inner.options;
        let levels = std::iter::once(Arc::clone(&own.policy)).chain(policy);
        let options = SessionOptions {
            id: id.to_owned(),
            actor: actor.to_owned(),
            selection,
            policy: Arc::new(All::of(levels)),
            ..own.clone()
        };
        Session::new(Arc::clone(&self.inner.runtime), options, Some(self.clone()))
    }

    pub fn id(&self) -> &str {
        &self.inner.identity.id
    }

    pub fn identity(&self) -> &Arc<SessionIdentity> {
        &self.inner.identity
    }

    pub fn runtime(&self) -> &Arc<Runtime> {
        &self.inner.runtime
    }

    pub fn options(&self) -> &SessionOptions {
        &self.inner.options
    }

    pub(crate) fn gate(&self) -> &Gate {
        &self.inner.gate
    }

    pub(crate) fn repeats(&self) -> &RepeatGuard {
        &self.inner.repeats
    }

    /// What this session may see now.
    pub async fn catalog(&self) -> Arc<Catalog> {
        if self.inner.parent.is_none() {
            let runtime = &self.inner.runtime;
            let (registry, toolsets) = (runtime.registry().generation(), runtime.toolsets().generation());
            let policy = self.inner.options.policy.generation();
            if let Some(catalog) = self.inner.catalog.peek(registry, toolsets, policy) {
                return catalog;
            }
        }
        let parent = match &self.inner.parent {
            Some(parent) => Some(Box::pin(parent.catalog()).await),
            None => None,
        };
        let registered = self.inner.runtime.registry().snapshot();
        self.inner.catalog.current(&self.inputs(&registered, parent.as_deref())).await
    }

    /// One line on why a tool is or is not offered here.
    pub async fn why(&self, name: &str) -> String {
        let catalog = self.catalog().await;
        let parent = match &self.inner.parent {
            Some(parent) => Some(parent.catalog().await),
            None => None,
        };
        let registered = self.inner.runtime.registry().snapshot();
        crate::catalog::why(name, &catalog, &self.inputs(&registered, parent.as_deref()))
    }

    fn inputs<'a>(&'a self, registered: &'a Arc<Snapshot>, parent: Option<&'a Catalog>) -> CatalogInputs<'a> {
        let options = &self.inner.options;
        CatalogInputs {
            registered,
            toolsets: self.inner.runtime.toolsets(),
            availability: self.inner.runtime.availability(),
            selection: &options.selection,
            policy: &*options.policy,
            identity: &self.inner.identity,
            provider: options.provider,
            naming: options.naming,
            ports: &options.ports,
            search: self.inner.runtime.search(),
            redactor: self.inner.runtime.redactor(),
            hooks: self.inner.runtime.hooks(),
            context_tokens: options.context_tokens,
            parent,
        }
    }
}
