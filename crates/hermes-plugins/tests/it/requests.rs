//! What YAML tools send and answer, as a model meets them.

use hermes_core::ErrorCode;
use hermes_testkit::{Answer, WebServer};
use serde_json::json;

use super::support::{read, runtime_in, runtime_with};

/// Word for word the file of the handbook; only its host is elsewhere.
const JIRA: &str = include_str!("fixtures/custom_tools.yaml");

#[tokio::test]
async fn the_handbook_file_creates_a_ticket() {
    assert_eq!(read(JIRA).unwrap().len(), 1);
    let server =
        WebServer::start(|_| Answer { status: 201, ..Answer::json(&json!({"id": "10001", "key": "OPS-1"})) })
            .await;
    let text = JIRA.replace("https://your-org.atlassian.net", &format!("http://{}", server.address()));
    let text = text.replace("    method: POST\n", "    method: POST\n    allow_private: true\n");
    let env = [("JIRA_USER", "me@example.com"), ("JIRA_API_TOKEN", "s3cret-token")];
    let runtime = runtime_in(&text, &env).await;
    let outcome =
        runtime.call("jira_create_ticket", json!({"summary": "Broken", "project_key": "OPS"})).await;
    let result = outcome.result.unwrap();
    assert_eq!((&result["status_code"], &result["data"]["key"]), (&json!(201), &json!("OPS-1")));
    let seen = server.only();
    assert_eq!((seen.method.as_str(), seen.target.as_str()), ("POST", "/rest/api/3/issue"));
    assert_eq!(seen.json(), json!({"summary": "Broken", "project_key": "OPS", "priority": "Medium"}));
    assert_eq!(seen.header("authorization"), Some("Basic bWVAZXhhbXBsZS5jb206czNjcmV0LXRva2Vu"));

    let wrong = runtime
        .call("jira_create_ticket", json!({"summary": "x", "project_key": "y", "priority": "Urgent"}))
        .await;
    assert_eq!(wrong.error_code(), Some(ErrorCode::InvalidArgument));
    assert_eq!(server.seen().len(), 1);
}

#[tokio::test]
async fn a_missing_variable_takes_the_tool_away() {
    let runtime = runtime_with(JIRA).await;
    let why = runtime.main().session.why("jira_create_ticket").await;
    assert!(why.contains("JIRA_USER is not set"), "{why}");
    let outcome = runtime.call("jira_create_ticket", json!({"summary": "a", "project_key": "b"})).await;
    assert!(outcome.result.is_err());
}

#[tokio::test]
async fn every_kind_of_auth_reaches_the_server() {
    let server = WebServer::start(|_| Answer::text(200, "fine")).await;
    for (auth, check) in [
        ("{type: bearer, token_env: KEY}", ("authorization", "Bearer 1234-key")),
        ("{type: header, name: X-Api-Key, value_env: KEY}", ("x-api-key", "1234-key")),
    ] {
        let text = format!(
            "tools: [{{name: t, description: d, type: http_wrapper, allow_private: true, endpoint: '{}', auth: {auth}}}]",
            server.url("/x")
        );
        server.forget();
        let runtime = runtime_in(&text, &[("KEY", "1234-key")]).await;
        assert_eq!(runtime.call("t", json!({})).await.result.unwrap()["body"], "fine");
        assert_eq!(server.only().header(check.0), Some(check.1));
    }
    let text = format!(
        "tools: [{{name: t, description: d, type: http_wrapper, allow_private: true, endpoint: '{}', auth: {{type: query, name: key, value_env: KEY}}}}]",
        server.url("/x?a=1")
    );
    server.forget();
    let runtime = runtime_in(&text, &[("KEY", "12&34")]).await;
    runtime.call("t", json!({})).await.result.unwrap();
    assert_eq!(server.only().target, "/x?a=1&key=12%2634");
}

#[tokio::test]
async fn errors_are_codes_and_never_show_the_credentials() {
    let server = WebServer::start(|seen| {
        let status = seen.target.trim_start_matches('/').parse().unwrap();
        Answer::text(status, format!("you sent {:?}", seen.header("x-key")))
    })
    .await;
    let text = format!(
        "tools: [{{name: t, description: d, type: http_wrapper, allow_private: true, endpoint: '{}',
          auth: {{type: header, name: x-key, value_env: KEY}}, parameters: [{{name: status, type: integer, required: true}}]}}]",
        server.url("/{status}")
    );
    let runtime = runtime_in(&text, &[("KEY", "tiny")]).await;
    for (status, code) in [
        (400, ErrorCode::InvalidArgument),
        (401, ErrorCode::Auth),
        (404, ErrorCode::NotFound),
        (409, ErrorCode::Conflict),
        (418, ErrorCode::ExecFailed),
        (503, ErrorCode::Unavailable),
    ] {
        let error = runtime.call("t", json!({"status": status})).await.result.unwrap_err();
        assert_eq!((error.code, &error.data["status_code"]), (code, &json!(status)));
        assert!(!format!("{error:?}").contains("tiny"), "{error:?}");
    }
}

