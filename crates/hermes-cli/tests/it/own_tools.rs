//! Tools of the user's own, from registering them to calling them while their files change.

use std::io::{BufRead, BufReader, Write};
use std::os::unix::fs::PermissionsExt;

use serde_json::{Value, json};

use crate::harness::Hermes;
use crate::terminal::at_terminal;

fn says(word: &str) -> String {
    format!(
        "tools: [{{name: says, description: d, type: command, read_only: true, command: [printf, {word}]}}]"
    )
}

#[test]
fn a_registered_file_is_followed_while_calls_run() {
    let hermes = Hermes::new();
    let file = hermes.write("tools.yaml", &says("first"));
    assert_eq!(hermes.run(&["tool", "register", "--config", "tools.yaml"]).code, 0);
    let mut child = hermes.spawn(&["run", "--jsonl"]);
    let mut stdin = child.stdin.take().unwrap();
    let mut answers = BufReader::new(child.stdout.take().unwrap()).lines();
    let mut call = || {
        writeln!(stdin, "{}", json!({"id": 1, "name": "says", "arguments": {}})).unwrap();
        let answer: Value = serde_json::from_str(&answers.next().unwrap().unwrap()).unwrap();
        answer["tool_results"][0]["content"]["stdout"].clone()
    };
    assert_eq!(call(), "first");
    // A mistake in between takes nothing away.
    std::fs::write(&file, "tools: [{name: says").unwrap();
    assert_eq!(call(), "first");
    std::fs::write(&file, says("second")).unwrap();
    while call() != "second" {
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
    drop(stdin);
    assert_eq!(child.wait().unwrap().code(), Some(0));
}

#[test]
fn registering_lists_testing_and_removing() {
    let hermes = Hermes::new();
    hermes.write("tools.yaml", &says("hello"));
    assert_eq!(hermes.run(&["tool", "list"]).stdout.lines().count(), 1);
    let ran = hermes.run(&["--json", "tool", "register", "--config", "tools.yaml"]);
    assert_eq!(ran.json()["tools"], json!(["says"]));
    assert_eq!(hermes.run(&["--json", "tool", "list"]).json()[0]["name"], "says");
    assert_eq!(hermes.run(&["tool", "test", "says"]).json()["stdout"], "hello");
    assert_eq!(hermes.run(&["tool", "remove", "says"]).code, 0);
    assert_eq!(hermes.run(&["tool", "remove", "says"]).code, 5);
    assert_ne!(hermes.run(&["tool", "test", "says"]).code, 0);
    let schema = hermes.run(&["tool", "schema"]).json();
    assert_eq!(schema["properties"]["tools"]["type"], "array");
}

#[test]
fn a_name_that_is_taken_is_refused_at_once() {
    let hermes = Hermes::new();
    hermes.write("tools.yaml", &says("x").replace("says", "read_file"));
    let ran = hermes.run(&["tool", "register", "--config", "tools.yaml"]);
    assert_eq!(ran.code, 5);
    assert!(ran.stderr.contains("'read_file' is already registered by built-in"), "{}", ran.stderr);
    assert_eq!(hermes.run(&["--json", "tool", "list"]).json(), json!([]));
}

#[test]
fn setup_keeps_keys_for_their_owner_only_and_never_shows_them() {
    let hermes = Hermes::new();
    let text = "
requires_env: [{name: SERVICE_TOKEN, description: The token of the service, url: 'https://service.example/keys'}]
tools: [{name: asks, description: d, type: http_wrapper, endpoint: 'https://service.example/', auth: {type: bearer, token_env: SERVICE_TOKEN}}]";
    hermes.write("tools.yaml", text);
    hermes.run(&["tool", "register", "--config", "tools.yaml"]);
    let before = hermes.run(&["--json", "setup"]).json();
    assert_eq!((&before[0]["key"]["name"], &before[0]["set"]), (&json!("SERVICE_TOKEN"), &json!(false)));
    let doctor = hermes.run(&["doctor"]).stdout;
    assert!(
        doctor.contains("SERVICE_TOKEN is missing for asks, get it at https://service.example/keys"),
        "{doctor}"
    );

    let ran = hermes.run_with(&["setup", "--stdin", "SERVICE_TOKEN"], "a-secret-token\n");
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    assert!(ran.stdout.contains("now available: asks"), "{}", ran.stdout);
    assert!(!ran.stdout.contains("a-secret-token") && !ran.stderr.contains("a-secret-token"));
    let mode = hermes.home().join(".env").metadata().unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o600);
    assert!(hermes.run(&["tools", "why", "asks"]).stdout.contains("offered"));
    assert!(!hermes.run(&["doctor"]).stdout.contains("SERVICE_TOKEN is missing"));
}

