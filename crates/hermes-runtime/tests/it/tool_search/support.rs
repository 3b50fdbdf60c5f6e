//! Servers with tools, as an MCP source would bring them.

use std::sync::Arc;
use std::time::Duration;

use hermes_core::{AnyTool, Exposure, Owner};
use hermes_runtime::disclosure::Mode;
use hermes_testkit::{FnTool, TestRuntime, TestRuntimeBuilder};
use serde_json::{Value, json};

/// Server, tool, what it does, required arguments.
const TOOLS: &[(&str, &str, &str, &[&str])] = &[
    ("github", "create_issue", "Open a new issue in a repository.", &["owner", "repo", "title"]),
    ("github", "list_commits", "List commits on a branch.", &["owner", "repo"]),
    ("github", "merge_pull_request", "Merge a pull request.", &["owner", "repo", "pull_number"]),
    ("gmail", "send_email", "Send an email to one or more recipients.", &["to", "subject"]),
    ("gmail", "search_messages", "Search the mailbox.", &["query"]),
    ("stripe", "create_refund", "Refund a charge, fully or partially.", &["charge"]),
    ("stripe", "list_customers", "List customers.", &[]),
    ("maps", "geocode_address", "Turn an address into coordinates.", &["address"]),
];

pub(super) const SERVERS: [&str; 4] = ["github", "gmail", "maps", "stripe"];

pub(super) fn tool(server: &str, name: &str, description: &str, required: &[&str]) -> Arc<dyn AnyTool> {
    let properties: serde_json::Map<String, Value> = required
        .iter()
        .map(|name| ((*name).to_owned(), json!({"type": "string", "description": format!("The {name}.")})))
        .collect();
    let schema = json!({"type": "object", "properties": properties, "required": required});
    FnTool::echo(&format!("mcp_{server}_{name}"))
        .schema(schema)
        .with(|info| {
            info.exposure = Exposure::Deferrable;
            info.toolset = format!("mcp-{server}");
            info.description = description.to_owned();
        })
        .arc()
}

pub(super) fn tools_of(server: &str) -> Vec<Arc<dyn AnyTool>> {
    let own = TOOLS.iter().filter(|(of, ..)| *of == server);
    own.map(|(server, name, description, required)| tool(server, name, description, required)).collect()
}

pub(super) fn connect(test: &TestRuntime, server: &str) {
    let report = test.runtime().registry().replace_all(Owner::Mcp(server.to_owned()), tools_of(server));
    assert!(report.refused.is_empty(), "{:?}", report.refused);
}

pub(super) fn disconnect(test: &TestRuntime, server: &str) {
    test.runtime().registry().replace_all(Owner::Mcp(server.to_owned()), Vec::new());
}

pub(super) fn with_mode(mode: Mode) -> TestRuntimeBuilder {
    let core = FnTool::echo("core_tool").arc();
    TestRuntime::builder().without_built_ins().tool(core).settings(|settings| {
        settings.search.mode = mode;
        // What is found must not depend on how busy the machine is.
        settings.search.first_wait = Duration::from_secs(600);
    })
}

/// All servers, always behind the bridge.
pub(super) async fn connected() -> TestRuntime {
    let test = with_mode(Mode::On).build().await;
    SERVERS.iter().for_each(|server| connect(&test, server));
    test
}

pub(super) async fn answer(test: &TestRuntime, name: &str, arguments: Value) -> Value {
    test.call(name, arguments).await.result.expect("an answer")
}

pub(super) fn names(answer: &Value) -> Vec<&str> {
    answer["matches"].as_array().unwrap().iter().map(|hit| hit["name"].as_str().unwrap()).collect()
}