#[tokio::test]
async fn answers_are_picked_and_bounded() {
    let server = WebServer::start(|seen| match seen.target.as_str() {
        "/big" => Answer::text(200, "x".repeat(2000)),
        "/text" => Answer::text(200, "[1, 2]"),
        _ => Answer::json(&json!({"a": {"b/c": [1, {"d": "found"}]}})),
    })
    .await;
    let tool = |name: &str, path: &str, more: &str| {
        format!(
            "  - {{name: {name}, description: d, type: http_wrapper, allow_private: true, endpoint: '{}', response: {more}}}\n",
            server.url(path)
        )
    };
    let text = format!(
        "tools:\n{}{}{}{}",
        tool("picks", "/x", "{pick: /a/b~1c/1/d}"),
        tool("misses", "/x", "{pick: /nothing}"),
        tool("text", "/text", "{}"),
        tool("big", "/big", "{max_bytes: 1000}")
    );
    let runtime = runtime_with(&text).await;
    assert_eq!(runtime.call("picks", json!({})).await.result.unwrap()["data"], "found");
    // Text that looks like JSON is text.
    assert_eq!(runtime.call("text", json!({})).await.result.unwrap()["body"], "[1, 2]");
    assert_eq!(runtime.call("misses", json!({})).await.error_code(), Some(ErrorCode::ExecFailed));
    assert_eq!(runtime.call("big", json!({})).await.error_code(), Some(ErrorCode::TooLarge));
}

#[tokio::test]
async fn only_what_may_be_repeated_is_repeated() {
    use std::sync::atomic::{AtomicU32, Ordering};
    static ASKED: AtomicU32 = AtomicU32::new(0);
    let server = WebServer::start(|_| match ASKED.fetch_add(1, Ordering::SeqCst) {
        0 | 1 => Answer::text(503, "later"),
        _ => Answer::text(200, "now"),
    })
    .await;
    let text = format!(
        "tools: [{{name: t, description: d, type: http_wrapper, allow_private: true, endpoint: '{}', retries: 2}}]",
        server.url("/")
    );
    let runtime = runtime_with(&text).await;
    let result = runtime.call("t", json!({})).await.result.unwrap();
    assert_eq!(result["body"], "now");
    assert_eq!(server.seen().len(), 3);
    // Two waits, of 100 ms and of 200 ms, are part of it.
    assert!(result["elapsed_ms"].as_u64().unwrap() >= 300, "{result}");
}

#[tokio::test]
async fn a_policy_that_denies_the_host_is_asked_first() {
    let server = WebServer::start(|_| Answer::text(200, "")).await;
    let text = format!(
        "tools: [{{name: t, description: d, type: http_wrapper, allow_private: true, endpoint: '{}'}}]",
        server.url("/")
    );
    let specs = read(&text).unwrap();
    let runtime = hermes_testkit::TestRuntime::builder().without_built_ins().deny("network:*").build().await;
    let made = hermes_plugins::yaml::tools(
        specs,
        &super::support::host(&runtime),
        &hermes_plugins::yaml::Consent::to_everything(),
    );
    runtime.runtime().registry().replace_all(hermes_core::Owner::Yaml("t".into()), made);
    assert_eq!(runtime.call("t", json!({})).await.error_code(), Some(ErrorCode::PermissionDenied));
    assert!(server.seen().is_empty());
}

#[tokio::test]
async fn lists_in_a_form_are_the_same_name_several_times() {
    let server = WebServer::start(|_| Answer::text(200, "")).await;
    let tool = |name: &str, more: &str| {
        format!(
            "  - {{name: {name}, description: d, type: http_wrapper, allow_private: true, method: POST, body_format: form, endpoint: '{}'{more},
                parameters: [{{name: tags, type: array}}, {{name: note}}]}}\n",
            server.url("/")
        )
    };
    let text =
        format!("tools:\n{}{}", tool("plain", ""), tool("shaped", ", body: {t: '{tags}', n: '<{note}>'}"));
    let runtime = runtime_with(&text).await;
    for (name, expected) in
        [("plain", ["note=b%20c", "tags=a%26&tags=1"]), ("shaped", ["n=%3Cb%20c%3E", "t=a%26&t=1"])]
    {
        server.forget();
        runtime.call(name, json!({"tags": ["a&", 1], "note": "b c"})).await.result.unwrap();
        let body = String::from_utf8(server.only().body.clone()).unwrap();
        assert!(
            body.split('&').count() == 3 && expected.iter().all(|part| body.contains(part)),
            "{name}: {body}"
        );
    }
}

#[tokio::test]
async fn bodies_arrive_as_what_they_are() {
    let server = WebServer::start(|seen| {
        let (kind, body) = match seen.target.as_str() {
            "/picture" => ("image/png", b"\x89PNG\r\n".to_vec()),
            _ => ("text/plain; charset=iso-8859-1", b"caf\xe9".to_vec()),
        };
        Answer { headers: vec![("content-type".into(), kind.into())], body, ..Answer::text(200, "") }
    })
    .await;
    let tool = |name: &str| {
        format!(
            "  - {{name: {name}, description: d, type: http_wrapper, allow_private: true, endpoint: '{}'}}\n",
            server.url(&format!("/{name}"))
        )
    };
    let runtime = runtime_with(&format!("tools:\n{}{}", tool("picture"), tool("latin"))).await;
    let picture = runtime.call("picture", json!({})).await.result.unwrap();
    assert_eq!((&picture["base64"], &picture["content_type"]), (&json!("iVBORw0K"), &json!("image/png")));
    assert_eq!(runtime.call("latin", json!({})).await.result.unwrap()["body"], "café");
}