#[test]
fn setup_shows_stars_and_can_be_left() {
    let hermes = Hermes::new();
    let text =
        "tools: [{name: asks, description: d, type: http_wrapper, endpoint: 'https://service.example/',
        auth: {type: basic, username_env: A_SECRET, password_env: B_SECRET}}]";
    hermes.write("tools.yaml", text);
    hermes.run(&["tool", "register", "--config", "tools.yaml"]);
    let steps = [
        ("A_SECRET (empty to skip): ", "one\r"),
        ("A_SECRET (empty to skip): ", "oops\u{15}four\r"),
        ("B_SECRET (empty to skip): ", "tw\u{3}"),
    ];
    let screen = at_terminal(&hermes, &["setup"], &steps);
    assert_eq!(screen.code, 130, "{}", screen.text);
    assert!(screen.text.contains("****") && !screen.text.contains("four"), "{}", screen.text);
    assert!(screen.text.contains("the value of A_SECRET is too short"), "{}", screen.text);
    assert!(screen.text.contains("what was entered before is stored"), "{}", screen.text);
    let kept = std::fs::read_to_string(hermes.home().join(".env")).unwrap();
    assert!(kept.contains("four") && !kept.contains("oops") && !kept.contains("B_SECRET"), "{kept}");
}

/// Whatever the variable is called: what a request is signed with is secret.
#[test]
fn a_secret_that_cannot_be_hidden_is_not_stored_and_told_of() {
    let hermes = Hermes::new().with_env("MY_WORD", "abc");
    let text =
        "requires_env: [{name: PIN, secret: false}]
tools: [{name: asks, description: d, type: http_wrapper, endpoint: 'https://service.example/', auth: {type: bearer, token_env: MY_WORD}},
        {name: pins, description: d, type: http_wrapper, endpoint: 'https://service.example/', auth: {type: bearer, token_env: PIN}}]";
    hermes.write("tools.yaml", text);
    hermes.run(&["tool", "register", "--config", "tools.yaml"]);
    let ran = hermes.run_with(&["setup", "--stdin", "MY_WORD"], "xyz\n");
    assert_eq!((ran.code, ran.stdout.as_str()), (2, ""), "{}", ran.stderr);
    assert!(ran.stderr.contains("the value of MY_WORD is too short"), "{}", ran.stderr);
    assert!(!hermes.home().join(".env").exists());
    // What the operator says is no secret is stored as it is.
    assert_eq!(hermes.run_with(&["setup", "--stdin", "PIN"], "123\n").code, 0);
    let doctor = hermes.run(&["doctor"]).stdout;
    assert!(doctor.contains("MY_WORD is too short to be hidden in what asks answers"), "{doctor}");
    assert!(!doctor.contains("PIN"), "{doctor}");
}

