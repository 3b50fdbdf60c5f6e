//! Over ssh: what goes on although its command or its connection has ended, and is ended or told.

use std::process::Command;
use std::time::{Duration, Instant};

use hermes_testkit::TestRuntime;
use serde_json::json;

use super::ssh::Sshd;
use super::started::done;
use crate::support::value;

/// What takes no longer than this did not wait, on a machine that has much to do too.
const SOON: Duration = Duration::from_secs(60);

/// Waits until nothing is there that sleeps so long, or is about to.
#[track_caller]
fn none_sleeps_soon(seconds: u32) {
    let begun = Instant::now();
    loop {
        let found = Command::new("pgrep").args(["-af", &format!("sleep\\W+{seconds}")]).output().unwrap();
        if found.stdout.is_empty() {
            return;
        }
        assert!(begun.elapsed() < SOON, "{}", String::from_utf8_lossy(&found.stdout));
        std::thread::sleep(Duration::from_millis(100));
    }
}

/// Nothing is there that sleeps so long.
#[track_caller]
fn none_sleeps(seconds: u32) {
    let found = Command::new("pgrep").args(["-f", &format!("^sleep {seconds}")]).output().unwrap();
    assert_eq!(String::from_utf8_lossy(&found.stdout), "");
}

/// Where the serving side ends, its client does too, with a code of its own.
#[tokio::test]
async fn a_lost_server_is_no_end() {
    let sshd = Sshd::start();
    let test = TestRuntime::builder().terminal(sshd.settings("known")).build().await;
    let seconds = 90_500_000 + std::process::id();
    let command = format!("echo up $PPID; sleep {seconds}");
    let arguments = json!({"command": command, "background": true, "notify_on_complete": true});
    let id = value(test.call("terminal", arguments).await)["session_id"].as_str().unwrap().to_owned();
    let act = |action: &str| test.call("process", json!({"action": action, "session_id": id}));
    while !value(act("poll").await)["output"].as_str().unwrap().contains("up") {
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    // The nearest process of the server above it serves its connection.
    let sleeper = done(Command::new("pgrep").args(["-f", &format!("^sleep {seconds}")]));
    let parent = |of: &str| done(Command::new("ps").args(["-o", "ppid=", "-p", of])).trim().to_owned();
    let mut above = sleeper.trim().to_owned();
    while !done(Command::new("ps").args(["-o", "args=", "-p", &above])).starts_with("sshd") {
        above = parent(&above);
    }
    done(Command::new("kill").args(["-KILL", &above]));
    let waited = value(act("wait").await);
    assert_eq!((&waited["state"], waited.get("exit_code")), (&json!("unknown"), None), "{waited}");
    assert!(!waited.to_string().contains("\"ended\""), "{waited}");
    let killed = value(act("kill").await);
    assert_eq!((&killed["state"], &killed["exit_code"]), (&json!("exited"), &json!(255)), "{killed}");
    assert!(!Command::new("pgrep").args(["-f", &format!("^sleep {seconds}")]).status().unwrap().success());
}

/// What forks and ends all the time is faster than anybody who looks through all processes; it ends nevertheless, and
/// nobody waits for it longer than for its command.
#[tokio::test]
async fn what_forks_away_all_the_time_ends_with_its_command() {
    let sshd = Sshd::start();
    let test = TestRuntime::builder().terminal(sshd.settings("known")).build().await;
    let seconds = 98_500_000 + std::process::id();
    let hopper = format!(
        "use POSIX; my $until = time() + 6; setsid; while (time() < $until) {{ fork and exit }} exec qw(sleep {seconds})"
    );
    let many =
        format!("for n in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15; do (perl -e '{hopper}' &); done; sleep 0.5");
    let begun = Instant::now();
    let at_once =
        value(test.call("terminal", json!({"command": format!("{many}; exit 3"), "timeout": 120})).await);
    assert_eq!(at_once["exit_code"], json!(3), "{at_once}");
    assert!(begun.elapsed() < SOON);
    let cut =
        value(test.call("terminal", json!({"command": format!("{many}; sleep 1000"), "timeout": 2})).await);
    assert_eq!(cut["exit_code"], json!(124), "{cut}");
    hermes_host::terminal::ended_elsewhere().await;
    // By then none of them forks any more, but sleeps where it was not ended.
    tokio::time::sleep(Duration::from_secs(8)).await;
    none_sleeps_soon(seconds);
}

/// What gave its environment away and lost its parent is a child of the shell, so it ends with the command.
#[tokio::test]
async fn what_dropped_everything_ends_with_its_command() {
    let sshd = Sshd::start();
    let test = TestRuntime::builder().terminal(sshd.settings("known")).build().await;
    let seconds = 91_000_000 + std::process::id();
    let hostile = format!(
        "export LATE=1; for n in 1 2 3; do env -i setsid sh -c 'trap \"\" TERM; (exec env -i sleep {seconds} &) & sleep 0.1' & done; \
         for n in 1 2 3; do (env -i setsid -f sleep {seconds}); done; sleep 1000; touch went-on"
    );
    let cut = value(test.call("terminal", json!({"command": hostile, "timeout": 2})).await);
    assert_eq!(cut["exit_code"], json!(124), "{cut}");
    none_sleeps(seconds);
    let after = value(test.call("terminal", json!({"command": "echo $LATE; ls went-on"})).await);
    assert!(
        after["output"].as_str().unwrap().starts_with("1\n") && after["exit_code"] != json!(0),
        "{cut} {after}"
    );
}

/// What killed its own shell has nobody above it but who stays with the command.
#[tokio::test]
async fn what_killed_its_shell_ends_with_it() {
    let sshd = Sshd::start();
    let test = TestRuntime::builder().terminal(sshd.settings("known")).build().await;
    let seconds = 95_000_000 + std::process::id();
    let hostile = format!(
        "env -i setsid sh -c 'trap \"\" TERM; (exec env -i sleep {seconds} &) & kill -KILL '$$'; sleep {seconds}'"
    );
    let ended = value(test.call("terminal", json!({"command": hostile, "timeout": 60})).await);
    assert_eq!(ended["exit_code"], json!(137), "{ended}");
    none_sleeps(seconds);
}
