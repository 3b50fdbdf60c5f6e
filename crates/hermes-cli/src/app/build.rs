//! Puts the runtime together.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use hermes_core::ports::{Journal, LiveOutput, Ports, ResultStore, SessionState};
use hermes_core::redact::Redactor;
use hermes_core::{Approver, Policy, ToolError};
use hermes_host::env_file::EnvFile;
use hermes_host::home::Home;
use hermes_host::secrets;
use hermes_host::state::{
    FileCache, FileResultStore, MemorySessionState, ResultLimits, SqliteJournal, SqliteSessionState,
    StateOptions,
};
use hermes_kit::BuiltIns;
use hermes_mcp::{Desk, Hub};
use hermes_plugins::OwnTools;
use hermes_runtime::hooks::{Hook, HookChain};
use hermes_runtime::registry::Registry;
use hermes_runtime::{Parts, Runtime, Session, SessionOptions};

use super::approver::{ANONYMOUS, LedgerApprover, approver};
use super::hooks::{ProgramHook, configured_hooks};
use super::mcp::{add_tools, follow_changes, hub, server_secrets};
use super::mcp_changes::follow_servers;
use super::mcp_meeting::Meeting;
use super::own_tools::{add_own_tools, follow};
use super::plugin_hooks::plugin_hooks;
use super::policy::{LivePolicy, PolicyMaker};
use super::questions::desk;
use super::reopening::Reopening;
use super::settings::{context_tokens, durability, naming, provider, selection, settings, toolsets};
use super::surroundings::Surroundings;
use super::trust::TrustStore;
use crate::failure::Failure;

/// A runtime and the session options that the configuration asks for.
pub(crate) struct App {
    pub(crate) runtime: Arc<Runtime>,
    pub(crate) surroundings: Surroundings,
    pub(crate) policy: Arc<LivePolicy>,
    pub(crate) mcp: Arc<Hub>,
    /// When those whose tools are not known yet are asked.
    pub(crate) meeting: Arc<Meeting>,
    /// Who answers what MCP servers ask, and whether that may be a person at this terminal.
    pub(crate) desk: Desk,
    may_ask: Arc<AtomicBool>,
    pub(super) options: SessionOptions,
    /// The session that this process goes on with, if it has a name.
    pub(super) resumed: Option<String>,
    approver: Arc<LedgerApprover>,
    /// Until somebody follows them.
    own: Option<OwnTools>,
}

impl App {
    /// For commands that only look: nothing is opened, nothing is created.
    pub(crate) async fn for_looking(surroundings: Surroundings) -> Result<Self, Failure> {
        Self::looking(surroundings, Redactor::none()).await
    }

    /// The same for commands that show what a model would read.
    pub(crate) async fn for_explaining(surroundings: Surroundings) -> Result<Self, Failure> {
        let redactor = redactor(&surroundings)?;
        Self::looking(surroundings, redactor).await
    }

    async fn looking(surroundings: Surroundings, redactor: Redactor) -> Result<Self, Failure> {
        let ports = Ports {
            session_state: Some(Arc::new(MemorySessionState::default())),
            results: Some(Arc::new(hermes_host::state::MemoryResultStore::default())),
            live: None,
        };
        Self::build(surroundings, None, ports, redactor).await
    }

    /// For commands that run tools: journal, results and session state on disk.
    pub(crate) async fn for_running(surroundings: Surroundings, keep_session: bool) -> Result<Self, Failure> {
        let config = surroundings.config();
        let home = &surroundings.home;
        let options = StateOptions { durability: durability(config), ..StateOptions::default() };
        let (journal, unwritten) = match config.journal.enabled {
            true => journal(home, &options),
            false => {
                home.ensure()?;
                (None, None)
            }
        };
        let session_state: Arc<dyn SessionState> = match keep_session && unwritten.is_none() {
            true => Arc::new(SqliteSessionState::open(home, &options)?),
            // Where nothing can be kept, nothing that would have to be runs.
            false => Arc::new(MemorySessionState::default()),
        };
        let limits = ResultLimits {
            max_bytes: config.results.max_bytes,
            max_age: Duration::from_secs(u64::from(config.results.max_age_days) * 24 * 60 * 60),
            ..ResultLimits::default()
        };
        let results = results(home, &options, &limits);
        let ports = Ports { session_state: Some(session_state), results: Some(results), live: None };
        let redactor = redactor(&surroundings)?;
        crate::log::redact_with(&redactor);
        Self::build(surroundings, journal, ports, redactor).await
    }

    async fn build(
        surroundings: Surroundings,
        journal: Option<Arc<dyn Journal>>,
        ports: Ports,
        redactor: Redactor,
    ) -> Result<Self, Failure> {
        let config = surroundings.config();
        let (registry, own) = registry(&surroundings).await?;
        let (desk, may_ask) = desk(&surroundings);
        let mcp = Arc::new(hub(&surroundings, desk.clone())?);
        for source in mcp.sources() {
            add_tools(&registry, &source).await;
        }
        let toolsets = toolsets(config)?;
        let maker = PolicyMaker::new(&surroundings, &registry.snapshot(), &toolsets)?;
        let policy = Arc::new(LivePolicy::start(maker)?);
        let (hooks, approval_hooks) = programs(&surroundings)?;
        let runtime = Runtime::new(Parts {
            settings: settings(config, &registry.snapshot()),
            registry,
            toolsets,
            hooks,
            journal,
            redactor,
            paths: Arc::new(surroundings.host.files()),
        });
        let approver =
            Arc::new(approver(&surroundings, &runtime, ports.session_state.clone(), approval_hooks)?);
        runtime.search().keep_in(Arc::new(FileCache::new(&surroundings.home)));
        let options = SessionOptions {
            id: ANONYMOUS.to_owned(),
            actor: "user".to_owned(),
            cwd: surroundings.cwd.clone(),
            selection: selection(config),
            provider: provider(config),
            naming: naming(config),
            context_tokens: context_tokens(config),
            policy: Arc::clone(&policy) as Arc<dyn Policy>,
            approver: Arc::clone(&approver) as Arc<dyn Approver>,
            ports: Arc::new(ports),
        };
        follow_changes(&mcp, &runtime);
        let meeting = Meeting::new(Arc::clone(&mcp), Arc::clone(&runtime), options.selection.clone());
        Ok(App {
            runtime,
            surroundings,
            policy,
            mcp,
            meeting: Arc::new(meeting),
            desk,
            may_ask,
            options,
            resumed: None,
            approver,
            own: Some(own),
        })
    }