/// A repository that tries to be run by being looked at.
#[test]
fn nothing_of_a_project_runs_before_somebody_agreed() {
    let hermes = Hermes::new().with_config("permissions: {profile: full_developer}\n");
    let canary = hermes.work().join("canary");
    let script = format!("#!/bin/sh\ntouch {0}\necho x > {0}\n", canary.display());
    let path = hermes.write(".hermes/plugins/evil/plugin.sh", &script);
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).unwrap();
    hermes.write(".hermes/plugins/evil/plugin.yaml", "id: evil\ncommand: [./plugin.sh]\n");
    hermes.write("tools.yaml", &says("x").replace("[printf, x]", "[./plugin.sh]"));
    hermes.write(".hermes/tools.yaml", &says("x"));
    for command in [
        &["tools", "list"][..],
        &["plugins", "list"],
        &["tool", "list"],
        &["doctor"],
        &["setup"],
        &["tool", "validate", "tools.yaml"],
        &["run", "--jsonl"],
    ] {
        hermes.run(command);
    }
    assert!(!canary.exists());
    let listed = hermes.run(&["--json", "plugins", "list"]).json();
    assert_eq!((&listed[0]["id"], &listed[0]["state"]), (&json!("evil"), &json!("not enabled")));
}

#[test]
fn plugins_are_installed_enabled_called_and_disabled() {
    let hermes = Hermes::new().with_config("plugins: {entries: {}}\n");
    std::fs::write(hermes.home().join("hermes_permissions.yaml"), "profiles: {mine: {allow: ['*']}}\n")
        .unwrap();
    assert_eq!(hermes.run(&["plugins", "new", "p", "--language", "python"]).code, 0);
    assert_eq!(hermes.run(&["plugins", "check", "p"]).code, 0);
    let ran = hermes.run(&["plugins", "install", "p", "--enable"]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    let called = hermes.run(&[
        "--profile",
        "mine",
        "tools",
        "call",
        "p_greet",
        "{\"name\": \"Ada\", \"loud\": \"true\"}",
    ]);
    assert_eq!(called.json()["greeting"], "HELLO, ADA!", "{}", called.stderr);
    assert_eq!(hermes.run(&["plugins", "disable", "p"]).code, 0);
    assert_ne!(hermes.run(&["--profile", "mine", "tools", "call", "p_greet", "{}"]).code, 0);
    for unknown in [["plugins", "enable", "q"], ["plugins", "disable", "q"], ["plugins", "check", "q"]] {
        assert_eq!(hermes.run(&unknown).code, 5);
    }
}

/// A plugin in shell that answers by these arms, with the question in `$line` and its id in `$id`.
fn answering(arms: &str) -> String {
    format!(
        "#!/bin/sh
while IFS= read -r line; do
  id=$(printf '%s' \"$line\" | sed 's/^{{\"id\":\\([0-9]*\\),.*/\\1/')
  case $line in
{arms}  *) exit 0 ;;
  esac
done
"
    )
}

const GUARD: &str = "\
  *'\"method\":\"describe\"'*) printf '{\"id\":%s,\"result\":{\"protocol\":1,\"tools\":[]}}\\n' \"$id\" ;;
  *'\"seconds\":1'*) printf '{\"id\":%s,\"result\":{\"decision\":\"block\",\"reason\":\"no waiting here\"}}\\n' \"$id\" ;;
  *'\"method\":\"hook\"'*) printf '{\"id\":%s,\"result\":null}\\n' \"$id\" ;;
";

#[test]
fn a_plugin_may_guard_calls_and_a_changed_guard_denies() {
    let hermes = Hermes::new();
    let script = hermes.write("guard/plugin.sh", &answering(GUARD));
    std::fs::set_permissions(&script, std::fs::Permissions::from_mode(0o755)).unwrap();
    hermes.write("guard/plugin.yaml", "id: guard\ncommand: [./plugin.sh]\nhooks: [pre_tool_call]\n");
    let ran = hermes.run(&["plugins", "install", "guard", "--enable"]);
    assert!(
        ran.stdout.contains("it is asked about every call: pre_tool_call"),
        "{}{}",
        ran.stdout,
        ran.stderr
    );
    let sleep =
        |seconds: &str| hermes.run(&["tools", "call", "sleep", &format!("{{\"seconds\": {seconds}}}")]);
    assert_eq!(sleep("0").code, 0, "{}", sleep("0").stdout);
    let blocked = sleep("1");
    assert!(blocked.stdout.contains("no waiting here"), "{}", blocked.stdout);
    // Nobody agreed to this guard.
    let installed = hermes.home().join("plugins/guard/plugin.sh");
    std::fs::write(&installed, answering(GUARD).replace("block", "allow")).unwrap();
    let changed = sleep("0");
    assert_ne!(changed.code, 0);
    assert!(changed.stdout.contains("changed since it was enabled"), "{}", changed.stdout);
}

