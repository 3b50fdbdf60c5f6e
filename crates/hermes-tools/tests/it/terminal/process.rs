//! Commands in the background, looked after through the whole pipeline.

use std::time::Duration;

use hermes_core::ErrorCode;
use hermes_host::process::Limits;
use hermes_host::terminal::TerminalSettings;
use hermes_testkit::TestRuntime;
use serde_json::{Value, json};

use crate::support::{code, failure, value};

async fn start(test: &TestRuntime, arguments: Value) -> String {
    let mut arguments = arguments;
    arguments["background"] = json!(true);
    let started = value(test.call("terminal", arguments).await);
    assert_eq!(started["state"], json!("running"), "{started}");
    started["session_id"].as_str().unwrap().to_owned()
}

async fn act(test: &TestRuntime, action: &str, id: &str, more: Value) -> Value {
    let mut arguments = json!({"action": action, "session_id": id});
    arguments.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    value(test.call("process", arguments).await)
}

#[tokio::test]
async fn a_command_runs_on_is_seen_and_ended() {
    let test = TestRuntime::new().await;
    value(test.call("terminal", json!({"command": "mkdir d; cd d; export A=kept"})).await);
    let id =
        start(&test, json!({"command": "echo $A; pwd; trap 'echo bye; exit 3' TERM; sleep 1000 & wait"}))
            .await;
    let mut seen = String::new();
    while !seen.contains("/d") {
        tokio::time::sleep(Duration::from_millis(5)).await;
        seen = act(&test, "poll", &id, json!({})).await["output"].as_str().unwrap().to_owned();
    }
    assert_eq!(seen, format!("kept\n{}", test.path("d").display()));
    let listed = value(test.call("process", json!({"action": "list"})).await);
    assert_eq!(listed["processes"][0]["session_id"], json!(id));
    assert_eq!(listed["processes"][0]["sandbox"], json!("sealed"));
    let killed = act(&test, "kill", &id, json!({})).await;
    assert_eq!((&killed["state"], &killed["exit_code"]), (&json!("exited"), &json!(3)));
    assert!(killed["output"].as_str().unwrap().ends_with("bye"), "{killed}");
    assert_eq!(act(&test, "kill", &id, json!({})).await["state"], json!("exited"));
}

/// Whoever comes at the same moment counts too.
#[tokio::test]
async fn no_more_run_than_may_however_many_begin_at_once() {
    let test = TestRuntime::new().await;
    let starts = (0..40).map(|_| test.call("process", json!({"action": "start", "command": "sleep 1000"})));
    let started = futures_util::future::join_all(starts).await;
    let (begun, refused): (Vec<_>, Vec<_>) = started.into_iter().partition(|outcome| outcome.result.is_ok());
    assert_eq!((begun.len(), refused.len()), (32, 8));
    assert!(refused.into_iter().all(|outcome| code(outcome) == ErrorCode::Conflict));
    let all = value(test.call("process", json!({"action": "list"})).await);
    assert_eq!(all["processes"].as_array().unwrap().len(), 32);
    for process in all["processes"].as_array().unwrap() {
        act(&test, "kill", process["session_id"].as_str().unwrap(), json!({})).await;
    }
    start(&test, json!({"command": "sleep 1000"})).await;
}

#[tokio::test]
async fn what_bounds_it_is_told_as_of_a_command_that_is_waited_for() {
    let limits = Limits { processes: Some(512), ..Limits::default() };
    let settings = TerminalSettings { limits, ..TerminalSettings::default() };
    let test = TestRuntime::builder().terminal(settings).build().await;
    let waited = value(test.call("terminal", json!({"command": "true"})).await);
    assert!(waited["ran"]["bounds"].is_string(), "{waited}");
    let started = value(test.call("terminal", json!({"command": "sleep 1000", "background": true})).await);
    assert_eq!(started["ran"], waited["ran"], "{started}");
    let polled = act(&test, "poll", started["session_id"].as_str().unwrap(), json!({})).await;
    assert_eq!(polled["bounds"], waited["ran"]["bounds"], "{polled}");
}

/// Between the end of a process and the moment when that is written down there is much to look at.
#[tokio::test]
async fn a_process_that_ends_by_itself_can_be_killed_at_any_moment() {
    let test = TestRuntime::new().await;
    value(test.call("terminal", json!({"command": "mkdir -p d{1..400}"})).await);
    for round in 0..40 {
        let id = start(&test, json!({"command": "sleep 0.05"})).await;
        tokio::time::sleep(Duration::from_millis(40 + round)).await;
        let killed = act(&test, "kill", &id, json!({})).await;
        assert_ne!(killed["state"], json!("running"), "{killed}");
    }
}

