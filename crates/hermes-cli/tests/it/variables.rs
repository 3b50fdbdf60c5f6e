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

/// Whoever sets a secret has said it; what comes later does not say it again.
#[test]
fn a_secret_that_is_set_is_known_from_then_on() {
    let hermes = Hermes::new().with_config("security: {secret_env: [FAVOURITE]}\n");
    let (password, favourite, once) = ("tulip-Harbour-41", "blueberry", "walnut-Ferry-87");
    let set = |name: &str, value: &str| {
        json!({"name": "env_manager", "arguments":
        {"action": "set", "name": name, "value": value}})
    };
    let run =
        |id: &str, command: &str| json!({"id": id, "name": "terminal", "arguments": {"command": command}});
    let print =
        "echo \"$DB_PASSWORD\"; echo \"$FAVOURITE\" | base64; export MY_TOKEN=lantern-Quarry-$((7*9))";
    let own = json!({"name": "terminal", "arguments":
        {"command": "echo \"is $ONCE_SECRET\"", "env": {"ONCE_SECRET": once}}});
    let code = json!({"name": "execute_code", "arguments":
        {"code": "import os\nprint(os.environ['DB_PASSWORD'][::1])", "language": "python"}});
    let calls = json!({"tool_calls": [
        set("DB_PASSWORD", password), set("FAVOURITE", favourite), run("seen", print),
        run("exported", "echo \"$MY_TOKEN\""), own, code,
    ]});
    let lines = format!("{}\n", calls);
    let live = hermes.run_with(&["run", "--jsonl", "--live", "--session", "s"], &lines);
    let people = hermes.run_with(&["run", "-", "--format", "human"], &calls.to_string());
    for ran in [&live, &people] {
        for secret in [password, favourite, "Ymx1ZWJlcnJ5", once, "lantern-Quarry-63"] {
            assert!(!ran.stdout.contains(secret), "{secret}: {}", ran.stdout);
            assert!(!ran.stderr.contains(secret), "{secret}: {}", ran.stderr);
        }
        for name in ["DB_PASSWORD", "FAVOURITE", "MY_TOKEN", "ONCE_SECRET"] {
            assert!(ran.stdout.contains(&format!("[REDACTED:{name}]")), "{name}: {}", ran.stdout);
        }
    }
    let listed = json!({"action": "get", "name": "FAVOURITE"});
    let read =
        json!({"tool_calls": [set("FAVOURITE", favourite), {"name": "env_manager", "arguments": listed}]});
    let read = hermes.run_with(&["run", "-", "--json"], &read.to_string()).json();
    assert_eq!(read["tool_results"][1]["content"]["masked"], "********", "{read}");
}

/// People see what was called, but not what the tool calls secret, however it was written.
#[test]
fn a_line_about_a_call_does_not_show_its_secret_arguments() {
    let hermes = Hermes::new();
    for arguments in [
        json!({"action": "set", "name": "GREETING", "value": "marmalade"}),
        json!("{\"action\": \"set\", \"name\": \"GREETING\", \"value\": \"marmalade\"}"),
        json!({"action": "set", "name": "GREETING", "vlaue": "marmalade"}),
        json!("{\"action\": \"set\", \"value\": \"marmalade"),
    ] {
        let call = json!({"name": "env_manager", "arguments": arguments});
        let ran = hermes.run_with(&["run", "-", "--format", "human"], &call.to_string());
        assert!(!ran.stdout.contains("marmalade"), "{}", ran.stdout);
        assert!(ran.stdout.contains("********"), "{}", ran.stdout);
    }
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

/// What the checker says of a variable is what is said when it is set, also where a command brings it.
#[test]
fn explain_shows_the_question_about_a_value() {
    let hermes = Hermes::new();
    let with = |command: &str, name: &str, text: &str| {
        ("terminal", json!({"command": command, "env": {name: text}, "timeout": 20}))
    };
    let set = |name: &str, text: &str| ("env_manager", json!({"action": "set", "name": name, "value": text}));
    let calls = [
        (set("GIT_PAGER", "sh -c id"), "ask"),
        (set("GIT_PAGER", "less"), "allow"),
        (set("PATH", "/tmp:/bin"), "none"),
        (with("true", "GIT_PAGER", "sh -c id"), "ask"),
        (with("true", "RUST_LOG", "debug"), "allow"),
        (with("cat \"$FILE\"", "FILE", "/proc/1/cmdline"), "deny"),
    ];
    for ((name, arguments), expected) in calls {
        let call = json!({"name": name, "arguments": arguments});
        let explained = hermes.run_with(&["policy", "explain", "--json"], &call.to_string()).json();
        let verdict = explained["calls"][0]["verdict"].as_str().unwrap_or("none");
        assert_eq!(verdict, expected, "{call}: {explained}");
        let ran = hermes.run_with(&["run"], &call.to_string()).json();
        let code = match expected {
            "ask" => json!("approval_required"),
            "allow" => Value::Null,
            _ => json!("permission_denied"),
        };
        assert_eq!(ran["tool_results"][0]["content"]["code"], code, "{call}: {ran}");
    }
    let call = json!({"name": "env_manager", "arguments": {"action": "set", "name": "GIT_PAGER", "value": "sh -c id"}});
    let shown = hermes.run_with(&["policy", "explain"], &call.to_string()).stdout;
    assert!(shown.contains("GIT_PAGER='sh -c id'") && shown.contains("ask by"), "{shown}");
}
