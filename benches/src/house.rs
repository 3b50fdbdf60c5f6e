//! A runtime to measure: a tool that does nothing, real policy, real redaction, real stores.

use std::path::Path;
use std::sync::Arc;

use hermes_core::ports::{Journal, Ports};
use hermes_core::redact::Redactor;
use hermes_core::schema::Provider;
use hermes_core::{AccessRequest, AnyTool, Approval, Approver, Decision, Owner};
use hermes_host::state::{MemoryResultStore, MemorySessionState};
use hermes_host::{Env, Host};
use hermes_kit::prelude::*;
use hermes_policy::profile::{DEFAULT_PROFILE, Engine, Ground, Place, Plan, PolicyCell};
use hermes_runtime::catalog::Naming;
use hermes_runtime::hooks::HookChain;
use hermes_runtime::registry::Registry;
use hermes_runtime::toolsets::{Selection, Toolsets};
use hermes_runtime::{Parts, Runtime, Session, SessionOptions, Settings};

/// Does nothing with a few arguments.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Args {
    /// A path that is not looked at.
    #[allow(dead_code, reason = "decoded, which is what is measured")]
    path: String,
    /// A number that is not counted to.
    #[schemars(range(min = 1, max = 1000))]
    #[allow(dead_code, reason = "decoded, which is what is measured")]
    limit: Option<u32>,
    /// A switch that switches nothing.
    #[serde(default)]
    #[allow(dead_code, reason = "decoded, which is what is measured")]
    all: bool,
}

#[derive(Serialize)]
pub struct Output {
    ok: bool,
}

/// The tool that does nothing.
pub struct Noop;

impl Tool for Noop {
    type Args = Args;
    type Output = Output;
    const META: ToolMeta = ToolMeta::new("noop", "bench", Effect::None);

    fn new(_host: &Host) -> Self {
        Noop
    }

    fn access(&self, _args: &Args) -> Vec<Access> {
        vec![Access::any(Permission::SYSTEM_READ)]
    }

    async fn call(&self, _args: Args, _cx: &CallContext) -> Result<Output, ToolError> {
        Ok(Output { ok: true })
    }
}

/// The erased form of [`Noop`].
pub fn noop(host: &Host) -> Arc<dyn AnyTool> {
    hermes_kit::erase::<Noop>(host)
}

pub fn host(home: &Path) -> Host {
    Host::new(Env::of_process(), home.to_owned())
}

/// A redactor with as many secrets as a developer's environment has.
pub fn redactor() -> Redactor {
    let secrets = (0..8).map(|n| (format!("API_KEY_{n}"), format!("sk-bench-{n}-5f2a9c81e07b4d36a1")));
    Redactor::new(secrets)
}

/// A runtime with these tools and nothing else.
pub fn runtime(host: &Host, tools: Vec<Arc<dyn AnyTool>>, journal: Option<Arc<dyn Journal>>) -> Arc<Runtime> {
    let registry = Registry::new([]);
    let report = registry.replace_all(Owner::Host, tools);
    assert!(report.refused.is_empty(), "{:?}", report.refused);
    Runtime::new(Parts {
        settings: Settings::default(),
        registry,
        toolsets: Toolsets::from_yaml(hermes_tools::TOOLSETS).expect("the shipped toolsets"),
        hooks: HookChain::new(Vec::new()),
        journal,
        redactor: redactor(),
        paths: Arc::new(host.workspace.clone()),
    })
}

/// A session that sees everything and may do what the default profile allows.
pub fn session(runtime: &Arc<Runtime>, id: &str) -> Session {
    session_under(DEFAULT_PROFILE, runtime, id)
}

/// The same under another of the profiles that come with the program.
pub fn session_under(profile: &str, runtime: &Arc<Runtime>, id: &str) -> Session {
    let ground = Ground {
        home: "/home/bench".into(),
        hermes_home: "/home/bench/.hermes".into(),
        cwd: "/tmp".into(),
        temp: vec!["/tmp".into()],
        local_network: true,
        ..Ground::default()
    };
    let plan = Plan {
        profile,
        chosen_at: Place::whole("the benchmark"),
        files: &[],
        config: None,
        ground: &ground,
        commands: Default::default(),
        ledger: None,
    };
    let policy = PolicyCell::new(Engine::build(&plan).expect("a shipped profile"));
    let ports = Ports {
        session_state: Some(Arc::new(MemorySessionState::default())),
        results: Some(Arc::new(MemoryResultStore::default())),
        live: None,
    };
    runtime.session(SessionOptions {
        id: id.to_owned(),
        actor: "bench".to_owned(),
        cwd: "/tmp".into(),
        selection: Selection::default(),
        provider: Provider::OpenAi,
        naming: Naming::Hermes,
        context_tokens: None,
        policy: Arc::new(policy),
        approver: Arc::new(Nobody),
        ports: Arc::new(ports),
    })
}

struct Nobody;

impl Approver for Nobody {
    fn ask<'a>(
        &'a self,
        _request: &'a AccessRequest<'a>,
        _decision: &'a Decision,
    ) -> futures_util::future::BoxFuture<'a, Approval> {
        Box::pin(std::future::ready(Approval::Unanswered { hint: "nobody is here".to_owned() }))
    }
}
