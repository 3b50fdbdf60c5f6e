use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use hermes_core::{Access, Effect, ErrorCode, Parallel, ToolCall, ToolError};
use hermes_testkit::{FnTool, TestRuntime};
use proptest::prelude::*;
use serde_json::json;
use tokio_util::sync::CancellationToken;

fn sleeper(name: &str, millis: u64) -> FnTool {
    FnTool::new(name, move |args, _| async move {
        tokio::time::sleep(Duration::from_millis(millis)).await;
        Ok(args)
    })
}

#[tokio::test(start_paused = true)]
async fn results_match_calls_one_to_one_and_in_order() {
    let runtime = TestRuntime::builder()
        .tool(
            FnTool::new("random", |args, _| async move {
                tokio::time::sleep(Duration::from_millis(args["n"].as_u64().unwrap_or(0) * 7919 % 100)).await;
                Ok(args)
            })
            .arc(),
        )
        .tool(FnTool::new("panics", |_, _| async { panic!("boom") }).arc())
        .tool(sleeper("endless", 1_000_000).with(|info| info.timeout = Duration::from_secs(1)).arc())
        .build()
        .await;
    let calls: Vec<ToolCall> = (0..64)
        .map(|n| match n % 16 {
            3 => ToolCall::new(format!("id{n}"), "panics", json!({})),
            7 => ToolCall::new(format!("id{n}"), "endless", json!({})),
            11 => ToolCall::new(format!("id{n}"), "no_such_thing_at_all", json!({})),
            13 => ToolCall::new(format!("id{n}"), "random", json!("{broken")),
            _ => ToolCall::new(format!("id{n}"), "random", json!({"n": n})),
        })
        .collect();
    let outcomes = runtime.call_all(calls).await;
    assert_eq!(outcomes.len(), 64);
    for (n, outcome) in outcomes.iter().enumerate() {
        assert_eq!(outcome.call_id, format!("id{n}"));
        match n % 16 {
            3 => assert_eq!(outcome.error_code(), Some(ErrorCode::Internal)),
            7 => assert_eq!(outcome.error_code(), Some(ErrorCode::Timeout)),
            11 => assert_eq!(outcome.error_code(), Some(ErrorCode::NotFound)),
            13 => assert_eq!(outcome.error_code(), Some(ErrorCode::InvalidArgument)),
            _ => assert_eq!(outcome.result.as_ref().unwrap()["n"], n),
        }
    }
}

#[tokio::test]
async fn ids_are_made_unique_and_those_that_were_given_stay() {
    let runtime = TestRuntime::builder().tool(FnTool::echo("echo").arc()).build().await;
    for (given, answered) in [
        (vec!["", "x", "x", "", "x"], vec!["call_1", "x", "x~2", "call_4", "x~3"]),
        (vec!["", "call_1"], vec!["call_1~2", "call_1"]),
        (vec!["call_2", ""], vec!["call_2", "call_2~2"]),
        (vec!["", "call_1~2", "call_1"], vec!["call_1~3", "call_1~2", "call_1"]),
        (vec!["x", "x", "x~2"], vec!["x", "x~3", "x~2"]),
    ] {
        let calls = given.iter().map(|id| ToolCall::new(*id, "echo", json!({}))).collect();
        let outcomes = runtime.call_all(calls).await;
        let ids: Vec<String> = outcomes.into_iter().map(|outcome| outcome.call_id).collect();
        assert_eq!(ids, answered, "{given:?}");
    }
}

#[tokio::test(start_paused = true)]
async fn independent_calls_overlap_up_to_the_width() {
    let runtime = TestRuntime::builder().tool(sleeper("waits", 100).arc()).build().await;
    let calls = |count: usize| (0..count).map(|_| ToolCall::new("", "waits", json!({}))).collect();
    let started = tokio::time::Instant::now();
    runtime.call_all(calls(8)).await;
    assert_eq!(started.elapsed().as_millis(), 100);
    let started = tokio::time::Instant::now();
    runtime.call_all(calls(16)).await;
    assert_eq!(started.elapsed().as_millis(), 200, "the width is eight");
}

