//! Calls that are stopped: by a time limit, by their caller, while somebody is asked.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use hermes_core::{Effect, ErrorCode, ToolError};
use hermes_testkit::{FnTool, TestRuntime};
use serde_json::{Value, json};
use tokio::sync::Notify;

#[tokio::test(start_paused = true)]
async fn timeouts_and_cancellation_stop_the_work() {
    let stopped = Arc::new(AtomicBool::new(false));
    struct OnDrop(Arc<AtomicBool>);
    impl Drop for OnDrop {
        fn drop(&mut self) {
            self.0.store(true, Ordering::SeqCst);
        }
    }
    let flag = Arc::clone(&stopped);
    let endless = move |name: &str, effect: Effect| {
        let flag = Arc::clone(&flag);
        FnTool::new(name, move |_, _| {
            let guard = OnDrop(Arc::clone(&flag));
            async move {
                std::future::pending::<()>().await;
                drop(guard);
                Ok(json!({}))
            }
        })
        .effect(effect)
        .with(|info| info.timeout = Duration::from_secs(3))
        .arc()
    };
    let runtime = TestRuntime::builder()
        .tool(endless("reads", Effect::ReadOnly))
        .tool(endless("changes", Effect::Mutating))
        .build()
        .await;
    let error = runtime.call("reads", json!({})).await.result.unwrap_err();
    assert_eq!((error.code, error.retryable), (ErrorCode::Timeout, true));
    assert!(error.message.contains("3 s"), "{}", error.message);
    assert!(stopped.swap(false, Ordering::SeqCst), "the handler's future was dropped");
    let error = runtime.call("changes", json!({})).await.result.unwrap_err();
    assert_eq!((error.code, &error.data["cause"]), (ErrorCode::OutcomeUnknown, &json!("timeout")));

    let (running, cancel) = runtime.call_cancellable("reads", json!({}));
    tokio::time::sleep(Duration::from_millis(10)).await;
    cancel.cancel();
    assert_eq!(running.await.unwrap().error_code(), Some(ErrorCode::Cancelled));
    assert!(stopped.load(Ordering::SeqCst));
    cancel.cancel();
    let (before, token) = runtime.call_cancellable("changes", json!({}));
    token.cancel();
    let outcome = before.await.unwrap();
    assert_eq!((outcome.error_code(), outcome.ran), (Some(ErrorCode::Cancelled), false));
}

#[tokio::test(start_paused = true)]
async fn a_handler_that_stops_cleanly_is_believed() {
    let polite = |name: &str, answer: fn() -> Result<Value, ToolError>| {
        FnTool::new(name, move |_, cx| async move {
            cx.cancel().cancelled().await;
            answer()
        })
        .effect(Effect::Mutating)
        .with(|info| info.timeout = Duration::from_secs(1))
        .arc()
    };
    let runtime = TestRuntime::builder()
        .tool(polite("undone", || Err(ToolError::new(ErrorCode::Cancelled, "nothing was written"))))
        .tool(polite("begun", || Err(ToolError::new(ErrorCode::OutcomeUnknown, "half is written"))))
        .tool(polite("done", || Ok(json!({"written": true}))))
        .build()
        .await;
    assert_eq!(runtime.call("undone", json!({})).await.error_code(), Some(ErrorCode::Timeout), "not unknown");
    let error = runtime.call("begun", json!({})).await.result.unwrap_err();
    assert_eq!((error.code, &error.data["cause"]), (ErrorCode::OutcomeUnknown, &json!("timeout")));
    assert!(error.message.contains("1 s") && error.message.contains("half is written"), "{error}");
    assert_eq!(runtime.call("done", json!({})).await.result.unwrap(), json!({"written": true}));
}

/// Whoever needs longer to stop is heard for as long as it says.
#[tokio::test(start_paused = true)]
async fn a_tool_says_how_long_it_may_take_to_stop() {
    let slow = |name: &str, grace: Option<u64>| {
        FnTool::new(name, |_, cx| async move {
            cx.cancel().cancelled().await;
            tokio::time::sleep(Duration::from_secs(2)).await;
            Err(ToolError::new(ErrorCode::OutcomeUnknown, "it was ended").with_field("output", "begun"))
        })
        .effect(Effect::Mutating)
        .with(|info| info.stop_grace = grace.map_or(info.stop_grace, Duration::from_secs))
        .arc()
    };
    let runtime =
        TestRuntime::builder().tool(slow("heard", Some(3))).tool(slow("unheard", None)).build().await;
    for (name, output) in [("heard", json!("begun")), ("unheard", Value::Null)] {
        let (call, cancel) = runtime.call_cancellable(name, json!({}));
        tokio::time::sleep(Duration::from_millis(10)).await;
        cancel.cancel();
        let error = call.await.unwrap().result.unwrap_err();
        assert_eq!(error.code, ErrorCode::OutcomeUnknown, "{name}");
        let said = error.data.get("output").cloned().unwrap_or_default();
        assert_eq!(said, output, "{name}: {error:?}");
    }
}

#[tokio::test]
async fn dropping_a_call_tells_a_handler_on_another_thread() {
    let (begun, told) = (Arc::new(Notify::new()), Arc::new(Notify::new()));
    let signals = (Arc::clone(&begun), Arc::clone(&told));
    let tool = FnTool::new("elsewhere", move |_, cx| {
        let (begun, told) = signals.clone();
        async move {
            let work = tokio::spawn(async move {
                begun.notify_one();
                cx.cancel().cancelled().await;
                told.notify_one();
            });
            work.await.map_err(|error| ToolError::internal(error.to_string()))?;
            Ok(json!({}))
        }
    });
    let runtime = TestRuntime::builder().tool(tool.arc()).build().await;
    let (running, _cancel) = runtime.call_cancellable("elsewhere", json!({}));
    begun.notified().await;
    running.abort();
    // A handler that is never told keeps the test from ending.
    told.notified().await;
}

#[tokio::test]
async fn cancelling_does_not_wait_for_a_slow_approver() {
    struct Never(Arc<Notify>);
    impl hermes_core::Approver for Never {
        fn ask<'a>(
            &'a self,
            _: &'a hermes_core::AccessRequest<'a>,
            _: &'a hermes_core::Decision,
        ) -> futures_util::future::BoxFuture<'a, hermes_core::Approval> {
            self.0.notify_one();
            Box::pin(std::future::pending())
        }
    }
    let asked = Arc::new(Notify::new());
    let approver = Never(Arc::clone(&asked));
    let runtime = TestRuntime::builder().ask("system:*").approver(approver).build().await;
    let (running, cancel) = runtime.call_cancellable("system_info", json!({}));
    asked.notified().await;
    cancel.cancel();
    let outcome = running.await.unwrap();
    assert_eq!((outcome.error_code(), outcome.ran), (Some(ErrorCode::Cancelled), false));
}
