//! Integers of more than 64 bits keep their digits from the bytes of the request to the tool and back, or the call is
//! refused with the reason. They are ids: one that is rounded names something else.

use std::os::unix::fs::PermissionsExt;

use serde_json::{Value, json};

use crate::harness::Hermes;

const LONG: &str = "18446744073709551617";
const NOTE: &str = "kept an integer of more than 64 bits as text, so that no digit is lost";

fn todo(arguments: &str) -> String {
    format!(r#"{{"name": "todo", "arguments": {arguments}}}"#)
}

#[test]
fn arguments_keep_their_digits_however_they_come() {
    let list = format!(r#"{{"todos": [{{"id": {LONG}, "content": "x"}}]}}"#);
    let several = format!(r#"{{"calls": [{}]}}"#, todo(&list));
    let code = format!("from hermes_tools import todo\nprint(todo(todos=[dict(id={LONG}, content='x')]))");
    let calls = [
        todo(&list),
        todo(&Value::from(list.as_str()).to_string()),
        format!(r#"{{"name": "tool_call", "arguments": {several}}}"#),
        format!(r#"{{"name": "tool_call", "arguments": {}}}"#, Value::from(several.as_str())),
        json!({"name": "execute_code", "arguments": {"code": code, "language": "python"}}).to_string(),
    ];
    for call in calls {
        let hermes = Hermes::new();
        let ran = hermes.run_with(&["run"], &call);
        assert_eq!(ran.code, 0, "{call}: {} {}", ran.stdout, ran.stderr);
        assert!(ran.stdout.contains(LONG), "{call}: {}", ran.stdout);
    }
    // Whoever sent it is told.
    let hermes = Hermes::new();
    assert_eq!(hermes.run_with(&["run"], &todo(&list)).json()["warnings"], json!([NOTE]));
    let line = &hermes.run_with(&["run", "--jsonl"], &todo(&list)).lines()[0];
    assert_eq!(line["warnings"], json!([NOTE]));
    // An id of the line is no argument.
    let line = &hermes.run_with(&["run", "--jsonl"], &format!(r#"{{"id": {LONG}, "op": "ping"}}"#));
    assert_eq!(line.stdout, format!("{{\"id\":{LONG},\"pong\":true}}\n"));
}

#[test]
fn where_a_number_is_wanted_the_reason_is_said() {
    let hermes = Hermes::new();
    for arguments in [format!(r#"{{"seconds": {LONG}}}"#), format!(r#"{{"seconds": "-{LONG}"}}"#)] {
        let call = format!(r#"{{"name": "sleep", "arguments": {arguments}}}"#);
        let content = hermes.run_with(&["run"], &call).json()["tool_results"][0]["content"].clone();
        let error = content["error"].as_str().unwrap();
        assert!(error.contains("/seconds: expected a number of at most 64 bits, found"), "{error}");
    }
}

/// A float would be another number.
#[test]
fn a_whole_number_with_a_point_is_not_rounded() {
    let schema = json!({"type": "object", "properties": {"v": {"type": "integer"}}});
    let case = format!(r#"{{"schema": {schema}, "args": {{"v": 9007199254740993.0}}}}"#);
    let read = Hermes::new().run_with(&["explain", "args", "--jsonl"], &case).lines()[0].clone();
    assert_eq!(read["args"], json!({"v": 9_007_199_254_740_993_u64}));
}

#[test]
fn results_of_programs_keep_their_digits() {
    let hermes = Hermes::new();
    hermes.write("answer.json", &format!(r#"{{"id": {LONG}}}"#));
    hermes.write(
        "tools.yaml",
        "tools: [{name: says, description: d, type: command, read_only: true, output: json, command: [cat, answer.json]}]",
    );
    assert_eq!(hermes.run(&["tool", "register", "--config", "tools.yaml"]).code, 0);
    let said = hermes.run(&["tools", "call", "says", "--json"]).json();
    assert_eq!(said["data"], json!({"id": LONG}), "{said}");
}

#[test]
fn rewrites_of_hooks_keep_their_digits() {
    let hermes = Hermes::new();
    let said = format!(r#"{{"tool_input": {{"todos": [{{"id": {LONG}, "content": "x"}}]}}}}"#);
    let path = hermes.write("hook.sh", &format!("#!/bin/sh\ncat > /dev/null\necho '{said}'\n"));
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).unwrap();
    let config = format!("hooks:\n  pre_tool_call:\n    - command: ['{}']\n", path.display());
    let hermes = hermes.with_config(&config);
    assert_eq!(hermes.run(&["hooks", "trust"]).code, 0);
    let said = hermes.run(&["tools", "call", "todo", "{}", "--json"]).json();
    assert_eq!(said["todos"][0]["id"], LONG, "{said}");
}
