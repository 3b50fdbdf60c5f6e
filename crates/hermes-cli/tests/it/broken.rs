//! What still works where something is broken, and what is said about it.

use serde_json::json;

use crate::harness::Hermes;

#[test]
fn a_broken_configuration_is_one_thing_that_the_doctor_finds() {
    let hermes = Hermes::new().with_config("limts: 1\n");
    let ran = hermes.run(&["doctor", "--json"]);
    assert_eq!(ran.code, 5, "{}", ran.stderr);
    let report = ran.json();
    let checks = report["checks"].as_array().unwrap();
    let named = |name: &str| checks.iter().find(|check| check["check"] == name).unwrap();
    assert_eq!(named("configuration")["health"], "bad");
    assert!(named("configuration")["text"].as_str().unwrap().contains("limts"), "{report}");
    for other in ["journal", "policy", "tools", "results"] {
        assert_eq!(named(other)["health"], "good", "{report}");
    }
    assert_eq!(named("home")["health"], "attention", "it is open to others here");
    assert!(Hermes::new().run(&["doctor"]).stdout.contains("journal"));
}

/// The doctor does not call well what would be refused elsewhere.
#[test]
fn what_is_refused_as_a_configuration_is_found_by_the_doctor() {
    for (config, said) in [
        ("custom_toolsets: {mine: {tools: [no_such_tool]}}\n", "no_such_tool"),
        ("custom_toolsets: {a: {includes: [b]}, b: {includes: [a]}}\n", "a"),
        ("disabled_toolsets: [terminl]\n", "terminl"),
        ("mcp_servers: {odd: {command: x, url: 'http://127.0.0.1:1/mcp'}}\n", "odd"),
    ] {
        let hermes = Hermes::new().with_config(config);
        assert_ne!(hermes.run(&["config", "validate"]).code, 0, "{config}");
        let ran = hermes.run(&["doctor", "--json"]);
        let told = ran.json();
        assert_eq!((ran.code, &told["ok"]), (5, &serde_json::json!(false)), "{config}: {told}");
        let bad = |check: &serde_json::Value| {
            check["health"] == "bad" && check["text"].as_str().unwrap().contains(said)
        };
        assert!(told["checks"].as_array().unwrap().iter().any(bad), "{config}: {told}");
    }
}

#[test]
fn what_needs_no_configuration_works_without_one() {
    let hermes = Hermes::new();
    assert_eq!(hermes.run(&["tools", "call", "write_file", r#"{"path":"a","content":"x"}"#]).code, 0);
    let hermes = hermes.with_config("limts: 1\n");
    for command in [&["journal", "list"][..], &["journal", "verify"], &["explain", "error", "x"]] {
        let ran = hermes.run(command);
        assert_eq!(ran.code, 0, "{command:?}: {}", ran.stderr);
        assert!(ran.stderr.contains("limts") && ran.stderr.contains("by the defaults"), "{}", ran.stderr);
    }
    assert!(hermes.run(&["journal", "list"]).stdout.contains("write_file"));
    for command in [&["run", "-"][..], &["tools", "list"]] {
        assert_eq!(hermes.run(command).code, 2, "what acts or offers does not guess: {command:?}");
    }
    assert_eq!(
        hermes.run(&["journal", "list", "--set", "limts=1"]).code,
        2,
        "a mistake of this very command"
    );
}

/// Of the files beside the database one may still be there, and then nothing more is needed to read.
#[test]
fn a_full_disk_is_called_so() {
    let hermes = Hermes::new();
    let ran = hermes.run_mounting(
        "mkdir -p \"$HERMES_HOME\" && mount -t tmpfs -o size=1m,mode=700 none \"$HERMES_HOME\" && \
         \"$0\" tools call write_file '{\"path\":\"a\",\"content\":\"x\"}' > /dev/null && \
         { rm -f \"$HERMES_HOME/state.db-shm\"; dd if=/dev/zero of=\"$HERMES_HOME/fill\" bs=1k 2> /dev/null; \
         \"$0\" journal list; }",
    );
    assert_eq!(ran.code, 5, "{}{}", ran.stdout, ran.stderr);
    assert!(ran.stderr.contains("the disk is full") && ran.stderr.contains("Make room"), "{}", ran.stderr);
}

#[test]
fn a_damaged_database_says_what_to_do() {
    let hermes = Hermes::new();
    std::fs::create_dir_all(hermes.home()).unwrap();
    std::fs::write(hermes.home().join("state.db"), "no database ".repeat(1_000)).unwrap();
    let ran = hermes.run(&["journal", "list"]);
    assert_eq!(ran.code, 5);
    assert!(ran.stderr.contains("is damaged") && ran.stderr.contains("move it away"), "{}", ran.stderr);
}

#[test]
fn secrets_typed_into_a_command_are_not_repeated() {
    let secret = "Zq7-canary_9f3kLmP2xW8";
    let hermes = Hermes::new().with_env("MY_API_KEY", secret);
    for command in [
        &["run", secret][..],
        &["run", secret, "--json"],
        &["tools", "why", secret],
        &["tools", "why", secret, "--json"],
        &["tools", "show", secret],
    ] {
        let ran = hermes.run(command);
        let said = format!("{}{}", ran.stdout, ran.stderr);
        assert!(!said.contains(secret) && said.contains("[REDACTED:MY_API_KEY]"), "{command:?}: {said}");
    }
}

#[test]
fn an_unknown_toolset_shows_in_the_answer_itself() {
    let listed = Hermes::new().run(&["tools", "list", "--json", "--toolsets", "nope"]).json();
    assert!(listed["problems"][0].as_str().unwrap().contains("unknown toolset 'nope'"), "{listed}");
}

#[test]
fn a_deadline_may_be_a_part_of_a_second() {
    let hermes = Hermes::new();
    let slow = json!({"name": "sleep", "arguments": {"seconds": 30}}).to_string();
    assert_eq!(hermes.run_with(&["run", "--timeout", "0.2"], &slow).code, 124);
    for wrong in ["0", "-1", "nan", "1e9", "soon"] {
        assert_eq!(hermes.run(&["run", &format!("--timeout={wrong}")]).code, 2, "{wrong}");
    }
}
