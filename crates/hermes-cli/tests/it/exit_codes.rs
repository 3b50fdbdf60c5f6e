use serde_json::json;

use crate::harness::{Hermes, at_rest, request};

#[test]
fn every_ending_has_its_code() {
    let hermes = Hermes::new().with_config("permissions:\n  deny: ['env:write']\n  ask: ['system:*']\n");
    hermes.write("a.txt", "x");
    let code = |calls: &[(&str, serde_json::Value)]| hermes.run_with(&["run"], &request(calls)).code;
    assert_eq!(code(&[("read_file", json!({"path": "a.txt"}))]), 0);
    assert_eq!(hermes.run(&["run", "--no-such-flag"]).code, 2);
    assert_eq!(hermes.run(&["frobnicate"]).code, 2);
    assert_eq!(code(&[("env_manager", json!({"action": "set", "name": "A", "value": "b"}))]), 3);
    assert_eq!(code(&[("write_file", json!({"path": "/etc/hermes-test", "content": "x"}))]), 3);
    assert_eq!(code(&[("system_info", json!({}))]), 4);
    assert_eq!(code(&[("read_file", json!({"path": "missing"}))]), 5);
    assert_eq!(code(&[("no_such_tool", json!({}))]), 5);
    let slow = request(&[("sleep", json!({"seconds": 600}))]);
    assert_eq!(hermes.run_with(&["run", "--timeout", "1"], &slow).code, 124);
    let worst = [("read_file", json!({"path": "missing"})), ("system_info", json!({}))];
    assert_eq!(code(&worst), 4, "approval outranks a plain failure");
}

#[test]
fn denials_are_listed_with_what_would_allow_them() {
    let hermes = Hermes::new().with_config("permissions:\n  ask: ['system:*']\n");
    let ran = hermes.run_with(&["run"], &request(&[("system_info", json!({}))]));
    let denial = ran.json()["denials"][0].clone();
    assert_eq!(denial["code"], "approval_required");
    assert!(denial["rule"].as_str().unwrap().ends_with("config.yaml:2 config: ask system:*"), "{denial}");
    assert!(denial["hint"].as_str().unwrap().contains("hermes grants add --tool system_info"), "{denial}");
}

#[test]
fn calls_inside_a_call_are_told_of_like_others() {
    let hermes = Hermes::new().with_config("permissions:\n  ask: ['system:*']\n");
    hermes.write("a.txt", "x");
    let calls = json!({"calls": [
        {"name": "read_file", "arguments": {"path": "a.txt"}},
        {"name": "system_info", "arguments": {}},
    ]});
    let asked = request(&[("tool_call", calls)]);
    let ran = hermes.run_with(&["run"], &asked);
    assert_eq!(ran.code, 4, "{}", ran.stdout);
    assert_eq!(ran.json()["tool_results"][0]["content"]["status"], "error");
    let denials = ran.json()["denials"].clone();
    assert_eq!(denials.as_array().unwrap().len(), 1, "{denials}");
    assert_eq!(
        (&denials[0]["tool"], &denials[0]["code"]),
        (&json!("system_info"), &json!("approval_required"))
    );
    let shown = hermes.run_with(&["run", "--format", "human"], &asked).stdout;
    assert!(
        shown.contains("✗ ") && shown.contains("system_info") && shown.contains("2 calls, 1 failed"),
        "{shown}"
    );
}

#[test]
fn interrupting_answers_and_says_so() {
    for (signal, code) in [("-INT", 130), ("-TERM", 143)] {
        let hermes = Hermes::new();
        hermes.write("r.json", &request(&[("sleep", json!({"seconds": 600}))]));
        let child = hermes.spawn(&["run", "r.json"]);
        // The journal exists once the run is under way, and a run at rest is one that sleeps.
        while !hermes.home().join("state.db").exists() || !at_rest(child.id()) {}
        let pid = child.id().to_string();
        assert!(std::process::Command::new("kill").args([signal, &pid]).status().unwrap().success());
        let output = child.wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(code), "{signal}");
        let answer: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
        assert_eq!(answer["tool_results"][0]["content"]["interrupted"], true);
    }
}

#[test]
fn a_command_that_was_interrupted_ends_by_the_signal() {
    for (signal, code) in [("-INT", 130), ("-TERM", 143)] {
        let hermes = Hermes::new();
        let arguments = json!({"command": "touch begun; sleep 600"}).to_string();
        let child = hermes.spawn(&["tools", "call", "terminal", &arguments, "--json"]);
        while !hermes.work().join("begun").exists() {
            std::thread::sleep(std::time::Duration::from_millis(10));
        }
        let pid = child.id().to_string();
        assert!(std::process::Command::new("kill").args([signal, &pid]).status().unwrap().success());
        assert_eq!(child.wait_with_output().unwrap().status.code(), Some(code), "{signal}");
    }
}

#[test]
fn an_answer_that_nobody_could_be_told_is_a_failure() {
    for arguments in [&["tools", "list"][..], &["tools", "schema", "--json"], &["--help"], &["--version"]] {
        let full = std::fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
        let ran = Hermes::new().run_into(arguments, full);
        assert_eq!(ran.code, 5, "{arguments:?}: {}", ran.stderr);
        assert!(
            ran.stderr.contains("standard output: No space left on device"),
            "{arguments:?}: {}",
            ran.stderr
        );
    }
}

