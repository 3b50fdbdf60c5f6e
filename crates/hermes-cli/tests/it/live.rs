//! What commands print can be watched while they run.

use std::io::{BufRead, BufReader, Write as _};

use serde_json::{Value, json};

use crate::harness::Hermes;

#[test]
fn lines_come_while_the_command_still_runs() {
    let hermes = Hermes::new().with_env("CANARY_API_KEY", "canary-0123456789-abcdefgh");
    let mut server = hermes.spawn(&["run", "--jsonl", "--live", "--session", "s"]);
    let mut input = server.stdin.take().unwrap();
    let mut lines = BufReader::new(server.stdout.take().unwrap()).lines();
    let mut next = || serde_json::from_str::<Value>(&lines.next().unwrap().unwrap()).unwrap();
    let command = "printf '\\033[31mfirst\\033[0m\\n'; until [ -e go ]; do sleep 0.02; done; echo canary-0123456789-abcdefgh; printf last";
    writeln!(
        input,
        "{}",
        json!({"id": 1, "tool_calls": [{"id": "c1", "name": "terminal", "arguments": {"command": command}}]})
    )
    .unwrap();
    let first = next();
    assert_eq!(first, json!({"event": "output", "session": "s", "tool_call_id": "c1", "text": "first\n"}));
    hermes.write("go", "");
    let mut told = String::new();
    let answer = loop {
        let line = next();
        match line.get("event") {
            Some(_) => told += line["text"].as_str().unwrap(),
            None => break line,
        }
    };
    assert_eq!(told, "[REDACTED:CANARY_API_KEY]\nlast\n", "whole lines, the last one too");
    assert!(!told.contains("__hermes"), "the shell's own words are nobody's business: {told}");
    assert_eq!(answer["id"], json!(1));
    let output = answer["tool_results"][0]["content"]["output"].as_str().unwrap();
    assert!(output.starts_with("first\n") && output.ends_with("last"), "{output}");
    drop(input);
    server.wait().unwrap();
}

#[test]
fn without_the_flag_there_are_answers_only() {
    let hermes = Hermes::new();
    let call = json!({"id": 1, "name": "terminal", "arguments": {"command": "echo one; echo two"}});
    let ran = hermes.run_with(&["run", "--jsonl"], &format!("{call}\n"));
    let lines = ran.lines();
    assert_eq!(lines.len(), 1);
    assert_eq!(lines[0]["tool_results"][0]["content"]["output"], json!("one\ntwo"));
}