#[tokio::test]
async fn what_is_said_to_one_that_has_ended_is_not_heard() {
    let test = TestRuntime::new().await;
    let reading = json!({"command": "cat; exit 7", "background": true, "notify_on_complete": true});
    let id = value(test.call("terminal", reading).await)["session_id"].as_str().unwrap().to_owned();
    let mut shown = act(&test, "close", &id, json!({})).await;
    // Whichever result tells of its end shows it as ended.
    while shown["events"].as_array().is_none() {
        shown = act(&test, "poll", &id, json!({})).await;
    }
    assert_eq!((&shown["state"], &shown["exit_code"]), (&json!("exited"), &json!(7)), "{shown}");
    for action in ["write", "close"] {
        let arguments = json!({"action": action, "session_id": id, "data": "x"});
        let error = failure(test.call("process", arguments).await);
        assert!(error.message.contains("has ended, with exit code 7"), "{action}: {error}");
    }
}

#[tokio::test]
async fn input_of_pipes_and_terminals_is_read_and_closed() {
    let test = TestRuntime::new().await;
    for pty in [false, true] {
        let command = "while read line; do echo \"got $line\"; done; echo end";
        let id = start(&test, json!({"command": command, "pty": pty})).await;
        act(&test, "submit", &id, json!({"data": "one"})).await;
        act(&test, "write", &id, json!({"data": "two\n"})).await;
        let mut seen = String::new();
        while !seen.contains("got two") {
            tokio::time::sleep(Duration::from_millis(5)).await;
            seen = act(&test, "poll", &id, json!({})).await["output"].as_str().unwrap().to_owned();
        }
        assert!(seen.contains("got one"), "{seen}");
        if pty {
            act(&test, "kill", &id, json!({})).await;
        } else {
            act(&test, "close", &id, json!({})).await;
            let ended = act(&test, "wait", &id, json!({"timeout": 60})).await;
            assert_eq!((&ended["state"], &ended["exit_code"]), (&json!("exited"), &json!(0)));
            assert!(ended["output"].as_str().unwrap().ends_with("end"));
        }
    }
}

#[tokio::test]
async fn what_is_typed_is_judged_as_a_command() {
    let test = TestRuntime::builder().deny("terminal:execute").build().await;
    let refused = test.call("process", json!({"action": "submit", "session_id": "p", "data": "rm x"})).await;
    assert_eq!(code(refused), ErrorCode::PermissionDenied);
}