#[tokio::test(start_paused = true)]
async fn exclusive_calls_never_overlap_even_across_requests() {
    let (running, worst) = (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicUsize::new(0)));
    let (now, max) = (Arc::clone(&running), Arc::clone(&worst));
    let tool = FnTool::new("alone", move |_, _| {
        let (now, max) = (Arc::clone(&now), Arc::clone(&max));
        async move {
            max.fetch_max(now.fetch_add(1, Ordering::SeqCst) + 1, Ordering::SeqCst);
            tokio::time::sleep(Duration::from_millis(5)).await;
            now.fetch_sub(1, Ordering::SeqCst);
            Ok(json!({}))
        }
    })
    .effect(Effect::Mutating);
    let runtime = TestRuntime::builder().tool(tool.arc()).build().await;
    let tasks: Vec<_> = (0..20).map(|_| runtime.call_cancellable("alone", json!({})).0).collect();
    for task in tasks {
        assert!(task.await.unwrap().is_success());
    }
    assert_eq!(worst.load(Ordering::SeqCst), 1);
}

#[tokio::test(start_paused = true)]
async fn cancelling_a_batch_answers_every_call() {
    let runtime = TestRuntime::builder().tool(sleeper("waits", 60_000).arc()).build().await;
    let cancel = tokio_util::sync::CancellationToken::new();
    let calls: Vec<_> = (0..20).map(|n| ToolCall::new(format!("c{n}"), "waits", json!({}))).collect();
    let (session, token) = (runtime.main().session.clone(), cancel.clone());
    let batch = tokio::spawn(async move { session.call_all(calls, &token).await });
    tokio::time::sleep(Duration::from_millis(50)).await;
    cancel.cancel();
    let outcomes = batch.await.unwrap();
    assert_eq!(outcomes.len(), 20);
    assert!(outcomes.iter().all(|outcome| outcome.error_code() == Some(ErrorCode::Cancelled)));
}

#[tokio::test]
async fn ten_thousand_calls_all_answered_and_sessions_take_turns() {
    let runtime = TestRuntime::builder()
        .tool(
            FnTool::new("quick", |args, _| async move {
                tokio::task::yield_now().await;
                Ok(args)
            })
            .arc(),
        )
        .settings(|settings| settings.concurrent_calls = 16)
        .build()
        .await;
    let finished: Arc<std::sync::Mutex<Vec<&str>>> = Arc::default();
    let mut tasks = Vec::new();
    for (name, count) in [("busy", 9_900usize), ("quiet", 100)] {
        let session = runtime.session(name);
        for n in 0..count {
            let (session, finished) = (session.clone(), Arc::clone(&finished));
            tasks.push(tokio::spawn(async move {
                let outcome = session.call("quick", json!({"n": n})).await;
                finished.lock().unwrap().push(name);
                outcome.result.unwrap()["n"] == n
            }));
        }
    }
    for task in tasks {
        assert!(task.await.unwrap());
    }
    let finished = finished.lock().unwrap();
    let last_quiet = finished.iter().rposition(|name| *name == "quiet").unwrap();
    assert!(last_quiet < 9_000, "the quiet session is not kept waiting to the end: {last_quiet}");
}

#[tokio::test]
async fn a_turn_stays_within_its_budget() {
    let big = FnTool::new("big", |_, _| async { Ok(json!({"text": "x".repeat(60_000)})) });
    let runtime = TestRuntime::builder().tool(big.arc()).build().await;
    let calls = (0..5).map(|_| ToolCall::new("", "big", json!({}))).collect();
    let outcomes = runtime.call_all(calls).await;
    let shown: usize =
        outcomes.iter().map(|outcome| outcome.result.as_ref().unwrap().to_string().len()).sum();
    assert!(shown <= 200_000, "{shown}");
    let whole =
        outcomes.iter().filter(|outcome| outcome.result.as_ref().unwrap()["text"].is_string()).count();
    assert!(whole >= 1, "only as much is stored as must be");
}

#[tokio::test(flavor = "multi_thread")]
async fn equal_calls_that_fail_run_three_times_and_in_call_order() {
    let ran = Arc::new(AtomicUsize::new(0));
    let counted = Arc::clone(&ran);
    let fails = FnTool::new("fails", move |_, _| {
        counted.fetch_add(1, Ordering::SeqCst);
        async { Err(ToolError::not_found("nothing there")) }
    })
    .with(|info| info.parallel = Parallel::Paths)
    .access(|_| vec![Access::read_path("a")]);
    let runtime = TestRuntime::builder().tool(fails.arc()).tool(FnTool::echo("works").arc()).build().await;
    for round in 0..20 {
        ran.store(0, Ordering::SeqCst);
        let session = runtime.session(&format!("s{round}"));
        let mut calls: Vec<ToolCall> = (0..10).map(|_| ToolCall::new("", "fails", json!({"x": 1}))).collect();
        calls.insert(5, ToolCall::new("", "fails", json!({"x": 2})));
        let outcomes = session.session.call_all(calls, &CancellationToken::new()).await;
        let said: Vec<bool> = outcomes
            .iter()
            .map(|outcome| outcome.result.as_ref().unwrap_err().message.starts_with("not run again"))
            .collect();
        assert_eq!(ran.load(Ordering::SeqCst), 4, "three of the equal ones, and the other one");
        let expected: Vec<bool> = (0..11).map(|index| index > 2 && index != 5).collect();
        assert_eq!(said, expected);
    }
}

