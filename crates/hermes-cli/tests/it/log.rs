//! What the operator reads on standard error, and what the model's side never sees there.

use std::os::unix::fs::PermissionsExt;

use serde_json::json;

use crate::harness::{Hermes, Ran, request};

const SECRET: &str = "sk-test-1f0c9a7be2d84c53";

/// A run with an observer that fails and says a secret.
fn run_with_broken_observer(level: Option<&str>) -> Ran {
    let mut hermes = Hermes::new().with_env("TEST_API_KEY", SECRET);
    if let Some(level) = level {
        hermes = hermes.with_env("HERMES_LOG", level);
    }
    let script = format!("#!/bin/sh\ncat > /dev/null\nprintf 'cannot log\\nwith {SECRET}\\n' >&2\nexit 1\n");
    let path = hermes.write("hook.sh", &script);
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).unwrap();
    let config = format!("hooks:\n  post_tool_call:\n    - command: ['{}']\n", path.display());
    let hermes = hermes.with_config(&config);
    hermes.run(&["hooks", "trust"]);
    hermes.write("a.txt", "one\n");
    hermes.run_with(&["run", "--json"], &request(&[("read_file", json!({"path": "a.txt"}))]))
}

#[test]
fn a_failing_observer_is_one_line_on_standard_error() {
    let ran = run_with_broken_observer(None);
    assert_eq!(ran.code, 0, "{}{}", ran.stdout, ran.stderr);
    assert_eq!(ran.json()["tool_results"][0]["content"]["status"], "success");
    let warnings: Vec<&str> = ran.stderr.lines().filter(|line| line.starts_with("warning:")).collect();
    let [line] = warnings[..] else { panic!("{}", ran.stderr) };
    assert!(line.contains("hook failed after a call") && line.contains("cannot log with"), "{line}");
    assert!(!ran.stderr.contains(SECRET) && !ran.stdout.contains(SECRET), "{}", ran.stderr);
}

#[test]
fn hermes_log_says_how_much() {
    assert!(!run_with_broken_observer(Some("off")).stderr.contains("hook failed"));
    assert!(!run_with_broken_observer(Some("error")).stderr.contains("hook failed"));
    assert!(run_with_broken_observer(Some("WARN")).stderr.contains("hook failed"));
    let refused = run_with_broken_observer(Some("loud"));
    assert_eq!(refused.code, 2);
    assert!(
        refused.stderr.contains("HERMES_LOG is 'loud', which is none of off, error,"),
        "{}",
        refused.stderr
    );
}
