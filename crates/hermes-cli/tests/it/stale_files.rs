//! A session that goes on in another process has not forgotten what it saw.

use serde_json::{Value, json};

use crate::harness::Hermes;

fn call(hermes: &Hermes, session: &str, tool: &str, arguments: &Value) -> Value {
    let ran = hermes.run(&["tools", "call", tool, &arguments.to_string(), "--session", session]);
    serde_json::from_str(&ran.stdout).unwrap()
}

#[test]
fn what_changed_between_two_processes_of_a_session_stays() {
    let hermes = Hermes::new();
    let path = hermes.write("a.txt", "old\n");
    let write = json!({"path": "a.txt", "content": "mine\n"});
    call(&hermes, "one", "read_file", &json!({"path": "a.txt"}));
    std::fs::write(&path, "theirs\n").unwrap();
    let refused = call(&hermes, "one", "write_file", &write);
    assert_eq!((&refused["code"], &refused["current"]["content"]), (&json!("conflict"), &json!("theirs\n")));
    assert_eq!(std::fs::read_to_string(&path).unwrap(), "theirs\n");
    // Another session has read nothing, and a session without a name begins anew each time.
    assert_eq!(call(&hermes, "two", "write_file", &write)["status"], "success");
    let mut knowing = json!({"path": "a.txt", "content": "by one\n"});
    knowing["expected_hash"] = call(&hermes, "one", "write_file", &knowing)["current_sha256"].clone();
    assert_eq!(call(&hermes, "one", "write_file", &knowing)["status"], "success");
    let again = json!({"path": "a.txt", "content": "by one again\n"});
    assert_eq!(call(&hermes, "one", "write_file", &again)["status"], "success");
}
