//! Tools that are programs.

use hermes_core::{ErrorCode, Target};
use hermes_testkit::TestRuntime;
use serde_json::json;

use super::support::{runtime_in, runtime_with};

const SHOW: &str = "import sys, json; print(json.dumps(sys.argv[1:]))";

fn show(words: &str, parameters: &str) -> String {
    format!(
        "tools: [{{name: t, description: d, type: command, output: json, command: [python3, -c, {:?}, {words}], parameters: {parameters}}}]",
        SHOW
    )
}

#[tokio::test(flavor = "multi_thread")]
async fn lists_become_words_and_groups_come_together_or_not_at_all() {
    let text = show(
        "'{files}', ['--count', '{count}'], '{note}'",
        "[{name: files, type: array, required: true}, {name: count, type: integer}, {name: note}]",
    );
    let runtime = runtime_with(&text).await;
    let words = |value: &serde_json::Value| value["data"].clone();
    let all =
        runtime.call("t", json!({"files": ["a b", "c"], "count": -3, "note": "n"})).await.result.unwrap();
    assert_eq!(words(&all), json!(["a b", "c", "--count", "-3", "n"]));
    let few = runtime.call("t", json!({"files": []})).await.result.unwrap();
    assert_eq!(words(&few), json!([]));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_value_does_not_become_an_option() {
    let parameters = "[{name: value, required: true}]";
    let runtime = runtime_with(&show("'{value}'", parameters)).await;
    assert_eq!(
        runtime.call("t", json!({"value": "--evil"})).await.error_code(),
        Some(ErrorCode::InvalidArgument)
    );
    for (words, parameters) in [
        ("--, '{value}'", parameters),
        ("'{value}'", "[{name: value, required: true, leading_dash: true}]"),
        ("'v={value}'", parameters),
    ] {
        let runtime = runtime_with(&show(words, parameters)).await;
        let value = runtime.call("t", json!({"value": "--fine"})).await.result.unwrap();
        assert!(value["data"].to_string().contains("--fine"), "{value}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn failures_say_what_the_program_said() {
    let text = "
tools:
  - {name: fails, description: d, type: command, command: [python3, -c, 'import sys; sys.stderr.write(\"why\"); sys.exit(3)']}
  - {name: fine, description: d, type: command, ok_exit_codes: [0, 3], command: [python3, -c, 'import sys; sys.exit(3)']}
  - {name: slow, description: d, type: command, timeout_seconds: 1, command: [python3, -c, 'import time; time.sleep(60)']}
  - {name: absent, description: d, type: command, command: [no-such-program-anywhere]}
  - {name: text, description: d, type: command, output: json, command: [python3, -c, 'print(1, 2)']}";
    let runtime = runtime_with(text).await;
    let error = runtime.call("fails", json!({})).await.result.unwrap_err();
    assert_eq!(
        (error.code, &error.data["exit_code"], &error.data["stderr"]),
        (ErrorCode::ExecFailed, &json!(3), &json!("why"))
    );
    assert_eq!(runtime.call("fine", json!({})).await.result.unwrap()["exit_code"], 3);
    assert!(runtime.call("slow", json!({})).await.result.is_err());
    assert!(runtime.main().session.why("absent").await.contains("not on PATH"));
    assert_eq!(runtime.call("text", json!({})).await.error_code(), Some(ErrorCode::ExecFailed));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_program_gets_the_keys_it_names_and_no_others() {
    let text = "
tools:
  - name: t
    description: d
    type: command
    command: [python3, -c, 'import os, json; print(json.dumps([os.environ[\"MINE\"][::-1], os.environ.get(\"OTHER_KEY\")]))']
    output: json
    env: {MINE: {from_env: SERVICE_KEY}}";
    let runtime = runtime_in(text, &[("SERVICE_KEY", "key-1234"), ("OTHER_KEY", "not yours")]).await;
    assert_eq!(runtime.call("t", json!({})).await.result.unwrap()["data"], json!(["4321-yek", null]));
    let without = runtime_with(text).await;
    assert!(without.main().session.why("t").await.contains("SERVICE_KEY is not set"));
}

#[tokio::test]
async fn policy_judges_the_very_words_that_would_run() {
    use std::sync::{Arc, Mutex};

    use hermes_core::{AccessRequest, Decision, Policy, Verdict};

    #[derive(Default)]
    struct Noting(Mutex<Vec<String>>);
    impl Policy for Noting {
        fn decide(&self, request: &AccessRequest<'_>) -> Decision {
            for access in request.access {
                if let Target::Command(line) = &access.target {
                    self.0.lock().unwrap().push(line.clone());
                }
            }
            Decision::new(Verdict::Deny, "test", "test")
        }
    }
    let policy = Arc::new(Noting::default());
    let runtime = TestRuntime::builder().without_built_ins().policy(policy.clone()).build().await;
    let specs = super::support::read(
        "tools: [{name: t, description: d, type: command, command: [rm, -r, '{path}'], parameters: [{name: path, required: true}]}]",
    )
    .unwrap();
    let made = hermes_plugins::yaml::tools(
        specs,
        &super::support::host(&runtime),
        &hermes_plugins::yaml::Consent::to_everything(),
    );
    runtime.runtime().registry().replace_all(hermes_core::Owner::Yaml("t".into()), made);
    let outcome = runtime.call("t", json!({"path": "a b; rm -rf /"})).await;
    assert_eq!(outcome.error_code(), Some(ErrorCode::PermissionDenied));
    assert_eq!(*policy.0.lock().unwrap(), ["rm -r 'a b; rm -rf /'"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_cut_off_is_told() {
    let text = "
tools:
  - {name: text, description: d, type: command, max_output_bytes: 3, command: [printf, '%s', '{x}'], parameters: [{name: x, required: true}]}
  - {name: data, description: d, type: command, max_output_bytes: 3, output: json, command: [printf, '%s', '{x}'], parameters: [{name: x, required: true}]}";
    let runtime = runtime_with(text).await;
    let whole = runtime.call("text", json!({"x": "123"})).await.result.unwrap();
    assert_eq!((&whole["stdout"], whole.get("truncated")), (&json!("123"), None));
    let cut = runtime.call("text", json!({"x": "1234"})).await.result.unwrap();
    assert_eq!((&cut["stdout"], &cut["truncated"]), (&json!("123"), &json!(true)));
    assert_eq!(runtime.call("data", json!({"x": "123"})).await.result.unwrap()["data"], 123);
    // The beginning of a number is a number, and another one.
    assert_eq!(runtime.call("data", json!({"x": "1234"})).await.error_code(), Some(ErrorCode::TooLarge));
}
