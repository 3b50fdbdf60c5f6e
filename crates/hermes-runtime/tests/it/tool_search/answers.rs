//! What `tool_search`, `tool_describe` and `tool_call` answer.

use hermes_core::ErrorCode;
use hermes_runtime::disclosure::Mode;
use hermes_runtime::toolsets::Selection;
use serde_json::{Value, json};

use super::support::{answer, connect, connected, names, with_mode};

#[tokio::test]
async fn a_hit_is_enough_to_choose_and_to_call() {
    let test = connected().await;
    let found = answer(&test, "tool_search", json!({"query": "file a github issue"})).await;
    assert_eq!(names(&found)[0], "mcp_github_create_issue");
    assert_eq!(found["total_available"], 8);
    assert_eq!(
        found["matches"][0],
        json!({
            "name": "mcp_github_create_issue",
            "source": "mcp",
            "source_name": "github",
            "description": "Open a new issue in a repository.",
            "required": ["owner", "repo", "title"],
            "parameters": {
                "type": "object",
                "properties": {
                    "owner": {"type": "string", "description": "The owner."},
                    "repo": {"type": "string", "description": "The repo."},
                    "title": {"type": "string", "description": "The title."},
                },
                "required": ["owner", "repo", "title"],
            },
        })
    );
    let arguments = json!({"owner": "o", "repo": "r", "title": "t"});
    let called = json!({"name": "mcp_github_create_issue", "arguments": arguments});
    assert_eq!(answer(&test, "tool_call", called).await, json!({"args": arguments}));
    assert_eq!(answer(&test, "mcp_github_create_issue", arguments.clone()).await, json!({"args": arguments}));
}

#[tokio::test]
async fn every_name_in_a_query_comes_first_whatever_the_limit() {
    let test = connected().await;
    let query = "mcp_maps_geocode_address, stripe.create_refund and createIssue please";
    let found = answer(&test, "tool_search", json!({"query": query, "limit": 1})).await;
    assert_eq!(
        names(&found),
        ["mcp_maps_geocode_address", "mcp_stripe_create_refund", "mcp_github_create_issue"]
    );
    let all = test.main().session.catalog().await;
    for tool in all.tools.iter().filter(|tool| all.is_deferred(tool)) {
        let found = answer(&test, "tool_search", json!({"query": tool.shown_name})).await;
        assert_eq!(names(&found)[0], tool.shown_name);
    }
}

#[tokio::test]
async fn other_languages_forms_and_spellings_reach_their_tools() {
    let test = connected().await;
    for (query, tool) in [
        ("发送邮件", "mcp_gmail_send_email"),
        ("отправить письмо", "mcp_gmail_send_email"),
        ("gửi thư điện tử", "mcp_gmail_send_email"),
        ("enviar correo electrónico", "mcp_gmail_send_email"),
        ("refunding chargs", "mcp_stripe_create_refund"),
        ("geocod", "mcp_maps_geocode_address"),
    ] {
        let found = answer(&test, "tool_search", json!({"query": query})).await;
        assert_eq!(names(&found)[0], tool, "{query}");
    }
}

#[tokio::test]
async fn nothing_found_is_never_an_empty_answer() {
    let test = connected().await;
    for query in ["", "!!! ???", "zzzz qqqq", "the of and"] {
        let found = answer(&test, "tool_search", json!({"query": query})).await;
        assert_eq!(found["matches"], json!([]), "{query}");
        assert_eq!(found["sources"], json!({"github": 3, "gmail": 2, "maps": 1, "stripe": 2}), "{query}");
        assert!(found["hint"].is_string());
    }
    let refused = test.call("tool_search", json!({})).await;
    assert_eq!(refused.error_code(), Some(ErrorCode::InvalidArgument));
}

#[tokio::test]
async fn a_servers_name_lists_its_tools() {
    let test = connected().await;
    let found = answer(&test, "tool_search", json!({"query": "stripe", "limit": 2})).await;
    let mut listed = names(&found);
    listed.sort_unstable();
    assert_eq!(listed, ["mcp_stripe_create_refund", "mcp_stripe_list_customers"]);
}

