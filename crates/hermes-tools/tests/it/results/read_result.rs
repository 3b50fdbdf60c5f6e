use hermes_core::ErrorCode;
use hermes_testkit::{FnTool, TestRuntime};
use serde_json::{Value, json};

use crate::support::{code, failure, value};

/// A runtime with a tool that stores what it is given, as a tool with a large result does.
async fn runtime() -> TestRuntime {
    let store = FnTool::new("store", |arguments, cx| async move {
        let id = cx.ports().results()?.put(&cx.session().id, &arguments["value"]).await?;
        Ok(json!({ "handle": format!("hermes://result/{id}") }))
    });
    TestRuntime::builder().tool(store.arc()).build().await
}

async fn stored(test: &TestRuntime, content: Value) -> String {
    value(test.call("store", json!({ "value": content })).await)["handle"].as_str().unwrap().to_owned()
}

#[tokio::test]
async fn text_comes_in_pages() {
    let test = runtime().await;
    let text: String = (1..=10).map(|number| format!("line {number}\n")).collect();
    let handle = stored(&test, json!(text)).await;
    let page = value(test.call("read_result", json!({"handle": handle, "offset": 4, "limit": 2})).await);
    assert_eq!(
        page,
        json!({
            "content": "line 4\nline 5\n", "total_lines": 10, "total_chars": 71, "truncated": true,
            "next_offset": 6, "hint": "There are 10 lines; go on with offset 6."
        })
    );
    let part = value(test.call("read_result", json!({"handle": format!("{handle}#L9-L10")})).await);
    assert_eq!((&part["content"], &part["total_lines"]), (&json!("line 9\nline 10\n"), &json!(2)));
    let past = value(test.call("read_result", json!({"handle": handle, "offset": 99})).await);
    assert_eq!(past["hint"], "There are 10 lines; offset 99 is past the end.");
}

#[tokio::test]
async fn a_pattern_finds_lines_with_their_numbers() {
    let test = runtime().await;
    let text: String = (1..=300)
        .map(|number| format!("{} {number}\n", if number % 3 == 0 { "ERROR" } else { "ok" }))
        .collect();
    let handle = stored(&test, json!(text)).await;
    let found = json!({"handle": handle, "pattern": "^ERROR", "limit": 2});
    let found = value(test.call("read_result", found).await);
    assert_eq!((&found["content"], &found["total_matches"]), (&json!("3|ERROR 3\n6|ERROR 6\n"), &json!(100)));
    assert_eq!(found["next_offset"], 3);
    let next = json!({"handle": handle, "pattern": "^ERROR", "offset": 100});
    assert_eq!(value(test.call("read_result", next).await)["content"], "300|ERROR 300\n");
    let none = value(test.call("read_result", json!({"handle": handle, "pattern": "warn"})).await);
    assert_eq!(none["hint"], "No line matches the pattern.");
    for pattern in ["(", "a{1000}{1000}{1000}"] {
        let outcome = test.call("read_result", json!({"handle": handle, "pattern": pattern})).await;
        assert_eq!(code(outcome), ErrorCode::InvalidArgument, "{pattern}");
    }
}

#[tokio::test]
async fn json_is_shown_as_lines_and_its_texts_are_named() {
    let test = runtime().await;
    let handle = stored(&test, json!({"rows": [1, 2], "a/b": "word\n".repeat(400)})).await;
    let page = value(test.call("read_result", json!({"handle": handle})).await);
    assert!(page["content"].as_str().unwrap().starts_with("{\n  \"rows\": [\n    1,"));
    assert_eq!(page["texts"], json!([format!("{handle}#/a~1b")]));
    let text =
        value(test.call("read_result", json!({"handle": format!("{handle}#/a~1b"), "limit": 1})).await);
    assert_eq!((&text["content"], &text["total_lines"]), (&json!("word\n"), &json!(400)));
    let missing = failure(test.call("read_result", json!({"handle": format!("{handle}#/nope")})).await);
    assert_eq!(missing.code, ErrorCode::NotFound);
}

#[tokio::test]
async fn other_sessions_and_other_texts_are_refused() {
    let test = runtime().await;
    let handle = stored(&test, json!("private")).await;
    let other = test.session("other").call("read_result", json!({"handle": handle})).await;
    assert_eq!(code(other), ErrorCode::NotFound);
    for text in ["report.txt", "hermes://result/", "hermes://result/../x"] {
        assert_eq!(
            code(test.call("read_result", json!({"handle": text})).await),
            ErrorCode::InvalidArgument,
            "{text}"
        );
    }
}

#[tokio::test]
async fn large_results_stay_within_the_page() {
    let test = runtime().await;
    let handle = stored(&test, json!("\"\\\t\n".repeat(200_000))).await;
    let page = value(test.call("read_result", json!({"handle": handle, "limit": 10_000})).await);
    assert!(serde_json::to_string(&page["content"]).unwrap().chars().count() <= 100_002);
    let one_line = stored(&test, json!("x".repeat(3_000_000))).await;
    let page = value(test.call("read_result", json!({"handle": one_line})).await);
    assert!(page["content"].as_str().unwrap().contains("[cut here: the line has 3000000 bytes]"));
}

#[tokio::test]
async fn the_rest_of_a_line_that_was_cut_is_read_by_column() {
    let test = runtime().await;
    let long: String = (0..60_000).map(|number| format!("{number} ")).collect();
    let handle = stored(&test, json!(format!("first\n{long}\nlast"))).await;
    let page = value(test.call("read_result", json!({"handle": handle})).await);
    assert_eq!(page["hint"], "Line 2 is cut; its rest: offset 2, column 2001, no pattern.");
    let found = value(test.call("read_result", json!({"handle": handle, "pattern": "59999"})).await);
    assert_eq!(found["hint"], page["hint"]);

    let (mut read, mut column) = (String::new(), Some(1));
    while let Some(from) = column {
        let piece =
            value(test.call("read_result", json!({"handle": handle, "offset": 2, "column": from})).await);
        read.push_str(piece["content"].as_str().unwrap());
        column = piece["next_column"].as_u64();
        let next = if column.is_some() { 2 } else { 3 };
        assert_eq!(piece["next_offset"], next, "the rest of the line comes first");
    }
    assert!(read == long, "{} characters of {}", read.len(), long.len());
    let both = json!({"handle": handle, "pattern": "x", "column": 2});
    assert_eq!(code(test.call("read_result", both).await), ErrorCode::InvalidArgument);
}
