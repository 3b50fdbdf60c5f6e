//! Servers that crash, hang, shout and leave children behind.

use serde_json::{Value, json};

use super::client::Client;
use super::scripted::{scripted, tool};
use super::support::{noted, notes, with_servers};

fn line(id: &str, tool: &str) -> String {
    json!({"id": id, "tool_calls": [{"id": id, "name": tool, "arguments": {"text": id}}]}).to_string() + "\n"
}

#[test]
fn a_server_that_dies_costs_one_call_and_runs_nothing_twice() {
    let hermes = with_servers(&[("fix", "", "")]);
    assert_eq!(hermes.run(&["mcp", "test", "fix"]).code, 0);
    let died = hermes.run(&["tools", "call", "mcp_fix_die", "{}"]);
    assert_eq!((died.code, died.json()["code"].as_str()), (6, Some("outcome_unknown")), "{}", died.stdout);
    assert_eq!(noted(&hermes, "fix", "calls"), ["die"], "nothing was executed twice");
    // In one process: the call after the crash works.
    let input = format!("{}{}", line("a", "mcp_fix_die"), line("b", "mcp_fix_echo"));
    let ran = hermes.run_with(&["--set", "limits.concurrent_calls=1", "run", "--jsonl"], &input);
    let answers = ran.lines();
    let of =
        |id: &str| answers.iter().find(|answer| answer["id"] == id).map(Value::to_string).unwrap_or_default();
    assert!(of("a").contains("outcome_unknown"), "{}", ran.stdout);
    assert!(of("b").contains("\\\"b\\\"") || of("b").contains("\"b\""), "{}", ran.stdout);
}

#[test]
fn an_answer_in_time_or_a_cancelled_call() {
    let hermes = with_servers(&[("fix", "", "    timeout_seconds: 1\n")]);
    let late = hermes.run(&["tools", "call", "mcp_fix_hang", "{}"]);
    assert_eq!((late.code, late.json()["cause"].as_str()), (6, Some("timeout")), "{}", late.stdout);
    assert_eq!(noted(&hermes, "fix", "cancelled").len(), 1, "the server was told");
    assert_eq!(noted(&hermes, "fix", "calls"), ["hang"]);
}

