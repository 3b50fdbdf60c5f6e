use std::io::{BufRead, BufReader, Write};

use serde_json::{Value, json};

use crate::harness::{Hermes, request};

#[test]
fn records_every_call_and_verifies() {
    let hermes = Hermes::new();
    assert!(hermes.run(&["journal", "list"]).stdout.contains("empty"));
    hermes.run_with(
        &["run"],
        &request(&[
            ("write_file", json!({"path": "a", "content": "x"})),
            ("read_file", json!({"path": "b"})),
        ]),
    );
    let listed = hermes.run(&["journal", "list", "--json"]).json();
    assert_eq!(listed.as_array().unwrap().len(), 3, "decision, outcome, completed");
    assert!(hermes.run(&["journal", "list", "--status", "not_found"]).stdout.contains("read_file"));
    assert!(hermes.run(&["journal", "show", "c1"]).stdout.contains("arguments_sha256"));
    assert_eq!(hermes.run(&["journal", "show", "nope"]).code, 5);
    assert_eq!(hermes.run(&["journal", "verify", "--json"]).json()["ok"], true);
    assert!(hermes.run(&["journal", "verify"]).stdout.contains("intact"));
}

#[test]
fn tampering_shows() {
    let hermes = Hermes::new();
    hermes.run_with(&["run"], &request(&[("write_file", json!({"path": "a", "content": "find-me-here"}))]));
    let db = rusqlite::Connection::open(hermes.home().join("state.db")).unwrap();
    let triggers: Vec<String> = db
        .prepare("SELECT name FROM sqlite_master WHERE type = 'trigger'")
        .unwrap()
        .query_map([], |row| row.get(0))
        .unwrap()
        .map(Result::unwrap)
        .collect();
    assert!(
        db.execute("UPDATE journal SET body = replace(body, 'find', 'lost')", []).is_err(),
        "a slip is refused"
    );
    for trigger in triggers {
        db.execute(&format!("DROP TRIGGER {trigger}"), []).unwrap();
    }
    db.execute("UPDATE journal SET body = replace(body, 'find', 'lost')", []).unwrap();
    drop(db);
    let ran = hermes.run(&["journal", "verify"]);
    assert_eq!(ran.code, 5, "{}", ran.stdout);
    assert!(ran.stderr.contains("tampered"), "{}", ran.stderr);
    assert_eq!(hermes.run(&["doctor"]).code, 5);
}

/// Whatever was answered before the kill is in the journal, and what was under way is unknown.
#[test]
fn kill_nine_loses_nothing_acknowledged() {
    let hermes = Hermes::new();
    for round in 0..5 {
        let mut child = hermes.spawn(&["run", "--jsonl"]);
        let mut stdin = child.stdin.take().unwrap();
        let mut answers = BufReader::new(child.stdout.take().unwrap()).lines();
        let mut acknowledged = Vec::new();
        for n in 0..20 {
            let id = format!("r{round}n{n}");
            let call = json!({"id": id, "function": {"name": "write_file", "arguments": {"path": format!("f{n}"), "content": "x"}}});
            writeln!(stdin, "{}", json!({"id": n, "tool_calls": [call]})).unwrap();
            let answer: Value = serde_json::from_str(&answers.next().unwrap().unwrap()).unwrap();
            assert_eq!(answer["tool_results"][0]["content"]["status"], "success");
            acknowledged.push(id);
        }
        let long = json!({"id": format!("r{round}open"), "function": {"name": "env_manager", "arguments": {"action": "set", "name": "A", "value": "b"}}});
        writeln!(stdin, "{}", json!({"id": "w", "tool_calls": [long]})).unwrap();
        child.kill().unwrap();
        child.wait().unwrap();
        for id in acknowledged {
            let shown = hermes.run(&["journal", "show", &id, "--json"]);
            assert_eq!(shown.code, 0, "{id} is lost");
            let entries = shown.json();
            assert_eq!(entries.as_array().unwrap().last().unwrap()["status"], "success");
        }
    }
    // The next run settles what the killed ones left open.
    hermes.run_with(&["run"], &request(&[("todo", json!({}))]));
    let entries = hermes.run(&["journal", "list", "--json", "-n", "1000"]).json();
    let entries = entries.as_array().unwrap();
    for decision in entries.iter().filter(|entry| entry["kind"] == "decision") {
        let settled =
            entries.iter().any(|entry| entry["call_id"] == decision["call_id"] && entry["kind"] == "outcome");
        assert!(settled, "{decision}");
    }
    assert_eq!(hermes.run(&["journal", "verify"]).code, 0);
}

