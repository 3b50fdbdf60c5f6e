//! Against a stand-in for the vendor's service that speaks its protocol.

mod execution;
mod service;
mod wire;

use hermes_core::ErrorCode;
use hermes_host::terminal::{BackendSettings, ContainerSettings, TerminalSettings};
use hermes_testkit::TestRuntime;
use serde_json::json;

pub(crate) use self::service::Service;
use super::conformance::conforms;
use crate::support::{failure, value};

pub(crate) async fn runtime(service: &Service, token: &str, folder: &str) -> TestRuntime {
    let container = ContainerSettings {
        image: Some("debian:12".into()),
        cwd: folder.into(),
        network: false,
        memory_mb: 512,
        ..ContainerSettings::default()
    };
    let settings =
        TerminalSettings { backend: BackendSettings::Modal(container), ..TerminalSettings::default() };
    TestRuntime::builder()
        .env("MODAL_TOKEN_ID", "ak-test")
        .env("MODAL_TOKEN_SECRET", token)
        .env("MODAL_SERVER_URL", &format!("http://{}", service.address))
        .terminal(settings)
        .build()
        .await
}

#[tokio::test]
async fn a_sandbox() {
    let service = Service::start().await;
    let test = runtime(&service, service.token, "/tmp").await;
    conforms(&test, "modal", "sb-").await;
    assert_eq!(service.calls("SandboxCreate"), 1, "one sandbox for the session");
    let definition = service.definition();
    assert_eq!(definition.message(22).number(1), 2, "no network");
    assert_eq!(definition.message(5).number(5), 512, "memory");
    assert!(
        definition.number(7) > 3_600 && definition.number(33) > 0,
        "it lives long enough, and not for ever"
    );
    assert!(test.host().terminals.check().await.unwrap().contains("ap-1"));

    service.forget();
    let again = value(test.call("terminal", json!({"command": "echo back"})).await);
    assert_eq!(again["output"], json!("back"));
    assert_eq!(service.calls("SandboxCreate"), 2, "one that has ended is replaced");
}

#[tokio::test]
async fn a_connection_that_breaks_is_made_again_where_it_stood() {
    let service = Service::start().await;
    let test = runtime(&service, service.token, "/tmp").await;
    service.break_off(3, 1_000);
    let shown = value(test.call("terminal", json!({"command": "seq 2000"})).await);
    let expected: Vec<String> = (1..=2000).map(|number| number.to_string()).collect();
    assert_eq!(shown["output"], json!(expected.join("\n")));
    assert!(service.calls("TaskExecStdioRead") >= 4);
    assert_eq!(service.calls("TaskExecStart"), 1, "the command ran once");
}

#[tokio::test]
async fn input_arrives() {
    let service = Service::start().await;
    let test = runtime(&service, service.token, "/tmp").await;
    let started =
        value(test.call("terminal", json!({"command": "cat; echo over", "background": true})).await);
    let id = started["session_id"].as_str().unwrap();
    for action in [
        json!({"action": "submit", "session_id": id, "data": "typed"}),
        json!({"action": "close", "session_id": id}),
    ] {
        value(test.call("process", action).await);
    }
    let ended = value(test.call("process", json!({"action": "wait", "session_id": id, "timeout": 60})).await);
    assert_eq!(ended["exit_code"], json!(0), "{ended}");
    let log = value(test.call("process", json!({"action": "log", "session_id": id})).await);
    assert_eq!(log["output"], json!("typed\nover"), "{log}");
}

#[tokio::test]
async fn whom_the_vendor_does_not_know_is_told_what_to_do() {
    let service = Service::start().await;
    let test = runtime(&service, "as-wrong", "/tmp").await;
    let error = failure(test.call("terminal", json!({"command": "echo no"})).await);
    assert_eq!(error.code, ErrorCode::Unavailable);
    assert!(error.hint.unwrap().contains("MODAL_TOKEN_ID"));
    assert_eq!(service.calls("TaskExecStart"), 0);
}
