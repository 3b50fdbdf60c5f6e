//! Batches are planned on what will really run: behind handles, and after guards have changed it.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use futures_util::future::BoxFuture;
use hermes_core::{Access, Effect, Parallel, ToolCall, ToolInfo};
use hermes_runtime::hooks::{Hook, HookCall, PreVerdict};
use hermes_testkit::{FnTool, TestRuntime};
use serde_json::{Value, json};

type Seen = Arc<Mutex<Vec<String>>>;

/// A tool that writes or reads `path`, takes a while over it, and tells when it is done. What comes first takes longest.
fn toucher(name: &'static str, touch: fn(String) -> Access, seen: &Seen) -> FnTool {
    let seen = Arc::clone(seen);
    FnTool::new(name, move |args, _| {
        let seen = Arc::clone(&seen);
        async move {
            let pause = args["pause"].as_u64().unwrap_or_default();
            tokio::time::sleep(Duration::from_millis(pause)).await;
            seen.lock().unwrap().push(format!("{name} {}", args["path"].as_str().unwrap_or_default()));
            Ok(json!({}))
        }
    })
    .effect(if name == "writes" { Effect::Mutating } else { Effect::ReadOnly })
    .with(|info: &mut ToolInfo| info.parallel = Parallel::Paths)
    .access(move |args| vec![touch(args["path"].as_str().unwrap_or_default().to_owned())])
}

fn call(name: &str, path: &str, pause: u64) -> ToolCall {
    ToolCall::new("", name, json!({"path": path, "pause": pause}))
}

#[tokio::test(start_paused = true)]
async fn a_path_behind_a_handle_is_the_path() {
    let seen = Seen::default();
    let listing: Vec<Value> = (0..9_000).map(|n| json!(format!("file_number_{n}.txt"))).collect();
    let lists = FnTool::new("lists", move |_, _| {
        let listing = listing.clone();
        async move { Ok(json!({ "entries": listing })) }
    });
    let runtime = TestRuntime::builder()
        .tool(lists.arc())
        .tool(toucher("writes", Access::write_path, &seen).arc())
        .tool(toucher("reads", Access::read_path, &seen).arc())
        .build()
        .await;
    let shown = runtime.call("lists", json!({})).await.result.unwrap().to_string();
    let id = shown.split("hermes://result/").nth(1).unwrap();
    let id: String = id.chars().take_while(char::is_ascii_alphanumeric).collect();
    let handle = format!("hermes://result/{id}#/entries/7");
    let calls =
        vec![call("writes", &handle, 50), call("reads", "file_number_7.txt", 0), call("reads", "other", 0)];
    assert_eq!(runtime.main().session.plan(&calls).await.len(), 2);
    runtime.call_all(calls).await;
    assert_eq!(seen.lock().unwrap()[0], "writes file_number_7.txt");
}

/// Sends what goes to `a` to `b`, and takes its time over it.
struct Rewrites;

impl Hook for Rewrites {
    fn name(&self) -> &str {
        "rewrites"
    }

    fn matches(&self, tool: &str) -> bool {
        tool == "writes"
    }

    fn pre<'a>(&'a self, call: &'a HookCall<'a>) -> BoxFuture<'a, Result<PreVerdict, String>> {
        Box::pin(async move {
            tokio::time::sleep(Duration::from_millis(20)).await;
            let mut fields = call.arguments.as_object().cloned().unwrap_or_default();
            if fields.get("path") == Some(&json!("a")) {
                fields.insert("path".to_owned(), json!("b"));
            }
            Ok(PreVerdict::Rewrite(fields))
        })
    }
}

#[tokio::test(start_paused = true)]
async fn what_a_guard_changes_is_done_in_call_order() {
    let seen = Seen::default();
    let runtime = TestRuntime::builder()
        .hook(Rewrites)
        .tool(toucher("writes", Access::write_path, &seen).arc())
        .tool(toucher("reads", Access::read_path, &seen).arc())
        .build()
        .await;
    let calls = || {
        vec![
            call("reads", "b", 60),
            call("writes", "a", 50),
            call("reads", "b", 0),
            call("writes", "b", 10),
            call("reads", "c", 0),
        ]
    };
    runtime.call_all(calls()).await;
    let order = std::mem::take(&mut *seen.lock().unwrap());
    let of_b: Vec<&str> = order.iter().map(String::as_str).filter(|seen| seen.ends_with(" b")).collect();
    assert_eq!(of_b, ["reads b", "writes b", "reads b", "writes b"], "{order:?}");
    assert_eq!(order[0], "reads c", "what nobody is in the way of does not wait: {order:?}");

    let started = tokio::time::Instant::now();
    runtime.call_all((0..8).map(|n| call("writes", &format!("file{n}"), 100)).collect()).await;
    assert_eq!(started.elapsed().as_millis(), 120, "guarded calls still run side by side");
}