#[test]
fn a_call_that_is_reported_as_not_sent_is_never_executed() {
    let hermes = with_servers(&[("fix", "pauses", "    timeout_seconds: 1\n")]);
    assert_eq!(hermes.run(&["mcp", "test", "fix"]).code, 0);
    let mut client = Client::start(&hermes, &[]);
    client.begin("tools/call", json!({"name": "mcp_fix_hang", "arguments": {}}));
    // Until the server reads no more.
    while noted(&hermes, "fix", "calls").is_empty() {
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
    // More than fits into the pipe, so that the next waits behind it.
    let begun = client.call("mcp_fix_echo", json!({"text": "x".repeat(400_000)}));
    assert!(begun.to_string().contains("outcome_unknown"), "{begun}");
    let waiting = client.call("mcp_fix_count", json!({"text": "once"}));
    let said = waiting.to_string();
    assert!(said.contains("timeout") && !said.contains("outcome_unknown"), "{said}");
    std::fs::write(notes(&hermes, "fix").join("go on"), "").unwrap();
    let after = client.call("mcp_fix_echo", json!({"text": "still here"}));
    assert!(after.to_string().contains("still here"), "{after}");
    client.end();
    let calls = noted(&hermes, "fix", "calls");
    assert!(!calls.contains(&"count".to_owned()), "{calls:?}");
}

#[test]
fn noise_floods_and_answers_beyond_all_bounds_are_survived() {
    let hermes = with_servers(&[("fix", "noisy", "")]);
    let echo = hermes.run(&["tools", "call", "mcp_fix_echo", r#"{"text": "still here"}"#]);
    assert_eq!(echo.json()["result"], "still here", "{}{}", echo.stdout, echo.stderr);
    let huge = hermes.run(&["tools", "call", "mcp_fix_huge", "{}"]);
    assert!(huge.stdout.contains("at most"), "{}", huge.stdout);
    assert_eq!(huge.json()["code"], "outcome_unknown", "it may have been done: {}", huge.stdout);
    let log = hermes.run(&["mcp", "logs", "fix", "-n", "100000"]).stdout;
    assert!(log.contains("Welcome to my server!") && log.len() < 2 << 20, "{} bytes", log.len());
}

#[test]
fn errors_of_a_tool_are_its_own() {
    let hermes = with_servers(&[("fix", "", "")]);
    let calls: String = (0..5).map(|n| line(&n.to_string(), "mcp_fix_fail")).collect();
    let ran = hermes.run_with(
        &["--set", "repeat_guard.enabled=false", "run", "--jsonl"],
        &format!("{calls}{}", line("x", "mcp_fix_echo")),
    );
    let answers = ran.lines();
    assert!(
        answers.iter().filter(|answer| answer.to_string().contains("no such row")).count() >= 5,
        "{}",
        ran.stdout
    );
    assert!(
        answers.iter().any(|answer| answer["id"] == "x" && !answer.to_string().contains("error")),
        "{}",
        ran.stdout
    );
    assert_eq!(noted(&hermes, "fix", "starts").len(), 1);
}

#[test]
fn one_tool_that_nobody_can_read_costs_no_other() {
    let deep = (0..200).fold(json!({"type": "string"}), |inside, _| json!({"properties": {"a": inside}}));
    let deep = json!({"name": "deep", "inputSchema": deep});
    let hermes = scripted(&[("s", json!({"tools": [tool("good", "Works."), deep]}), "")]);
    let met = hermes.run(&["mcp", "test", "s"]).stdout;
    assert!(met.contains("left out: deep: it is nested deeper than"), "{met}");
    let called = hermes.run(&["tools", "call", "mcp_s_good", "{}"]);
    assert_eq!(called.json()["result"], "scripted did good", "{}", called.stdout);
}

#[test]
fn what_programs_take_for_an_answer_is_delivered_or_ends_the_call_at_once() {
    let content = r#""jsonrpc":"2.0","id":ID,"result":{"content":[{"type":"text","text":"TEXT"}]}"#;
    let said = |text: &str| format!("{{{}}}", content.replace("TEXT", text));
    let other = r#"{"jsonrpc":"2.0","id":null,"error":{"code":-32601,"message":"unknown notification"}}"#;
    let innocent = format!("{other}\n{}", said("mine"));
    let raw = json!({
        "half": said(r"a\udcffb"),
        "number": said("n").replace(r#""result":{"#, r#""result":{"structuredContent":{"n":NaN},"#),
        "endless": said("the last") + "EXIT",
        "innocent": innocent,
        "nameless": r#"{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"what?"}}"#,
    });
    let tools: Vec<Value> = raw.as_object().unwrap().keys().map(|name| tool(name, "Answers.")).collect();
    let hermes = scripted(&[("s", json!({"tools": tools, "raw": raw}), "")]);
    let answer = |name: &str| hermes.run(&["tools", "call", &format!("mcp_s_{name}"), "{}"]).json();
    assert_eq!(answer("half")["result"], "a\u{fffd}b");
    assert_eq!(answer("number")["structured_content"], json!({"n": null}));
    assert_eq!(answer("endless")["result"], "the last");
    assert_eq!(answer("innocent")["result"], "mine", "an error that is about something else");
    let nameless = answer("nameless");
    assert_eq!(
        (&nameless["code"], &nameless["cause"]),
        (&"outcome_unknown".into(), &Value::Null),
        "{nameless}"
    );
    assert!(nameless["error"].to_string().contains("what?"), "{nameless}");
}

#[test]
fn a_server_that_cannot_start_says_why() {
    let hermes = with_servers(&[("fix", "crash", "")]);
    let failed = hermes.run(&["mcp", "test", "fix"]);
    assert_eq!(failed.code, 5);
    assert!(failed.stderr.contains("cannot find the flux capacitor"), "{}", failed.stderr);
    let hermes = hermes.with_config("mcp_servers: {gone: {command: no-such-program}}");
    let failed = hermes.run(&["mcp", "test", "gone"]);
    assert!(failed.stderr.contains("'no-such-program' was not found"), "{}", failed.stderr);
}

#[test]
fn a_server_that_never_says_which_tools_it_has_now_is_replaced() {
    let hermes = with_servers(&[("fix", "stalls", "")]);
    assert_eq!(hermes.run(&["mcp", "test", "fix"]).code, 0);
    let mut client = Client::start(&hermes, &[]);
    // A hang here is the failure: the server is started a third time once it was given up.
    while noted(&hermes, "fix", "starts").len() < 3 {
        let called = client.call("mcp_fix_echo", json!({"text": "t"}));
        assert_eq!(called["result"]["isError"], false, "{called}");
        std::thread::sleep(std::time::Duration::from_millis(200));
    }
    client.end();
}

#[test]
fn nothing_of_a_server_is_left_when_hermes_has_ended() {
    let hermes = with_servers(&[("fix", "family", "")]);
    assert_eq!(hermes.run(&["tools", "call", "mcp_fix_echo", "{}"]).code, 0);
    let children = noted(&hermes, "fix", "children");
    assert_eq!(children.len(), 1);
    assert!(children.iter().all(|pid| is_gone(pid)), "{children:?}");
}

/// Killed and not yet collected by init is gone, too.
fn is_gone(pid: &str) -> bool {
    let state = std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
    state.is_empty() || state.contains(") Z ")
}

#[test]
fn nothing_of_a_server_is_left_when_hermes_was_killed() {
    let hermes = with_servers(&[("fix", "family", "")]);
    assert_eq!(hermes.run(&["mcp", "test", "fix"]).code, 0);
    let mut running = hermes.spawn(&["tools", "call", "mcp_fix_hang", "{}"]);
    // Until the call is with the server.
    while noted(&hermes, "fix", "calls").is_empty() {
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
    running.kill().unwrap();
    running.wait().unwrap();
    let family = [noted(&hermes, "fix", "starts"), noted(&hermes, "fix", "children")].concat();
    assert_eq!(family.len(), 4, "two starts with a child each");
    // A hang here is the failure.
    while !family.iter().all(|pid| is_gone(pid)) {
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
}
