//! Questions that wait for an answer from another process.

use std::io::Read;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::harness::{Hermes, request};

const QUEUE: &str =
    "permissions:\n  ask: ['file:write', 'env:write']\napprovals:\n  mode: queue\n  timeout_seconds: 20\n";

pub(crate) fn write(hermes: &Hermes, name: &str) {
    let call = request(&[("write_file", json!({"path": name, "content": "over\u{202e}written\n"}))]);
    hermes.write("r.json", &call);
}

/// The first question that waits, once there is one.
pub(crate) fn waiting(hermes: &Hermes) -> Value {
    let end = Instant::now() + Duration::from_secs(120);
    while Instant::now() < end {
        let found = hermes.run(&["approvals", "list", "--json"]).json();
        if let Some(first) = found.as_array().and_then(|found| found.first()) {
            return first.clone();
        }
        std::thread::sleep(Duration::from_millis(20));
    }
    panic!("nothing waits");
}

fn id(asked: &Value) -> &str {
    asked["id"].as_str().unwrap()
}

#[test]
fn another_process_says_yes_for_once() {
    let hermes = Hermes::new().with_config(QUEUE);
    write(&hermes, "a.txt");
    let child = hermes.spawn(&["run", "r.json"]);
    let asked = waiting(&hermes);
    assert!(!hermes.work().join("a.txt").exists(), "not before the answer");
    let shown = hermes.run(&["approvals", "show", id(&asked)]).stdout;
    for part in ["write_file", "creates ./a.txt", "ask file:write", "over\\u{202e}written", "would_store"] {
        assert!(shown.contains(part), "{part}: {shown}");
    }
    let approved = hermes.run(&["approvals", "approve", id(&asked)]);
    assert_eq!(approved.code, 0, "{}", approved.stderr);
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stdout));
    assert!(String::from_utf8_lossy(&output.stderr).contains("hermes approvals show"));
    assert!(hermes.work().join("a.txt").exists());
    assert_eq!(hermes.run(&["approvals", "list", "--all", "--json"]).json()[0]["state"], "used");
    let journal = hermes.run(&["journal", "list", "--json"]).stdout;
    assert!(journal.contains(&format!("approval {}", id(&asked))), "{journal}");
    let again = hermes.run(&["approvals", "approve", id(&asked)]);
    assert!(again.code == 5 && again.stderr.contains("approved already"), "{}", again.stderr);
    assert_eq!(hermes.run(&["grants", "list", "--json"]).json(), json!([]), "once stores nothing");
}

#[test]
fn a_yes_does_not_outlive_the_rules() {
    let hermes = Hermes::new().with_config("approvals: {mode: queue}\n");
    let policy = hermes.home().join("hermes_permissions.yaml");
    std::fs::write(&policy, "profiles: {default: {allow: ['*'], approval_required: [file:write]}}\n")
        .unwrap();
    write(&hermes, "a.txt");
    let child = hermes.spawn(&["run", "r.json"]);
    let asked = waiting(&hermes);
    std::fs::write(&policy, "profiles: {default: {allow: ['*'], deny: [file:write]}}\n").unwrap();
    assert_eq!(hermes.run(&["approvals", "approve", id(&asked)]).code, 0);
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(3), "{}", String::from_utf8_lossy(&output.stdout));
    assert!(!hermes.work().join("a.txt").exists(), "denied while the person thought");
}

#[test]
fn a_no_reaches_the_model_with_its_reason() {
    let hermes = Hermes::new().with_config(QUEUE);
    write(&hermes, "a.txt");
    let child = hermes.spawn(&["run", "r.json"]);
    let asked = waiting(&hermes);
    assert_eq!(hermes.run(&["approvals", "deny", id(&asked), "--reason", "use the staging file"]).code, 0);
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(3));
    assert!(String::from_utf8_lossy(&output.stdout).contains("use the staging file"));
    assert!(!hermes.work().join("a.txt").exists());
}

#[test]
fn a_yes_for_longer_is_a_grant() {
    let hermes = Hermes::new().with_config(QUEUE);
    write(&hermes, "a.txt");
    let child = hermes.spawn(&["run", "r.json"]);
    let asked = waiting(&hermes);
    let ran = hermes.run(&["approvals", "approve", id(&asked), "--times", "3", "--for", "10m"]);
    assert!(ran.stdout.contains("2 times, for 10m"), "this one is the first: {}", ran.stdout);
    assert_eq!(child.wait_with_output().unwrap().status.code(), Some(0));
    let set = ["run", "r.json", "--set", "approvals.mode=deny"];
    assert_eq!([hermes.run(&set).code, hermes.run(&set).code, hermes.run(&set).code], [0, 0, 4]);
}

