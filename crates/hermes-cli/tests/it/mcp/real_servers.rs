//! The servers that people use, from npm and PyPI, behind `hermes mcp serve`: what a client asks of Hermes goes to
//! them, and what they ask comes back to the client.

use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use super::client::Client;
use super::support::OPEN;
use crate::harness::Hermes;

/// Where `cargo xtask setup` puts them.
fn peers() -> PathBuf {
    let place = Path::new(env!("CARGO_BIN_EXE_hermes")).ancestors().nth(2).unwrap().join("tools/mcp");
    assert!(place.join("installed").exists(), "MCP servers are missing; get them with: cargo xtask setup");
    place
}

fn npm(name: &str, arguments: &[&str]) -> (String, Vec<String>) {
    let program = peers().join(format!("node_modules/@modelcontextprotocol/{name}/dist/index.js"));
    let mut words = vec![program.display().to_string()];
    words.extend(arguments.iter().map(|word| (*word).to_owned()));
    ("node".to_owned(), words)
}

fn python(fixture: &str) -> (String, Vec<String>) {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures").join(fixture);
    (peers().join("python/bin/python").display().to_string(), vec![script.display().to_string()])
}

/// A Hermes that has met the server `s`, which may ask everything.
fn with(server: (String, Vec<String>), keys: &str) -> Hermes {
    let (command, args) = (json!(server.0), json!(server.1));
    let config = format!(
        "permissions: {{profile: open}}\ntools: {{tool_search: false}}\nmcp_servers:\n  s:\n    command: {command}\n    args: {args}\n    elicitation: true\n    sampling: true\n{keys}"
    );
    let hermes = Hermes::new().with_config(&config);
    std::fs::write(hermes.home().join("hermes_permissions.yaml"), OPEN).unwrap();
    let met = hermes.run(&["mcp", "test", "s"]);
    assert_eq!(met.code, 0, "{}{}", met.stdout, met.stderr);
    hermes
}

fn text(called: &Value) -> String {
    called["result"]["content"][0]["text"].as_str().unwrap_or_else(|| panic!("{called}")).to_owned()
}

#[test]
fn everything_that_the_everything_server_has() {
    let hermes = with(npm("server-everything", &["stdio"]), "    roots: true\n    parallel: 2\n");
    let able = json!({"elicitation": {}, "sampling": {}});
    let answer = json!({"role": "assistant", "model": "m", "content": {"type": "text", "text": "Lovelace"}});
    let mut client = Client::with(&hermes, &[], able.clone(), answer);
    let listed = client.ask("tools/list", json!({}));
    let names: Vec<&str> = listed["result"]["tools"]
        .as_array()
        .unwrap()
        .iter()
        .map(|tool| tool["name"].as_str().unwrap())
        .collect();
    for name in ["mcp_s_echo", "mcp_s_get_sum", "mcp_s_trigger_sampling_request", "mcp_s_get_roots_list"] {
        assert!(names.contains(&name), "{name}: {names:?}");
    }
    assert_eq!(text(&client.call("mcp_s_echo", json!({"message": "hi"}))), "Echo: hi");
    let image = client.call("mcp_s_get_tiny_image", json!({}));
    let kinds: Vec<&Value> =
        image["result"]["content"].as_array().unwrap().iter().map(|block| &block["type"]).collect();
    assert!(kinds.contains(&&json!("image")), "{image}");
    let structured = client.call("mcp_s_get_structured_content", json!({"location": "Chicago"}));
    assert!(structured["result"]["structuredContent"]["result"]["temperature"].is_number(), "{structured}");
    let roots = text(&client.call("mcp_s_get_roots_list", json!({})));
    assert!(roots.contains(&hermes.work().display().to_string()), "{roots}");

    let operation = json!({"name": "mcp_s_trigger_long_running_operation",
        "arguments": {"duration": 1, "steps": 4}, "_meta": {"progressToken": "p"}});
    client.ask("tools/call", operation);
    let reports: Vec<&Value> =
        client.news.iter().filter(|news| news["method"] == "notifications/progress").collect();
    assert!(reports.len() >= 3, "{reports:?}");
    assert!(
        reports
            .iter()
            .all(|report| report["params"]["progressToken"] == "p" && report["params"]["total"] == 4.0)
    );

    let sampled = text(&client.call("mcp_s_trigger_sampling_request", json!({"prompt": "Ada who?"})));
    assert!(sampled.contains("Lovelace"), "{sampled}");
    assert!(client.questions[0]["params"]["messages"].to_string().contains("Ada who?"));
    client.end();
    let mut client =
        Client::with(&hermes, &[], able, json!({"action": "accept", "content": {"name": "Ada"}}));
    let elicited = text(&client.call("mcp_s_trigger_elicitation_request", json!({})));
    assert!(elicited.contains("Ada"), "{elicited}");
    assert!(client.questions[0]["params"]["message"].as_str().unwrap().starts_with("MCP server 's' asks"));
    client.end();
}

