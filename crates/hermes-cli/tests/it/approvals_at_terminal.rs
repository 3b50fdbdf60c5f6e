//! Questions that are put to the person at the terminal.

use serde_json::json;

use crate::approvals::write;
use crate::harness::{Hermes, request};
use crate::terminal::at_terminal;

const PROMPT: &str = "permissions:\n  ask: ['file:write']\napprovals:\n  timeout_seconds: 20\n";

#[test]
fn the_person_at_the_terminal_sees_everything_and_says_once() {
    let hermes = Hermes::new().with_config(PROMPT);
    write(&hermes, "a.txt");
    let screen = at_terminal(&hermes, &["run", "r.json"], &[("Allow it?", "o\n")]);
    assert_eq!(screen.code, 0, "{}", screen.text);
    for part in [
        "write_file wants to be called with this",
        "over\\u{202e}written",
        "U+202E 1 times",
        "creates ./a.txt",
        "write_file: the path ",
        "[o/t/u/s/p/a/D]",
    ] {
        assert!(
            screen.text.replace("\u{1b}[36m", "").replace("\u{1b}[0m", "").contains(part),
            "{part}: {}",
            screen.text
        );
    }
    assert!(!screen.text.contains('\u{202e}'));
    assert!(hermes.work().join("a.txt").exists());
    assert_eq!(hermes.run(&["grants", "list", "--json"]).json(), json!([]));
}

#[test]
fn everything_but_a_clear_yes_is_a_no() {
    for (typed, code) in [
        ("\n", 3),
        ("d\n", 3),
        ("\u{4}", 3),
        ("x\n\n", 3),
        ("n\n", 3),
        ("No\n", 3),
        ("t\n\n", 3),
        ("\u{3}", 130),
    ] {
        let hermes = Hermes::new().with_config(PROMPT);
        write(&hermes, "a.txt");
        let screen = at_terminal(&hermes, &["run", "r.json"], &[("Allow it?", typed)]);
        assert_eq!(screen.code, code, "{typed:?}: {}", screen.text);
        assert!(!hermes.work().join("a.txt").exists(), "{typed:?}");
    }
    let hermes = Hermes::new().with_config(PROMPT);
    write(&hermes, "a.txt");
    let late = at_terminal(&hermes, &["run", "r.json", "--set", "approvals.timeout_seconds=1"], &[]);
    assert_eq!(late.code, 4, "{}", late.text);
    assert!(late.text.contains("No answer in time"), "{}", late.text);
    let killed = at_terminal(&hermes, &["run", "r.json"], &[("Allow it?", "^KILL")]);
    assert_eq!(killed.code, -9, "{}", killed.text);
    assert!(!hermes.work().join("a.txt").exists());
}

#[test]
fn longer_answers_store_the_rule_that_was_shown() {
    for (typed, scope, uses, expires) in [
        ("t 3\n", "project", json!(2), false),
        ("u 10m\n", "project", json!(null), true),
        ("s\n", "session", json!(null), true),
        ("p\n", "project", json!(null), false),
        ("a\n", "always", json!(null), false),
    ] {
        let hermes = Hermes::new().with_config(PROMPT);
        write(&hermes, "a.txt");
        let screen = at_terminal(&hermes, &["run", "r.json", "--session", "work"], &[("Allow it?", typed)]);
        assert_eq!(screen.code, 0, "{typed:?}: {}", screen.text);
        let grants = hermes.run(&["grants", "list", "--json"]).json();
        let grant = &grants[0];
        let path = hermes.work().canonicalize().unwrap().join("a.txt");
        assert_eq!(grant["pattern"]["path"], path.to_str().unwrap(), "{grants}");
        assert!(grant["scope"] == scope || grant["scope"].get(scope).is_some(), "{grants}");
        assert_eq!((&grant["uses_left"], grant["expires_ms"].is_null()), (&uses, !expires), "{grants}");
        assert_eq!(grant["actor"], "user");
        assert_eq!(hermes.run(&["run", "r.json", "--session", "work"]).code, 0, "{typed:?}: not asked again");
    }
}

