use std::os::unix::fs::PermissionsExt;

use serde_json::json;

use crate::harness::{Hermes, request};

/// A home whose pre-hook is this shell script.
fn with_hook(event: &str, script: &str, extra: &str) -> Hermes {
    let hermes = Hermes::new();
    let path = hermes.write("hook.sh", &format!("#!/bin/sh\n{script}\n"));
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).unwrap();
    let config = format!("hooks:\n  {event}:\n    - command: ['{}']\n      {extra}\n", path.display());
    hermes.with_config(&config)
}

fn read(hermes: &Hermes) -> serde_json::Value {
    hermes.write("a.txt", "one\ntwo\n");
    let ran = hermes.run_with(&["run"], &request(&[("read_file", json!({"path": "a.txt"}))]));
    ran.json()["tool_results"][0]["content"].clone()
}

#[test]
fn nothing_runs_before_the_user_agreed_to_its_exact_content() {
    let hermes = with_hook("pre_tool_call", "cat > /dev/null", "");
    let refused = read(&hermes);
    assert_eq!(refused["code"], "permission_denied");
    assert!(refused["error"].as_str().unwrap().contains("hermes hooks trust"), "{refused}");
    assert!(hermes.run(&["hooks", "list"]).stdout.contains("no"));
    assert_eq!(hermes.run(&["hooks", "trust"]).code, 0);
    assert_eq!(read(&hermes)["status"], "success");
    hermes.write("hook.sh", "#!/bin/sh\nexit 0 # edited\n");
    assert_eq!(read(&hermes)["code"], "permission_denied", "edited since");
}

