//! Commands through the whole pipeline: what they leave for the next one, what they cannot do.

use std::sync::Arc;

use hermes_core::ErrorCode;
use hermes_core::redact::Redactor;
use hermes_testkit::{ScriptedApprover, TestRuntime};
use serde_json::{Value, json};

use crate::support::value;

async fn ran(test: &TestRuntime, command: &str) -> Value {
    test.call("terminal", json!({"command": command})).await.result.unwrap()
}

#[tokio::test]
async fn folder_and_exports_last_also_after_exit_and_timeout() {
    let test = TestRuntime::new().await;
    test.write("src/a.txt", "x");
    let first = ran(&test, "cd src && export A='it'\"'\"'s a \"test\"' && B=lost; exit 3").await;
    assert_eq!((&first["exit_code"], &first["output"]), (&json!(3), &json!("")));
    assert_eq!(first["cwd"], json!(test.path("src").display().to_string()));
    let second = ran(&test, "pwd; echo \"$A|$B\"; ls").await;
    let expected = format!("{}\nit's a \"test\"|\na.txt", test.path("src").display());
    assert_eq!(second["output"], json!(expected));

    let cut = test.call("terminal", json!({"command": "export C=1; cd ..; sleep 100", "timeout": 4})).await;
    let cut = cut.result.unwrap();
    assert_eq!(
        (&cut["exit_code"], &cut["exit_code_meaning"]),
        (&json!(124), &json!("ended after 4 seconds"))
    );
    let third = ran(&test, "echo $C; pwd").await;
    assert_eq!(third["output"], json!(format!("1\n{}", test.workspace().display())));

    let unset = ran(&test, "unset A C LANG; echo \"$A$C\"").await;
    assert_eq!(unset["output"], json!(""));
    assert_eq!(ran(&test, "echo \"[$A]\"").await["output"], json!("[]"));
}

#[tokio::test]
async fn sessions_do_not_share_their_shell() {
    let test = TestRuntime::new().await;
    ran(&test, "mkdir d; cd d; export A=1").await;
    let other = test.session("other").call("terminal", json!({"command": "pwd; echo $A"})).await;
    assert_eq!(other.result.unwrap()["output"], json!(test.workspace().display().to_string()));
}

#[tokio::test]
async fn workdir_and_env_are_for_one_command() {
    let test = TestRuntime::new().await;
    test.write("a ö'\"$(x)/file", "x");
    let arguments = json!({"command": "ls; echo $X", "workdir": "a ö'\"$(x)", "env": {"X": "1 $HOME"}});
    let there = test.call("terminal", arguments).await.result.unwrap();
    assert_eq!(there["output"], json!("file\n1 $HOME"));
    let after = ran(&test, "pwd; echo [$X]").await;
    assert_eq!(after["output"], json!(format!("{}\n[]", test.workspace().display())));
    let missing = test.call("terminal", json!({"command": "ls", "workdir": "nowhere"})).await;
    assert_eq!(missing.result.unwrap_err().code, ErrorCode::NotFound);
}

#[tokio::test]
async fn what_is_left_running_is_ended_and_said() {
    let test = TestRuntime::new().await;
    let left = ran(&test, "sleep 1000 & setsid sleep 1000 & echo hi").await;
    assert_eq!(left["output"], json!("hi"));
    assert!(left["note"].as_str().unwrap().starts_with("2 processes"), "{left}");
    let left = ran(&test, "sleep 1000 & echo hi").await;
    assert!(left["note"].as_str().unwrap().starts_with("a process"), "{left}");
}

#[tokio::test]
async fn output_is_bounded_cleaned_and_counted() {
    let test = TestRuntime::new().await;
    let long =
        ran(&test, "seq 1 200000; printf '\\033[31mend\\033[0m\\n'; printf '1%%\\r2%%\\r3%%\\n' >&2").await;
    let text = long["output"].as_str().unwrap();
    assert!(
        text.starts_with("1\n2\n3\n") && text.ends_with("200000\nend\n3%"),
        "{}",
        text.lines().last().unwrap()
    );
    assert!(text.contains("bytes left out here"));
    assert!(text.len() < 51_000, "{}", text.len());
    let bytes = ran(&test, "printf 'a\\xffb\\0c'").await;
    assert_eq!(bytes["output"], json!("a\u{fffd}bc"));
    let marks = ran(&test, "echo __hermes_mark; printf 'no newline at the end'").await;
    assert_eq!(marks["output"], json!("__hermes_mark\nno newline at the end"));
}

