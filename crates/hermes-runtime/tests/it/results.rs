use hermes_core::{Effect, ErrorCode};
use hermes_testkit::{FnTool, TestRuntime};
use proptest::prelude::*;
use serde_json::{Value, json};

fn giver(name: &str, value: Value) -> std::sync::Arc<dyn hermes_core::AnyTool> {
    FnTool::new(name, move |_, _| {
        let value = value.clone();
        async move { Ok(value) }
    })
    .arc()
}

fn lines(count: usize) -> String {
    (1..=count).map(|n| format!("line {n} äöü 😀\n")).collect()
}

#[tokio::test]
async fn a_large_field_is_cut_in_place_and_its_handle_gives_it_back() {
    let text = lines(20_000);
    let runtime = TestRuntime::builder()
        .tool(giver("big", json!({"text": text, "small": 1})))
        .tool(FnTool::echo("echo").arc())
        .build()
        .await;
    let shown = runtime.call("big", json!({})).await.result.unwrap();
    assert_eq!(shown["small"], 1, "small fields stay as they are");
    let cut = &shown["text"];
    assert_eq!(
        (cut["chars"].as_u64().unwrap(), cut["lines"].as_u64().unwrap()),
        (text.chars().count() as u64, 20_000)
    );
    assert!(
        cut["head"].as_str().unwrap().starts_with("line 1 ")
            && cut["tail"].as_str().unwrap().ends_with("line 20000 äöü 😀\n")
    );
    assert!(shown.to_string().chars().count() < 10_000, "an excerpt, not the limit");
    let handle = cut["handle"].as_str().unwrap();

    let given = runtime.call("echo", json!({"nested": [{"content": handle}]})).await;
    assert!(given.notes.iter().any(|note| note.contains("replaced by its value")));
    // What comes back is large again, so look at what the tool was given through a file.
    let outcome = runtime.call("write_file", json!({"path": "copy.txt", "content": handle})).await;
    assert!(outcome.is_success(), "{:?}", outcome.result);
    assert_eq!(runtime.read("copy.txt"), text, "the whole value went from tool to tool without the model");
    let whole = handle.strip_suffix("#/text").unwrap();
    let refused = runtime.call("write_file", json!({"path": "copy.txt", "content": whole})).await;
    let hint = refused.result.unwrap_err().hint.unwrap();
    assert!(hint.contains(&format!("for a text in it write {handle}")), "{hint}");
}

#[tokio::test]
async fn parts_of_a_result_are_addressed_by_pointer_and_lines() {
    let rows: Vec<Value> = (0..5_000).map(|n| json!({"n": n, "name": format!("row number {n}")})).collect();
    let runtime = TestRuntime::builder()
        .tool(giver("table", json!({"rows": rows})))
        .tool(giver("plain", json!(lines(20_000))))
        .tool(
            FnTool::echo("echo")
                .schema(json!({"type": "object", "properties": {"n": {"type": "integer"}}}))
                .arc(),
        )
        .build()
        .await;
    let shown = runtime.call("table", json!({})).await.result.unwrap();
    let handle = shown["handle"].as_str().unwrap();
    assert_eq!(shown["shape"]["rows"], "array of 5000");
    let picked = runtime.call("echo", json!({"n": format!("{handle}#/rows/4711/n")})).await;
    assert_eq!(picked.result.unwrap()["args"]["n"], 4711, "replaced before validation");
    let lines_handle =
        runtime.call("plain", json!({})).await.result.unwrap()["handle"].as_str().unwrap().to_owned();
    let picked = runtime.call("echo", json!({"text": format!("{lines_handle}#L10-L11")})).await;
    assert_eq!(picked.result.unwrap()["args"]["text"], "line 10 äöü 😀\nline 11 äöü 😀");
    let refused = runtime.call("write_file", json!({"path": "table.json", "content": handle})).await;
    let hint = refused.result.unwrap_err().hint.unwrap();
    let lines = format!("{handle}#L1-L20004");
    assert!(hint.contains(&format!("for it as JSON text write {lines}")), "{hint}");
    runtime.call("write_file", json!({"path": "table.json", "content": lines})).await.result.unwrap();
    assert_eq!(serde_json::from_str::<Value>(&runtime.read("table.json")).unwrap()["rows"][7]["n"], 7);
    let missing = runtime.call("echo", json!({"n": format!("{handle}#/rows/9999/n")})).await;
    assert_eq!((missing.error_code(), missing.ran), (Some(ErrorCode::NotFound), false));
    let page =
        runtime.call("read_result", json!({"handle": lines_handle, "offset": 19_999, "limit": 5})).await;
    assert!(page.result.unwrap().to_string().contains("line 20000"));
}

