use hermes_core::ErrorCode;
use hermes_testkit::TestRuntime;
use serde_json::{Value, json};

use crate::support::{code, failure, value};

async fn runtime() -> TestRuntime {
    TestRuntime::builder()
        .env("EDITOR", "vi")
        .env("SERVICE_API_KEY", "sk-very-secret-value")
        .env("DATABASE_URL", "postgres://app:hunter2hunter2@db/app")
        .build()
        .await
}

fn set(name: &str, text: &str) -> Value {
    json!({"action": "set", "name": name, "value": text})
}

fn get(name: &str) -> Value {
    json!({"action": "get", "name": name})
}

#[tokio::test]
async fn what_is_set_is_seen_by_this_session_only() {
    let test = runtime().await;
    let answer = value(test.call("env_manager", set("GREETING", "hello")).await);
    assert_eq!(answer, json!({"name": "GREETING", "set": true, "scope": "session"}));
    let seen = value(test.call("env_manager", get("GREETING")).await);
    assert_eq!(
        seen,
        json!({"name": "GREETING", "value": "hello", "length": 5, "set": true, "scope": "session"})
    );
    let other = value(test.session("other").call("env_manager", get("GREETING")).await);
    assert_eq!(other, json!({"name": "GREETING", "set": false}));
}

#[tokio::test]
async fn commands_see_what_is_set_and_what_they_export_is_seen() {
    let test = runtime().await;
    let echo = json!({"command": "echo \"[$GREETING]\""});
    value(test.call("env_manager", set("GREETING", "hello there")).await);
    assert_eq!(value(test.call("terminal", echo.clone()).await)["output"], "[hello there]");
    assert_eq!(value(test.session("other").call("terminal", echo.clone()).await)["output"], "[]");
    value(test.call("terminal", json!({"command": "export GREETING=bye"})).await);
    assert_eq!(value(test.call("env_manager", get("GREETING")).await)["value"], "bye");
    value(test.call("env_manager", json!({"action": "unset", "name": "GREETING"})).await);
    assert_eq!(value(test.call("terminal", echo).await)["output"], "[]");
    let code = json!({"code": "import os; print(os.environ.get('MODE'))"});
    value(test.call("env_manager", set("MODE", "fast")).await);
    assert!(value(test.call("execute_code", code).await).to_string().contains("fast"));
}

#[tokio::test]
async fn what_is_kept_is_seen_by_commands_of_later_sessions_and_keys_are_not() {
    let test = runtime().await;
    let keep =
        |name: &str, text: &str| json!({"action": "set", "name": name, "value": text, "scope": "persistent"});
    value(test.call("env_manager", keep("KEPT", "for good")).await);
    value(test.call("env_manager", keep("SOME_TOKEN", "tok-abcdefgh")).await);
    value(test.call("env_manager", keep("PLAIN", "ghp_0123456789abcdefghijABCDEFGHIJ012345")).await);
    let echo = json!({"command": "echo \"[$KEPT$SOME_TOKEN$PLAIN]\""});
    assert_eq!(value(test.session("later").call("terminal", echo).await)["output"], "[for good]");
    assert_eq!(value(test.session("later").call("env_manager", get("KEPT")).await)["scope"], "persistent");
}

#[tokio::test]
async fn unset_hides_what_the_process_has() {
    let test = runtime().await;
    assert_eq!(value(test.call("env_manager", get("EDITOR")).await)["scope"], "process");
    value(test.call("env_manager", json!({"action": "unset", "name": "EDITOR"})).await);
    assert_eq!(value(test.call("env_manager", get("EDITOR")).await), json!({"name": "EDITOR", "set": false}));
    assert_eq!(value(test.session("other").call("env_manager", get("EDITOR")).await)["value"], "vi");
    value(test.call("env_manager", set("EDITOR", "ed")).await);
    assert_eq!(value(test.call("env_manager", get("EDITOR")).await)["value"], "ed");
}

#[tokio::test]
async fn secrets_are_masked_everywhere() {
    let test = runtime().await;
    value(test.call("env_manager", set("MY_TOKEN", "tok-abcdefgh")).await);
    for name in ["SERVICE_API_KEY", "DATABASE_URL", "MY_TOKEN"] {
        let seen = value(test.call("env_manager", get(name)).await);
        assert_eq!((&seen["masked"], &seen["value"]), (&json!("********"), &Value::Null), "{name}");
    }
    let list = value(test.call("env_manager", json!({"action": "list"})).await).to_string();
    for secret in ["sk-very-secret-value", "hunter2hunter2", "tok-abcdefgh"] {
        assert!(!list.contains(secret), "{list}");
    }
    assert!(list.contains("\"vi\""));
}

