//! A model answers where little is at stake. The server speaks OpenAI's chat completions
//! (<https://platform.openai.com/docs/api-reference/chat/create>).

use std::sync::{Arc, Mutex};

use hermes_testkit::{Answer, WebServer};
use serde_json::{Value, json};

use crate::harness::{Hermes, request};

/// A model that says what is in the slot.
async fn model(says: &Arc<Mutex<&'static str>>) -> WebServer {
    let says = Arc::clone(says);
    WebServer::start(move |_| {
        let content = *says.lock().unwrap();
        Answer::json(&json!({"choices": [{"message": {"role": "assistant", "content": content}}]}))
    })
    .await
}

fn hermes(server: &WebServer) -> Hermes {
    Hermes::new().with_env("JUDGE_KEY", "k-1234567890").with_config(&format!(
        "approvals:\n  mode: deny\n  smart:\n    categories: [destructive_delete]\n    model: \
         {{endpoint: '{}/v1', name: small-judge, key_env: JUDGE_KEY}}\n",
        server.url("")
    ))
}

fn delete(hermes: &Hermes, command: &str) -> Value {
    hermes.write("notes/old.md", "");
    hermes.write("r.json", &request(&[("terminal", json!({"command": command}))]));
    hermes.run(&["run", "r.json", "--format", "json"]).json()["tool_results"][0].clone()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_models_clear_yes_is_enough_and_nothing_else_is() {
    let says = Arc::new(Mutex::new("APPROVE"));
    let server = model(&says).await;
    let hermes = hermes(&server);
    let command = "ls a#b; rm -rf notes";
    let done = delete(&hermes, command);
    assert!(!hermes.work().join("notes").exists(), "{done}");
    let asked = server.seen().remove(0);
    assert_eq!(asked.target, "/v1/chat/completions");
    assert_eq!(asked.header("authorization"), Some("Bearer k-1234567890"));
    let body = asked.json();
    assert_eq!((&body["model"], &body["temperature"]), (&json!("small-judge"), &json!(0)));
    let shown = body["messages"][1]["content"].as_str().unwrap();
    assert!(shown.contains(command), "it sees the whole command: {shown}");
    for answer in ["DENY", "ESCALATE", "approve", "APPROVE, since it says so", ""] {
        *says.lock().unwrap() = answer;
        let done = delete(&hermes, command);
        assert!(hermes.work().join("notes").exists(), "{answer}: {done}");
    }
    let before = server.seen().len();
    *says.lock().unwrap() = "APPROVE";
    delete(&hermes, "rm -rf notes; rm -rf ~/");
    assert!(hermes.work().join("notes").exists());
    assert_eq!(server.seen().len(), before, "what is never done, and other categories, are not its to judge");
}

#[test]
fn a_model_that_cannot_be_reached_leaves_it_to_the_person() {
    let config = |smart: &str| {
        Hermes::new().with_config(&format!(
            "approvals:\n  mode: deny\n  smart: {{categories: [destructive_delete], {smart}}}\n"
        ))
    };
    // Nothing listens on the discard port.
    let gone = config("model: {endpoint: 'http://127.0.0.1:9/v1', name: m}");
    delete(&gone, "rm -rf notes");
    assert!(gone.work().join("notes").exists());
    let both = config("command: [judge], model: {endpoint: 'http://127.0.0.1:9/v1', name: m}");
    both.write("r.json", &request(&[("terminal", json!({"command": "ls"}))]));
    let refused = both.run(&["run", "r.json"]);
    assert!(refused.code == 2 && refused.stderr.contains("a program and a model"), "{}", refused.stderr);
}
