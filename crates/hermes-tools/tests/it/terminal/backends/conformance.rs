//! What must hold wherever commands run.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use hermes_core::ErrorCode;
use hermes_testkit::TestRuntime;
use serde_json::{Value, json};

use super::strings::strings_come_through;
use crate::support::{failure, value};

async fn ran(test: &TestRuntime, command: &str) -> Value {
    value(test.call("terminal", json!({"command": command})).await)
}

async fn output(test: &TestRuntime, command: &str) -> String {
    ran(test, command).await["output"].as_str().unwrap().to_owned()
}

/// Everything that a backend promises. `backend` and `identity` must be in every result.
pub(super) async fn conforms(test: &TestRuntime, backend: &str, identity: &str) {
    let first = ran(test, "echo out; echo err >&2; exit 5").await;
    assert_eq!(first["exit_code"], json!(5), "{first}");
    let mut lines: Vec<&str> = first["output"].as_str().unwrap().lines().collect();
    lines.sort_unstable();
    assert_eq!(lines, ["err", "out"]);
    assert_eq!(first["ran"]["backend"], json!(backend));
    assert!(first["ran"]["identity"].as_str().unwrap_or_default().contains(identity), "{first}");

    both_outputs_keep_their_order(test).await;
    folder_and_exports_last(test).await;
    names_are_names(test).await;
    bytes_come_through(test).await;
    strings_come_through(test).await;
    what_it_leaves_running_ends_with_it(test).await;
    no_value_stands_in_a_list_of_arguments(test).await;
    what_is_ended_is_ended_there_too(test).await;
    what_is_cancelled_is_ended_there_too(test).await;
    in_the_background(test, (backend, identity)).await;
    typed_into(test).await;
    on_a_terminal(test).await;
}

async fn both_outputs_keep_their_order(test: &TestRuntime) {
    let printed =
        output(test, "i=0; while [ $i -lt 300 ]; do echo o$i; echo e$i >&2; i=$((i+1)); done").await;
    let expected: Vec<String> = (0..300).flat_map(|line| [format!("o{line}"), format!("e{line}")]).collect();
    assert_eq!(printed, expected.join("\n"));
}

async fn folder_and_exports_last(test: &TestRuntime) {
    // Some backends are stand-ins on this machine, where their suites run side by side and have one /tmp.
    static RUNS: AtomicUsize = AtomicUsize::new(0);
    let outer = format!("/tmp/conform-{}-{}", std::process::id(), RUNS.fetch_add(1, Ordering::Relaxed));
    let folder = format!("{outer}/a b'c");
    let stay = format!("mkdir -p \"{folder}\" && cd \"{folder}\" && export KEPT='x \"y\" $z' && exit 3");
    output(test, &stay).await;
    assert_eq!(output(test, "pwd; echo \"$KEPT\"").await, format!("{folder}\nx \"y\" $z"));
    let once =
        json!({"command": "pwd; echo \"$ONCE\"", "workdir": "/tmp", "env": {"ONCE": "it's `one` $time"}});
    assert_eq!(value(test.call("terminal", once).await)["output"], json!("/tmp\nit's `one` $time"));
    assert_eq!(output(test, "pwd; echo \"[$ONCE]\"").await, format!("{folder}\n[]"));
    for (workdir, background) in [("/no/such/place", false), ("/no/such/place", true), ("none here\n", false)]
    {
        let arguments = json!({"command": "pwd", "workdir": workdir, "background": background});
        let gone = failure(test.call("terminal", arguments).await);
        assert_eq!(gone.code, ErrorCode::NotFound, "{workdir:?}: {gone}");
    }
    let inside = value(test.call("terminal", json!({"command": "pwd", "workdir": ".."})).await);
    assert_eq!(inside["output"], json!(outer), "{inside}");
    output(test, &format!("cd /tmp; rm -r {outer}; unset KEPT")).await;
    assert_eq!(output(test, "echo \"[$KEPT]\"").await, "[]");
}

/// Whatever a value is made of, it arrives as it was, and nothing in it runs.
/// A name becomes part of a command line or of an environment there: what is more than a name does not get so far.
async fn names_are_names(test: &TestRuntime) {
    for name in
        ["A=1; touch /tmp/conform-name; export B", "PATH=/tmp:/bin", "BASH_FUNC_ls%%", "A B", "", "1A", "a-b"]
    {
        for background in [false, true] {
            let arguments =
                json!({"command": "ls /; true", "env": {name: "() { echo ran; }"}, "background": background});
            let refused = failure(test.call("terminal", arguments).await);
            assert_eq!(refused.code, ErrorCode::InvalidArgument, "{name}: {refused:?}");
            assert!(refused.message.contains("environment variable"), "{refused:?}");
        }
    }
    assert_eq!(output(test, "ls /tmp | grep conform-name; echo \"$A\"").await, "");
}