#[tokio::test]
async fn the_middle_of_a_long_output_can_be_read() {
    let secret = "tok-0815-4711-abcdef";
    let redactor = Redactor::new([("TOKEN".to_owned(), secret.to_owned())]);
    let test = TestRuntime::builder().redactor(redactor).build().await;
    let long =
        ran(&test, &format!("seq 1 60000; printf 'is \\033[31m{secret}\\033[0m\\n'; seq 1 60000")).await;
    assert_eq!(
        (&long["truncated"], &long["lines"], &long["exit_code"]),
        (&json!(true), &json!(120_001), &json!(0)),
        "{long}"
    );
    let handle = long["handle"].as_str().unwrap();
    assert!(
        long["output"]
            .as_str()
            .unwrap()
            .contains(&format!("bytes left out here: read_result pages through {handle}]"))
    );
    let read = async |arguments: Value| value(test.call("read_result", arguments).await);
    let middle = read(json!({"handle": format!("{handle}#L59999-L60002")})).await;
    let middle = middle["content"].as_str().unwrap();
    assert!(middle.starts_with("59999\n60000\nis ") && middle.ends_with("\n1\n"), "{middle}");
    assert!(!middle.contains(secret), "{middle}");
    let found = read(json!({"handle": handle, "pattern": "^31337$"})).await;
    assert_eq!(found["content"], "31337|31337\n91338|31337\n");
    // Anywhere a text is expected.
    test.call("write_file", json!({"path": "all.txt", "content": handle})).await;
    assert_eq!(test.read("all.txt").lines().count(), 120_001);
}

#[tokio::test]
async fn of_a_flood_the_beginning_and_the_end_are_kept() {
    let test = TestRuntime::new().await;
    let flood = ran(&test, "yes 0123456789 | head -c 20000000; echo; echo the end").await;
    let handle = flood["handle"].as_str().unwrap();
    let kept = flood["chars"].as_u64().unwrap();
    assert!((4_000_000..4_300_000).contains(&kept), "{kept}");
    let gap =
        value(test.call("read_result", json!({"handle": handle, "pattern": "left out here|the end"})).await);
    let gap = gap["content"].as_str().unwrap();
    assert!(gap.contains(" of 20000009 bytes left out here]") && gap.ends_with("|the end\n"), "{gap}");
}

#[tokio::test]
async fn odd_commands_end_like_in_a_shell() {
    let test = TestRuntime::new().await;
    for (command, code) in [
        ("echo 'open", 2),
        ("true # a comment", 0),
        ("cat <<END\nhello", 0),
        ("false", 1),
        ("nonsense-program", 127),
        ("kill -9 $$", 137),
        ("exec true", 0),
        ("return 4 2>/dev/null; exit 5", 5),
        ("trap 'echo mine' EXIT; exit 6", 6),
        ("echo \\", 0),
    ] {
        assert_eq!(ran(&test, command).await["exit_code"], json!(code), "{command}");
    }
}

#[tokio::test]
async fn a_folder_that_vanished_is_left_for_the_nearest_one() {
    let test = TestRuntime::new().await;
    ran(&test, "mkdir -p a/b && cd a/b").await;
    std::fs::remove_dir_all(test.path("a")).unwrap();
    assert_eq!(ran(&test, "pwd").await["output"], json!(test.workspace().display().to_string()));
}

#[tokio::test]
async fn commands_cannot_leave_the_workspace() {
    let test = TestRuntime::new().await;
    let home = test.workspace().parent().unwrap().join("home");
    std::fs::write(home.join(".hermes/secret"), "top secret").unwrap();
    let tried = ran(
        &test,
        "echo ok > inside; echo x > ~/outside; cat ~/.hermes/secret; mkdir .hermes/x; echo x > .hermes",
    )
    .await;
    assert_eq!(tried["ran"], json!({"backend": "local", "sandbox": "sealed"}));
    assert_eq!(test.read("inside"), "ok\n");
    assert!(!home.join("outside").exists());
    assert!(!tried["output"].as_str().unwrap().contains("top secret"), "{tried}");
    assert!(!test.path(".hermes").exists());
}

