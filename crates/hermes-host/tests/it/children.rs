//! Tests that play another process on the same home.

use std::process::{Child, Command, Output, Stdio};

use hermes_host::home::Home;

const CHILD_HOME: &str = "HERMES_TEST_CHILD_HOME";
const CHILD_WORD: &str = "HERMES_TEST_CHILD_WORD";

/// Runs the test called `test` of this very binary in another process.
pub(crate) fn spawn(test: &str, home: &Home, word: &str) -> Child {
    Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "--include-ignored", "--nocapture", test])
        .env(CHILD_HOME, home.root())
        .env(CHILD_WORD, word)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap()
}

/// The home and word of a test that was started by [`spawn`]; none if it was not.
pub(crate) fn child_of() -> Option<(Home, String)> {
    Some((Home::at(std::env::var_os(CHILD_HOME)?), std::env::var(CHILD_WORD).ok()?))
}

/// What the child told with `@` before it, once it has ended.
pub(crate) fn told(child: Child) -> Vec<String> {
    let Output { stdout, status, .. } = child.wait_with_output().unwrap();
    assert!(status.success());
    let text = String::from_utf8(stdout).unwrap();
    text.lines().filter_map(|line| Some(line.split_once('@')?.1.to_owned())).collect()
}