#[tokio::test]
async fn thousands_of_equal_ids_become_unique() {
    let runtime = TestRuntime::builder().without_built_ins().tool(FnTool::echo("works").arc()).build().await;
    let calls = (0..5_000).map(|_| ToolCall::new("same", "works", json!({}))).collect();
    let outcomes = runtime.call_all(calls).await;
    let ids: std::collections::BTreeSet<&str> =
        outcomes.iter().map(|outcome| outcome.call_id.as_str()).collect();
    assert_eq!((ids.len(), outcomes[1].call_id.as_str()), (5_000, "same~2"));
}

#[derive(Clone, Debug)]
enum Step {
    Read(u8),
    Append(u8, u8),
}

fn step() -> impl Strategy<Value = Step> {
    prop_oneof![
        (0u8..4).prop_map(Step::Read),
        (0u8..4, any::<u8>()).prop_map(|(file, byte)| Step::Append(file, byte))
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(100))]
    /// Whatever the batch, files end as if its calls had run one after another, and each read sees
    /// exactly the writes before it.
    #[test]
    fn a_batch_is_as_good_as_a_sequence(steps in prop::collection::vec(step(), 1..20)) {
        let files: Arc<std::sync::Mutex<BTreeMap<String, Vec<u8>>>> = Arc::default();
        let (for_read, for_append) = (Arc::clone(&files), Arc::clone(&files));
        let path_of = |args: &serde_json::Value| args["file"].as_str().unwrap_or_default().to_owned();
        let read = FnTool::new("read", move |args, _| {
            let files = Arc::clone(&for_read);
            async move {
                tokio::task::yield_now().await;
                Ok(json!({"bytes": files.lock().unwrap().get(args["file"].as_str().unwrap()).cloned().unwrap_or_default()}))
            }
        })
        .with(|info| info.parallel = Parallel::Paths)
        .access(move |args| vec![Access::read_path(path_of(args))]);
        let append = FnTool::new("append", move |args, _| {
            let files = Arc::clone(&for_append);
            async move {
                let name = args["file"].as_str().unwrap().to_owned();
                let before = files.lock().unwrap().get(&name).cloned().unwrap_or_default();
                // A gap in which a racing call would be lost.
                tokio::task::yield_now().await;
                let byte = u8::try_from(args["byte"].as_u64().unwrap()).unwrap();
                files.lock().unwrap().insert(name, [before, vec![byte]].concat());
                Ok(json!({}))
            }
        })
        .effect(Effect::Mutating)
        .with(|info| info.parallel = Parallel::Paths)
        .access(move |args| vec![Access::write_path(path_of(args))]);
        let reactor = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
        reactor.block_on(async {
            let runtime = TestRuntime::builder().without_built_ins().tool(read.arc()).tool(append.arc()).build().await;
            let calls = steps.iter().map(|step| match step {
                Step::Read(file) => ToolCall::new("", "read", json!({"file": format!("f{file}")})),
                Step::Append(file, byte) => ToolCall::new("", "append", json!({"file": format!("f{file}"), "byte": byte})),
            }).collect();
            let outcomes = runtime.call_all(calls).await;
            let mut expected: BTreeMap<String, Vec<u8>> = BTreeMap::new();
            for (step, outcome) in steps.iter().zip(&outcomes) {
                match step {
                    Step::Read(file) => {
                        let seen = expected.get(&format!("f{file}")).cloned().unwrap_or_default();
                        assert_eq!(outcome.result.as_ref().unwrap()["bytes"], json!(seen));
                    }
                    Step::Append(file, byte) => expected.entry(format!("f{file}")).or_default().push(*byte),
                }
            }
            assert_eq!(*files.lock().unwrap(), expected);
        });
    }
}
