//! Plugins that speak MCP live behind the same walls and grants as those that speak lines.

use std::time::Duration;

use hermes_core::{Effect, ErrorCode};
use hermes_plugins::plugin::inspect;
use hermes_testkit::TestRuntime;
use serde_json::{Value, json};

use super::support::{enable, write_plugin};

const PLUGIN: &str = include_str!("fixtures/mcp_plugin.py");
const MANIFEST: &str = "command: [python3, server.py]\nprotocol: mcp";

async fn shouting(manifest: &str) -> TestRuntime {
    let runtime = TestRuntime::builder().without_built_ins().env("A_KEY", "1234567890").build().await;
    let found = write_plugin(&runtime, "shouting", manifest, &[("server.py", PLUGIN)]);
    enable(&runtime, &found).await;
    runtime
}

#[tokio::test(flavor = "multi_thread")]
async fn its_tools_are_tools_under_their_own_names() {
    let runtime = shouting(MANIFEST).await;
    let snapshot = runtime.runtime().registry().snapshot();
    let shout = snapshot.get("shout").unwrap().info();
    assert_eq!((shout.toolset.as_str(), shout.effect), ("custom", Effect::ReadOnly));
    assert_eq!(snapshot.get("pry").unwrap().info().effect, Effect::Mutating);
    let said = runtime.call("shout", json!({"text": "größer"})).await.result.unwrap();
    assert_eq!(said["result"], "GRÖSSER");
    let missing = runtime.call("shout", json!({})).await;
    assert_eq!(missing.error_code(), Some(ErrorCode::InvalidArgument));
}

#[tokio::test(flavor = "multi_thread")]
async fn it_has_no_more_than_it_was_granted() {
    let pry = async |manifest: &str| -> Value {
        let runtime = shouting(manifest).await;
        let pried = runtime.call("pry", json!({})).await.result.unwrap();
        serde_json::from_str(pried["result"].as_str().unwrap()).unwrap()
    };
    let bare = pry(MANIFEST).await;
    assert_eq!((&bare["write_data"], &bare["key"]), (&json!("yes"), &Value::Null), "{bare}");
    assert!(bare["write_outside"].as_str().unwrap().starts_with("no: "), "{bare}");
    let granted = pry(&format!("{MANIFEST}\nrequires_env: [A_KEY]")).await;
    assert_eq!(granted["key"], "0987654321");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_call_it_died_in_is_not_repeated_and_the_next_starts_it_again() {
    let runtime = shouting(MANIFEST).await;
    let died = runtime.call("die", json!({})).await;
    assert_eq!(died.error_code(), Some(ErrorCode::OutcomeUnknown), "{died:?}");
    let said = runtime.call("shout", json!({"text": "again"})).await.result.unwrap();
    assert_eq!(said["result"], "AGAIN");
}

#[tokio::test(flavor = "multi_thread")]
async fn it_is_told_when_its_answer_is_not_wanted_any_more() {
    let runtime = shouting(MANIFEST).await;
    let data = runtime.host().home.join("plugin-data/shouting");
    let until = async |name: &str| {
        while !data.join(name).exists() {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    };
    let (call, cancel) = runtime.call_cancellable("wait", json!({}));
    until("waiting").await;
    cancel.cancel();
    call.await.unwrap().result.unwrap_err();
    until("cancelled").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_does_not_speak_mcp_is_refused_with_its_last_words() {
    let runtime = TestRuntime::builder().without_built_ins().build().await;
    for (manifest, script, why) in [
        ("", "echo no way >&2; exit 1", "no way"),
        ("\ntools: [shout]", "exec python3 ../server.py", "which its manifest does not list"),
        ("\nhooks: [pre_tool_call]", "exit 0", "a plugin that speaks mcp cannot be asked about events"),
    ] {
        let manifest = format!("command: [sh, plugin.sh]\nprotocol: mcp{manifest}");
        let script = script.replace("../server.py", "server.py");
        let files = [("plugin.sh", script.as_str()), ("server.py", PLUGIN)];
        let found = write_plugin(&runtime, "odd", &manifest, &files);
        let Err(error) = inspect(&found, runtime.host(), runtime.workspace()).await else {
            panic!("{script}")
        };
        assert!(error.contains(why), "{script}: {error}");
    }
    let found = write_plugin(&runtime, "odd", "command: [sh]\nprotocol: mpc", &[]);
    let Err(error) = inspect(&found, runtime.host(), runtime.workspace()).await else { panic!("mpc") };
    assert!(error.contains("did you mean mcp?"), "{error}");
}
