use std::sync::Arc;

use hermes_core::schema::Provider;
use hermes_core::{ErrorCode, Owner, SchemaOverride};
use hermes_runtime::catalog::Naming;
use hermes_runtime::toolsets::Selection;
use hermes_testkit::{FnTool, TestRuntime};
use proptest::prelude::*;
use serde_json::{Value, json};

#[tokio::test]
async fn definitions_are_sorted_and_byte_stable() {
    let runtime = TestRuntime::new().await;
    let first = runtime.main().session.catalog().await;
    let again = runtime.main().session.catalog().await;
    assert!(Arc::ptr_eq(&first, &again), "nothing changed, nothing is rebuilt");
    let keys: Vec<_> =
        first.tools.iter().map(|tool| (&tool.entry.info().toolset, &tool.entry.info().name)).collect();
    assert!(keys.is_sorted(), "{keys:?}");
    let other = TestRuntime::new().await;
    assert_eq!(first.definitions_json(), other.main().session.catalog().await.definitions_json());
    let parsed: Vec<Value> = serde_json::from_str(&first.definitions_json()).unwrap();
    assert!(
        parsed
            .iter()
            .all(|tool| tool["type"] == "function" && tool["function"]["parameters"]["type"] == "object")
    );
}

#[tokio::test]
async fn the_epoch_moves_only_when_the_model_would_see_a_change() {
    let runtime = TestRuntime::builder().without_built_ins().tool(FnTool::echo("a").arc()).build().await;
    let registry = runtime.runtime().registry();
    let session = &runtime.main().session;
    let first = session.catalog().await;
    registry.register(Owner::Host, FnTool::echo("a").arc()).unwrap();
    let same = session.catalog().await;
    assert_eq!((first.epoch, first.definitions_json()), (same.epoch, same.definitions_json()));
    registry
        .register(Owner::Host, FnTool::echo("a").with(|info| info.description = "New.".into()).arc())
        .unwrap();
    let changed = session.catalog().await;
    assert_eq!((changed.epoch, changed.reason.as_str()), (first.epoch + 1, "~a"));
    registry.remove(&Owner::Host, "a").unwrap();
    assert_eq!(session.catalog().await.reason, "-a");
}

#[tokio::test]
async fn every_provider_gets_its_own_envelope() {
    let runtime = TestRuntime::new().await;
    for (provider, pointer) in [
        (Provider::OpenAi, "/function/parameters"),
        (Provider::Generic, "/function/parameters"),
        (Provider::Anthropic, "/input_schema"),
        (Provider::Gemini, "/parameters"),
    ] {
        let session = runtime.session_with(|options| options.provider = provider);
        let catalog = session.session.catalog().await;
        let listed = catalog.get("read_file").unwrap();
        assert_eq!(listed.definition.pointer(pointer).unwrap()["type"], "object", "{provider:?}");
    }
}

#[tokio::test]
async fn chapter_names_are_shown_on_demand_and_always_accepted() {
    let runtime = TestRuntime::new().await;
    let session = runtime.session_with(|options| options.naming = Naming::Chapter18);
    let catalog = session.session.catalog().await;
    assert!(catalog.shown_names().any(|name| name == "file_read"));
    assert!(catalog.shown_names().all(|name| name != "read_file"), "never both");
    runtime.write("a.txt", "hello");
    for name in ["file_read", "read_file"] {
        assert!(session.call(name, json!({"path": "a.txt"})).await.is_success());
        let outcome = runtime.call(name, json!({"path": "a.txt"})).await;
        assert_eq!(outcome.tool, "read_file");
    }
}

#[tokio::test]
async fn one_bad_schema_is_quarantined_and_the_rest_go_out() {
    let mut deep = json!({"type": "string"});
    for _ in 0..200 {
        deep = json!({"type": "object", "properties": {"x": deep}});
    }
    let runtime = TestRuntime::builder()
        .tool(FnTool::echo("bad").schema(deep).arc())
        .tool(FnTool::echo("good").arc())
        .build()
        .await;
    let catalog = runtime.main().session.catalog().await;
    assert!(catalog.get("bad").is_none() && catalog.get("good").is_some());
    assert!(runtime.main().session.why("bad").await.contains("quarantined"));
}

