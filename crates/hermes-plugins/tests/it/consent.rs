//! Secrets go where somebody agreed to, and nowhere else.

use hermes_core::{ErrorCode, Owner};
use hermes_plugins::RegisteredFile;
use hermes_plugins::yaml::tools;
use hermes_testkit::{Answer, TestRuntime, WebServer};
use serde_json::json;

use super::support::{host, read};

#[tokio::test]
async fn a_changed_endpoint_does_not_get_the_credentials() {
    let first = WebServer::start(|_| Answer::text(200, "first")).await;
    let other = WebServer::start(|_| Answer::text(200, "other")).await;
    let text = |url: String| {
        format!(
            "tools: [{{name: t, description: d, type: http_wrapper, allow_private: true, endpoint: '{url}', auth: {{type: bearer, token_env: KEY}}}}]"
        )
    };
    let runtime = TestRuntime::builder().without_built_ins().env("KEY", "secret-key").build().await;
    let host = host(&runtime);
    let agreed = RegisteredFile::agreeing("/x.yaml".into(), &read(&text(first.url("/a"))).unwrap());
    let owner = || Owner::Yaml("/x.yaml".into());

    // Another path of the same origin is what was agreed to.
    let same = read(&text(first.url("/b"))).unwrap();
    runtime.runtime().registry().replace_all(owner(), tools(same, &host, &agreed.consent()));
    assert!(runtime.call("t", json!({})).await.result.is_ok());

    let elsewhere = read(&text(other.url("/a"))).unwrap();
    runtime.runtime().registry().replace_all(owner(), tools(elsewhere, &host, &agreed.consent()));
    let outcome = runtime.call("t", json!({})).await;
    assert!(
        matches!(outcome.error_code(), Some(ErrorCode::Auth | ErrorCode::Unavailable | ErrorCode::NotFound)),
        "{outcome:?}"
    );
    assert!(other.seen().is_empty());
    let why = runtime.main().session.why("t").await;
    assert!(why.contains("nobody agreed that KEY is sent to"), "{why}");
}

#[tokio::test]
async fn a_redirect_does_not_carry_the_credentials_away() {
    let other = WebServer::start(|_| Answer::text(200, "other")).await;
    let target = other.url("/there");
    let first = WebServer::start(move |_| Answer::redirect(302, &target)).await;
    let text = format!(
        "tools: [{{name: t, description: d, type: http_wrapper, allow_private: true, endpoint: '{}', auth: {{type: bearer, token_env: KEY}}}}]",
        first.url("/")
    );
    let runtime = super::support::runtime_in(&text, &[("KEY", "secret-key")]).await;
    assert_eq!(runtime.call("t", json!({})).await.error_code(), Some(ErrorCode::PermissionDenied));
    assert!(other.seen().is_empty());
}
