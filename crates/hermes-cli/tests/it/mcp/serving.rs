//! Hermes as a server, for a bare client and for another Hermes.

use serde_json::{Value, json};

use super::client::Client;
use super::support::with_servers;
use crate::harness::Hermes;

#[test]
fn of_two_requests_with_one_id_the_second_does_nothing() {
    let hermes = Hermes::new();
    let message = |id: Value, method: &str, params: Value| {
        let message = json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params});
        format!("{message}\n")
    };
    let call = |name: &str, arguments: Value| {
        message(json!(7), "tools/call", json!({"name": name, "arguments": arguments}))
    };
    let hello = json!({"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}});
    let said = [
        message(json!(1), "initialize", hello),
        json!({"jsonrpc": "2.0", "method": "notifications/initialized"}).to_string() + "\n",
        call("sleep", json!({"seconds": 0.5})),
        call("write_file", json!({"path": "twice.txt", "content": "x"})),
    ];
    let ran = hermes.run_with(&["mcp", "serve"], &said.concat());
    let answers: Vec<Value> = ran.lines().into_iter().filter(|answer| answer["id"] == 7).collect();
    assert_eq!(answers.len(), 2, "{}", ran.stdout);
    assert!(answers[0]["error"]["message"].to_string().contains("under way already"), "{}", ran.stdout);
    assert!(answers[1]["result"].to_string().contains("slept_seconds"), "{}", ran.stdout);
    assert!(!hermes.work().join("twice.txt").exists());
    // What was cancelled winds down under its id, and its answer is not taken for another's.
    let cancelled = json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 7}})
        .to_string() + "\n";
    let mut said = Vec::from(said);
    said.insert(3, cancelled);
    let ran = hermes.run_with(&["mcp", "serve"], &said.concat());
    let answers: Vec<Value> = ran.lines().into_iter().filter(|answer| answer["id"] == 7).collect();
    assert!(ran.stdout.contains("under way already") && answers.len() == 1, "{}", ran.stdout);
    assert!(!hermes.work().join("twice.txt").exists());
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
    let beyond = client.ask("tools/list", json!({"cursor": "next"}));
    assert_eq!(beyond["error"]["code"], -32602, "nobody was told of another page: {beyond}");
    // The same checks as everywhere: unknown and forbidden names, bad arguments.
    let unknown = client.ask("tools/call", json!({"name": "terminal", "arguments": {"command": "id"}}));
    assert_eq!(unknown["result"]["isError"], true, "{unknown}");
    let bad = client.ask("tools/call", json!({"name": "read_file", "arguments": {"path": 7}}));
    assert!(!bad.to_string().contains("panicked"), "{bad}");
    client.end();
    assert!(hermes.run(&["journal", "list", "--json"]).stdout.contains("read_file"));
}

#[test]
fn a_client_that_leaves_without_a_word_is_no_failure() {
    let left = Hermes::new().run_with(&["mcp", "serve"], "");
    assert_eq!((left.code, left.stdout.as_str(), left.stderr.as_str()), (0, "", ""));
}

#[test]
fn a_last_request_needs_no_end_of_line() {
    let hello = json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {
        "protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}}});
    let asked = Hermes::new().run_with(&["mcp", "serve"], &hello.to_string());
    assert!(asked.stdout.contains("serverInfo"), "{}{}", asked.stdout, asked.stderr);
}

#[test]
fn a_name_in_the_selection_that_means_nothing_is_told() {
    let hermes = Hermes::new();
    let nothing = hermes.run_with(&["mcp", "serve", "--toolsets", "flie"], "");
    assert_eq!((nothing.code, nothing.stdout.as_str()), (2, ""));
    assert!(nothing.stderr.contains("unknown toolset 'flie' (did you mean file?)"), "{}", nothing.stderr);
    // What can be served is, with the same words.
    let some = hermes.run_with(&["mcp", "serve", "--toolsets", "file,webb"], "");
    assert_eq!((some.code, some.stdout.as_str()), (0, ""));
    assert!(some.stderr.starts_with("warning: unknown toolset 'webb'"), "{}", some.stderr);
    // A server by its bare name is known before anybody asked it for its tools.
    let servers = with_servers(&[("fix", "", "")]);
    let bare = servers.run_with(&["mcp", "serve", "--toolsets", "fix"], "");
    assert_eq!((bare.code, bare.stderr.as_str()), (0, ""));
}

#[test]
fn connected_servers_are_served_on_under_our_rules() {
    let hermes = with_servers(&[("fix", "", "")]);
    assert_eq!(hermes.run(&["mcp", "test", "fix"]).code, 0);
    let mut client = Client::start(&hermes, &[]);
    let through = client.ask("tools/call", json!({"name": "mcp_fix_echo", "arguments": {"text": "through"}}));
    assert_eq!(through["result"]["structuredContent"]["result"], "through", "{through}");
    client.end();
    let mut asked = Client::start(&hermes, &["--profile", "default", "--set", "approvals.mode=deny"]);
    let refused = asked.call("mcp_fix_echo", json!({}));
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

/// The snippets for other clients start this program with flags it knows, or name where it listens.
#[test]
fn the_snippets_for_clients_are_right() {
    let page = include_str!("../../../../../docs/mcp.md");
    let blocks = crate::markdown::blocks(page);
    let snippets: Vec<_> = blocks.iter().filter(|block| block.note == Some("client")).collect();
    assert!(snippets.len() >= 8);
    for snippet in snippets {
        let file: Value = match snippet.language {
            "json" => serde_json::from_str(&snippet.body).unwrap(),
            "toml" => toml::from_str(&snippet.body).unwrap(),
            "yaml" => serde_saphyr::from_str(&snippet.body).unwrap(),
            other => panic!("{other}"),
        };
        let server = entry(&file).unwrap_or_else(|| panic!("{file}"));
        if let Some(url) = server.get("url") {
            assert_eq!(url, "http://127.0.0.1:8765/mcp", "where 'hermes mcp serve --http' listens");
            assert!(server["headers"]["Authorization"].as_str().unwrap().starts_with("Bearer "));
            continue;
        }
        let command = server.get("command").or(server.get("cmd")).unwrap();
        let words =
            [command, server.get("args").unwrap_or(&Value::Null)].into_iter().flat_map(|part| match part {
                Value::Array(words) => words.clone(),
                Value::Null => Vec::new(),
                word => vec![word.clone()],
            });
        let words: Vec<String> = words.map(|word| word.as_str().unwrap().to_owned()).collect();
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        let words = words.strip_prefix(&["hermes"]).unwrap();
        let serve = words.windows(2).position(|pair| pair == ["mcp", "serve"]).unwrap();
        let (flags, own) = (&words[..serve], &words[serve + 2..]);
        let hermes = match own {
            [] => Hermes::new(),
            _ => with_servers(&[("files", "", "")]),
        };
        if !own.is_empty() {
            assert_eq!(hermes.run(&["mcp", "test", "files"]).code, 0);
        }
        let mut client = Client::serving(&hermes, flags, own);
        assert!(!client.ask("tools/list", json!({}))["result"]["tools"].as_array().unwrap().is_empty());
        client.end();
    }
}

/// The one server in a client's file.
fn entry(value: &Value) -> Option<&Value> {
    match value {
        Value::Object(fields) if ["command", "cmd", "url"].iter().any(|key| fields.contains_key(*key)) => {
            Some(value)
        }
        Value::Object(fields) => fields.values().find_map(entry),
        Value::Array(items) => items.iter().find_map(entry),
        _ => None,
    }
}