#[tokio::test]
async fn a_tool_is_called_by_the_schema_it_is_shown_with() {
    let odd = json!({"type": "object", "required": ["a"], "properties": {
        "a": {"type": "int", "minimum": "1", "maximum": "x", "enum": []},
        "b": {"type": "string", "pattern": "^(?!x)"},
    }});
    let runtime = TestRuntime::builder().tool(FnTool::echo("odd").schema(odd).arc()).build().await;
    let shown = runtime.main().session.catalog().await.get("odd").unwrap().definition.clone();
    assert_eq!(shown["function"]["parameters"]["properties"]["a"], json!({"type": "integer", "minimum": 1}));
    assert!(runtime.call("odd", json!({"a": 5, "b": "x"})).await.is_success());
    for wrong in [json!({"a": 0}), json!({}), json!({"a": "five"})] {
        let refused = runtime.call("odd", wrong.clone()).await.result.unwrap_err();
        assert_eq!(refused.code, ErrorCode::InvalidArgument, "{wrong}");
    }
    let why = runtime.main().session.why("odd").await;
    assert!(why.contains("/properties/a/maximum: left out: \"x\" means nothing there"), "{why}");
}

#[tokio::test]
async fn a_schema_that_means_nothing_is_no_schema_for_anybody() {
    let circle = json!({"type": "object", "properties": {"a": {"$ref": "#/$defs/A"}},
        "$defs": {"A": {"$ref": "#/$defs/B"}, "B": {"$ref": "#/$defs/A"}}});
    let runtime = TestRuntime::builder().tool(FnTool::echo("circle").schema(circle).arc()).build().await;
    assert!(runtime.main().session.why("circle").await.contains("lead in a circle"));
    let refused = runtime.call("circle", json!({})).await.result.unwrap_err();
    assert_eq!((refused.code, refused.retryable), (ErrorCode::Unavailable, false));
}

#[tokio::test]
async fn a_dynamic_schema_sees_what_is_offered_and_may_fail() {
    let listing = FnTool::echo("lists").dynamic(|view| {
        let description = Some(format!("May call {}.", view.offered.join(", ")));
        Some(SchemaOverride { description, parameters: None })
    });
    let runtime = TestRuntime::builder()
        .without_built_ins()
        .tool(listing.arc())
        .tool(FnTool::echo("breaks").dynamic(|_| panic!("boom")).arc())
        .build()
        .await;
    let catalog = runtime.main().session.catalog().await;
    let text = catalog.get("lists").unwrap().definition["function"]["description"].clone();
    assert_eq!(text, "May call breaks, lists.");
    assert_eq!(catalog.get("breaks").unwrap().definition["function"]["description"], "Test tool breaks.");
}

#[tokio::test]
async fn why_answers_in_one_line() {
    let runtime = TestRuntime::new().await;
    let why = |session: hermes_testkit::TestSession, name: &'static str| async move {
        session.session.why(name).await
    };
    assert!(why(runtime.main().clone(), "file_read").await.contains("alias of read_file"));
    assert!(why(runtime.main().clone(), "raed_file").await.contains("nearest: read_file"));
    let narrow = runtime.session_with(|options| options.selection = Selection::only(["todo"]));
    assert!(why(narrow, "read_file").await.contains("it belongs to 'file'"));
    let without = runtime.session_with(|options| options.selection = Selection::default().without(["file"]));
    assert!(why(without, "read_file").await.contains("toolset 'file' is disabled"));
    let single = runtime.session_with(|options| options.selection.disabled_tools = vec!["file_read".into()]);
    assert!(why(single, "read_file").await.contains("tools.disabled"));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(30))]
    /// Sources that reconnect in any order leave the same bytes.
    #[test]
    fn registration_order_does_not_matter(order in Just((0..12).collect::<Vec<usize>>()).prop_shuffle()) {
        let reactor = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        let bytes = |order: Vec<usize>| reactor.block_on(async {
            let runtime = TestRuntime::builder().without_built_ins().build().await;
            for index in order {
                let owner = Owner::Mcp(format!("server{}", index % 3));
                let tool = FnTool::echo(&format!("tool{index}")).with(|info| info.toolset = format!("mcp-{}", index % 3));
                runtime.runtime().registry().register(owner, tool.arc()).unwrap();
            }
            runtime.main().session.catalog().await.definitions_json()
        });
        prop_assert_eq!(bytes(order), bytes((0..12).collect()));
    }
}

#[tokio::test]
async fn sessions_share_one_definition_per_tool_and_provider() {
    let runtime = TestRuntime::builder().tool(FnTool::echo("echoes").arc()).build().await;
    let definition = async |provider| {
        let session = runtime.session_with(|options| options.provider = provider);
        session.session.catalog().await.get("echoes").unwrap().definition.clone()
    };
    let (first, second) = (definition(Provider::OpenAi).await, definition(Provider::OpenAi).await);
    assert!(std::ptr::eq(&*first, &*second), "made once");
    assert_ne!(first, definition(Provider::Anthropic).await);
}