#[tokio::test]
async fn keys_reach_a_terminal() {
    let test = TestRuntime::new().await;
    let id = start(&test, json!({"command": "trap 'echo stopped; exit 5' INT; echo up; while :; do sleep 0.1; done", "pty": true})).await;
    while !act(&test, "poll", &id, json!({})).await["output"].as_str().unwrap().contains("up") {
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    for keys in ["\u{1b}[A", "\u{1b}", "\u{3}"] {
        act(&test, "write", &id, json!({"data": keys})).await;
    }
    let ended = act(&test, "wait", &id, json!({"timeout": 60})).await;
    assert_eq!(ended["exit_code"], json!(5), "{ended}");
}

#[tokio::test]
async fn ends_and_lines_are_told_once_with_the_next_result() {
    let test = TestRuntime::new().await;
    let id = start(
        &test,
        json!({"command": "echo wait; printf 'server rea'; sleep 0.1; echo dy; exit 4", "notify_on_complete": true,
               "watch_patterns": ["ready"]}),
    )
    .await;
    let mut events = Vec::new();
    while !events.iter().any(|event: &Value| event["event"] == json!("ended")) {
        let result = value(test.call("terminal", json!({"command": "sleep 0.02"})).await);
        events.extend(result["events"].as_array().cloned().unwrap_or_default());
    }
    let expected = [
        json!({"event": "printed", "session_id": id, "lines": ["server ready"]}),
        json!({"event": "ended", "session_id": id, "exit_code": 4}),
    ];
    assert_eq!(events, expected);
    let after = value(test.call("terminal", json!({"command": "true"})).await);
    assert_eq!(after.get("events"), None);
}

#[tokio::test]
async fn how_a_command_is_doing_is_asked_by_two_names() {
    let test = TestRuntime::new().await;
    let id = start(&test, json!({"command": "exit 3"})).await;
    act(&test, "wait", &id, json!({})).await;
    let [poll, status] =
        [act(&test, "poll", &id, json!({})).await, act(&test, "status", &id, json!({})).await];
    assert_eq!((poll["exit_code"].clone(), poll), (json!(3), status));
}

#[tokio::test]
async fn a_command_that_says_nothing_is_not_started() {
    let test = TestRuntime::new().await;
    for command in ["", " \n"] {
        let start = json!({"action": "start", "command": command});
        assert_eq!(code(test.call("process", start).await), ErrorCode::InvalidArgument);
    }
}

#[tokio::test]
async fn a_watch_pattern_that_every_line_has_is_refused() {
    let test = TestRuntime::new().await;
    let watched = json!({"command": "echo up", "background": true, "watch_patterns": ["ready", ""]});
    assert_eq!(code(test.call("terminal", watched).await), ErrorCode::InvalidArgument);
    assert_eq!(value(test.call("process", json!({"action": "list"})).await)["processes"], json!([]));
}

#[tokio::test]
async fn long_output_keeps_its_newest_part_and_is_paged() {
    let test = TestRuntime::new().await;
    let id = start(&test, json!({"command": "seq 1 500000"})).await;
    let ended = act(&test, "wait", &id, json!({})).await;
    assert_eq!(ended["exit_code"], json!(0));
    let newest = ended["output"].as_str().unwrap();
    let first = ended["first_line"].as_u64().unwrap();
    assert!(newest.starts_with(&format!("{first}\n")) && newest.ends_with("\n500000"), "{ended}");
    assert_eq!(ended["total_lines"], json!(500_000));
    let last = act(&test, "log", &id, json!({"limit": 2})).await;
    assert_eq!(last["output"], json!("499999\n500000"));
    assert!(last["dropped_bytes"].as_u64().unwrap() > 0);
    let first = act(&test, "log", &id, json!({"offset": 1, "limit": 3})).await;
    let oldest = first["first_line"].as_u64().unwrap();
    assert!(oldest > 50_000 && oldest < 499_000, "{oldest}");
}

#[tokio::test]
async fn one_session_does_not_reach_the_processes_of_another() {
    let test = TestRuntime::new().await;
    let id = start(&test, json!({"command": "sleep 1000"})).await;
    let other = test.session("other");
    let poll = other.call("process", json!({"action": "kill", "session_id": id})).await;
    assert_eq!(code(poll), ErrorCode::NotFound);
    assert_eq!(value(other.call("process", json!({"action": "list"})).await)["processes"], json!([]));
    act(&test, "kill", &id, json!({})).await;
}

#[tokio::test]
async fn there_is_a_limit_to_what_runs() {
    let test = TestRuntime::new().await;
    let mut ids = Vec::new();
    for _ in 0..32 {
        ids.push(start(&test, json!({"command": "sleep 1000"})).await);
    }
    let refused = test.call("terminal", json!({"command": "sleep 1000", "background": true})).await;
    assert_eq!(code(refused), ErrorCode::Conflict);
    for id in ids {
        act(&test, "kill", &id, json!({})).await;
    }
}

/// Lines keep their numbers when the first of them are not kept any more.
#[tokio::test]
async fn lines_are_counted_from_the_very_first() {
    let test = TestRuntime::new().await;
    let id = start(&test, json!({"command": "seq 1 400000"})).await;
    act(&test, "wait", &id, json!({"timeout": 60})).await;
    let last = act(&test, "log", &id, json!({"limit": 3})).await;
    assert!(last["dropped_bytes"].as_u64().unwrap() > 0, "{last}");
    assert_eq!((&last["total_lines"], &last["first_line"]), (&json!(400_000), &json!(399_998)), "{last}");
    assert_eq!(last["output"], json!("399998\n399999\n400000"));
    let wanted = act(&test, "log", &id, json!({"limit": 3, "offset": 399_000})).await;
    assert_eq!(wanted["output"], json!("399000\n399001\n399002"));
    assert_eq!(wanted["first_line"], json!(399_000));
    let gone = act(&test, "log", &id, json!({"limit": 3, "offset": 1})).await;
    let first = gone["first_line"].as_u64().unwrap();
    assert!(first > 1 && gone["output"].as_str().unwrap().ends_with(&(first + 2).to_string()), "{gone}");
}
