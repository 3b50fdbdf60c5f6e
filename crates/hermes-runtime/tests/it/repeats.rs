//! Calls that fail again and again.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use hermes_core::{Access, Parallel, ToolCall, ToolError};
use hermes_testkit::{FnTool, TestRuntime};
use serde_json::{Value, json};
use tokio_util::sync::CancellationToken;

/// Each by itself, as lines of a stream come: none knows of the others.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn equal_calls_side_by_side_fail_three_times_and_no_more() {
    let (ran, worked) = (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicUsize::new(0)));
    let (counted, working) = (Arc::clone(&ran), Arc::clone(&worked));
    let fails = FnTool::new("fails", move |_, _| {
        counted.fetch_add(1, Ordering::SeqCst);
        async {
            tokio::task::yield_now().await;
            Err(ToolError::not_found("nothing there"))
        }
    });
    let works = FnTool::new("works", move |_, _| {
        working.fetch_add(1, Ordering::SeqCst);
        async { Ok(json!({})) }
    });
    let read = |_: &Value| vec![Access::read_path("a")];
    let shared = |tool: FnTool| tool.with(|info| info.parallel = Parallel::Paths).access(read).arc();
    let runtime = TestRuntime::builder().tool(shared(fails)).tool(shared(works)).build().await;
    for round in 0..20 {
        ran.store(0, Ordering::SeqCst);
        let session = runtime.session(&format!("s{round}")).session.clone();
        let call = |name: &'static str| {
            let session = session.clone();
            tokio::spawn(async move {
                session.call(ToolCall::new("", name, json!({"x": 1})), &CancellationToken::new()).await
            })
        };
        let calls: Vec<_> = (0..10).flat_map(|_| [call("fails"), call("works")]).collect();
        for call in calls {
            call.await.unwrap();
        }
        assert_eq!(ran.load(Ordering::SeqCst), 3);
    }
    assert_eq!(worked.load(Ordering::SeqCst), 200, "what succeeds is never kept from running");
}

/// A file that a build makes, a server that comes back: what failed is not told as a fact for ever.
#[tokio::test(start_paused = true)]
async fn what_failed_is_tried_again_after_a_while() {
    let ran = Arc::new(AtomicUsize::new(0));
    let counted = Arc::clone(&ran);
    let fails = FnTool::new("fails", move |_, _| {
        counted.fetch_add(1, Ordering::SeqCst);
        async { Err(ToolError::not_found("nothing there")) }
    });
    let busy = Arc::clone(&ran);
    let away = FnTool::new("away", move |_, _| {
        busy.fetch_add(1, Ordering::SeqCst);
        async { Err(ToolError::new(hermes_core::ErrorCode::Unavailable, "back in a moment")) }
    });
    let test = TestRuntime::builder().tool(fails.arc()).tool(away.arc()).build().await;
    for _ in 0..5 {
        test.call("fails", json!({})).await;
    }
    assert_eq!(ran.swap(0, Ordering::SeqCst), 3);
    tokio::time::sleep(std::time::Duration::from_secs(11)).await;
    for _ in 0..5 {
        test.call("fails", json!({})).await;
    }
    assert_eq!(ran.swap(0, Ordering::SeqCst), 1, "once more, and then a while not");
    for _ in 0..5 {
        test.call("away", json!({})).await;
    }
    assert_eq!(ran.load(Ordering::SeqCst), 5, "what may come back is asked each time");
}

/// A model takes its time between its calls; that makes a loop slow, and no less a loop.
#[tokio::test(start_paused = true)]
async fn a_slow_loop_is_stopped_and_tried_ever_more_seldom() {
    let ran = Arc::new(AtomicUsize::new(0));
    let counted = Arc::clone(&ran);
    let fails = FnTool::new("fails", move |_, _| {
        counted.fetch_add(1, Ordering::SeqCst);
        async { Err(ToolError::not_found("nothing there")) }
    });
    let test = TestRuntime::builder().tool(fails.arc()).build().await;
    let mut runs = Vec::new();
    for _ in 0..20 {
        let before = ran.load(Ordering::SeqCst);
        let error = test.call("fails", json!({})).await.result.unwrap_err();
        runs.push(ran.load(Ordering::SeqCst) - before);
        assert_eq!(error.message.starts_with("not run again"), runs.last() == Some(&0), "{error}");
        tokio::time::sleep(std::time::Duration::from_secs(11)).await;
    }
    // Three times; answered, and once more after 10 s; answered, and once more after 20 s, then after 40 s, then 80 s.
    assert_eq!(runs, [1, 1, 1, 0, 1, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0]);
    tokio::time::sleep(std::time::Duration::from_secs(2 * 60 * 60)).await;
    for _ in 0..5 {
        test.call("fails", json!({})).await;
    }
    assert_eq!(ran.load(Ordering::SeqCst), 9, "long past is forgotten");
}
