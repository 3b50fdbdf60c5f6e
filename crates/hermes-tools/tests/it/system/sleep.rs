use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use hermes_core::ErrorCode;
use hermes_testkit::TestRuntime;
use serde_json::json;

use crate::support::{code, value};

#[tokio::test]
async fn waits_that_long() {
    let test = TestRuntime::new().await;
    let started = Instant::now();
    let slept = value(test.call("sleep", json!({"seconds": 0.2, "reason": "a test"})).await);
    assert!(started.elapsed() >= Duration::from_millis(200));
    assert_eq!(slept["interrupted"], false);
    assert!(slept["slept_seconds"].as_f64().unwrap() >= 0.2);
    assert!(slept["woke_at"].as_str().unwrap().ends_with('Z'));
}

/// Time stands still but for the waits of this test, and so does the clock that says how long was slept.
#[tokio::test(start_paused = true)]
async fn an_interrupt_ends_it_at_once_and_is_no_error() {
    let test = TestRuntime::new().await;
    let (call, cancel) = test.call_cancellable("sleep", json!({"seconds": 3_600}));
    tokio::time::sleep(Duration::from_secs(2)).await;
    cancel.cancel();
    let slept = value(call.await.unwrap());
    assert_eq!((&slept["interrupted"], &slept["slept_seconds"]), (&json!(true), &json!(2.0)));
}

#[tokio::test(start_paused = true)]
async fn the_longest_wait_is_not_a_timeout() {
    let test = TestRuntime::new().await;
    let slept = value(test.call("sleep", json!({"seconds": 3_600})).await);
    assert_eq!((&slept["slept_seconds"], &slept["interrupted"]), (&json!(3_600.0), &json!(false)));
}

/// Nobody asked for less than the wait: whoever called must not take it for done.
#[tokio::test(start_paused = true)]
async fn the_limit_of_the_operator_is_a_timeout() {
    let limits = BTreeMap::from([("sleep".to_owned(), Duration::from_secs(2))]);
    let test = TestRuntime::builder().settings(|settings| settings.timeouts = limits).build().await;
    let error = test.call("sleep", json!({"seconds": 30})).await.result.unwrap_err();
    assert_eq!((error.code, &error.data["slept_seconds"]), (ErrorCode::Timeout, &json!(2.0)));
    assert_eq!(value(test.call("sleep", json!({"seconds": 1})).await)["interrupted"], false);
}

#[tokio::test]
async fn impossible_waits_are_refused() {
    let test = TestRuntime::new().await;
    for arguments in [
        json!({}),
        json!({"seconds": -1}),
        json!({"seconds": 3_601}),
        json!({"seconds": "NaN"}),
        json!({"seconds": 1, "until": "2001-01-01T00:00:00Z"}),
        json!({"until": "tomorrow"}),
        json!({"until": "2999-01-01T00:00:00Z"}),
    ] {
        assert_eq!(
            code(test.call("sleep", arguments.clone()).await),
            ErrorCode::InvalidArgument,
            "{arguments}"
        );
    }
}