/// The list of the seed's configuration is written by the answer that is for good, and taken back like any grant.
#[test]
fn always_writes_a_command_to_the_allowlist() {
    let config = "# mine\napprovals:\n  timeout_seconds: 20\n";
    let hermes = Hermes::new().with_config(config);
    let call = request(&[("terminal", json!({"command": "git reset --hard"}))]);
    hermes.write("r.json", &call);
    let screen = at_terminal(&hermes, &["run", "r.json"], &[("Allow it?", "a\n")]);
    assert!(screen.text.contains("adds the command to command_allowlist"), "{}", screen.text);
    let file = || std::fs::read_to_string(hermes.home().join("config.yaml")).unwrap();
    assert_eq!(file(), format!("{config}command_allowlist:\n  - \"git reset --hard\"\n"));
    let asks = || hermes.run(&["run", "r.json"]).stdout.contains("approval_required");
    assert!(!asks(), "it was allowed for good");
    let grants = hermes.run(&["grants", "list", "--json"]).json();
    assert_eq!(grants[0]["pattern"]["command"], "git reset --hard", "{grants}");
    let id = grants[0]["id"].as_str().unwrap();
    let journal = hermes.run(&["journal", "list", "--json"]).stdout;
    assert!(journal.contains(&format!("grant {id} in command_allowlist")), "{journal}");
    let revoked = hermes.run(&["grants", "revoke", id]);
    assert!(revoked.stdout.contains("revoked c-"), "{}{}", revoked.stdout, revoked.stderr);
    assert_eq!(file(), config, "the rest of the file is as it was");
    assert!(asks(), "and asked about again");
    assert_eq!(hermes.run(&["grants", "list", "--json"]).json(), json!([]));
}

#[test]
fn parallel_calls_ask_one_after_the_other_and_one_answer_may_settle_the_next() {
    let hermes = Hermes::new().with_config(PROMPT);
    let call = |path: &str| ("write_file", json!({"path": path, "content": "x"}));
    hermes.write("r.json", &request(&[call("a"), call("b"), call("a")]));
    let steps = [("Allow it?", "p\n"), ("Allow it?", "p\n")];
    let screen = at_terminal(&hermes, &["run", "r.json"], &steps);
    assert_eq!(screen.code, 0, "{}", screen.text);
    assert_eq!(screen.text.matches("wants to be called").count(), 2, "{}", screen.text);
}

#[test]
fn what_is_too_long_to_show_must_be_seen_before_a_yes() {
    let hermes = Hermes::new().with_config(PROMPT);
    let content = format!("{}NEEDLE{}", "a\n".repeat(5_000), "b\n".repeat(5_000));
    hermes.write("r.json", &request(&[("write_file", json!({"path": "a", "content": content}))]));
    let steps = [
        ("Allow it?", "o\n"),
        ("type v first", ""),
        ("Allow it?", "v\n"),
        ("NEEDLE", ""),
        ("Allow it?", "o\n"),
    ];
    let screen = at_terminal(&hermes, &["run", "r.json"], &steps);
    assert_eq!(screen.code, 0, "{}", screen.text.chars().take(3_000).collect::<String>());
    assert!(screen.text.contains("bytes are not shown here"));
}

#[test]
fn requests_from_the_terminal_are_never_taken_for_answers() {
    let hermes = Hermes::new().with_config(PROMPT);
    let line = json!({"id": 1, "tool_calls": [{"id": "c", "function": {"name": "write_file", "arguments": {"path": "a", "content": "x"}}}]});
    let steps = [("", format!("{line}\n")), ("approval_required", "\u{4}".to_owned())];
    let steps: Vec<(&str, &str)> = steps.iter().map(|(wait, text)| (*wait, text.as_str())).collect();
    let screen = at_terminal(&hermes, &["run", "--jsonl"], &steps);
    assert!(screen.text.contains("Nobody is there to approve it"), "{}", screen.text);
    assert!(!screen.text.contains("Allow it?"), "{}", screen.text);
}