#[tokio::test]
async fn several_at_once() {
    let test = connected().await;
    let found = answer(&test, "tool_search", json!({"queries": ["refund a charge", "send an email"]})).await;
    let first: Vec<&Value> =
        found["answers"].as_array().unwrap().iter().map(|answer| &answer["matches"][0]["name"]).collect();
    assert_eq!(first, ["mcp_stripe_create_refund", "mcp_gmail_send_email"]);

    let names = json!({"names": ["mcp_stripe_create_refund", "no_such_tool"]});
    let described = answer(&test, "tool_describe", names).await;
    assert_eq!(described["tools"][0]["parameters"]["required"], json!(["charge"]));
    assert_eq!(described["tools"][1]["code"], "not_found");

    let calls = json!({"calls": [
        {"name": "mcp_stripe_list_customers"},
        {"name": "mcp_stripe_create_refund", "arguments": {"charge": "c"}},
        {"name": "mcp_stripe_create_refund", "arguments": {}},
        {"name": "tool_call", "arguments": {"name": "mcp_stripe_list_customers"}},
    ]});
    let called = answer(&test, "tool_call", calls).await;
    let status: Vec<&str> = called["results"]
        .as_array()
        .unwrap()
        .iter()
        .map(|result| result["status"].as_str().unwrap())
        .collect();
    assert_eq!(status, ["success", "success", "error", "error"]);
    assert_eq!(called["results"][1]["args"], json!({"charge": "c"}));
    assert_eq!(called["results"][1]["tool"], "mcp_stripe_create_refund");

    let both = json!({"name": "mcp_stripe_list_customers", "calls": [{"name": "mcp_stripe_list_customers"}]});
    assert_eq!(test.call("tool_call", both).await.error_code(), Some(ErrorCode::InvalidArgument));

    let many: Vec<String> = (0..10).map(|number| format!("send email number {number}")).collect();
    let found = answer(&test, "tool_search", json!({"queries": many})).await;
    assert_eq!(found["answers"].as_array().unwrap().len(), 8);
    assert!(found["hint"].as_str().unwrap().contains("last 2 queries"), "{found}");
}

#[tokio::test]
async fn no_argument_of_a_call_is_lost() {
    let test = connected().await;
    let tool = "mcp_stripe_list_customers";
    let asked = json!({"limit": 3, "country": "fr"});
    for beside in [
        json!({"name": tool, "limit": 3, "country": "fr"}),
        json!({"name": tool, "arguments": null, "limit": 3, "country": "fr"}),
        json!({"name": tool, "args": asked}),
        json!({"name": tool, "parameters": asked}),
    ] {
        let called = test.call("tool_call", beside.clone()).await;
        assert_eq!(called.result.clone().unwrap()["args"], asked, "{beside}");
        assert!(called.notes.iter().any(|note| note.contains("read as the arguments")), "{called:?}");
        let several = answer(&test, "tool_call", json!({"calls": [beside]})).await;
        assert_eq!(several["results"][0]["args"], asked, "{several}");
    }
    for both in [
        json!({"name": tool, "arguments": {}, "limit": 3}),
        json!({"name": tool, "arguments": "{}", "id": "call_7"}),
    ] {
        let refused = test.call("tool_call", both.clone()).await;
        assert!(!refused.ran);
        let error = refused.result.unwrap_err();
        assert_eq!(error.code, ErrorCode::InvalidArgument);
        assert!(error.message.contains("into 'arguments'"), "{error}");
        let several = answer(&test, "tool_call", json!({"calls": [both]})).await;
        assert_eq!(several["results"][0]["code"], "invalid_argument");
    }
}

#[tokio::test]
async fn several_calls_succeed_only_if_each_does() {
    let test = connected().await;
    let good = json!({"name": "mcp_stripe_list_customers"});
    let bad = json!({"name": "mcp_stripe_create_refund", "arguments": {}});
    let called = test.call("tool_call", json!({"calls": [good, bad]})).await;
    assert_eq!((called.is_success(), called.status()), (false, "error"));
    assert_eq!(called.result.clone().unwrap()["failed"], 1);
    let codes: Vec<_> = called.each().iter().map(|made| (made.tool.as_str(), made.error_code())).collect();
    let refund = ("mcp_stripe_create_refund", Some(ErrorCode::InvalidArgument));
    assert_eq!(codes, [("mcp_stripe_list_customers", None), refund]);
    let called = test.call("tool_call", json!({"calls": [good]})).await;
    assert!(called.is_success() && called.result.unwrap().get("failed").is_none());
}

#[tokio::test]
async fn what_fits_badly_is_said_to() {
    let test = connected().await;
    let search = test.runtime().search();
    search.follow(&test.runtime().registry().snapshot());
    search.embed_now();
    let weak = answer(&test, "tool_search", json!({"query": "order a pizza"})).await;
    assert_eq!(weak["fit"], "weak");
    assert_eq!(names(&weak).len(), 5);
    let good = answer(&test, "tool_search", json!({"query": "refund a charge"})).await;
    assert!(good.get("fit").is_none(), "{good}");
}

#[tokio::test]
async fn without_the_encoder_kept_vectors_are_not_used() {
    let test = with_mode(Mode::On).settings(|settings| settings.search.encoder = false).build().await;
    connect(&test, "stripe");
    let found = answer(&test, "tool_search", json!({"query": "refund"})).await;
    assert_eq!(found["ranked_by"], "words");
}

