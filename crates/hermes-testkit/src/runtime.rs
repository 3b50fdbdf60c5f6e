//! A runtime in a temporary workspace, used as a caller would use it.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use hermes_core::ports::Ports;
use hermes_core::schema::Provider;
use hermes_core::{Approver, Policy, ToolCall, ToolOutcome};
use hermes_host::Host;
use hermes_runtime::catalog::Naming;
use hermes_runtime::toolsets::Selection;
use hermes_runtime::{Runtime, Session, SessionOptions};
use serde_json::Value;
use tempfile::TempDir;
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;

use crate::builder::TestRuntimeBuilder;

/// A runtime, its workspace and its default session.
pub struct TestRuntime {
    _folder: TempDir,
    workspace: PathBuf,
    host: Host,
    main: TestSession,
    options: SessionOptions,
}

/// One session of a test runtime.
#[derive(Clone)]
pub struct TestSession {
    pub session: Session,
}

impl TestRuntime {
    /// All built-in tools, everything allowed inside the workspace.
    pub async fn new() -> Self {
        Self::builder().build().await
    }

    pub fn builder() -> TestRuntimeBuilder {
        TestRuntimeBuilder::default()
    }

    #[allow(clippy::too_many_arguments, reason = "called from the builder only")]
    pub(crate) fn assemble(
        folder: TempDir,
        workspace: PathBuf,
        host: Host,
        runtime: Arc<Runtime>,
        policy: Arc<dyn Policy>,
        approver: Arc<dyn Approver>,
        selection: Selection,
        ports: Ports,
    ) -> Self {
        let options = SessionOptions {
            id: "main".into(),
            actor: "user".into(),
            cwd: workspace.clone(),
            selection,
            provider: Provider::OpenAi,
            naming: Naming::Hermes,
            context_tokens: None,
            policy,
            approver,
            ports: Arc::new(ports),
        };
        let main = TestSession { session: runtime.session(options.clone()) };
        TestRuntime { _folder: folder, workspace, host, main, options }
    }

    pub fn workspace(&self) -> &Path {
        &self.workspace
    }

    pub fn host(&self) -> &Host {
        &self.host
    }

    pub fn runtime(&self) -> &Arc<Runtime> {
        self.main.session.runtime()
    }

    pub fn main(&self) -> &TestSession {
        &self.main
    }

    /// Another session of the same runtime.
    pub fn session(&self, id: &str) -> TestSession {
        self.session_with(|options| options.id = id.to_owned())
    }

    pub fn session_with(&self, change: impl FnOnce(&mut SessionOptions)) -> TestSession {
        let mut options = self.options.clone();
        change(&mut options);
        TestSession { session: self.runtime().session(options) }
    }

    pub fn path(&self, relative: &str) -> PathBuf {
        self.workspace.join(relative)
    }

    /// Writes a file into the workspace, with the folders it needs.
    pub fn write(&self, relative: &str, content: impl AsRef<[u8]>) -> PathBuf {
        let path = self.path(relative);
        std::fs::create_dir_all(path.parent().expect("a parent folder")).expect("folders");
        std::fs::write(&path, content).expect("a written file");
        path
    }

    pub fn read(&self, relative: &str) -> String {
        std::fs::read_to_string(self.path(relative)).expect("a readable file")
    }

    pub async fn call(&self, name: &str, arguments: Value) -> ToolOutcome {
        self.main.call(name, arguments).await
    }

    /// Starts a call that can be cancelled.
    pub fn call_cancellable(
        &self,
        name: &str,
        arguments: Value,
    ) -> (JoinHandle<ToolOutcome>, CancellationToken) {
        self.main.call_cancellable(name, arguments)
    }

    pub async fn call_all(&self, calls: Vec<ToolCall>) -> Vec<ToolOutcome> {
        self.main.session.call_all(calls, &CancellationToken::new()).await
    }
}

impl TestSession {
    pub async fn call(&self, name: &str, arguments: Value) -> ToolOutcome {
        self.session.call(ToolCall::new("call_1", name, arguments), &CancellationToken::new()).await
    }

    pub fn call_cancellable(
        &self,
        name: &str,
        arguments: Value,
    ) -> (JoinHandle<ToolOutcome>, CancellationToken) {
        let (session, cancel) = (self.session.clone(), CancellationToken::new());
        let call = ToolCall::new("call_1", name, arguments);
        let token = cancel.clone();
        (tokio::spawn(async move { session.call(call, &token).await }), cancel)
    }
}