#[test]
fn readers_see_that_a_call_was_abandoned_before_anybody_wrote_so() {
    let hermes = Hermes::new();
    let mut server = hermes.spawn(&["run", "--jsonl"]);
    let mut input = server.stdin.take().unwrap();
    let call =
        json!({"tool_calls": [{"id": "cut", "name": "terminal", "arguments": {"command": "sleep 60"}}]});
    writeln!(input, "{call}").unwrap();
    let listed = |more: &[&str]| {
        let ran = hermes.run(&[&["journal", "list", "--json"], more].concat());
        ran.json().as_array().unwrap().clone()
    };
    while !listed(&[]).iter().any(|entry| entry["kind"] == "decision") {
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
    let unknown = ["--status", "outcome_unknown"];
    assert!(listed(&unknown).is_empty(), "its process lives");
    server.kill().unwrap();
    server.wait().unwrap();
    // The kernel keeps the lock until the last process that shares it is gone: a child between its fork and
    // its exec may outlive its parent by a moment.
    let found = loop {
        match listed(&unknown) {
            found if found.is_empty() => std::thread::sleep(std::time::Duration::from_millis(20)),
            found => break found,
        }
    };
    assert_eq!(
        (found.len(), &found[0]["call_id"], &found[0]["status"]),
        (1, &json!("cut"), &json!("outcome_unknown"))
    );
    assert!(hermes.run(&["journal", "show", "cut"]).stdout.contains("outcome_unknown"));
    assert!(hermes.run(&["doctor"]).stdout.contains("the outcome is unknown"));
    assert_eq!(hermes.run(&["journal", "verify", "--json"]).json()["ok"], true);
}

#[test]
fn no_name_forges_a_row_or_moves_the_cursor() {
    let hermes = Hermes::new();
    let calls = json!([
        {"id": "x\n9999 fake row", "name": "write_file", "arguments": {"path": "a", "content": "x"}},
        {"id": "y", "name": "no\u{1b}[2Jtool\nall succeeded", "arguments": {}},
    ]);
    let human = hermes.run_with(&["run", "-", "--format", "human", "--color", "never"], &calls.to_string());
    assert!(!human.stdout.contains('\u{1b}'), "{:?}", human.stdout);
    assert!(!human.stdout.lines().any(|line| line.starts_with("all succeeded")), "{}", human.stdout);
    for arguments in [vec!["journal", "list"], vec!["journal", "show", "1"]] {
        let shown = hermes.run(&arguments).stdout;
        assert!(shown.contains("fake row") && !shown.lines().any(|line| line.starts_with("9999")), "{shown}");
    }
    let why = hermes.run(&["tools", "why", "a\u{1b}[31mb\u{9b}"]).stdout;
    assert!(!why.contains(['\u{1b}', '\u{9b}']), "{why:?}");
}

#[test]
fn a_tool_is_found_by_any_of_its_names() {
    let hermes = Hermes::new();
    hermes.write("a.txt", "x");
    hermes.run_with(&["run"], &request(&[("read_file", json!({"path": "a.txt"}))]));
    let listed = hermes.run(&["journal", "list", "--tool", "file_read", "--json"]).json();
    assert_eq!(listed.as_array().unwrap().len(), 1, "{listed}");
}
