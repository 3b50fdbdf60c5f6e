//! What was cut short is told by what the tool does: of a change nobody knows whether it happened.

use hermes_core::ErrorCode;
use hermes_testkit::{Answer, TestRuntime, WebServer};
use serde_json::json;

use super::support::{enable, runtime_with, write_python};

#[tokio::test(flavor = "multi_thread")]
async fn programs() {
    let text = "
tools:
  - {name: changes, description: d, type: command, timeout_seconds: 1, command: [sleep, '60']}
  - {name: looks, description: d, type: command, timeout_seconds: 1, read_only: true, command: [sleep, '60']}";
    let runtime = runtime_with(text).await;
    let changes = runtime.call("changes", json!({})).await.result.unwrap_err();
    assert_eq!((changes.code, changes.retryable), (ErrorCode::OutcomeUnknown, false), "{changes:?}");
    let looks = runtime.call("looks", json!({})).await.result.unwrap_err();
    assert_eq!((looks.code, looks.retryable), (ErrorCode::Timeout, true), "{looks:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn plugins() {
    let text = r#"
import time
from hermes.tools import tool

@tool(timeout_seconds=1)
def changes():
    "Takes long."
    time.sleep(60)

@tool(timeout_seconds=1, effect="read_only")
async def looks():
    "Takes long too."
    import asyncio
    await asyncio.sleep(60)
"#;
    let runtime = TestRuntime::builder().without_built_ins().build().await;
    let _own = enable(&runtime, &write_python(&runtime, "slow", text)).await;
    let changes = runtime.call("changes", json!({})).await.result.unwrap_err();
    assert_eq!((changes.code, changes.retryable), (ErrorCode::OutcomeUnknown, false), "{changes:?}");
    let looks = runtime.call("looks", json!({})).await.result.unwrap_err();
    assert_eq!((looks.code, looks.retryable), (ErrorCode::Timeout, true), "{looks:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn requests() {
    // Takes the connection, and never answers.
    let silent = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = silent.local_addr().unwrap();
    let gateway = WebServer::start(|seen| {
        Answer::text(seen.target.trim_start_matches('/').parse().unwrap(), "lost it")
    })
    .await;
    let tool = |name: &str, method: &str, endpoint: String, more: &str| {
        format!(
            "  - {{name: {name}, description: d, type: http_wrapper, allow_private: true, timeout_seconds: 1, method: {method}, endpoint: '{endpoint}'{more}}}\n"
        )
    };
    let text = format!(
        "tools:\n{}{}{}{}{}",
        tool("posts", "POST", format!("http://{address}/"), ""),
        tool("gets", "GET", format!("http://{address}/"), ""),
        tool("repeats", "POST", format!("http://{address}/"), ", idempotent: true"),
        tool("through", "POST", gateway.url("/{status}"), ", parameters: [{name: status, required: true}]"),
        tool("fetches", "GET", gateway.url("/{status}"), ", parameters: [{name: status, required: true}]"),
    );
    let runtime = runtime_with(&text).await;
    let asked = async |name: &str, arguments| {
        let error = runtime.call(name, arguments).await.result.unwrap_err();
        (error.code, error.retryable)
    };
    assert_eq!(asked("posts", json!({})).await, (ErrorCode::OutcomeUnknown, false));
    assert_eq!(asked("gets", json!({})).await, (ErrorCode::Timeout, true));
    assert!(asked("repeats", json!({})).await.1, "what does no harm may be repeated");
    for status in ["502", "504"] {
        assert_eq!(asked("through", json!({"status": status})).await, (ErrorCode::OutcomeUnknown, false));
        assert!(asked("fetches", json!({"status": status})).await.1);
    }
    assert_eq!(asked("through", json!({"status": "503"})).await, (ErrorCode::Unavailable, false));
}

/// Somebody answered, at length: what was asked was done, and asking again would do it twice.
#[tokio::test(flavor = "multi_thread")]
async fn answers_that_are_too_long() {
    let server = WebServer::start(|seen| {
        Answer::text(seen.target.trim_start_matches('/').parse().unwrap(), "x".repeat(2_000))
    })
    .await;
    let tool = |name: &str, method: &str| {
        format!(
            "  - {{name: {name}, description: d, type: http_wrapper, allow_private: true, method: {method}, endpoint: '{}', response: {{max_bytes: 1000}}, parameters: [{{name: status, required: true}}]}}\n",
            server.url("/{status}")
        )
    };
    let runtime = runtime_with(&format!("tools:\n{}{}", tool("posts", "POST"), tool("gets", "GET"))).await;
    for (name, status, code) in [
        ("posts", "200", ErrorCode::OutcomeUnknown),
        ("posts", "500", ErrorCode::OutcomeUnknown),
        ("posts", "422", ErrorCode::TooLarge),
        ("gets", "200", ErrorCode::TooLarge),
    ] {
        let error = runtime.call(name, json!({"status": status})).await.result.unwrap_err();
        assert_eq!((error.code, error.retryable), (code, false), "{name} {status}: {error:?}");
        assert_eq!(error.data["status_code"].to_string(), status, "{error:?}");
    }
}

/// Its input ends with its life: a program that reads to the end of it is not waited for, and not killed.
#[tokio::test(flavor = "multi_thread")]
async fn a_plugin_that_reads_to_the_end_comes_to_it() {
    let script = r#"
while read -r line; do
    case "$line" in
        *'"describe"'*) printf '%s\n' '{"id":1,"result":{"protocol":1,"tools":[{"name":"t","description":"d"}]}}' ;;
    esac
done
touch "$HERMES_PLUGIN_DATA/ended"
"#;
    let runtime = TestRuntime::builder().without_built_ins().build().await;
    let found = super::support::write_plugin(
        &runtime,
        "patient",
        "command: [sh, plugin.sh]",
        &[("plugin.sh", script)],
    );
    hermes_plugins::plugin::inspect(&found, runtime.host(), runtime.workspace()).await.unwrap();
    assert!(runtime.host().home.join("plugin-data/patient/ended").exists());
}
