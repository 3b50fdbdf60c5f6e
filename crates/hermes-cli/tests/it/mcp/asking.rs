//! Calls that need a person's word, made by clients: the client is asked where it can show a question, and the call
//! waits in the queue where it cannot.

use serde_json::{Value, json};

use super::client::Client;
use super::scripted::{scripted, tool};
use crate::harness::Hermes;

const ASK: &str = "permissions:\n  ask: ['file:write']\napprovals:\n  timeout_seconds: 60\n";

fn write() -> Value {
    json!({"path": "a.txt", "content": "written\n"})
}

#[test]
fn a_client_that_shows_forms_is_asked_and_its_user_decides() {
    for (answer, written) in [
        (json!({"action": "accept", "content": {"allow": "once"}}), true),
        (json!({"action": "accept", "content": {"allow": "no"}}), false),
        (json!({"action": "accept"}), false),
        (json!({"action": "decline"}), false),
        (json!({"action": "cancel"}), false),
    ] {
        let hermes = Hermes::new().with_config(ASK);
        let mut client = Client::with(&hermes, &[], json!({"elicitation": {}}), answer.clone());
        let called = client.call("write_file", write());
        assert_eq!(called["result"]["isError"], !written, "{answer}: {called}");
        assert_eq!(hermes.work().join("a.txt").exists(), written, "{answer}");
        let asked = &client.questions[0];
        assert_eq!(asked["method"], "elicitation/create");
        let message = asked["params"]["message"].as_str().unwrap();
        assert!(message.contains("write_file") && message.contains("a.txt"), "{message}");
        client.end();
    }
}

#[test]
fn what_a_client_cannot_be_asked_waits_for_somebody_elsewhere() {
    let hermes = Hermes::new().with_config(ASK);
    let mut client = Client::start(&hermes, &[]);
    let id = client.begin("tools/call", json!({"name": "write_file", "arguments": write()}));
    let told = client.hear("notifications/message");
    assert_eq!(told["params"]["level"], "notice", "{told}");
    assert!(told["params"]["data"].as_str().unwrap().contains("hermes approvals"), "{told}");
    let waiting = crate::approvals::waiting(&hermes);
    assert!(!hermes.work().join("a.txt").exists(), "not before the answer");
    assert_eq!(hermes.run(&["approvals", "approve", waiting["id"].as_str().unwrap()]).code, 0);
    let called = client.answer_to(id);
    assert_eq!(called["result"]["isError"], false, "{called}");
    assert!(hermes.work().join("a.txt").exists());
    client.end();
}

/// What every request of the stateless revision says of its client.
fn meta() -> Value {
    json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientInfo": {"name": "t", "version": "1"},
        "io.modelcontextprotocol/clientCapabilities": {"elicitation": {"form": {}}},
    })
}

#[test]
fn a_client_without_sessions_is_asked_in_place_of_the_answer() {
    let hermes = Hermes::new().with_config(ASK);
    let mut client = Client::silent(&hermes, &[], Value::Null);
    let found = client.ask("server/discover", json!({"_meta": meta()}));
    assert!(found.to_string().contains("2026-07-28"), "{found}");
    let call = json!({"name": "write_file", "arguments": write(), "_meta": meta()});
    let asked = client.ask("tools/call", call.clone())["result"].clone();
    assert_eq!(asked["resultType"], "input_required", "{asked}");
    let state = asked["requestState"].as_str().unwrap();
    let (key, question) = asked["inputRequests"].as_object().unwrap().iter().next().unwrap();
    assert_eq!(question["method"], "elicitation/create");

    let answers = |answer: Value| json!({key.as_str(): {"action": "accept", "content": {"allow": answer}}});
    let mut wrong = call.clone();
    wrong["requestState"] = "another".into();
    wrong["inputResponses"] = answers("once".into());
    assert!(client.ask("tools/call", wrong).get("error").is_some(), "a state that nobody gave out");
    let mut other = call.clone();
    other["requestState"] = state.into();
    other["inputResponses"] = answers("once".into());
    other["arguments"]["path"] = "b.txt".into();
    assert!(client.ask("tools/call", other).get("error").is_some(), "an answer for another call");
    assert!(!hermes.work().join("a.txt").exists() && !hermes.work().join("b.txt").exists());
    client.end();

    let mut client = Client::silent(&hermes, &[], Value::Null);
    client.ask("server/discover", json!({"_meta": meta()}));
    let asked = client.ask("tools/call", call.clone())["result"].clone();
    let mut again = call;
    again["requestState"] = asked["requestState"].clone();
    again["inputResponses"] = answers("once".into());
    let done = client.ask("tools/call", again.clone());
    assert_eq!(done["result"]["isError"], false, "{done}");
    assert!(hermes.work().join("a.txt").exists());
    assert!(client.ask("tools/call", again).get("error").is_some(), "an answer counts once");
    client.end();
}

#[test]
fn a_form_that_is_not_filled_in_as_it_asks_is_not_passed_on() {
    let fields = json!({"name": {"type": "string"}, "age": {"type": "integer", "minimum": 0}});
    let schema = json!({"type": "object", "properties": fields, "required": ["name"]});
    let ask = json!({"ask": {"message": "Who?", "requestedSchema": schema}});
    let hermes =
        scripted(&[("s", json!({"tools": [tool("ask", "Asks.")], "ask": ask}), "    elicitation: true\n")]);
    for (content, passed) in [
        (json!({"name": "Ada", "age": 36}), true),
        (json!({}), false),
        (json!({"name": 5}), false),
        (json!({"name": "Ada", "age": -4}), false),
    ] {
        let answer = json!({"action": "accept", "content": content});
        let mut client = Client::with(&hermes, &[], json!({"elicitation": {}}), answer);
        let told = client.call("mcp_s_ask", json!({})).to_string();
        assert_eq!(told.contains("accept"), passed, "{content}: {told}");
        assert_eq!(told.contains("cancel"), !passed, "{content}: {told}");
        client.end();
    }
}