async fn bytes_come_through(test: &TestRuntime) {
    let hard =
        "'\"\\$(touch /tmp/ran)`touch /tmp/ran`;touch /tmp/ran|&<>*?[]{}~#!\t\n\r\u{1}é漢\u{1f600} -n --";
    let arguments = json!({"command": "printf %s \"$HARD\" | od -An -v -tx1 | tr -d ' \\n'; ls /tmp/ran", "env": {"HARD": hard}});
    let shown = value(test.call("terminal", arguments).await);
    let expected: String = hard.bytes().map(|byte| format!("{byte:02x}")).collect();
    let text = shown["output"].as_str().unwrap();
    assert!(text.contains(&expected), "{text}\n{expected}");
    assert_ne!(shown["exit_code"], json!(0), "something in the value ran: {shown}");
}

async fn what_is_ended_is_ended_there_too(test: &TestRuntime) {
    let seconds = 60_000_000 + std::process::id();
    let hostile = format!("trap '' TERM; export STAYED=1; (setsid sleep {seconds} &); sleep {seconds}");
    let cut = value(test.call("terminal", json!({"command": hostile, "timeout": 1})).await);
    assert_eq!(cut["exit_code"], json!(124), "{cut}");
    let left = still_sleeping(test, seconds).await;
    assert_eq!(left, "", "still running");
}

/// It returns when its shell does, whoever still holds its output.
async fn what_it_leaves_running_ends_with_it(test: &TestRuntime) {
    let seconds = 61_000_000 + std::process::id();
    let leaving =
        format!("sleep {seconds} & (setsid sleep {seconds} >/dev/null 2>&1 &); cd /tmp; echo hi; exit 3");
    let left = value(test.call("terminal", json!({"command": leaving, "timeout": 60})).await);
    assert_eq!((&left["output"], &left["exit_code"]), (&json!("hi"), &json!(3)), "{left}");
    assert_eq!(left["cwd"], json!("/tmp"));
    assert_eq!(still_sleeping(test, seconds).await, "", "still running");
}

/// Whoever has an account on this machine or over there can read what programs are started with.
async fn no_value_stands_in_a_list_of_arguments(test: &TestRuntime) {
    static RUNS: AtomicUsize = AtomicUsize::new(0);
    let number = format!("{}-{}", std::process::id(), RUNS.fetch_add(1, Ordering::Relaxed));
    let value_of = format!("canary-{number}");
    // The line itself is no secret, so it does not say the value. A name like those of a shell's own is no such name.
    let export = format!("export CANARY=$(echo yranac | rev)-{number}; export BASH_CANARY=$CANARY");
    assert_eq!(output(test, &format!("{export}; echo $BASH_CANARY")).await, value_of);
    for (pty, background) in [(false, false), (true, false), (false, true), (true, true)] {
        let command =
            "for i in 1 2 3 4 5 6 7 8; do sleep 0.25; done; [ $CANARY = $BASH_CANARY ] && echo $CANARY | rev";
        let arguments = json!({"command": command, "pty": pty, "background": background});
        let call = async {
            let begun = value(test.call("terminal", arguments).await);
            let Some(id) = begun["session_id"].as_str() else { return begun };
            value(test.call("process", json!({"action": "wait", "session_id": id, "timeout": 60})).await)
        };
        tokio::pin!(call);
        let ended = loop {
            tokio::select! {
                ended = &mut call => break ended,
                () = tokio::time::sleep(Duration::from_millis(20)) => {}
            }
            let processes = std::fs::read_dir("/proc").unwrap().flatten();
            for process in processes {
                let line = std::fs::read(process.path().join("cmdline")).unwrap_or_default();
                let line = String::from_utf8_lossy(&line).into_owned();
                assert!(!line.contains(&value_of), "pty: {pty}, background: {background}: {line}");
            }
        };
        let shown = ended["output"].as_str().unwrap().trim_end().to_owned();
        assert_eq!(shown, value_of.chars().rev().collect::<String>(), "{ended}");
    }
    output(test, "unset CANARY BASH_CANARY").await;
}

