//! Which servers a process starts, and when.

use std::io::{BufRead, BufReader, Write};

use serde_json::{Value, json};

use super::client::Client;
use super::support::{noted, with_servers};
use crate::harness::Hermes;

fn names(client: &mut Client) -> Vec<String> {
    let listed = client.ask("tools/list", json!({}));
    let tools = listed["result"]["tools"].as_array().unwrap().clone();
    tools.iter().map(|tool| tool["name"].as_str().unwrap().to_owned()).collect()
}

/// Lists until a tool is there. A hang here is the failure.
fn until_offered(client: &mut Client, name: &str) {
    while !names(client).iter().any(|offered| offered == name) {
        client.hear("notifications/tools/list_changed");
    }
}

fn started(hermes: &Hermes, server: &str) -> bool {
    !noted(hermes, server, "starts").is_empty()
}

#[test]
fn only_servers_within_the_selection_are_started() {
    let keys = "custom_toolsets:\n  mine: {includes: [mcp-in]}\n  single: {tools: [mcp_in_echo]}\n";
    for selected in ["file,mcp-in", "in", "mine", "single"] {
        let hermes = with_servers(&[("in", "", ""), ("out", "", keys)]);
        let mut client =
            Client::start(&hermes, &["--toolsets", selected, "--set", "tools.tool_search=false"]);
        until_offered(&mut client, "mcp_in_echo");
        let refused = client.call("mcp_out_echo", json!({"text": "x"}));
        assert_eq!(refused["result"]["isError"], true, "{selected}: {refused}");
        client.end();
        assert!(!started(&hermes, "out"), "{selected}");
    }
    let hermes = with_servers(&[("in", "", ""), ("out", "", "")]);
    let mut client = Client::serving(&hermes, &[], &["--server", "in"]);
    until_offered(&mut client, "echo");
    client.end();
    let call = |tool: &str| hermes.run(&["--toolsets", "file", "tools", "call", tool, "{}"]);
    assert_ne!(call("mcp_out_echo").code, 0);
    assert_ne!(call("tool_search").code, 0);
    let all_but = ["--set", "disabled_toolsets=[mcp-out]", "tools", "call", "mcp_out_echo", "{}"];
    assert_ne!(hermes.run(&all_but).code, 0);
    assert!(!started(&hermes, "out"));
}

/// What a server that nobody has asked yet offers is found out when somebody wants to know, or calls it.
#[test]
fn a_process_that_stays_up_starts_no_server_by_itself() {
    let hermes = with_servers(&[("fix", "", ""), ("other", "", "")]);
    let mut client = Client::start(&hermes, &[]);
    let mut lines = hermes.spawn(&["run", "--jsonl"]);
    // In the time that starting one takes.
    assert_eq!(hermes.run(&["mcp", "test", "other"]).code, 0);
    assert!(!started(&hermes, "fix"));
    let called = client.call("mcp_fix_echo", json!({"text": "first"}));
    assert_eq!(called["result"]["structuredContent"]["result"], "first", "{called}");
    client.end();
    assert_eq!(noted(&hermes, "fix", "starts").len(), 1);
    assert_eq!(noted(&hermes, "other", "starts").len(), 1, "nobody called it but the test of it");
    let mut input = lines.stdin.take().unwrap();
    writeln!(input, "{}", json!({"id": "1", "op": "definitions"})).unwrap();
    let mut line = String::new();
    BufReader::new(lines.stdout.take().unwrap()).read_line(&mut line).unwrap();
    assert!(serde_json::from_str::<Value>(&line).unwrap()["definitions"].is_array(), "{line}");
    drop(input);
    lines.wait().unwrap();
}

#[test]
fn a_server_that_is_stood_in_for_starts_with_its_first_call() {
    let hermes = with_servers(&[("fix", "", "")]);
    let mut client = Client::serving(&hermes, &[], &["--server", "fix"]);
    let called = client.call("echo", json!({"text": "first"}));
    assert!(called.to_string().contains("first"), "{called}");
    client.end();
}
