//! A host that says nothing any more, behind a real OpenSSH server on the loopback.

use std::process::Command;
use std::time::{Duration, Instant};

use hermes_testkit::TestRuntime;
use serde_json::json;

use super::ssh::Sshd;
use super::started::done;
use crate::support::value;

/// A host that says nothing any more keeps nobody waiting, and nothing is said of what nobody knows.
#[tokio::test]
async fn a_host_that_fell_silent_keeps_nobody_waiting() {
    let sshd = Sshd::start();
    let test = TestRuntime::builder().terminal(sshd.settings("known")).build().await;
    value(test.call("terminal", json!({"command": "true"})).await);
    let seconds = 98_000_000 + std::process::id();
    // Everything that serves this connection, but the server itself.
    let serving = format!("sshd: .*\\[|sshd-session: |sshd: {}", done(Command::new("id").arg("-un")).trim());
    let all = |signal: &str| {
        let server = sshd.server.id().to_string();
        let of_server = done(Command::new("pgrep").args(["-P", &server]));
        for pid in of_server.lines() {
            let below = Command::new("pgrep").args(["-P", pid, "-f", &serving]).output().unwrap();
            let below = String::from_utf8(below.stdout).unwrap();
            for pid in std::iter::once(pid).chain(below.lines()) {
                done(Command::new("kill").args([signal, pid]));
            }
        }
    };
    let command = json!({"command": format!("sleep {seconds}"), "timeout": 2});
    let began = Instant::now();
    let (cut, ()) = tokio::join!(test.call("terminal", command), async {
        tokio::time::sleep(Duration::from_secs(1)).await;
        all("-STOP");
    });
    let took = began.elapsed();
    all("-CONT");
    let cut = value(cut);
    assert!(took < Duration::from_secs(15), "{took:?}");
    assert_eq!(cut["exit_code"], json!(124), "{cut}");
    assert!(cut["note"].as_str().unwrap_or_default().contains("may still run there"), "{cut}");
    // It is ended all the same, once the host can be reached again.
    hermes_host::terminal::ended_elsewhere().await;
    let left = Command::new("pgrep").args(["-f", &format!("^sleep {seconds}")]).output().unwrap();
    assert_eq!(String::from_utf8_lossy(&left.stdout), "");
}
