//! What a server is given to say who asks comes back to nobody, whatever way the server says it.

use serde_json::{Value, json};

use super::client::Client;
use super::scripted::{scripted_in, tool};
use crate::harness::Hermes;

/// A value of an entry by a name that says what it is, one by a name that says nothing, and one of the environment.
const NAMED: &str = "openthedoor";
const UNNAMED: &str = "zq8Lw2pXv7Rt1";
const REFERRED: &str = "any4value9of7mine";
const KEYS: &str =
    "    env: {SERVICE_PASSWORD: openthedoor, SEED: zq8Lw2pXv7Rt1, OTHER: \"${ANY}\", STAGE: production}\n";

fn is_hidden(shown: &str) -> bool {
    ![NAMED, UNNAMED, REFERRED].iter().any(|secret| shown.contains(secret))
}

fn telling() -> Hermes {
    let said = format!("production knows {NAMED}, {UNNAMED} and {REFERRED}");
    let text = json!([{"type": "text", "text": said}]);
    let refusal = json!({"code": -32000, "message": said, "data": {"d": said}});
    let raw = |answer: Value| format!("noise: {said}\n{}", answer.to_string().replace("\"ID\"", "ID"));
    let script = json!({
        "name": format!("server {NAMED}"),
        "tools": [
            tool("tell", &said), tool("fail", "Fails."), tool("refuse", "Refuses."), tool("structure", "Tells."),
        ],
        "calls": {
            "tell": {"content": text}, "fail": {"content": text, "isError": true},
            "structure": {"content": [], "structuredContent": {"a": {NAMED: [said]}}},
        },
        "raw": {"refuse": raw(json!({"jsonrpc": "2.0", "id": "ID", "error": refusal}))},
        "methods": {
            "prompts/list": {"prompts": [{"name": "p", "description": said}]},
            "prompts/get": {"messages": [{"role": "user", "content": {"type": "text", "text": said}}]},
            "resources/list": {"resources": [{"uri": "x:y", "name": "r", "description": said}]},
            "resources/read": {"contents": [{"uri": "x:y", "text": said}]},
        },
    });
    scripted_in(Hermes::new().with_env("ANY", REFERRED), &[("s", script, KEYS)])
}

#[test]
fn what_a_server_was_given_is_hidden_in_all_that_it_says() {
    let hermes = telling();
    for command in [
        &["mcp", "test", "s"][..],
        &["mcp", "test", "s", "--json"],
        &["tools", "show", "mcp_s_tell", "--json"],
        &["tools", "call", "mcp_s_tell", "{}", "--json"],
        &["tools", "call", "mcp_s_fail", "{}", "--json"],
        &["tools", "call", "mcp_s_refuse", "{}", "--json"],
        &["tools", "call", "mcp_s_structure", "{}", "--json"],
        &["tools", "call", "mcp_s_list_prompts", "{}", "--json"],
        &["tools", "call", "mcp_s_get_prompt", r#"{"name": "p"}"#, "--json"],
        &["tools", "call", "mcp_s_list_resources", "{}", "--json"],
        &["tools", "call", "mcp_s_read_resource", r#"{"uri": "x:y"}"#, "--json"],
        &["mcp", "logs", "s"],
        &["mcp", "list", "--json"],
    ] {
        let shown = hermes.run(command);
        assert!(
            is_hidden(&shown.stdout) && is_hidden(&shown.stderr),
            "{command:?}: {}{}",
            shown.stdout,
            shown.stderr
        );
        if command.contains(&"call") {
            assert!(shown.stdout.contains("production knows [REDACTED:"), "{command:?}: {}", shown.stdout);
        }
    }
    let known = std::fs::read_to_string(hermes.home().join("mcp/s.json")).unwrap();
    assert!(is_hidden(&known) && known.contains("production knows"), "{known}");
    for options in [&[][..], &["--server", "s"]] {
        let mut client = Client::serving(&hermes, &[], options);
        for (method, params) in [
            ("tools/list", json!({})),
            ("prompts/list", json!({})),
            ("resources/list", json!({})),
            ("resources/read", json!({"uri": "x:y"})),
        ] {
            let answer = client.ask(method, params).to_string();
            assert!(is_hidden(&answer) && answer.contains("production"), "{method}: {answer}");
        }
        let tool = if options.is_empty() { "mcp_s_tell" } else { "tell" };
        let answer = client.call(tool, json!({})).to_string();
        assert!(is_hidden(&answer) && answer.contains("production"), "{answer}");
        client.end();
    }
}

#[test]
fn what_an_entry_calls_secret_is_hidden_wherever_it_is_found() {
    let hermes = telling();
    std::fs::write(hermes.work().join("found.txt"), format!("door: {NAMED}, stage: production\n")).unwrap();
    let read = hermes.run(&["tools", "call", "read_file", r#"{"path": "found.txt"}"#, "--json"]);
    assert!(is_hidden(&read.stdout) && read.stdout.contains("stage: production"), "{}", read.stdout);
}