#[test]
fn exit_two_blocks_and_anything_odd_denies() {
    const LONG: &str = "timeout_seconds: 60";
    for (script, timeout, expected) in [
        ("echo 'no reading today' >&2; exit 2", LONG, "no reading today"),
        (r#"echo '{"decision": "block", "reason": "because"}'"#, LONG, "because"),
        (r#"echo '{"action": "block", "message": "so there"}'"#, LONG, "so there"),
        ("exit 1", LONG, "exit code 1"),
        ("echo garbage", LONG, "no JSON"),
        ("kill -9 $$", LONG, "signal"),
        (r#"echo '{"decison": "block"}'"#, LONG, "decison"),
        (r#"echo '{"decision": 5}'"#, LONG, "not understood"),
        (r#"echo '{"decision": "block", "decision": "allow"}'"#, LONG, "the key 'decision' stands twice"),
        (r#"echo '["block"]'"#, LONG, "no JSON object"),
        (r#"echo '{"decision": null}'"#, LONG, "null"),
        (r#"echo '{"permissionDecision": "deny"}'"#, LONG, "permissionDecision"),
        (r#"echo '{"decision": "allow", "tool_input": 3}'"#, LONG, "not understood"),
        ("sleep 30", "timeout_seconds: 1", "did not"),
    ] {
        let hermes = with_hook("pre_tool_call", script, timeout);
        hermes.run(&["hooks", "trust"]);
        let answer = read(&hermes);
        assert_eq!(answer["code"], "permission_denied", "{script}: {answer}");
        assert!(answer["error"].as_str().unwrap().contains(expected), "{script}: {answer}");
    }
}

#[test]
fn a_hook_sees_the_call_and_may_rewrite_it() {
    let script = r#"input=$(cat); case "$input" in *'"tool_name":"read_file"'*) echo '{"tool_input": {"path": "a.txt", "offset": "2"}}';; esac"#;
    let hermes = with_hook("pre_tool_call", script, "matcher: 'read_.*'");
    hermes.run(&["hooks", "trust"]);
    let answer = read(&hermes);
    assert_eq!(answer["content"], "2|two\n", "{answer}");
    let escape = r#"echo '{"tool_input": {"path": "/etc/hermes-test", "content": "x"}}'"#;
    let hermes = with_hook("pre_tool_call", escape, "");
    hermes.run(&["hooks", "trust"]);
    let ran =
        hermes.run_with(&["run"], &request(&[("write_file", json!({"path": "ok.txt", "content": "x"}))]));
    assert_eq!(ran.code, 3, "the rewritten call is judged: {}", ran.stdout);
}

#[test]
fn a_transform_changes_what_the_model_sees() {
    let hermes =
        with_hook("transform_tool_result", r#"cat > /dev/null; echo '{"result": {"gist": "short"}}'"#, "");
    hermes.run(&["hooks", "trust"]);
    assert_eq!(read(&hermes), json!({"status": "success", "gist": "short"}));
}

#[test]
fn a_failed_observer_withholds_the_result_if_it_is_told_to() {
    let observed = |extra: &str| {
        let hermes = with_hook("post_tool_call", "cat > /dev/null; exit 1", extra);
        hermes.run(&["hooks", "trust"]);
        read(&hermes)
    };
    assert_eq!(observed("")["status"], "success");
    let withheld = observed("on_failure: deny");
    assert_eq!(withheld["code"], "permission_denied", "{withheld}");
    assert!(withheld["error"].as_str().unwrap().contains("exit code 1"), "{withheld}");
}

#[test]
fn a_guard_guards_a_tool_under_each_of_its_names() {
    for (matcher, naming) in [
        ("file_write", "hermes"),
        ("file_.*", "hermes"),
        ("file_write", "chapter18"),
        ("write_file", "chapter18"),
    ] {
        let hermes = with_hook("pre_tool_call", "exit 2", &format!("matcher: '{matcher}'"));
        hermes.run(&["hooks", "trust"]);
        for name in ["file_write", "write_file", "WriteFile"] {
            let arguments = r#"{"path": "zz", "content": "x"}"#;
            let set = format!("tools.naming={naming}");
            let ran = hermes.run(&["tools", "call", name, arguments, "--json", "--set", &set]);
            assert_eq!(ran.code, 3, "{matcher} {naming} {name}: {}", ran.stdout);
        }
        let listed = hermes.run(&["hooks", "list", "--json"]).json();
        let tools = listed[0]["tools"].as_array().unwrap();
        assert!(tools.contains(&json!("write_file")), "{listed}");
        assert_eq!(hermes.run(&["config", "validate", "--json"]).json()["warnings"], json!([]));
    }
}

#[test]
fn a_matcher_that_fits_no_tool_is_told() {
    let hermes = with_hook("pre_tool_call", "exit 2", "matcher: write");
    let told = "hooks.pre_tool_call[0].matcher: 'write' fits no tool";
    for command in [&["config", "validate"][..], &["doctor"], &["hooks", "list"]] {
        let ran = hermes.run(command);
        assert_eq!(ran.code, 0, "{}", ran.stdout);
        assert!(ran.stdout.contains(told), "{command:?}: {}", ran.stdout);
    }
    let hermes = with_hook("pre_tool_call", "exit 2", "matcher: 'mcp_docs_.*'");
    let set = "mcp_servers.docs.command=none";
    let told = hermes.run(&["config", "validate", "--set", set]).stdout;
    assert!(!told.contains("fits no tool"), "a server may have it: {told}");
}

#[test]
fn what_is_not_there_is_not_trusted() {
    let hermes = with_hook("pre_tool_call", "exit 0", "");
    let agreed = hermes.run(&["hooks", "trust", "--json"]).json();
    assert_eq!((&agreed[0]["event"], &agreed[0]["trusted"]), (&json!("pre_tool_call"), &json!(true)));
    assert_eq!(hermes.run(&["hooks", "revoke", "--json"]).json(), json!({"revoked": true}));
    for command in ["[/nowhere/guard.sh]", "[sh, /nowhere/guard.sh]"] {
        let hermes =
            Hermes::new().with_config(&format!("hooks:\n  pre_tool_call:\n    - command: {command}\n"));
        let refused = hermes.run(&["hooks", "trust"]);
        assert_eq!(refused.code, 2, "{}", refused.stdout);
        assert!(refused.stderr.contains("/nowhere/guard.sh"), "{}", refused.stderr);
        assert_eq!(hermes.run(&["hooks", "list", "--json"]).json()[0]["trusted"], json!(false));
    }
}