#[test]
fn a_call_that_is_cancelled_is_cancelled_at_the_server() {
    let hermes = with(npm("server-everything", &["stdio"]), "    roots: true\n    parallel: 2\n");
    let mut client = Client::start(&hermes, &[]);
    let operation =
        json!({"name": "mcp_s_trigger_long_running_operation", "arguments": {"duration": 1000, "steps": 2}});
    let id = client.begin("tools/call", operation);
    assert_eq!(text(&client.call("mcp_s_echo", json!({"message": "meanwhile"}))).as_str(), "Echo: meanwhile");
    client.tell("notifications/cancelled", json!({"requestId": id, "reason": "enough"}));
    assert_eq!(text(&client.call("mcp_s_echo", json!({"message": "after"}))), "Echo: after");
    client.end();
    let journal = hermes.run(&["journal", "list", "--json"]).stdout;
    assert!(journal.contains("outcome_unknown") || journal.contains("cancelled"), "{journal}");
}

#[test]
fn files_through_the_filesystem_server() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path().canonicalize().unwrap();
    let hermes = with(npm("server-filesystem", &[root.to_str().unwrap()]), "");
    let path = root.join("note.txt").display().to_string();
    let wrote = hermes.run(&[
        "tools",
        "call",
        "mcp_s_write_file",
        &json!({"path": path, "content": "one\n"}).to_string(),
    ]);
    assert_eq!(wrote.code, 0, "{}{}", wrote.stdout, wrote.stderr);
    assert_eq!(std::fs::read_to_string(&path).unwrap(), "one\n");
    let read = hermes.run(&["tools", "call", "mcp_s_read_text_file", &json!({"path": path}).to_string()]);
    assert!(read.stdout.contains("one"), "{}", read.stdout);
    let outside = hermes.run(&["tools", "call", "mcp_s_read_text_file", r#"{"path": "/etc/hostname"}"#]);
    assert_eq!((outside.code, &outside.json()["code"]), (5, &"exec_failed".into()), "the server's own error");
}

#[test]
fn a_graph_in_the_memory_server() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("memory.jsonl").display().to_string();
    let hermes =
        with(npm("server-memory", &[]), &format!("    env: {{MEMORY_FILE_PATH: {}}}\n", json!(file)));
    let entity =
        json!({"entities": [{"name": "Ada", "entityType": "person", "observations": ["writes programs"]}]});
    assert_eq!(hermes.run(&["tools", "call", "mcp_s_create_entities", &entity.to_string()]).code, 0);
    let graph = hermes.run(&["tools", "call", "mcp_s_read_graph", "{}"]);
    assert!(graph.stdout.contains("writes programs"), "{}", graph.stdout);
}

#[test]
fn the_python_sdk_asks_reports_and_grows() {
    let hermes = with(python("mcp_python_sdk.py"), "    accept_new_tools: true\n");
    let able = json!({"elicitation": {}, "sampling": {}});
    let form = json!({"action": "accept", "content": {"name": "Ada", "nights": 3}});
    let mut client = Client::with(&hermes, &[], able.clone(), form);
    assert_eq!(text(&client.call("mcp_s_add", json!({"a": 2, "b": 3}))), "5");
    let call = json!({"name": "mcp_s_steps", "arguments": {"count": 3}, "_meta": {"progressToken": 7}});
    client.ask("tools/call", call);
    let last = client.hear("notifications/progress");
    assert_eq!(last["params"]["progressToken"], 7, "{last}");
    assert_eq!(text(&client.call("mcp_s_book", json!({}))), "accept: Ada 3");
    let asked = &client.questions[0]["params"];
    assert_eq!(asked["requestedSchema"]["properties"]["nights"]["default"], 2, "the real fields: {asked}");
    assert_eq!(text(&client.call("mcp_s_grow", json!({}))), "grew");
    client.hear("notifications/tools/list_changed");
    assert_eq!(text(&client.call("mcp_s_grown", json!({}))), "grown");
    client.end();
    let model = json!({"role": "assistant", "model": "m", "content": {"type": "text", "text": "forty-two"}});
    let mut client = Client::with(&hermes, &[], able, model);
    assert_eq!(text(&client.call("mcp_s_ponder", json!({"question": "?"}))), "forty-two");
    client.end();
}

#[test]
fn everything_over_http_in_both_ways() {
    for (way, path, key) in [("streamableHttp", "/mcp", ""), ("sse", "/sse", "    transport: sse\n")] {
        let free = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
        let (command, args) = npm("server-everything", &[way]);
        let mut server = std::process::Command::new(command)
            .args(args)
            .env("PORT", free.to_string())
            .stdout(std::process::Stdio::null())
            .stderr(std::process::Stdio::null())
            .spawn()
            .unwrap();
        while std::net::TcpStream::connect(("127.0.0.1", free)).is_err() {
            std::thread::sleep(std::time::Duration::from_millis(50));
        }
        let config = format!(
            "permissions: {{profile: open}}\nmcp_servers:\n  s:\n    url: http://127.0.0.1:{free}{path}\n{key}"
        );
        let hermes = Hermes::new().with_config(&config);
        std::fs::write(hermes.home().join("hermes_permissions.yaml"), OPEN).unwrap();
        let called = hermes.run(&["tools", "call", "mcp_s_get_sum", r#"{"a": 2, "b": 3}"#]);
        server.kill().unwrap();
        server.wait().unwrap();
        assert!(called.code == 0 && called.stdout.contains('5'), "{way}: {}{}", called.stdout, called.stderr);
    }
}