#[test]
fn nobody_answers_and_the_late_are_told() {
    let hermes = Hermes::new().with_config(QUEUE);
    write(&hermes, "a.txt");
    // Without its own, the question would wait longer than a test may take.
    let ran = hermes.run(&["run", "r.json", "--set", "approvals.timeout_seconds=1"]);
    assert_eq!(ran.code, 4, "{}", ran.stdout);
    assert!(ran.stdout.contains("hermes grants add"), "{}", ran.stdout);
    let asked = hermes.run(&["approvals", "list", "--all", "--json"]).json()[0].clone();
    assert_eq!(asked["state"], "expired");
    let late = hermes.run(&["approvals", "approve", id(&asked)]);
    assert!(late.code == 4 && late.stderr.contains("has expired"), "{}", late.stderr);
    assert_eq!(hermes.run(&["approvals", "show", "a-none"]).code, 5);
}

#[test]
fn killing_the_waiting_run_loses_neither_question_nor_answer() {
    let hermes = Hermes::new().with_config(QUEUE);
    write(&hermes, "a.txt");
    let mut child = hermes.spawn(&["run", "r.json"]);
    let asked = waiting(&hermes);
    child.kill().unwrap();
    child.wait().unwrap();
    assert_eq!(id(&waiting(&hermes)), id(&asked), "the question stays");
    assert_eq!(hermes.run(&["approvals", "approve", id(&asked)]).code, 0);
    assert!(!hermes.work().join("a.txt").exists());
    assert_eq!(hermes.run(&["run", "r.json"]).code, 0, "the next run finds its answer");
    write(&hermes, "b.txt");
    let other = hermes.run(&["run", "r.json", "--set", "approvals.timeout_seconds=1"]);
    assert_eq!(other.code, 4, "an answer is for the very call");
}

#[test]
fn an_answer_is_for_the_call_in_its_surroundings() {
    let hermes = Hermes::new().with_config(&QUEUE.replace(", 'env:write'", ""));
    std::fs::create_dir(hermes.work().join("sub")).unwrap();
    let path = hermes.work().join("a.txt");
    let call = request(&[("write_file", json!({"path": path, "content": "x"}))]);
    let mut child = hermes.spawn(&["run", "--session", "s"]);
    std::io::Write::write_all(&mut child.stdin.take().unwrap(), call.as_bytes()).unwrap();
    let asked = waiting(&hermes);
    child.kill().unwrap();
    child.wait().unwrap();
    assert_eq!(hermes.run(&["approvals", "approve", id(&asked)]).code, 0);
    let run = |arguments: &[&str]| {
        let all = [&["run", "--set", "approvals.timeout_seconds=1"], arguments].concat();
        hermes.run_with(&all, &call).code
    };
    assert_eq!(run(&["--session", "t"]), 4, "another session");
    assert_eq!(
        run(&["--session", "s", "-C", "sub", "--set", "permissions.write_roots=[..]"]),
        4,
        "another folder"
    );
    let set = request(&[("env_manager", json!({"action": "set", "name": "A", "value": "b"}))]);
    assert_eq!(hermes.run_with(&["run", "--session", "s"], &set).code, 0);
    assert_eq!(run(&["--session", "s"]), 4, "another variable");
    let unset = request(&[("env_manager", json!({"action": "unset", "name": "A"}))]);
    assert_eq!(hermes.run_with(&["run", "--session", "s"], &unset).code, 0);
    assert_eq!(run(&["--session", "s"]), 0, "the very call");
}

#[test]
fn what_a_tool_calls_secret_is_not_written_down() {
    let hermes = Hermes::new().with_config(QUEUE);
    let call = request(&[("env_manager", json!({"action": "set", "name": "A", "value": "hunter2-hunter2"}))]);
    hermes.write("r.json", &call);
    let mut child = hermes.spawn(&["run", "r.json"]);
    let asked = waiting(&hermes);
    assert!(
        !asked.to_string().contains("hunter2") && asked["request"]["arguments"]["name"] == "A",
        "{asked}"
    );
    child.kill().unwrap();
    child.wait().unwrap();
    let mut database = Vec::new();
    for name in ["state.db", "state.db-wal"] {
        let file = std::fs::File::open(hermes.home().join(name));
        file.map(|mut file| file.read_to_end(&mut database).unwrap()).ok();
    }
    assert!(!String::from_utf8_lossy(&database).contains("hunter2"));
}