    /// For runs that read requests from the terminal: an answer to a question would be taken for one.
    pub(crate) fn never_prompting(self) -> Self {
        self.approver.never_prompt();
        self.may_ask.store(false, Ordering::Relaxed);
        self
    }

    /// For runs whose calls come from clients: a question goes to the client, or waits in the queue.
    pub(crate) fn serving_clients(self) -> Self {
        self.approver.serve_clients(self.desk.clone());
        self.may_ask.store(false, Ordering::Relaxed);
        self
    }

    /// For runs that somebody watches.
    pub(crate) fn watched_by(mut self, live: Arc<dyn LiveOutput>) -> Self {
        let ports = Ports { live: Some(live), ..(*self.options.ports).clone() };
        self.options.ports = Arc::new(ports);
        self
    }

    /// For runs that stay up: the user's own tools and MCP servers change when their files do.
    pub(crate) fn following_changes(mut self) -> Self {
        follow_servers(&self.meeting, &self.surroundings);
        if let Some(own) = self.own.take() {
            tokio::spawn(follow(Arc::clone(&self.runtime), own));
        }
        self
    }

    pub(crate) fn session(&self, id: Option<&str>) -> Session {
        let mut options = self.options.clone();
        if let Some(id) = id {
            options.id = id.to_owned();
        }
        self.runtime.session(options)
    }
}

/// The journal, and why it cannot be written if it cannot: then only what changes nothing runs.
fn journal(home: &Home, options: &StateOptions) -> (Option<Arc<dyn Journal>>, Option<ToolError>) {
    let (at, with) = (home.clone(), options.clone());
    let (journal, failure) = Reopening::new(move || SqliteJournal::open(&at, &with));
    if let Some(error) = &failure {
        tracing::warn!(%error, "the journal cannot be written: only calls that change nothing run");
    }
    (Some(Arc::new(journal)), failure)
}

fn results(home: &Home, options: &StateOptions, limits: &ResultLimits) -> Arc<dyn ResultStore> {
    let (at, with, limits) = (home.clone(), options.clone(), limits.clone());
    let (results, failure) = Reopening::new(move || FileResultStore::open(&at, &with, limits.clone()));
    if let Some(error) = failure {
        tracing::warn!(%error, "large results cannot be kept");
    }
    Arc::new(results)
}

/// The tools of this build and the user's own, before any policy looks at them.
pub(crate) async fn registry(surroundings: &Surroundings) -> Result<(Registry, OwnTools), Failure> {
    let entries = &surroundings.config().plugins.entries;
    let overriding = entries.iter().filter(|(_, entry)| entry.allow_tool_override).map(|(id, _)| id.clone());
    let registry = Registry::new(overriding);
    let report = registry.sync(&BuiltIns::new(surroundings.host.clone())).await.map_err(Failure::usage)?;
    match report.refused.first() {
        Some(refused) => Err(Failure::usage(refused.error.to_string())),
        None => {
            let own = add_own_tools(&registry, surroundings).await?;
            Ok((registry, own))
        }
    }
}

fn redactor(surroundings: &Surroundings) -> Result<Redactor, Failure> {
    Ok(known_secrets(surroundings)?.map_or_else(Redactor::none, Redactor::new))
}

/// The secrets of this process, by name; nothing where they may be shown.
pub(super) fn known_secrets(surroundings: &Surroundings) -> Result<Option<Vec<(String, String)>>, Failure> {
    let security = &surroundings.config().security;
    if !security.redact {
        return Ok(None);
    }
    let file = EnvFile::new(surroundings.home.clone()).read()?;
    let configured: BTreeSet<String> = security.secret_env.iter().cloned().collect();
    let pairs = surroundings.host.env.iter().chain(file.variables());
    let mut known = secrets::gather(pairs, &configured);
    known.extend(server_secrets(surroundings));
    Ok(Some(known))
}

/// The configured programs: those around calls, and those around approvals.
fn programs(surroundings: &Surroundings) -> Result<(HookChain, Vec<ProgramHook>), Failure> {
    let hooks = &surroundings.config().hooks;
    let env = &surroundings.host.env;
    let trusted: BTreeSet<String> = TrustStore::of(&surroundings.home).digests()?.into_iter().collect();
    let mut chain: Vec<Arc<dyn Hook>> = Vec::new();
    let mut approvals = Vec::new();
    for state in configured_hooks(hooks, &trusted, env) {
        let hook = ProgramHook::new(state, &trusted, env)?;
        match hook.event().is_about_approvals() {
            true => approvals.push(hook),
            false => chain.push(Arc::new(hook)),
        }
    }
    chain.extend(plugin_hooks(surroundings)?);
    Ok((HookChain::new(chain), approvals))
}
