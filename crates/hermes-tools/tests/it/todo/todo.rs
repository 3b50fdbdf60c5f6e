use hermes_core::{ErrorCode, ToolCall};
use hermes_testkit::TestRuntime;
use serde_json::json;

use crate::support::{code, value};

#[tokio::test]
async fn the_list_belongs_to_its_session() {
    let test = TestRuntime::new().await;
    let written = json!({"todos": [{"content": "a", "status": "completed"}, {"content": "b"}]});
    let written = value(test.call("todo", written).await);
    assert_eq!(
        written,
        json!({
            "todos": [{"id": "1", "content": "a", "status": "completed"}, {"id": "2", "content": "b", "status": "pending"}],
            "summary": {"total": 2, "pending": 1, "in_progress": 0, "completed": 1, "cancelled": 0}
        })
    );
    assert_eq!(value(test.call("todo", json!({})).await), written);
    assert_eq!(value(test.session("other").call("todo", json!({})).await)["summary"]["total"], 0);
}

#[tokio::test]
async fn merging_by_id_keeps_one_in_progress() {
    let test = TestRuntime::new().await;
    let start =
        json!({"todos": [{"id": "x", "content": "a", "status": "in_progress"}, {"id": "y", "content": "b"}]});
    value(test.call("todo", start).await);
    let next = json!({"merge": true, "todos": [{"id": "y", "status": "in_progress"}, {"content": "c"}]});
    let merged = value(test.call("todo", next).await);
    let states: Vec<_> =
        merged["todos"].as_array().unwrap().iter().map(|item| item["status"].clone()).collect();
    assert_eq!(states, ["pending", "in_progress", "pending"]);
    assert!(merged["note"].as_str().unwrap().contains("kept y"), "{merged}");
    assert_eq!(merged["todos"][1]["content"], "b");
}

#[tokio::test]
async fn parallel_merges_lose_nothing() {
    let test = TestRuntime::new().await;
    let calls = (0..20)
        .map(|number| {
            let arguments = json!({"merge": true, "todos": [{"content": format!("task {number}")}]});
            ToolCall::new(format!("call_{number}"), "todo", arguments)
        })
        .collect();
    let outcomes = test.call_all(calls).await;
    assert!(outcomes.iter().all(|outcome| outcome.is_success()));
    let list = value(test.call("todo", json!({})).await);
    assert_eq!(list["summary"]["total"], 20);
}

#[tokio::test]
async fn an_empty_list_clears_and_a_bad_status_changes_nothing() {
    let test = TestRuntime::new().await;
    value(test.call("todo", json!({"todos": [{"content": "a"}]})).await);
    let bad = json!({"todos": [{"content": "b", "status": "doing"}]});
    assert_eq!(code(test.call("todo", bad).await), ErrorCode::InvalidArgument);
    assert_eq!(value(test.call("todo", json!({})).await)["todos"][0]["content"], "a");
    assert_eq!(value(test.call("todo", json!({"todos": []})).await)["summary"]["total"], 0);
}
