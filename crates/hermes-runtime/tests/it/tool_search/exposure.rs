//! When tools are deferred, and that the model's list stays the same bytes.

use hermes_core::Owner;
use hermes_runtime::disclosure::Mode;
use proptest::prelude::*;
use serde_json::Value;

use super::support::{SERVERS, connect, connected, disconnect, tool, tools_of, with_mode};

const BRIDGE: [&str; 3] = ["tool_search", "tool_describe", "tool_call"];

async fn shown(test: &hermes_testkit::TestRuntime) -> Vec<String> {
    let json: Value = serde_json::from_str(&test.main().session.catalog().await.definitions_json()).unwrap();
    let name = |tool: &Value| tool["function"]["name"].as_str().unwrap().to_owned();
    json.as_array().unwrap().iter().map(name).collect()
}

#[tokio::test]
async fn core_tools_stay_and_the_bridge_comes_last() {
    let test = connected().await;
    let shown = shown(&test).await;
    assert!(shown.contains(&"core_tool".to_owned()));
    assert!(!shown.iter().any(|name| name.starts_with("mcp_")), "{shown:?}");
    assert_eq!(shown[shown.len() - 3..], BRIDGE);
    let catalog = test.main().session.catalog().await;
    assert!(catalog.get("mcp_github_create_issue").is_some());
    assert!(test.main().session.why("mcp_github_create_issue").await.contains("found by tool_search"));
}

#[tokio::test]
async fn off_never_defers_and_without_deferrable_tools_there_is_no_bridge() {
    let off = with_mode(Mode::Off).build().await;
    connect(&off, "github");
    assert!(shown(&off).await.contains(&"mcp_github_create_issue".to_owned()));
    let none = with_mode(Mode::On).build().await;
    assert!(!shown(&none).await.iter().any(|name| BRIDGE.contains(&name.as_str())));
    let called = none.call("tool_search", serde_json::json!({"query": "anything"})).await;
    assert_eq!(called.error_code(), Some(hermes_core::ErrorCode::NotFound));
}

#[tokio::test]
async fn auto_judges_by_the_sessions_own_context_and_goes_back() {
    let test = with_mode(Mode::Auto).build().await;
    SERVERS.iter().for_each(|server| connect(&test, server));
    let defers = async |context: Option<usize>| {
        let session = test.session_with(|options| options.context_tokens = context);
        session.session.catalog().await.bridge.is_some()
    };
    assert!(!defers(None).await);
    assert!(!defers(Some(200_000)).await);
    assert!(defers(Some(4_000)).await);
    assert!(defers(Some(0)).await);

    let small = test.session_with(|options| options.context_tokens = Some(4_000));
    assert!(small.session.catalog().await.bridge.is_some());
    SERVERS.iter().skip(1).for_each(|server| disconnect(&test, server));
    assert!(small.session.catalog().await.bridge.is_none(), "removing sources returns to direct exposure");
}

#[tokio::test]
async fn a_new_source_is_named_and_a_changed_one_costs_nothing() {
    let test = with_mode(Mode::On).build().await;
    connect(&test, "github");
    let first = test.main().session.catalog().await;
    let mut more = tools_of("github");
    more.push(tool("github", "star", "Star a repository.", &["repo"]));
    test.runtime().registry().replace_all(Owner::Mcp("github".into()), more);
    let second = test.main().session.catalog().await;
    assert_eq!((second.epoch, second.definitions_json()), (first.epoch, first.definitions_json()));
    assert!(second.get("mcp_github_star").is_some());
    connect(&test, "gmail");
    let third = test.main().session.catalog().await;
    assert!(third.epoch > second.epoch, "{}", third.reason);
    assert!(third.definitions_json().contains("gmail (2)"));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(3))]

    #[test]
    fn a_hundred_turns_with_reconnecting_sources_are_the_same_bytes(
        steps in proptest::collection::vec((0_usize..4, any::<bool>(), any::<u64>()), 100)
    ) {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(async {
            let test = connected().await;
            let first = test.main().session.catalog().await.definitions_json();
            for (server, gone, order) in steps {
                let server = SERVERS[server];
                // At least one source stays, or the session rightly returns to direct exposure.
                if gone && server != "github" {
                    disconnect(&test, server);
                    prop_assert_eq!(&first, &test.main().session.catalog().await.definitions_json());
                }
                let mut tools = tools_of(server);
                let turn = usize::try_from(order).unwrap_or(0) % tools.len();
                tools.rotate_left(turn);
                test.runtime().registry().replace_all(Owner::Mcp(server.to_owned()), tools);
                prop_assert_eq!(&first, &test.main().session.catalog().await.definitions_json());
            }
            Ok(())
        })?;
    }
}
