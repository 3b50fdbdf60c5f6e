//! Sessions do not wait for each other's walls.

use std::collections::BTreeSet;
use std::sync::{Arc, Condvar, Mutex};
use std::time::Duration;

use hermes_core::{AccessRequest, Decision, Policy, Target, Verdict};
use hermes_testkit::TestRuntime;
use serde_json::json;

use crate::support::value;

/// Judges the first file of a session only once a second session is being judged too.
#[derive(Default)]
struct Together {
    sessions: Mutex<BTreeSet<String>>,
    came: Condvar,
}

impl Policy for Together {
    fn decide(&self, request: &AccessRequest<'_>) -> Decision {
        if request.access.iter().any(|access| matches!(access.target, Target::Resolved(_))) {
            let mut sessions = self.sessions.lock().unwrap();
            sessions.insert(request.session.to_owned());
            self.came.notify_all();
            let alone = |sessions: &mut BTreeSet<String>| sessions.len() < 2;
            let waited = self.came.wait_timeout_while(sessions, Duration::from_secs(20), alone).unwrap();
            assert!(!waited.1.timed_out(), "the other session was kept waiting");
        }
        Decision::new(Verdict::Allow, "together", "together")
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn two_sessions_are_walled_in_at_once() {
    let test = TestRuntime::builder().policy(Arc::new(Together::default())).build().await;
    let (one, other) = (test.session("one"), test.session("other"));
    let one = tokio::spawn(async move { one.call("terminal", json!({"command": "echo one"})).await });
    let other = tokio::spawn(async move { other.call("terminal", json!({"command": "echo other"})).await });
    assert_eq!(value(one.await.unwrap())["output"], json!("one"));
    assert_eq!(value(other.await.unwrap())["output"], json!("other"));
}