#[tokio::test]
async fn revealing_needs_its_own_permission() {
    let reveal = json!({"action": "get", "name": "SERVICE_API_KEY", "reveal": true});
    let test = runtime().await;
    assert_eq!(value(test.call("env_manager", reveal.clone()).await)["value"], "sk-very-secret-value");
    let test =
        TestRuntime::builder().env("SERVICE_API_KEY", "sk-very-secret").deny("env:reveal").build().await;
    assert_eq!(code(test.call("env_manager", reveal).await), ErrorCode::PermissionDenied);
    assert_eq!(value(test.call("env_manager", get("SERVICE_API_KEY")).await)["masked"], "********");
    let test = TestRuntime::builder().deny("env:write").build().await;
    assert_eq!(code(test.call("env_manager", set("X", "1")).await), ErrorCode::PermissionDenied);
}

#[tokio::test]
async fn persistent_values_survive_whatever_is_in_them() {
    let test = runtime().await;
    let env_file = test.host().home.join(".env");
    std::fs::write(&env_file, "# mine\nKEEP=1 # note\n").unwrap();
    let values =
        ["plain", "two words", "quotes \" and '", "line\nbreak", "# no comment", "$HOME `x` \\n", "", " ü "];
    for (number, text) in values.iter().enumerate() {
        let name = format!("P{number}");
        let arguments = json!({"action": "set", "name": name, "value": text, "scope": "persistent"});
        assert_eq!(value(test.call("env_manager", arguments).await)["scope"], "persistent");
    }
    for (number, text) in values.iter().enumerate() {
        let seen = value(test.session("later").call("env_manager", get(&format!("P{number}"))).await);
        assert_eq!((&seen["value"], &seen["scope"]), (&json!(text), &json!("persistent")));
    }
    let written = std::fs::read_to_string(&env_file).unwrap();
    assert!(written.starts_with("# mine\nKEEP=1 # note\n"), "{written}");
    use std::os::unix::fs::MetadataExt;
    assert_eq!(env_file.metadata().unwrap().mode() & 0o777, 0o600);
    let arguments = json!({"action": "unset", "name": "P0", "scope": "persistent"});
    assert_eq!(value(test.call("env_manager", arguments).await)["set"], false);
    assert_eq!(value(test.call("env_manager", get("P0")).await)["set"], false);
}

#[tokio::test]
async fn list_filters_by_prefix_and_scope() {
    let test = runtime().await;
    value(test.call("env_manager", set("APP_MODE", "x".repeat(500).as_str())).await);
    let names = |answer: &Value| -> Vec<String> {
        let variables = answer["variables"].as_array().unwrap();
        variables.iter().map(|variable| variable["name"].as_str().unwrap().to_owned()).collect()
    };
    let all = value(test.call("env_manager", json!({"action": "list"})).await);
    assert!(names(&all).is_sorted());
    let session = value(test.call("env_manager", json!({"action": "list", "scope": "session"})).await);
    assert_eq!(names(&session), ["APP_MODE"]);
    assert_eq!(session["variables"][0]["length"], 500);
    assert_eq!(session["variables"][0]["value"].as_str().unwrap().len(), 100);
    let prefixed = value(test.call("env_manager", json!({"action": "list", "prefix": "APP_"})).await);
    assert_eq!(names(&prefixed), ["APP_MODE"]);
    assert_eq!(
        failure(test.call("env_manager", json!({"action": "list", "reveal": true})).await).code,
        ErrorCode::InvalidArgument
    );
}

#[tokio::test]
async fn steering_and_malformed_variables_are_refused() {
    let test = runtime().await;
    for name in ["PATH", "LD_PRELOAD", "HERMES_HOME", "BASH_ENV"] {
        assert_eq!(
            code(test.call("env_manager", set(name, "x")).await),
            ErrorCode::PermissionDenied,
            "{name}"
        );
        let unset = json!({"action": "unset", "name": name, "scope": "persistent"});
        assert_eq!(code(test.call("env_manager", unset).await), ErrorCode::PermissionDenied, "{name}");
    }
    for arguments in [
        set("1X", "x"),
        set("A=B", "x"),
        set("X", "a\u{0}b"),
        json!({"action": "set", "name": "X"}),
        json!({"action": "get"}),
        json!({"action": "drop", "name": "X"}),
    ] {
        assert_eq!(
            code(test.call("env_manager", arguments.clone()).await),
            ErrorCode::InvalidArgument,
            "{arguments}"
        );
    }
    assert_eq!(code(test.call("env_manager", set("X", &"x".repeat(40_000))).await), ErrorCode::TooLarge);
}
