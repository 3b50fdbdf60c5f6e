//! A tool's own secrets are not in its answers, whatever the variables are called and however they come back.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use hermes_testkit::{Answer, TestRuntime, WebServer};
use serde_json::json;

use super::support::{enable, runtime_in, write_plugin};

/// A server that repeats all it was sent, as text and as JSON, decoded too.
async fn parrot() -> WebServer {
    WebServer::start(|seen| {
        let authorization = seen.header("authorization").unwrap_or_default().to_owned();
        let pair = authorization.strip_prefix("Basic ").and_then(|text| STANDARD.decode(text).ok());
        let decoded = pair.map(|pair| String::from_utf8(pair).unwrap());
        let target = seen.target.clone();
        let said =
            json!({"headers": [authorization, seen.header("x-other")], "decoded": decoded, "target": target});
        if target.contains("/text") { Answer::text(200, said.to_string()) } else { Answer::json(&said) }
    })
    .await
}

#[tokio::test]
async fn a_server_that_repeats_credentials_is_not_repeated() {
    let server = parrot().await;
    for (auth, value, forms) in [
        ("{type: bearer, token_env: PLAIN}", "mango-33", vec!["mango-33".to_owned()]),
        ("{type: header, name: x-other, value_env: PLAIN}", "kiwi", vec!["kiwi".to_owned()]),
        (
            "{type: query, name: q, value_env: PLAIN}",
            "fig &/7",
            vec!["fig &/7".to_owned(), "fig+%26%2F7".to_owned(), "fig%20%26%2F7".to_owned()],
        ),
        (
            "{type: basic, username_env: WHO, password_env: PLAIN}",
            "pear1",
            vec!["pear1".to_owned(), STANDARD.encode("me:pear1")],
        ),
    ] {
        for path in ["/json", "/text"] {
            let text = format!(
                "tools: [{{name: t, description: d, type: http_wrapper, allow_private: true, endpoint: '{}', auth: {auth}}}]",
                server.url(path)
            );
            let runtime = runtime_in(&text, &[("PLAIN", value), ("WHO", "me")]).await;
            let shown = runtime.call("t", json!({})).await.result.unwrap().to_string();
            assert!(shown.contains("[REDACTED:PLAIN]"), "{auth}: {shown}");
            for form in &forms {
                assert!(!shown.contains(form.as_str()), "{auth}: {form} in {shown}");
            }
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_program_that_prints_its_key_is_not_repeated() {
    let text = "
tools:
  - {name: prints, description: d, type: command, command: [sh, -c, 'echo \"$FRUIT\" >&2; echo \"{{\\\"$FRUIT\\\": [\\\"$FRUIT\\\"]}}\"'], output: json, env: {FRUIT: {from_env: PLAIN}}}
  - {name: fails, description: d, type: command, command: [sh, -c, 'echo \"$FRUIT\"; exit 3'], env: {FRUIT: {from_env: PLAIN}}}";
    let runtime = runtime_in(text, &[("PLAIN", "plum5")]).await;
    let shown = runtime.call("prints", json!({})).await.result.unwrap().to_string();
    assert!(!shown.contains("plum5") && shown.contains("REDACTED"), "{shown}");
    let error = runtime.call("fails", json!({})).await.result.unwrap_err();
    assert!(!format!("{error:?}").contains("plum5"), "{error:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_plugin_that_repeats_its_key_is_not_repeated() {
    let text = r#"
import os, sys
from hermes.tools import tool

@tool
def says(how: str):
    "Says too much."
    key = os.environ["SERVICE"]
    if how == "result":
        return {"k": [key]}
    if how == "dies":
        sys.stderr.write(key + "\n")
        sys.stderr.flush()
        os._exit(3)
    raise ValueError(f"wrong key {key}")
"#;
    let runtime = TestRuntime::builder().without_built_ins().env("SERVICE", "lime7").build().await;
    let manifest =
        "command: [python3, -m, hermes.tools, tools.py]\nrequires_env: [{name: SERVICE, secret: true}]";
    let _own = enable(&runtime, &write_plugin(&runtime, "says", manifest, &[("tools.py", text)])).await;
    for how in ["result", "error", "dies"] {
        let outcome = runtime.call("says", json!({"how": how})).await;
        assert!(!format!("{outcome:?}").contains("lime7"), "{outcome:?}");
    }
}
