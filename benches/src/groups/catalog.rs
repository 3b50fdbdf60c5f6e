//! What a session may see, of two thousand tools.

use std::sync::{Arc, Mutex};

use futures_util::FutureExt;
use futures_util::future::BoxFuture;
use hermes_core::{Access, AnyTool, CallContext, Effect, Prepared, ToolError, ToolInfo, ToolMeta};
use serde_json::{Value, json};

use crate::table::Table;
use crate::{house, measure};

const TOOLS: usize = 2_000;

pub fn run(table: &mut Table) {
    let folder = tempfile::tempdir().expect("a folder");
    let reactor = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a reactor");
    let host = house::host(folder.path());
    let infos: Vec<ToolInfo> = (0..TOOLS).map(info).collect();
    let tools = || infos.iter().map(|info| Arc::new(Listed(info.clone())) as Arc<dyn AnyTool>).collect();

    let runtime = house::runtime(&host, tools(), None);
    let session = house::session(&runtime, "warm");
    let catalog = reactor.block_on(session.catalog());
    assert_eq!(catalog.tools.len(), TOOLS);
    let definitions: Vec<Value> = catalog.tools.iter().map(|tool| Value::clone(&tool.definition)).collect();
    let copy = measure::each(|| definitions.clone());

    let register = measure::each_with(
        || (tools(), house::runtime(&host, Vec::new(), None)),
        |(tools, runtime)| {
            runtime.registry().replace_all(hermes_core::Owner::Host, tools);
            runtime
        },
    );
    table.time("2,000 tools registered", register).against("copying their definitions", copy.wall);

    let cold = measure::each_with(
        || house::session(&house::runtime(&host, tools(), None), "cold"),
        |session| {
            reactor.block_on(session.catalog());
            session
        },
    );
    table.time("first look, nothing known", cold).target(5e6).against("copying their definitions", copy.wall);

    let known = measure::each_with(
        || house::session(&runtime, "second"),
        |session| {
            reactor.block_on(session.catalog());
            session
        },
    );
    table
        .time("first look of another session", known)
        .target(5e6)
        .against("copying their definitions", copy.wall);

    let text = measure::each_with(
        || reactor.block_on(house::session(&runtime, "text").catalog()),
        |catalog| catalog.definitions_json(),
    );
    let plain = measure::each(|| serde_json::to_string(&definitions).expect("JSON"));
    table.time("definitions as text, first time", text).against("serde_json alone", plain.wall);

    let all = measure::each_with(
        || house::session(&house::runtime(&host, tools(), None), "all"),
        |session| (reactor.block_on(session.catalog()).definitions_json(), session),
    );
    table.time("first look and its text, nothing known", all).against("serde_json alone", plain.wall);

    let shared = Mutex::new(Arc::clone(&catalog));
    let lock = measure::each(|| Arc::clone(&shared.lock().expect("a lock")));
    let warm = measure::each(|| session.catalog().now_or_never().expect("an answer at once"));
    table.time("warm look", warm).target(1e3).against("an Arc behind a Mutex", lock.wall);
    let bytes = measure::each(|| {
        let catalog = session.catalog().now_or_never().expect("an answer at once");
        catalog.definitions_json()
    });
    table.time("warm definitions as text", bytes).target(1e3).against("an Arc behind a Mutex", lock.wall);
}

fn info(number: usize) -> ToolInfo {
    let parameters = json!({
        "type": "object",
        "properties": {
            "path": {"type": "string", "description": "Where to look, relative to the working folder."},
            "limit": {"type": "integer", "minimum": 1, "maximum": 1000, "default": 50},
            "mode": {"type": "string", "enum": ["fast", "careful", "all"]},
            "tags": {"type": "array", "items": {"type": "string"}},
            "options": {
                "type": "object",
                "properties": {"deep": {"type": "boolean"}, "since": {"type": ["string", "null"]}},
            },
        },
        "required": ["path"],
    });
    let meta = ToolMeta::new("", "", Effect::ReadOnly);
    let description =
        format!("Searches part {number} of a large service and answers with what it found there.");
    let mut info = ToolInfo::from_meta(&meta, description, parameters);
    info.name = format!("mcp_server{}_tool_{number}", number % 40);
    info.toolset = format!("mcp-server{}", number % 40);
    info
}

/// A tool that is only looked at.
struct Listed(ToolInfo);

impl AnyTool for Listed {
    fn info(&self) -> &ToolInfo {
        &self.0
    }

    fn prepare(self: Arc<Self>, _arguments: &Value) -> Result<Box<dyn Prepared>, ToolError> {
        Ok(Box::new(Never))
    }
}

struct Never;

impl Prepared for Never {
    fn access(&self) -> Vec<Access> {
        Vec::new()
    }

    fn run(self: Box<Self>, _cx: CallContext) -> BoxFuture<'static, Result<Value, ToolError>> {
        Box::pin(std::future::ready(Ok(Value::Null)))
    }
}