#[tokio::test]
async fn secrets_of_the_environment_do_not_reach_commands() {
    let test = TestRuntime::builder().env("MY_API_KEY", "canary-123456").env("LC_ALL", "C").build().await;
    let seen = ran(&test, "env; cat /proc/*/environ /proc/$PPID/environ 2>/dev/null | tr '\\0' '\\n'").await;
    let text = seen["output"].as_str().unwrap();
    assert!(text.contains("LC_ALL=C") && text.contains("PATH="), "{text}");
    assert!(!text.contains("canary"), "{text}");
}

#[tokio::test]
async fn a_command_is_judged_in_the_folder_and_with_the_variables_it_runs_with() {
    let asked = Arc::new(std::sync::Mutex::new(Vec::new()));
    let judge = Judge(Arc::clone(&asked));
    let test =
        TestRuntime::builder().policy(Arc::new(judge)).approver(ScriptedApprover::absent()).build().await;
    test.write("d/x", "x");
    ran(&test, "cd d; export T=/etc").await;
    let refused = test.call("terminal", json!({"command": "echo $T"})).await.result.unwrap_err();
    assert_eq!(refused.code, ErrorCode::PermissionDenied);
    let seen = asked.lock().unwrap().join("\n");
    assert!(seen.contains(&format!("T='/etc'; cd '{}'; echo $T", test.path("d").display())), "{seen}");
}

#[tokio::test]
async fn a_variable_for_one_command_is_judged_whether_the_command_speaks_of_it_or_not() {
    let judge = Judge(Arc::default());
    let test =
        TestRuntime::builder().policy(Arc::new(judge)).approver(ScriptedApprover::absent()).build().await;
    let with = |value: &str| json!({"command": "echo run; true", "env": {"T": value}});
    assert_eq!(value(test.call("terminal", with("/usr")).await)["output"], json!("run"));
    let refused = test.call("terminal", with("/etc")).await.result.unwrap_err();
    assert_eq!(refused.code, ErrorCode::PermissionDenied);
}

/// Allows everything but commands that speak of `/etc`.
struct Judge(Arc<std::sync::Mutex<Vec<String>>>);

impl hermes_core::Policy for Judge {
    fn decide(&self, request: &hermes_core::AccessRequest<'_>) -> hermes_core::Decision {
        let texts: Vec<String> = request.access.iter().map(ToString::to_string).collect();
        self.0.lock().unwrap().extend(texts.clone());
        let denied = request.tool == "terminal" && texts.iter().any(|text| text.contains("T='/etc'"));
        let verdict = if denied { hermes_core::Verdict::Deny } else { hermes_core::Verdict::Allow };
        hermes_core::Decision::new(verdict, "test", "test")
    }
}

#[tokio::test]
async fn a_cancelled_command_tells_what_it_printed() {
    let test = TestRuntime::new().await;
    // What does not end when asked takes longer to end.
    for holding in ["sleep 1000", "(trap '' TERM; sleep 1000)", "trap '' TERM; sleep 1000; sleep 1000"] {
        let command = format!("echo begun; touch begun; {holding}");
        let (call, cancel) = test.call_cancellable("terminal", json!({"command": command}));
        while !test.path("begun").exists() {
            tokio::time::sleep(std::time::Duration::from_millis(5)).await;
        }
        cancel.cancel();
        let error = call.await.unwrap().result.unwrap_err();
        assert_eq!((error.code, &error.data["cause"]), (ErrorCode::OutcomeUnknown, &json!("cancelled")));
        assert_eq!(error.data["exit_code"], json!(130), "{holding}: {error:?}");
        assert!(error.data["output"].as_str().unwrap().starts_with("begun"), "{error:?}");
        std::fs::remove_file(test.path("begun")).unwrap();
    }
}

#[tokio::test]
async fn a_terminal_of_its_own() {
    let test = TestRuntime::new().await;
    let plain = ran(&test, "test -t 0 || echo none; test -t 1 || echo none").await;
    assert_eq!(plain["output"], json!("none\nnone"));
    let arguments =
        json!({"command": "test -t 0 && test -t 1 && tput cols; cd /tmp; export P=1", "pty": true});
    let own = test.call("terminal", arguments).await.result.unwrap();
    assert_eq!(own["output"], json!("120"));
    let named = json!({"command": "echo written > \"$(tty)\" && stty size < \"$(tty)\"", "pty": true});
    assert_eq!(test.call("terminal", named).await.result.unwrap()["output"], json!("written\n30 120"));
    assert_eq!(ran(&test, "pwd; echo $P $TERM").await["output"], json!("/tmp\n1 dumb"));
}
