//! One runtime per process: the registry and everything calls share. Sessions are made from it.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use hermes_core::ports::{Journal, PathResolver};
use hermes_core::redact::Redactor;
use hermes_core::{DEFAULT_MAX_RESULT_CHARS, ToolInfo};

use crate::admission::Admission;
use crate::availability::{AvailabilityCache, AvailabilitySettings};
use crate::disclosure::{SearchSettings, ToolSearch};
use crate::hooks::HookChain;
use crate::registry::Registry;
use crate::session::{Session, SessionOptions};
use crate::toolsets::{ToolsetFile, Toolsets};

/// How long calls that are under way at the end may still take.
const SHUT_DOWN_LIMIT: Duration = Duration::from_secs(10);
/// How long a process that has searched works on for the next one: enough for some hundred tools.
const EMBEDDING_LIMIT: Duration = Duration::from_secs(4);

/// Numbers that bound what a runtime does.
#[derive(Clone, Debug)]
pub struct Settings {
    pub batch_width: usize,
    pub concurrent_calls: usize,
    pub queued_calls: usize,
    pub result_chars: usize,
    pub turn_result_chars: usize,
    pub availability: AvailabilitySettings,
    /// After how many identical failures a call is answered without running; `None` never.
    pub identical_failures: Option<u32>,
    /// Per tool, by canonical name.
    pub timeouts: BTreeMap<String, Duration>,
    pub max_result_chars: BTreeMap<String, usize>,
    pub search: SearchSettings,
}

impl Default for Settings {
    fn default() -> Self {
        Settings {
            batch_width: 8,
            concurrent_calls: 256,
            queued_calls: 100_000,
            result_chars: DEFAULT_MAX_RESULT_CHARS,
            turn_result_chars: 200_000,
            availability: AvailabilitySettings::default(),
            identical_failures: Some(3),
            timeouts: BTreeMap::new(),
            max_result_chars: BTreeMap::new(),
            search: SearchSettings::default(),
        }
    }
}

/// What an application builds a runtime from.
pub struct Parts {
    pub settings: Settings,
    pub registry: Registry,
    pub toolsets: Toolsets,
    pub hooks: HookChain,
    pub journal: Option<Arc<dyn Journal>>,
    pub redactor: Redactor,
    pub paths: Arc<dyn PathResolver>,
}

impl Parts {
    /// The least a runtime needs: tools, and how paths are read. Every toolset is the one its tools name; no
    /// hooks, no journal, nothing blotted out.
    pub fn new(registry: Registry, paths: Arc<dyn PathResolver>) -> Self {
        Parts {
            settings: Settings::default(),
            registry,
            toolsets: Toolsets::new(ToolsetFile::default()),
            hooks: HookChain::new(Vec::new()),
            journal: None,
            redactor: Redactor::none(),
            paths,
        }
    }
}

/// The spine.
pub struct Runtime {
    parts: Parts,
    availability: AvailabilityCache,
    admission: Admission,
    search: Arc<ToolSearch>,
}

impl Runtime {
    pub fn new(parts: Parts) -> Arc<Self> {
        Arc::new(Runtime {
            availability: AvailabilityCache::new(parts.settings.availability),
            admission: Admission::new(parts.settings.concurrent_calls, parts.settings.queued_calls),
            search: ToolSearch::new(parts.settings.search.clone()),
            parts,
        })
    }

    /// Starts a session.
    pub fn session(self: &Arc<Self>, options: SessionOptions) -> Session {
        Session::new(Arc::clone(self), options, None)
    }

    pub fn registry(&self) -> &Registry {
        &self.parts.registry
    }

    pub fn toolsets(&self) -> &Toolsets {
        &self.parts.toolsets
    }

    pub fn availability(&self) -> &AvailabilityCache {
        &self.availability
    }

    /// The search over all tools of this runtime.
    pub fn search(&self) -> &Arc<ToolSearch> {
        &self.search
    }

    pub fn settings(&self) -> &Settings {
        &self.parts.settings
    }

    pub fn redactor(&self) -> &Redactor {
        &self.parts.redactor
    }

    pub(crate) fn hooks(&self) -> &HookChain {
        &self.parts.hooks
    }

    pub(crate) fn journal(&self) -> Option<&Arc<dyn Journal>> {
        self.parts.journal.as_ref()
    }

    pub(crate) fn paths(&self) -> &dyn PathResolver {
        &*self.parts.paths
    }

    pub(crate) fn admission(&self) -> &Admission {
        &self.admission
    }

    pub(crate) fn timeout_of(&self, info: &ToolInfo) -> Duration {
        self.parts.settings.timeouts.get(&info.name).copied().unwrap_or(info.timeout)
    }

    pub(crate) fn result_limit(&self, info: &ToolInfo) -> usize {
        let settings = &self.parts.settings;
        let own = settings.max_result_chars.get(&info.name).copied();
        own.unwrap_or_else(|| info.max_result_chars.min(settings.result_chars))
    }

    /// Removes every tool and waits until the last call has ended and teardown has run. A call that does not end is not
    /// waited for longer than ten seconds. Who has searched leaves vectors to the next process.
    pub async fn shut_down(&self) {
        let retired = self.registry().clear();
        let ends = futures_util::future::join_all(retired.into_iter().map(crate::lifecycle::tear_down));
        if tokio::time::timeout(SHUT_DOWN_LIMIT, ends).await.is_err() {
            tracing::warn!("calls that did not end were left behind");
        }
        self.search().settle(EMBEDDING_LIMIT).await;
    }
}