#[test]
fn where_nothing_can_be_recorded_only_what_changes_nothing_runs() {
    let hermes = Hermes::new().with_env("HERMES_HOME", "/proc/nope");
    hermes.write("a.txt", "hello\n");
    let call = |name: &str, arguments: serde_json::Value| {
        let ran = hermes.run(&["tools", "call", name, &arguments.to_string(), "--json"]);
        (ran.code, ran.json())
    };
    let (code, read) = call("read_file", json!({"path": "a.txt"}));
    assert_eq!((code, &read["content"]), (0, &json!("1|hello\n")), "{read}");
    assert!(read["notes"][0].as_str().unwrap().starts_with("the journal could not record"), "{read}");
    for (name, arguments) in [
        ("write_file", json!({"path": "b.txt", "content": "x"})),
        ("terminal", json!({"command": "touch b.txt"})),
        ("todo", json!({"todos": [{"content": "x"}]})),
    ] {
        let (code, refused) = call(name, arguments);
        assert_eq!((code, &refused["status"]), (5, &json!("error")), "{refused}");
        assert!(refused["hint"].as_str().unwrap().contains("Nothing was run"), "{refused}");
    }
    assert!(!hermes.work().join("b.txt").exists());
}

#[test]
fn who_reads_json_gets_a_document_for_a_failure_too() {
    let hermes = Hermes::new();
    for (arguments, code, word) in [
        (vec!["journal", "show", "nope", "--json"], 5, "not_found"),
        (vec!["tools", "show", "nope", "--json"], 2, "usage"),
        (vec!["run", "-", "--json"], 2, "usage"),
        (vec!["dance", "--json"], 2, "usage"),
    ] {
        let ran = hermes.run_with(&arguments, "{}");
        let document = ran.json();
        assert_eq!((ran.code, &document["status"], &document["code"]), (code, &json!("error"), &json!(word)));
        let first = document["error"].as_str().unwrap().lines().next().unwrap().to_owned();
        assert!(ran.stderr.contains(&first), "{arguments:?}: {first} in {}", ran.stderr);
    }
    assert_eq!(hermes.run(&["journal", "show", "nope"]).stdout, "");
    // An answer that is there already is the document.
    assert!(hermes.run(&["toolsets", "nope", "--json"]).json().is_array());
}

#[test]
fn the_doctor_sees_a_home_that_cannot_be_used() {
    for home in ["/proc/nope", "/proc/sys"] {
        let ran = Hermes::new().with_env("HERMES_HOME", home).run(&["doctor", "--json"]);
        let check = ran.json()["checks"][0].clone();
        assert_eq!((ran.code, &check["health"]), (5, &json!("bad")), "{home}: {check}");
    }
    assert_eq!(Hermes::new().run(&["doctor"]).code, 0, "one that is not there yet is made");
}

/// No tool ran and nothing was judged: whoever named a file that is not there used the command wrongly.
#[test]
fn a_file_that_is_not_there_is_a_mistake_of_usage_in_every_command() {
    let hermes = Hermes::new();
    hermes.write("cases.yaml", "[{name: a, call: {name: read_file, arguments: {path: x}}, expect: allow}]");
    hermes.write("call.json", &request(&[("read_file", json!({"path": "x"}))]));
    hermes.write("q.jsonl", "{\"name\": \"a\"}\n");
    for command in [
        &["run", "none"][..],
        &["explain", "plan", "none"],
        &["explain", "schema", "none"],
        &["config", "validate", "none"],
        &["policy", "explain", "none"],
        &["policy", "explain", "call.json", "--shadow", "none"],
        &["policy", "test", "none"],
        &["policy", "test", "cases.yaml", "--shadow", "none"],
        &["policy", "lint", "none"],
        &["policy", "trust", "none"],
        &["policy", "untrust", "none"],
        &["tools", "search-eval", "--catalog", "none", "--queries", "q.jsonl"],
        &["tools", "search-eval", "--catalog", "q.jsonl", "--queries", "none"],
        &["tools", "lint", "--catalog", "none"],
        &["explain", "path", "x", "--tree", "none"],
        &["tool", "validate", "none"],
        &["tool", "register", "--config", "none"],
        &["tool", "test", "x", "--config", "none"],
        &["plugins", "install", "none"],
        &["plugins", "install", "none.py"],
        &["plugins", "check", "./none"],
        &["mcp", "import", "none"],
        &["mcp", "scan", "none"],
        &["--cwd", "none", "tools", "list"],
    ] {
        let ran = hermes.run(command);
        assert_eq!(ran.code, 2, "{command:?}: {}{}", ran.stdout, ran.stderr);
        assert!(ran.stderr.contains("none"), "{command:?}: {}", ran.stderr);
    }
}

#[test]
fn every_command_has_a_manual_page() {
    let hermes = Hermes::new();
    let page = hermes.run(&["man", "tools", "call"]).stdout;
    assert!(page.contains(".TH hermes-tools-call") && page.contains("alias"), "{page}");
    assert!(hermes.run(&["man"]).stdout.contains(".TH hermes"));
    assert_eq!(hermes.run(&["man", "nothing"]).code, 2);
}

#[test]
fn an_empty_home_variable_is_no_home() {
    let user = tempfile::tempdir().unwrap();
    let hermes = Hermes::new().with_env("HERMES_HOME", "").with_env("HOME", user.path().to_str().unwrap());
    let ran = hermes.run(&["config", "show", "--json"]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
}