#[tokio::test]
async fn handles_belong_to_their_session_and_obey_policy() {
    let runtime = TestRuntime::builder()
        .tool(giver("big", json!({"text": lines(20_000)})))
        .tool(giver("path", json!(format!("/etc/passwd{}", " ".repeat(200_000)))))
        .tool(FnTool::echo("echo").arc())
        .build()
        .await;
    let handle =
        runtime.call("big", json!({})).await.result.unwrap()["text"]["handle"].as_str().unwrap().to_owned();
    let other = runtime.session("other").call("echo", json!({"x": handle})).await;
    assert_eq!((other.error_code(), other.ran), (Some(ErrorCode::NotFound), false));
    let bad = runtime.call("echo", json!({"x": "hermes://result/../../etc/passwd"})).await;
    assert_eq!(bad.error_code(), Some(ErrorCode::InvalidArgument));
    let whole = runtime.call("path", json!({})).await.result.unwrap()["handle"].as_str().unwrap().to_owned();
    let escape = runtime.call("write_file", json!({"path": whole, "content": "x"})).await;
    assert!(!escape.is_success() && !escape.ran, "the value is judged, not the handle");
}

#[tokio::test]
async fn one_request_cannot_multiply_a_large_result() {
    let runtime = TestRuntime::builder()
        .tool(giver("big", json!({"text": "x".repeat(4_000_000)})))
        .tool(FnTool::echo("echo").arc())
        .build()
        .await;
    let shown = runtime.call("big", json!({})).await.result.unwrap();
    let handle = shown["text"]["handle"].as_str().unwrap();
    let many = runtime.call("echo", json!({"all": vec![handle; 800]})).await;
    assert_eq!((many.error_code(), many.ran), (Some(ErrorCode::TooLarge), false));
    assert!(runtime.call("echo", json!({"few": vec![handle; 3]})).await.is_success());
}

#[tokio::test]
async fn a_text_about_handles_is_a_text() {
    let runtime = TestRuntime::builder().build().await;
    let text = "hermes://result/<id> is how a handle looks.\nIt stands for a result.\n";
    runtime.call("write_file", json!({"path": "doc.md", "content": text})).await.result.unwrap();
    assert_eq!(runtime.read("doc.md"), text);
}

/// With the limits that are built in, and with smaller ones: whoever follows `next_offset` sees every line.
#[tokio::test]
async fn whoever_follows_the_pages_reads_everything() {
    let text: String = (1..=3_000).map(|n| format!("line {n} {}\n", "x\"".repeat(45))).collect();
    for limit in [100_000, 20_000] {
        let runtime = TestRuntime::builder()
            .settings(|settings| settings.result_chars = limit)
            .tool(giver("big", json!(text)))
            .build()
            .await;
        runtime.write("big.txt", &text);
        let handle = runtime.call("big", json!({})).await.result.unwrap()["handle"].clone();
        let sources = [
            ("read_file", json!({"path": "big.txt", "line_numbers": false})),
            ("read_result", json!({"handle": handle})),
        ];
        for (tool, mut arguments) in sources {
            let mut read = String::new();
            loop {
                let page = runtime.call(tool, arguments.clone()).await.result.unwrap();
                read.push_str(page["content"].as_str().unwrap_or_else(|| panic!("{tool}: {page}")));
                if page["next_offset"].is_null() {
                    break;
                }
                arguments["offset"] = page["next_offset"].clone();
            }
            assert!(read == text, "{tool} at {limit}: {} of {} bytes", read.len(), text.len());
        }
    }
}

#[tokio::test]
async fn exactly_at_the_limit_stays_whole() {
    let wrapper = json!({"t": ""}).to_string().chars().count();
    let at = "x".repeat(100_000 - wrapper);
    let runtime = TestRuntime::builder()
        .tool(giver("at", json!({"t": at})))
        .tool(giver("over", json!({"t": format!("{at}x")})))
        .build()
        .await;
    assert!(runtime.call("at", json!({})).await.result.unwrap()["t"].is_string());
    assert!(runtime.call("over", json!({})).await.result.unwrap()["t"]["handle"].is_string());
}

#[tokio::test]
async fn a_result_without_a_store_is_still_bounded_and_says_so() {
    let runtime = TestRuntime::builder().tool(giver("big", json!({"text": lines(20_000)}))).build().await;
    let session = runtime.session_with(|options| options.ports = std::sync::Arc::default());
    let outcome = session.call("big", json!({})).await;
    assert!(outcome.notes.iter().any(|note| note.contains("could not be kept")), "{:?}", outcome.notes);
    assert!(outcome.result.unwrap().to_string().len() < 20_000);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]
    /// Any text at any limit: cut between characters, within the limit, nothing lost from the store.
    #[test]
    fn cutting_never_breaks_a_character(text in "(\\PC|\n|😀|é|\u{301}){0,3000}", limit in 1_000usize..6_000) {
        let reactor = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        reactor.block_on(async {
            let tool = FnTool::new("give", |args, _| async move { Ok(args) }).effect(Effect::None);
            let runtime = TestRuntime::builder()
                .without_built_ins()
                .tool(tool.arc())
                .settings(|settings| settings.result_chars = limit)
                .build()
                .await;
            let shown = runtime.call("give", json!({"text": text, "more": [text]})).await.result.unwrap();
            let size = shown.to_string().chars().count();
            // JSON escapes may double a character, the envelope adds a little.
            assert!(size <= 2 * limit + 500, "{size} of {limit}");
        });
    }
}
