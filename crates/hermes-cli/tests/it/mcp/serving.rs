//! Hermes as a server, for a bare client and for another Hermes.

use std::io::{BufRead, BufReader, Write};

use serde_json::{Value, json};

use super::support::with_servers;
use crate::harness::Hermes;

/// A conversation with `hermes mcp serve`, one message at a time.
struct Client {
    child: std::process::Child,
    output: BufReader<std::process::ChildStdout>,
    last: u64,
}

impl Client {
    fn start(hermes: &Hermes, flags: &[&str]) -> Self {
        let mut arguments = flags.to_vec();
        arguments.extend(["mcp", "serve"]);
        let mut child = hermes.spawn(&arguments);
        let output = BufReader::new(child.stdout.take().unwrap());
        let mut client = Client { child, output, last: 0 };
        let hello = json!({"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}});
        let welcome = client.ask("initialize", hello);
        assert_eq!(welcome["result"]["serverInfo"]["name"], "hermes", "{welcome}");
        client.tell("notifications/initialized", json!({}));
        client
    }

    fn tell(&mut self, method: &str, params: Value) {
        let message = json!({"jsonrpc": "2.0", "method": method, "params": params});
        writeln!(self.child.stdin.as_mut().unwrap(), "{message}").unwrap();
    }

    /// Sends a request and waits for its answer, past notifications.
    fn ask(&mut self, method: &str, params: Value) -> Value {
        self.last += 1;
        let message = json!({"jsonrpc": "2.0", "id": self.last, "method": method, "params": params});
        writeln!(self.child.stdin.as_mut().unwrap(), "{message}").unwrap();
        loop {
            let mut line = String::new();
            assert_ne!(self.output.read_line(&mut line).unwrap(), 0, "the server ended");
            let answer: Value = serde_json::from_str(&line).unwrap();
            if answer["id"] == self.last {
                return answer;
            }
        }
    }

    fn end(mut self) {
        drop(self.child.stdin.take());
        assert!(self.child.wait().unwrap().success());
    }
}

#[test]
fn a_client_lists_and_calls_the_tools_of_a_session() {
    let hermes = Hermes::new();
    hermes.write("a.txt", "forty two\n");
    let mut client = Client::start(&hermes, &["--toolsets", "file"]);
    let listed = client.ask("tools/list", json!({}));
    let tools = listed["result"]["tools"].as_array().unwrap();
    let read = tools.iter().find(|tool| tool["name"] == "read_file").unwrap();
    assert_eq!(read["inputSchema"]["type"], "object");
    assert_eq!(read["annotations"]["readOnlyHint"], true);
    assert!(tools.iter().all(|tool| tool["name"] != "terminal"), "only what the session has");
    let called = client.ask("tools/call", json!({"name": "read_file", "arguments": {"path": "a.txt"}}));
    assert!(called["result"]["content"][0]["text"].as_str().unwrap().contains("forty two"), "{called}");
    assert_eq!(called["result"]["isError"], false);
    // The same checks as everywhere: unknown and forbidden names, bad arguments.
    let unknown = client.ask("tools/call", json!({"name": "terminal", "arguments": {"command": "id"}}));
    assert_eq!(unknown["result"]["isError"], true, "{unknown}");
    let bad = client.ask("tools/call", json!({"name": "read_file", "arguments": {"path": 7}}));
    assert!(!bad.to_string().contains("panicked"), "{bad}");
    client.end();
    assert!(hermes.run(&["journal", "list", "--json"]).stdout.contains("read_file"));
}

#[test]
fn connected_servers_are_served_on_under_our_rules() {
    let hermes = with_servers(&[("fix", "", "")]);
    assert_eq!(hermes.run(&["mcp", "test", "fix"]).code, 0);
    let mut client = Client::start(&hermes, &[]);
    let through = client.ask("tools/call", json!({"name": "mcp_fix_echo", "arguments": {"text": "through"}}));
    assert_eq!(through["result"]["structuredContent"]["result"], "through", "{through}");
    client.end();
    let mut asked = Client::start(&hermes, &["--profile", "default"]);
    let refused = asked.ask("tools/call", json!({"name": "mcp_fix_echo", "arguments": {}}));
    assert!(refused.to_string().contains("approval_required"), "{refused}");
    asked.end();
}

#[test]
fn one_hermes_uses_another() {
    let inner = Hermes::new();
    inner.write("b.txt", "from inside\n");
    let config = format!(
        "permissions: {{profile: open}}\nmcp_servers:\n  inner:\n    command: {}\n    args: {}\n",
        json!(env!("CARGO_BIN_EXE_hermes")),
        json!(["--home", inner.home(), "-C", inner.work(), "--toolsets", "file", "mcp", "serve"])
    );
    let outer = Hermes::new().with_config(&config);
    std::fs::write(outer.home().join("hermes_permissions.yaml"), "profiles: {open: {allow: [\"*\"]}}\n")
        .unwrap();
    let read = outer.run(&["tools", "call", "mcp_inner_read_file", r#"{"path": "b.txt"}"#]);
    assert!(read.code == 0 && read.stdout.contains("from inside"), "{}{}", read.stdout, read.stderr);
}

/// The snippets for other clients start this program with flags it knows.
#[test]
fn the_snippets_for_clients_are_right() {
    let page = include_str!("../../../../../docs/mcp.md");
    let blocks = crate::markdown::blocks(page);
    let snippets: Vec<_> = blocks.iter().filter(|block| block.note == Some("client")).collect();
    assert!(snippets.len() >= 3);
    for snippet in snippets {
        let file: Value = serde_json::from_str(&snippet.body).unwrap();
        let server = file.as_object().unwrap().values().next().unwrap()["hermes"].clone();
        assert_eq!(server["command"], "hermes");
        let args: Vec<&str> =
            server["args"].as_array().unwrap().iter().map(|word| word.as_str().unwrap()).collect();
        let flags = args.strip_suffix(&["mcp", "serve"]).unwrap();
        let mut client = Client::start(&Hermes::new(), flags);
        assert!(!client.ask("tools/list", json!({}))["result"]["tools"].as_array().unwrap().is_empty());
        client.end();
    }
}
