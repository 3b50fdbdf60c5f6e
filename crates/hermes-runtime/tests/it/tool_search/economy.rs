//! What the definitions cost, counted as a model counts.

use hermes_core::Owner;
use hermes_runtime::disclosure::{Detail, DetailChoice, Mode};
use hermes_search::count_tokens;
use hermes_testkit::{FnTool, TestRuntime};
use serde_json::json;

use super::support::{answer, connect, tool, with_mode};

/// A built-in of the usual size: some hundred tokens.
fn core_tool(number: usize) -> FnTool {
    let argument = |name: &str| {
        let text = format!("The {name} that this call works on. Relative paths start in the working folder.");
        json!({"type": "string", "description": text})
    };
    let schema = json!({
        "type": "object", "additionalProperties": false, "required": ["path"],
        "properties": {
            "path": argument("path"), "pattern": argument("pattern"), "content": argument("content"),
            "limit": {"type": "integer", "default": 100, "minimum": 1, "maximum": 1000, "description": "How many at most. More are cut."},
        },
    });
    FnTool::echo(&format!("core_tool_{number}")).schema(schema).with(|info| {
        info.description = format!("Does the {number}th useful thing with files. Reads, writes and lists what is there, and says what it did.");
    })
}

#[tokio::test]
async fn forty_built_ins_and_five_hundred_tools_fit_four_thousand_tokens() {
    let mut builder = TestRuntime::builder().without_built_ins();
    for number in 0..40 {
        builder = builder.tool(core_tool(number).arc());
    }
    let test = builder.build().await;
    for server in 0..25 {
        let tools = (0..20).map(|number| {
            let description =
                format!("Does thing {number} of service {server}. It takes what such services take.");
            tool(&format!("server{server}"), &format!("tool_{number}"), &description, &["a", "b", "c", "d"])
        });
        test.runtime().registry().replace_all(Owner::Mcp(format!("server{server}")), tools.collect());
    }
    let catalog = test.main().session.catalog().await;
    assert_eq!(catalog.tools.len(), 540);
    let json = catalog.definitions_json();
    let tokens = count_tokens(&json);
    assert!(tokens <= 4_000, "{tokens} tokens");
    assert!(json.contains("server24 (20)"), "every server is named");
}

#[tokio::test]
async fn the_most_detail_that_fits_in_real_tokens_is_shown() {
    let build = async |detail: DetailChoice, tokens: usize| {
        let mut builder = with_mode(Mode::On).without_built_ins();
        for number in 0..12 {
            builder = builder.tool(core_tool(number).arc());
        }
        let test = builder
            .settings(|settings| {
                settings.search.detail = detail;
                settings.search.definition_tokens = tokens;
            })
            .build()
            .await;
        connect(&test, "stripe");
        test.main().session.catalog().await
    };
    for (detail, less) in [(Detail::Full, Detail::Slim), (Detail::Slim, Detail::Outline)] {
        let shown = build(DetailChoice::Always(detail), 0).await;
        let tokens = count_tokens(&shown.definitions_json());
        assert_eq!(build(DetailChoice::Auto, tokens).await.detail(), detail, "{tokens}");
        assert_eq!(build(DetailChoice::Auto, tokens - 1).await.detail(), less, "{tokens}");
    }
}

#[tokio::test]
async fn an_outline_is_validated_against_the_whole() {
    let test = TestRuntime::builder()
        .without_built_ins()
        .tool(core_tool(1).arc())
        .settings(|settings| settings.search.detail = DetailChoice::Always(Detail::Outline))
        .build()
        .await;
    let catalog = test.main().session.catalog().await;
    assert!(!catalog.definitions_json().contains("maximum"));
    let refused = test.call("core_tool_1", json!({"path": "a", "limit": 5000})).await;
    assert_eq!(refused.error_code(), Some(hermes_core::ErrorCode::InvalidArgument));
    let full = Detail::Full.of(&catalog.tools[0].definition).to_string();
    let sizes: Vec<usize> =
        Detail::ALL.iter().map(|detail| detail.of(&catalog.tools[0].definition).to_string().len()).collect();
    assert!(sizes[0] == full.len() && sizes[0] > sizes[1] && sizes[1] > sizes[2], "{sizes:?}");
}

#[tokio::test]
async fn aliases_of_the_user_lead_to_a_tool() {
    let test = with_mode(Mode::On)
        .settings(|settings| {
            let words = vec!["rückzahlung".to_owned(), "kulanz".to_owned()];
            settings.search.aliases.insert("mcp_stripe_create_refund".to_owned(), words);
        })
        .build()
        .await;
    connect(&test, "stripe");
    let found = answer(&test, "tool_search", json!({"query": "Kulanz"})).await;
    assert_eq!(found["matches"][0]["name"], "mcp_stripe_create_refund");
}