/// A command that runs out of time has still told where its shell stood.
async fn what_is_cancelled_is_ended_there_too(test: &TestRuntime) {
    output(test, "cd /").await;
    let late = value(
        test.call("terminal", json!({"command": "cd /tmp; export LATE=1; sleep 1000", "timeout": 1})).await,
    );
    assert_eq!(late["exit_code"], json!(124), "{late}");
    assert_eq!(output(test, "pwd; echo $LATE; unset LATE").await, "/tmp\n1");

    let seconds = 80_000_000 + std::process::id();
    let (call, cancel) =
        test.call_cancellable("terminal", json!({"command": format!("trap '' TERM; sleep {seconds}")}));
    // Nobody can look while it runs: commands of a session come one after another.
    tokio::time::sleep(Duration::from_secs(3)).await;
    cancel.cancel();
    assert!(call.await.unwrap().result.is_err());
    hermes_host::terminal::ended_elsewhere().await;
    assert_eq!(still_sleeping(test, seconds).await, "", "still running");
}

/// Its input stays open, and is a pipe.
async fn typed_into(test: &TestRuntime) {
    let reading = json!({"command": "read line; echo \"got $line\"; exit 6", "background": true});
    let started = value(test.call("terminal", reading).await);
    let id = started["session_id"].as_str().unwrap().to_owned();
    value(test.call("process", json!({"action": "submit", "session_id": id, "data": "typed"})).await);
    let ended = value(test.call("process", json!({"action": "wait", "session_id": id, "timeout": 60})).await);
    assert_eq!((&ended["exit_code"], &ended["output"]), (&json!(6), &json!("got typed")), "{ended}");
}

async fn in_the_background(test: &TestRuntime, (backend, identity): (&str, &str)) {
    let seconds = 70_000_000 + std::process::id();
    let started = value(
        test.call("terminal", json!({"command": format!("env -i setsid sleep {seconds} & echo begun; sleep {seconds}"), "background": true}))
            .await,
    );
    assert_eq!(started["ran"]["backend"], json!(backend), "{started}");
    assert!(started["ran"]["identity"].as_str().unwrap_or_default().contains(identity), "{started}");
    let is_elsewhere = backend != "local";
    assert!(!is_elsewhere || started["ran"]["sandbox"] != json!("open"), "{started}");
    let id = started["session_id"].as_str().unwrap().to_owned();
    let mut seen = String::new();
    while !seen.contains("begun") {
        tokio::time::sleep(Duration::from_millis(20)).await;
        let polled = value(test.call("process", json!({"action": "poll", "session_id": id})).await);
        assert_eq!(polled["state"], json!("running"), "{polled}");
        seen = polled["output"].as_str().unwrap().to_owned();
    }
    let ended = value(test.call("process", json!({"action": "kill", "session_id": id})).await);
    assert_eq!(ended["state"], json!("exited"), "{ended}");
    assert_ne!(ended["exit_code"], json!(0), "{ended}");
    let left = still_sleeping(test, seconds).await;
    assert_eq!(left, "", "still running");
}

/// One of its own, of a certain size, that is typed into.
async fn on_a_terminal(test: &TestRuntime) {
    let none = output(test, "test -t 0 || test -t 1 || echo none").await;
    assert_eq!(none, "none");
    // The client of docker gives a terminal its size only once the command has begun.
    let command = "test -t 0 && test -t 1 && for i in $(seq 100); do \
        test \"$(stty size 2>/dev/null)\" = '30 120' && break; sleep 0.1; done; stty size; cd /; export ON=1";
    let own = value(test.call("terminal", json!({"command": command, "pty": true})).await);
    assert_eq!((&own["output"], &own["exit_code"]), (&json!("30 120"), &json!(0)), "{own}");
    assert_eq!(output(test, "pwd; echo $ON").await, "/\n1");

    let reading =
        json!({"command": "stty -echo; read line; echo \"got $line\"", "background": true, "pty": true});
    let started = value(test.call("terminal", reading).await);
    let id = started["session_id"].as_str().unwrap().to_owned();
    value(test.call("process", json!({"action": "submit", "session_id": id, "data": "typed"})).await);
    let ended = value(test.call("process", json!({"action": "wait", "session_id": id, "timeout": 60})).await);
    assert_eq!(ended["exit_code"], json!(0), "{ended}");
    let log = value(test.call("process", json!({"action": "log", "session_id": id})).await);
    assert!(log["output"].as_str().unwrap().contains("got typed"), "{log}");
}

/// Processes over there that sleep exactly that long.
async fn still_sleeping(test: &TestRuntime, seconds: u32) -> String {
    let look = "if grep --version 2>/dev/null | grep -q GNU; then grep -lazE '^sleep$' /proc/[0-9]*/cmdline; \
        else ls /proc/[0-9]*/cmdline; fi 2>/dev/null | while read p; do \
        (tr '\\0' ' ' < $p) 2>/dev/null | grep '^sleep SECONDS'; done; true";
    output(test, &look.replace("SECONDS", &seconds.to_string())).await
}