#[test]
fn bombs_are_refused_within_64_mib() {
    let hermes = Hermes::new();
    for (name, text, why) in hermes_testkit::yaml_bombs() {
        hermes.write("bomb.yaml", &text);
        let ran = hermes.run_within(64 * 1024, &["tool", "validate", "bomb.yaml"]);
        let said: String = ran.stderr.chars().take(500).collect();
        assert_eq!(ran.code, 5, "{name}: {said}");
        assert!(ran.stderr.contains(why), "{name}: {said}");
    }
}

const WRITES: &str = "\
  *'\"method\":\"describe\"'*) printf '{\"id\":%s,\"result\":{\"protocol\":1,\"tools\":[{\"name\":\"writes\",\"description\":\"d\",\"parameters\":{\"type\":\"object\",\"properties\":{}},\"permissions\":[\"file:write\"]}]}}\\n' \"$id\" ;;
  *'\"method\":\"call\"'*) cd \"$WORK\"; echo new > keep/f; echo new > open/f; printf '{\"id\":%s,\"result\":{\"done\":true}}\\n' \"$id\" ;;
";

/// What a profile denies to file tools is denied to the user's own programs too.
#[test]
fn own_programs_are_held_to_the_rules_of_the_session() {
    let hermes = Hermes::new().with_config("");
    let profile = "profiles:\n  p: {allow: ['*'], restrictions: {'file:write': {denied_paths: ['keep/**', 'later/**']}}}\n";
    std::fs::write(hermes.home().join("hermes_permissions.yaml"), profile).unwrap();
    hermes.write("keep/f", "old");
    hermes.write("open/f", "old");
    let text = |place: &str| std::fs::read_to_string(hermes.work().join(place)).unwrap();
    // What a script does is not seen before it runs.
    hermes.write("own.sh", "echo new > keep/f; echo new > open/f; mkdir later; echo x > later/f");
    let tool = "tools: [{name: writing, description: d, type: command, command: [sh, own.sh]}]";
    hermes.write("tools.yaml", tool);
    assert_eq!(hermes.run(&["tool", "register", "--config", "tools.yaml"]).code, 0);
    let ran = hermes.run(&["--profile", "p", "tools", "call", "writing", "{}"]);
    assert_eq!((&*text("keep/f"), &*text("open/f")), ("old", "new\n"), "{}{}", ran.stdout, ran.stderr);
    assert!(!hermes.work().join("later").exists(), "{}", ran.stdout);

    hermes.write("open/f", "old");
    let work = hermes.work();
    let script = hermes.write("plug/plugin.sh", &answering(WRITES).replace("$WORK", work.to_str().unwrap()));
    std::fs::set_permissions(&script, std::fs::Permissions::from_mode(0o755)).unwrap();
    hermes.write("plug/plugin.yaml", "id: plug\ncommand: [./plugin.sh]\npermissions: [file:write]\n");
    let ran = hermes.run(&["plugins", "install", "plug", "--enable"]);
    assert_eq!(ran.code, 0, "{}{}", ran.stdout, ran.stderr);
    let ran = hermes.run(&["--profile", "p", "tools", "call", "writes", "{}"]);
    assert_eq!((&*text("keep/f"), &*text("open/f")), ("old", "new\n"), "{}{}", ran.stdout, ran.stderr);
}
