use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

use hermes_core::ErrorCode;
use hermes_testkit::{FnTool, TestRuntime};
use serde_json::json;

/// A tool whose availability a test can switch, counting how often it is asked.
fn switchable(name: &str) -> (FnTool, Arc<AtomicBool>, Arc<AtomicUsize>) {
    let (up, asked) = (Arc::new(AtomicBool::new(true)), Arc::new(AtomicUsize::new(0)));
    let (checked_up, checked_asked) = (Arc::clone(&up), Arc::clone(&asked));
    let tool = FnTool::echo(name).check(move || {
        checked_asked.fetch_add(1, Ordering::SeqCst);
        let up = checked_up.load(Ordering::SeqCst);
        async move { if up { Ok(()) } else { Err("the service is down".to_owned()) } }
    });
    (tool, up, asked)
}

async fn offered(runtime: &TestRuntime, name: &str) -> bool {
    runtime.main().session.catalog().await.get(name).is_some()
}

#[tokio::test(start_paused = true)]
async fn flips_are_seen_within_the_ttl_and_named_in_the_epoch() {
    let (tool, up, asked) = switchable("service");
    up.store(false, Ordering::SeqCst);
    let runtime = TestRuntime::builder().without_built_ins().tool(tool.arc()).build().await;
    assert!(!offered(&runtime, "service").await);
    let first = runtime.main().session.catalog().await;
    assert!(runtime.main().session.why("service").await.contains("the service is down"));
    let refused = runtime.call("service", json!({})).await.result.unwrap_err();
    assert_eq!(refused.code, ErrorCode::Unavailable);
    assert_eq!(refused.message, "the tool 'service' cannot be used now: the service is down");
    up.store(true, Ordering::SeqCst);
    assert!(!offered(&runtime, "service").await, "the answer is remembered");
    assert_eq!(asked.load(Ordering::SeqCst), 1);
    tokio::time::advance(Duration::from_secs(31)).await;
    assert!(offered(&runtime, "service").await, "W11: the flip shows without any other change");
    let second = runtime.main().session.catalog().await;
    assert_eq!(second.epoch, first.epoch + 1);
    assert_eq!(second.reason, "+service");
    assert_eq!(runtime.call("service", json!({})).await.result.unwrap(), json!({"args": {}}));
}

/// Whoever calls it by another name, or misspells it, must not be told of other tools, or run one.
#[tokio::test]
async fn what_cannot_work_now_says_so_under_all_its_names() {
    let (tool, up, _) = switchable("list_users");
    up.store(false, Ordering::SeqCst);
    let tool = tool.with(|info| info.aliases = vec!["people".to_owned()]);
    let builder = TestRuntime::builder().without_built_ins().tool(tool.arc());
    let runtime = builder.tool(FnTool::echo("list_user").arc()).build().await;
    for name in ["list_users", "people", "People", "ListUsers", "list-users", "list_usrs", "peopel"] {
        let refused = runtime.call(name, json!({})).await.result.unwrap_err();
        assert_eq!(refused.code, ErrorCode::Unavailable, "{name}: {refused:?}");
        assert!(refused.message.contains("the service is down"), "{name}: {refused:?}");
    }
    assert!(runtime.call("ListUser", json!({})).await.result.is_ok());
    let unknown = runtime.call("accounts", json!({})).await.result.unwrap_err();
    assert_eq!(unknown.code, ErrorCode::NotFound);
}

#[tokio::test(start_paused = true)]
async fn one_failure_soon_after_a_success_is_not_believed() {
    let (tool, up, _) = switchable("service");
    let runtime = TestRuntime::builder().tool(tool.arc()).build().await;
    assert!(offered(&runtime, "service").await);
    up.store(false, Ordering::SeqCst);
    tokio::time::advance(Duration::from_secs(31)).await;
    assert!(offered(&runtime, "service").await, "within the grace");
    tokio::time::advance(Duration::from_secs(30)).await;
    assert!(!offered(&runtime, "service").await, "past the grace");
}

#[tokio::test(start_paused = true)]
async fn a_check_that_hangs_or_panics_costs_its_own_tool_only() {
    let runtime = TestRuntime::builder()
        .tool(FnTool::echo("hangs").check(std::future::pending::<Result<(), String>>).arc())
        .tool(FnTool::echo("panics").check(|| async { panic!("boom") }).arc())
        .tool(FnTool::echo("also_hangs").check(std::future::pending::<Result<(), String>>).arc())
        .tool(FnTool::echo("works").arc())
        .build()
        .await;
    let started = tokio::time::Instant::now();
    let catalog = runtime.main().session.catalog().await;
    assert!(started.elapsed() < Duration::from_millis(600), "checks run at the same time");
    assert!(catalog.get("works").is_some() && catalog.get("hangs").is_none());
    assert!(catalog.hidden["hangs"].text().contains("500ms"));
    assert!(catalog.hidden["panics"].text().contains("panicked"));
}

#[tokio::test]
async fn concurrent_looks_share_one_check() {
    let asked = Arc::new(AtomicUsize::new(0));
    let counter = Arc::clone(&asked);
    let tool = FnTool::echo("slow").check(move || {
        counter.fetch_add(1, Ordering::SeqCst);
        async {
            tokio::time::sleep(Duration::from_millis(50)).await;
            Ok(())
        }
    });
    let runtime = TestRuntime::builder().tool(tool.arc()).build().await;
    let sessions: Vec<_> = (0..8).map(|index| runtime.session(&format!("s{index}"))).collect();
    futures_util::future::join_all(sessions.iter().map(|session| session.session.catalog())).await;
    assert_eq!(asked.load(Ordering::SeqCst), 1);
}

#[tokio::test]
async fn a_missing_port_hides_the_tool_and_says_so() {
    let runtime = TestRuntime::new().await;
    let session = runtime.session_with(|options| options.ports = Arc::default());
    let catalog = session.session.catalog().await;
    assert!(catalog.get("todo").is_none());
    let why = session.session.why("todo").await;
    assert!(why.contains("'session_state' port"), "{why}");
}
