//! Setup before the first call, teardown after the last: once each.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use futures_util::future::BoxFuture;
use hermes_core::{AnyTool, CallContext, ErrorCode, Owner, Prepared, ToolError, ToolInfo};
use hermes_testkit::{FnTool, TestRuntime};
use serde_json::{Value, json};
use tokio::sync::Notify;

#[derive(Default)]
struct Counts {
    setups: AtomicUsize,
    teardowns: AtomicUsize,
    failing_setups: AtomicUsize,
    /// A call that was told to wait is there, and may go on.
    waits: Notify,
    go_on: Notify,
}

struct Stateful {
    info: ToolInfo,
    counts: Arc<Counts>,
}

impl AnyTool for Stateful {
    fn info(&self) -> &ToolInfo {
        &self.info
    }

    fn has_lifecycle(&self) -> bool {
        true
    }

    fn setup(&self) -> BoxFuture<'_, Result<(), ToolError>> {
        Box::pin(async {
            tokio::time::sleep(Duration::from_millis(10)).await;
            self.counts.setups.fetch_add(1, Ordering::SeqCst);
            let left = self.counts.failing_setups.load(Ordering::SeqCst);
            if left > 0 {
                self.counts.failing_setups.store(left - 1, Ordering::SeqCst);
                return Err(ToolError::internal("no database"));
            }
            Ok(())
        })
    }

    fn teardown(&self) -> BoxFuture<'_, ()> {
        self.counts.teardowns.fetch_add(1, Ordering::SeqCst);
        Box::pin(std::future::ready(()))
    }

    fn prepare(self: Arc<Self>, arguments: &Value) -> Result<Box<dyn Prepared>, ToolError> {
        Ok(Box::new(Call(arguments.clone(), Arc::clone(&self.counts))))
    }
}

struct Call(Value, Arc<Counts>);

impl Prepared for Call {
    fn access(&self) -> Vec<hermes_core::Access> {
        Vec::new()
    }

    fn run(self: Box<Self>, _cx: CallContext) -> BoxFuture<'static, Result<Value, ToolError>> {
        Box::pin(async move {
            match self.0["do"].as_str() {
                Some("panic") => panic!("boom"),
                Some("wait") => {
                    self.1.waits.notify_one();
                    self.1.go_on.notified().await;
                }
                _ => {}
            }
            Ok(json!({}))
        })
    }
}

async fn stateful() -> (TestRuntime, Arc<Counts>) {
    let counts = Arc::new(Counts::default());
    let info = FnTool::echo("stateful").info;
    let tool = Arc::new(Stateful { info, counts: Arc::clone(&counts) });
    (TestRuntime::builder().tool(tool).build().await, counts)
}

fn seen(counts: &Counts) -> (usize, usize) {
    (counts.setups.load(Ordering::SeqCst), counts.teardowns.load(Ordering::SeqCst))
}

#[tokio::test]
async fn concurrent_first_calls_share_one_setup() {
    let (runtime, counts) = stateful().await;
    let calls: Vec<_> = (0..10).map(|_| runtime.call_cancellable("stateful", json!({})).0).collect();
    for call in calls {
        assert!(call.await.unwrap().is_success());
    }
    assert_eq!(seen(&counts), (1, 0));
    runtime.runtime().shut_down().await;
    assert_eq!(seen(&counts), (1, 1));
}

#[tokio::test]
async fn teardown_waits_for_the_last_call_even_if_one_panicked() {
    let (runtime, counts) = stateful().await;
    runtime.call("stateful", json!({"do": "panic"})).await;
    let (running, _cancel) = runtime.call_cancellable("stateful", json!({"do": "wait"}));
    counts.waits.notified().await;
    runtime.runtime().registry().remove(&Owner::Host, "stateful").unwrap();
    // Time enough for a teardown that does not wait for the call.
    tokio::time::sleep(Duration::from_millis(50)).await;
    assert_eq!(seen(&counts), (1, 0), "a call is still running");
    counts.go_on.notify_one();
    assert!(running.await.unwrap().is_success());
    while seen(&counts) != (1, 1) {
        assert_eq!(seen(&counts), (1, 0));
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
}

#[tokio::test]
async fn a_tool_that_was_never_called_is_not_torn_down() {
    let (runtime, counts) = stateful().await;
    runtime.runtime().shut_down().await;
    assert_eq!(seen(&counts), (0, 0));
}

#[tokio::test(start_paused = true)]
async fn a_failed_setup_is_reported_remembered_and_tried_again() {
    let (runtime, counts) = stateful().await;
    counts.failing_setups.store(1, Ordering::SeqCst);
    let error = runtime.call("stateful", json!({"n": 1})).await.result.unwrap_err();
    assert_eq!(error.code, ErrorCode::Unavailable);
    assert!(error.message.contains("no database"), "{}", error.message);
    assert!(!runtime.call("stateful", json!({"n": 2})).await.is_success());
    assert_eq!(seen(&counts).0, 1, "not hammered");
    tokio::time::advance(Duration::from_secs(31)).await;
    assert!(runtime.call("stateful", json!({"n": 3})).await.is_success());
}
