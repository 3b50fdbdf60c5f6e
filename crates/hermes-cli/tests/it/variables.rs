//! Variables that a tool sets are judged before any command obeys them.

use serde_json::{Value, json};

use crate::harness::Hermes;

fn set(hermes: &Hermes, name: &str, text: &str, scope: &str) -> Value {
    let arguments = json!({"action": "set", "name": name, "value": text, "scope": scope}).to_string();
    hermes.run(&["tools", "call", "env_manager", &arguments, "--session", "s", "--json"]).json()
}

#[test]
fn a_value_is_judged_as_the_next_command_would_obey_it() {
    let hermes = Hermes::new();
    for (name, text, asked) in [
        ("CC", "clang", false),
        ("CC", "/tmp/evil", true),
        ("PYTHONPATH", "src", false),
        ("PYTHONPATH", "/tmp/evil", true),
        ("NODE_OPTIONS", "--max-old-space-size=4096", false),
        ("NODE_OPTIONS", "--require /tmp/evil.js", true),
        ("GIT_SSH_COMMAND", "sh -c 'id; it'\\''s'", true),
        ("PIP_INDEX_URL", "http://evil.example/simple", true),
        ("GREETING", "it's $(id) `id`; rm -rf /", false),
    ] {
        let answer = set(&hermes, name, text, "session");
        let (answered, expected) = match asked {
            true => (&answer["code"], json!("approval_required")),
            false => (&answer["set"], json!(true)),
        };
        assert_eq!(answered, &expected, "{name}={text}: {answer}");
    }
    let printed = json!({"command": "echo \"$CC $PYTHONPATH\""}).to_string();
    let ran = hermes.run(&["tools", "call", "terminal", &printed, "--session", "s", "--json"]).json();
    assert_eq!(ran["output"], "clang src", "{ran}");
}

/// What lasts is asked about, and whoever agreed once is not asked again.
#[test]
fn a_variable_for_all_sessions_to_come_is_asked_about() {
    let hermes = Hermes::new();
    let refused = set(&hermes, "GREETING", "hello", "persistent");
    assert_eq!(
        (&refused["code"], &refused["permission"]),
        (&json!("approval_required"), &json!("env:persist")),
        "{refused}"
    );
    assert!(!hermes.home().join(".env").exists());
    let hint = refused["hint"].as_str().unwrap();
    let grant: Vec<&str> = hint.lines().next().unwrap().split("hermes ").nth(1).unwrap().split(' ').collect();
    assert_eq!(hermes.run(&grant).code, 0, "{hint}");
    assert_eq!(set(&hermes, "GREETING", "hello", "persistent")["set"], true);
    let harmful = set(&hermes, "CC", "/tmp/evil", "session");
    assert_eq!(harmful["code"], "approval_required", "{harmful}");
    let hint = harmful["hint"].as_str().unwrap();
    let grant: Vec<&str> = hint.lines().next().unwrap().split("hermes ").nth(1).unwrap().split(' ').collect();
    assert_eq!(hermes.run(&grant).code, 0, "{hint}");
    assert_eq!(set(&hermes, "CC", "/tmp/evil", "session")["set"], true);
}