#[tokio::test]
async fn schemas_are_given_while_they_fit() {
    let test = with_mode(Mode::On).settings(|settings| settings.search.schema_tokens = 0).build().await;
    connect(&test, "github");
    let found = answer(&test, "tool_search", json!({"query": "create issue"})).await;
    assert!(found["matches"].as_array().unwrap().iter().all(|hit| hit.get("parameters").is_none()));
    let described = answer(&test, "tool_describe", json!({"name": "mcp_github_create_issue"})).await;
    assert_eq!(described["parameters"]["required"], json!(["owner", "repo", "title"]));
}

#[tokio::test]
async fn every_query_of_a_batch_has_the_schema_of_its_best_hit() {
    let queries = ["create issue", "send an email", "create refund", "geocode an address", "list commits"];
    // Room for little more than one whole schema of each.
    for tokens in [250, 400, 1_000] {
        let test =
            with_mode(Mode::On).settings(|settings| settings.search.schema_tokens = tokens).build().await;
        super::support::SERVERS.iter().for_each(|server| connect(&test, server));
        let found = answer(&test, "tool_search", json!({"queries": queries})).await;
        for answer in found["answers"].as_array().unwrap() {
            assert!(answer["matches"][0]["parameters"].is_object(), "{tokens}: {answer}");
        }
    }
}

#[tokio::test]
async fn the_bridge_sees_the_sessions_own_tools_only() {
    let test = connected().await;
    let narrow = test.session_with(|options| {
        options.id = "narrow".into();
        options.selection = Selection { enabled: Some(vec!["mcp-github".into()]), ..Selection::default() };
    });
    let found =
        narrow.call("tool_search", json!({"query": "send an email", "limit": 20})).await.result.unwrap();
    assert_eq!(found["total_available"], 3);
    assert!(names(&found).iter().all(|name| name.starts_with("mcp_github_")), "{found}");
    for (bridge, key) in [("tool_describe", "name"), ("tool_call", "name")] {
        let forbidden = narrow.call(bridge, json!({key: "mcp_gmail_send_email"})).await.result.unwrap_err();
        let unknown = narrow.call(bridge, json!({key: "mcp_gmail_sent_emails"})).await.result.unwrap_err();
        assert_eq!(forbidden.code, ErrorCode::NotFound);
        assert_eq!(forbidden.message.replace("send_email", "sent_emails"), unknown.message);
        assert_eq!(forbidden.hint, unknown.hint);
    }
    // Scores come from the scope alone: what others have changes nothing.
    let alone = with_mode(Mode::On).build().await;
    connect(&alone, "github");
    let query = json!({"query": "list what was committed to a repository"});
    let there = narrow.call("tool_search", query.clone()).await.result.unwrap();
    assert_eq!(names(&there), names(&answer(&alone, "tool_search", query).await));
}

#[tokio::test]
async fn what_no_search_understands_is_refused() {
    let test = connected().await;
    for (tool, arguments) in [
        ("tool_search", json!({"query": "refund", "kind": "payments"})),
        ("tool_describe", json!({"name": "mcp_stripe_create_refund", "depth": 2})),
    ] {
        let refused = test.call(tool, arguments).await;
        assert_eq!(refused.error_code(), Some(hermes_core::ErrorCode::InvalidArgument), "{tool}");
    }
}

#[tokio::test]
async fn a_tool_that_needs_no_search_is_told() {
    let test = connected().await;
    let found = answer(&test, "tool_search", json!({"query": "use core_tool to echo"})).await;
    assert_eq!(found["direct"], json!(["core_tool"]), "{found}");
    assert!(found["hint"].as_str().unwrap().contains("core_tool"));
    for query in ["refund a charge", "core values of our customers", "a tool for refunds"] {
        let found = answer(&test, "tool_search", json!({"query": query})).await;
        assert!(found.get("direct").is_none(), "{found}");
    }
}

#[tokio::test]
async fn a_name_at_the_end_of_a_long_text_is_found_and_the_text_is_not_given_back() {
    let test = connected().await;
    let query = format!("{} mcp_stripe_create_refund", "words about something else ".repeat(1_000));
    let found = answer(&test, "tool_search", json!({"query": query})).await;
    assert_eq!(found["matches"][0]["name"], "mcp_stripe_create_refund", "{found}");
    assert!(found["query"].as_str().unwrap().chars().count() <= 201);
}

#[tokio::test]
async fn whoever_asks_for_a_source_is_told_how_many_tools_it_has() {
    let test = connected().await;
    let found = answer(&test, "tool_search", json!({"query": "stripe", "limit": 1})).await;
    assert!(found["hint"].as_str().unwrap().contains("stripe has"), "{found}");
}
