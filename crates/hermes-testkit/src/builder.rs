//! Builds a [`TestRuntime`] piece by piece.

use std::sync::Arc;

use hermes_core::ports::{Journal, Ports};
use hermes_core::redact::Redactor;
use hermes_core::{AnyTool, Approver, Owner, Policy};
use hermes_host::state::{MemoryResultStore, MemorySessionState};
use hermes_host::terminal::TerminalSettings;
use hermes_host::{Env, Host, Terminals};
use hermes_kit::BuiltIns;
use hermes_policy::{PathRoots, Pattern, Rules};
use hermes_runtime::hooks::{Hook, HookChain};
use hermes_runtime::registry::Registry;
use hermes_runtime::toolsets::{Selection, Toolsets};
use hermes_runtime::{Parts, Runtime, Settings};

use crate::approver::ScriptedApprover;
use crate::runtime::TestRuntime;

/// What a test runtime is made of.
pub struct TestRuntimeBuilder {
    pub(crate) env: Vec<(String, String)>,
    pub(crate) tools: Vec<Arc<dyn AnyTool>>,
    pub(crate) built_ins: bool,
    pub(crate) hooks: Vec<Arc<dyn Hook>>,
    pub(crate) settings: Settings,
    pub(crate) journal: Option<Arc<dyn Journal>>,
    pub(crate) redactor: Redactor,
    pub(crate) policy: Option<Arc<dyn Policy>>,
    pub(crate) approver: Arc<dyn Approver>,
    pub(crate) selection: Selection,
    pub(crate) deny: Vec<Pattern>,
    pub(crate) ask: Vec<Pattern>,
    pub(crate) terminal: TerminalSettings,
}

impl Default for TestRuntimeBuilder {
    fn default() -> Self {
        TestRuntimeBuilder {
            env: vec![("PATH".into(), std::env::var("PATH").unwrap_or_default())],
            tools: Vec::new(),
            built_ins: true,
            hooks: Vec::new(),
            settings: Settings::default(),
            journal: None,
            redactor: Redactor::none(),
            policy: None,
            approver: Arc::new(ScriptedApprover::absent()),
            selection: Selection::default(),
            deny: Vec::new(),
            ask: Vec::new(),
            terminal: TerminalSettings::default(),
        }
    }
}

impl TestRuntimeBuilder {
    #[must_use]
    pub fn env(mut self, name: &str, value: &str) -> Self {
        self.env.push((name.into(), value.into()));
        self
    }

    /// Starts from no environment at all, not even `PATH`.
    #[must_use]
    pub fn empty_env(mut self) -> Self {
        self.env.clear();
        self
    }

    #[must_use]
    pub fn tool(mut self, tool: Arc<dyn AnyTool>) -> Self {
        self.tools.push(tool);
        self
    }

    #[must_use]
    pub fn without_built_ins(mut self) -> Self {
        self.built_ins = false;
        self
    }

    #[must_use]
    pub fn hook(mut self, hook: impl Hook + 'static) -> Self {
        self.hooks.push(Arc::new(hook));
        self
    }

    #[must_use]
    pub fn settings(mut self, change: impl FnOnce(&mut Settings)) -> Self {
        change(&mut self.settings);
        self
    }

    #[must_use]
    pub fn journal(mut self, journal: Arc<dyn Journal>) -> Self {
        self.journal = Some(journal);
        self
    }

    #[must_use]
    pub fn redactor(mut self, redactor: Redactor) -> Self {
        self.redactor = redactor;
        self
    }

    #[must_use]
    pub fn policy(mut self, policy: Arc<dyn Policy>) -> Self {
        self.policy = Some(policy);
        self
    }

    #[must_use]
    pub fn approver(mut self, approver: impl Approver + 'static) -> Self {
        self.approver = Arc::new(approver);
        self
    }

    #[must_use]
    pub fn selection(mut self, selection: Selection) -> Self {
        self.selection = selection;
        self
    }

    #[must_use]
    pub fn deny(mut self, pattern: &str) -> Self {
        self.deny.push(Pattern::parse(pattern).expect("a valid pattern"));
        self
    }

    #[must_use]
    pub fn ask(mut self, pattern: &str) -> Self {
        self.ask.push(Pattern::parse(pattern).expect("a valid pattern"));
        self
    }

    /// Where and how commands run.
    #[must_use]
    pub fn terminal(mut self, settings: TerminalSettings) -> Self {
        self.terminal = settings;
        self
    }

    pub async fn build(self) -> TestRuntime {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let root = folder.path().canonicalize().expect("the temporary folder");
        let (workspace, home) = (root.join("work"), root.join("home/.hermes"));
        for path in [&workspace, &home] {
            std::fs::create_dir_all(path).expect("a fresh folder");
        }
        let user_home = root.join("home").display().to_string();
        let env: Env = self.env.into_iter().chain([("HOME".to_owned(), user_home)]).collect();
        let mut host = Host::new(env.clone(), home.clone());
        host.terminals = Terminals::new(self.terminal, env, home.clone());

        let registry = Registry::new([]);
        if self.built_ins {
            let report = registry.sync(&BuiltIns::new(host.clone())).await.expect("built-in tools");
            assert!(report.refused.is_empty(), "{:?}", report.refused);
        }
        for tool in self.tools {
            registry.register(Owner::Host, tool).expect("a test tool with a free name");
        }
        let policy = self.policy.unwrap_or_else(|| {
            Arc::new(Rules {
                name: "test".into(),
                allow: vec![Pattern::parse("*").expect("a valid pattern")],
                deny: self.deny,
                ask: self.ask,
                roots: PathRoots {
                    read: vec!["/".into()],
                    write: vec![workspace.clone()],
                    closed: vec![home.clone()],
                    ..PathRoots::default()
                },
                places: None,
            })
        });
        let runtime = Runtime::new(Parts {
            settings: self.settings,
            registry,
            toolsets: Toolsets::from_yaml(hermes_tools::TOOLSETS).expect("the shipped toolsets"),
            hooks: HookChain::new(self.hooks),
            journal: self.journal,
            redactor: self.redactor,
            paths: Arc::new(host.files()),
        });
        let ports = Ports {
            session_state: Some(Arc::new(MemorySessionState::default())),
            results: Some(Arc::new(MemoryResultStore::default())),
            live: None,
        };
        TestRuntime::assemble(folder, workspace, host, runtime, policy, self.approver, self.selection, ports)
    }
}
