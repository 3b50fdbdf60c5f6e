//! Integers of more than 64 bits on their way through Hermes, to a server and back.

use serde_json::{Value, json};

use super::support::OPEN;
use crate::harness::Hermes;

/// Says what it was given, and a number of its own.
const SERVER: &str = r#"
import json, sys
for line in sys.stdin:
    message = json.loads(line)
    if "id" not in message: continue
    if message["method"] == "initialize":
        result = {"protocolVersion": "2025-06-18", "capabilities": {"tools": {}}, "serverInfo": {"name": "n", "version": "1"}}
    elif message["method"] == "tools/list":
        schema = {"type": "object", "properties": {"given": {"maximum": 1180591620717411303424}}}
        result = {"tools": [{"name": "number", "inputSchema": schema}]}
    else:
        said = {"given": message["params"]["arguments"]["given"], "own": 2 ** 70 + 1}
        result = {"content": [{"type": "text", "text": "ok"}], "structuredContent": said}
    print(json.dumps({"jsonrpc": "2.0", "id": message["id"], "result": result}), flush=True)
"#;

#[test]
fn long_integers_keep_their_digits_to_a_server_and_back() {
    let hermes = Hermes::new();
    hermes.write("server.py", SERVER);
    let args = json!([hermes.work().join("server.py")]);
    let config =
        format!("permissions: {{profile: open}}\nmcp_servers: {{n: {{command: python3, args: {args}}}}}\n");
    let hermes = hermes.with_config(&config);
    std::fs::write(hermes.home().join("hermes_permissions.yaml"), OPEN).unwrap();
    assert_eq!(hermes.run(&["mcp", "test", "n"]).code, 0);

    let hello = json!({"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}});
    let said = format!(
        "{}\n{}\n{}\n",
        json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": hello}),
        json!({"jsonrpc": "2.0", "method": "notifications/initialized"}),
        r#"{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"mcp_n_number","arguments":{"given":123456789012345678901234567890}}}"#,
    );
    let ran = hermes.run_with(&["mcp", "serve"], &said);
    let answers = ran.lines();
    let answer: &Value = answers.iter().find(|answer| answer["id"] == 2).unwrap();
    let text = answer["result"].to_string();
    assert!(text.contains("123456789012345678901234567890"), "{text}");
    assert!(text.contains("1180591620717411303425"), "{text}");
}
