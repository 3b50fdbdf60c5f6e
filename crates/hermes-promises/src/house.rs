//! A whole runtime in memory: two tools, a store of results, a policy that allows everything.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use futures_util::future::{BoxFuture, ready};
use hermes_core::ports::{PathResolver, Ports, ResultStore};
use hermes_core::redact::Redactor;
use hermes_core::schema::Provider;
use hermes_core::{
    Access, AccessRequest, AnyTool, Approval, Approver, CallContext, Decision, Effect, Owner, Policy,
    Prepared, ToolCall, ToolError, ToolInfo, ToolMeta, ToolOutcome, Verdict,
};
use hermes_runtime::catalog::Naming;
use hermes_runtime::hooks::HookChain;
use hermes_runtime::registry::Registry;
use hermes_runtime::toolsets::{Selection, ToolsetFile, Toolsets};
use hermes_runtime::wire::Asked;
use hermes_runtime::{Parts, Runtime, Session, SessionOptions, Settings};
use serde_json::{Value, json};
use tokio_util::sync::CancellationToken;

/// A session and the reactor it runs on.
pub struct House {
    reactor: tokio::runtime::Runtime,
    session: Session,
}

impl House {
    /// The session's store holds `stored` under the id `r1`.
    pub fn new(stored: Value) -> Self {
        let registry = Registry::new([]);
        let strict = json!({
            "type": "object",
            "properties": {
                "n": {"type": "integer"}, "flag": {"type": "boolean"}, "text": {"type": "string"},
                "list": {"type": "array", "items": {"type": ["integer", "null"]}},
                "any": {"anyOf": [{"type": "number"}, {"type": "object"}]},
            },
            "additionalProperties": false,
        });
        for (name, schema) in [("echo", json!({"type": "object"})), ("strict", strict)] {
            registry.register(Owner::Host, Arc::new(Echo::new(name, schema))).expect("a free name");
        }
        let runtime = Runtime::new(Parts {
            settings: Settings { result_chars: 2_000, ..Settings::default() },
            registry,
            toolsets: Toolsets::new(ToolsetFile::default()),
            hooks: HookChain::new(Vec::new()),
            journal: None,
            redactor: Redactor::none(),
            paths: Arc::new(NoPaths),
        });
        let results = Store(Mutex::new(HashMap::from([("r1".to_owned(), Arc::new(stored))])));
        let session = runtime.session(SessionOptions {
            id: "fuzz".to_owned(),
            actor: "fuzz".to_owned(),
            cwd: "/".into(),
            selection: Selection::default(),
            provider: Provider::Generic,
            naming: Naming::Hermes,
            context_tokens: None,
            policy: Arc::new(Yes),
            approver: Arc::new(Yes),
            ports: Arc::new(Ports { session_state: None, results: Some(Arc::new(results)), live: None }),
        });
        let reactor = tokio::runtime::Builder::new_current_thread().enable_time().build().expect("a reactor");
        House { reactor, session }
    }

    /// Answers a request from the wire.
    pub fn answer(&self, asked: Vec<Asked>) -> Vec<ToolOutcome> {
        self.reactor.block_on(self.session.answer(asked, &CancellationToken::new()))
    }

    /// Runs the calls through the whole pipeline.
    pub fn call_all(&self, calls: Vec<ToolCall>) -> Vec<ToolOutcome> {
        self.reactor.block_on(self.session.call_all(calls, &CancellationToken::new()))
    }
}

/// Answers with its own arguments.
struct Echo(ToolInfo);

impl Echo {
    fn new(name: &str, schema: Value) -> Self {
        let meta = ToolMeta::new("", "fuzz", Effect::None);
        let mut info = ToolInfo::from_meta(&meta, "Answers with its arguments.".to_owned(), schema);
        info.name = name.to_owned();
        Echo(info)
    }
}

impl AnyTool for Echo {
    fn info(&self) -> &ToolInfo {
        &self.0
    }

    fn prepare(self: Arc<Self>, arguments: &Value) -> Result<Box<dyn Prepared>, ToolError> {
        Ok(Box::new(Echoing(arguments.clone())))
    }
}

struct Echoing(Value);

impl Prepared for Echoing {
    fn access(&self) -> Vec<Access> {
        Vec::new()
    }

    fn run(self: Box<Self>, _cx: CallContext) -> BoxFuture<'static, Result<Value, ToolError>> {
        Box::pin(ready(Ok(json!({ "args": self.0 }))))
    }
}

struct Yes;

impl Policy for Yes {
    fn decide(&self, _request: &AccessRequest<'_>) -> Decision {
        Decision::new(Verdict::Allow, "fuzz", "everything is allowed here")
    }
}

impl Approver for Yes {
    fn ask<'a>(&'a self, _: &'a AccessRequest<'a>, _: &'a Decision) -> BoxFuture<'a, Approval> {
        Box::pin(ready(Approval::Granted { by: "fuzz".to_owned() }))
    }
}

struct NoPaths;

impl PathResolver for NoPaths {
    fn resolve(&self, cwd: &Path, raw: &str) -> Result<PathBuf, ToolError> {
        Ok(cwd.join(raw))
    }
}

struct Store(Mutex<HashMap<String, Arc<Value>>>);

impl ResultStore for Store {
    fn put<'a>(&'a self, _session: &'a str, _value: &'a Value) -> BoxFuture<'a, Result<String, ToolError>> {
        // Kept by nobody: a fuzzing run must not grow.
        Box::pin(ready(Ok("kept".to_owned())))
    }

    fn get<'a>(&'a self, _: &'a str, id: &'a str) -> BoxFuture<'a, Result<Option<Arc<Value>>, ToolError>> {
        let found = self.0.lock().unwrap_or_else(PoisonError::into_inner).get(id).cloned();
        Box::pin(ready(Ok(found)))
    }
}
