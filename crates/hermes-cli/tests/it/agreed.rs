//! What a person agreed to at a place that others must leave empty, beside programs that run at the same time.

use serde_json::{Value, json};

use crate::harness::Hermes;
use crate::vacant::{is_there, script};

/// Who agreed to a text at such a place agreed to that text: what another program makes of it is taken away.
#[test]
fn what_somebody_agreed_to_is_not_replaced_by_another_program() {
    for by in ["terminal", "write_file"] {
        let hermes = Hermes::new();
        let envrc = hermes.work().join(".envrc");
        hermes.write(
            "script.sh",
            "until test -e go; do sleep 0.05; done; echo other > .envrc; echo x > .husky/post-merge; true",
        );
        let start = json!({"action": "start", "command": "sh script.sh"}).to_string();
        let started = hermes.run(&["tools", "call", "process", &start, "--json"]).json();
        let grant = |words: &[&str]| {
            let added = hermes.run(&[&["grants", "add", "--tool"], words].concat());
            assert_eq!(added.code, 0, "{}", added.stderr);
        };
        let call = |tool: &str, arguments: Value| {
            let made = hermes.run(&["tools", "call", tool, &arguments.to_string(), "--json"]);
            assert_eq!(made.code, 0, "{}", made.stdout);
        };
        let hook = "mkdir .husky && echo mine > .husky/pre-commit";
        grant(&["terminal", "--command", hook]);
        call("terminal", json!({"command": hook}));
        if by == "terminal" {
            let command = "echo 'export SAFE=1' > .envrc";
            grant(&[by, "--command", command]);
            call(by, json!({"command": command}));
        } else {
            grant(&[by, "--path", ".envrc"]);
            call(by, json!({"path": ".envrc", "content": "export SAFE=1\n"}));
        }
        assert_eq!(std::fs::read_to_string(&envrc).unwrap(), "export SAFE=1\n");
        hermes.write("go", "");
        let wait = json!({"action": "wait", "session_id": started["session_id"]}).to_string();
        let ended = hermes.run(&["tools", "call", "process", &wait, "--json"]).json();
        assert_eq!(std::fs::read_to_string(&envrc).unwrap(), "export SAFE=1\n", "{by}: {ended}");
        assert!(ended["note"].as_str().unwrap_or_default().contains(".envrc"), "{by}: {ended}");
        assert!(!hermes.work().join(".husky/post-merge").exists(), "{by}: {ended}");
        assert!(hermes.work().join(".husky/pre-commit").exists(), "{by}: {ended}");
    }
}

/// Who agrees to a command agrees to what that command makes, not to what another one has put there before.
#[test]
fn what_another_program_put_there_before_is_not_agreed_to() {
    let hermes = Hermes::new();
    hermes.write(
        "script.sh",
        "mkdir .husky; echo other > .husky/post-merge; touch put; until test -e go; do sleep 0.05; done",
    );
    let start = json!({"action": "start", "command": "sh script.sh"}).to_string();
    let started = hermes.run(&["tools", "call", "process", &start, "--json"]).json();
    while !hermes.work().join("put").exists() {
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
    let hook = "mkdir -p .husky && echo mine > .husky/pre-commit";
    assert_eq!(hermes.run(&["grants", "add", "--tool", "terminal", "--command", hook]).code, 0);
    let call = json!({"command": hook}).to_string();
    let made = hermes.run(&["tools", "call", "terminal", &call, "--json"]);
    assert_eq!(made.code, 0, "{}", made.stdout);
    hermes.write("go", "");
    let wait = json!({"action": "wait", "session_id": started["session_id"]}).to_string();
    let ended = hermes.run(&["tools", "call", "process", &wait, "--json"]).json();
    assert!(!hermes.work().join(".husky/post-merge").exists(), "{ended}");
    assert_eq!(
        std::fs::read_to_string(hermes.work().join(".husky/pre-commit")).unwrap(),
        "mine\n",
        "{ended}"
    );
}

/// Who agreed to have a file at such a place does not lose it to whatever else runs at the same time.
#[test]
fn what_somebody_agreed_to_is_not_blamed_on_another_program() {
    let hermes = Hermes::new();
    hermes.write("script.sh", "until test -e go; do sleep 0.05; done; echo x > .mcp.json");
    let start = json!({"action": "start", "command": "sh script.sh"}).to_string();
    let started = hermes.run(&["tools", "call", "process", &start, "--json"]).json();
    for granted in
        [["--tool", "write_file", "--path", ".envrc"], ["--tool", "terminal", "--command", "mkdir .husky"]]
    {
        let added = hermes.run(&[&["grants", "add"], &granted[..]].concat());
        assert_eq!(added.code, 0, "{}", added.stderr);
    }
    let file = json!({"path": ".envrc", "content": "export A=1\n"}).to_string();
    let written = hermes.run(&["tools", "call", "write_file", &file, "--json"]);
    assert_eq!(written.code, 0, "{}", written.stdout);
    let made = hermes.run(&["tools", "call", "terminal", "{\"command\": \"mkdir .husky\"}", "--json"]);
    assert_eq!(made.code, 0, "{}", made.stdout);
    hermes.write("go", "");
    let wait = json!({"action": "wait", "session_id": started["session_id"]}).to_string();
    let ended = hermes.run(&["tools", "call", "process", &wait, "--json"]).json();
    assert!(!is_there(&hermes.work().join(".mcp.json")), "{ended}");
    assert!(is_there(&hermes.work().join(".envrc")) && is_there(&hermes.work().join(".husky")), "{ended}");
}

/// Who agrees to an archive agrees to what is in it, and to nothing that others put beside it.
#[test]
fn what_an_extraction_did_not_place_is_taken_away() {
    let hermes = Hermes::new();
    hermes.write("src/a.txt", "x");
    std::fs::create_dir(hermes.work().join(".ssh")).unwrap();
    let packed = std::process::Command::new("tar")
        .args(["-cf", ".ssh/a.tar", "-C", "src", "a.txt"])
        .current_dir(hermes.work())
        .status();
    assert!(packed.unwrap().success());
    let unpack = json!({"action": "extract", "source": ".ssh/a.tar", "destination": "."}).to_string();
    let extract = || hermes.run(&["tools", "call", "file_compress", &unpack, "--json"]);
    let asked = extract().json();
    let hint = asked["hint"].as_str().unwrap_or_else(|| panic!("{asked}"));
    let call = hint.split("--call ").nth(1).and_then(|rest| rest.split(' ').next()).unwrap();
    let granted = hermes.run(&["grants", "add", "--tool", "file_compress", "--call", call, "--times", "1"]);
    assert_eq!(granted.code, 0, "{}", granted.stderr);
    let ran = extract();
    assert_eq!(ran.code, 0, "{}", ran.stdout);
    assert!(is_there(&hermes.work().join("a.txt")));
    let planted =
        script(&hermes, Hermes::run, "echo x > .envrc; mkdir .vscode; echo x > .vscode/tasks.json", &[]);
    for place in [".envrc", ".vscode/tasks.json"] {
        assert!(!is_there(&hermes.work().join(place)), "{place}: {planted}");
    }
}

/// Where nothing came of what somebody agreed to, the place is as closed as it was before.
#[test]
fn what_comes_after_a_write_that_failed_is_taken_away() {
    let hermes = Hermes::new();
    let granted = hermes.run(&["grants", "add", "--tool", "write_file", "--path", ".envrc"]);
    assert_eq!(granted.code, 0, "{}", granted.stderr);
    let file = json!({"path": ".envrc", "content": "mine\n", "expected_hash": "0".repeat(64)}).to_string();
    let refused = hermes.run(&["tools", "call", "write_file", &file, "--json"]);
    assert!(refused.code != 0 && is_there(&hermes.home().join("quarantine/expected")), "{}", refused.stdout);
    let planted = script(&hermes, Hermes::run, "echo x > .envrc", &[]);
    assert!(!is_there(&hermes.work().join(".envrc")), "{planted}");
}

/// The same where the command that somebody agreed to could not be started.
#[test]
fn what_comes_after_a_command_that_did_not_begin_is_taken_away() {
    let hermes = Hermes::new();
    let call = json!({"command": "echo mine > .envrc", "background": true}).to_string();
    let start = || hermes.run(&["tools", "call", "terminal", &call, "--json"]);
    let asked = start().json();
    let hint = asked["hint"].as_str().unwrap_or_else(|| panic!("{asked}"));
    let call = hint.split("--call ").nth(1).and_then(|rest| rest.split(' ').next()).unwrap();
    let granted = hermes.run(&["grants", "add", "--tool", "terminal", "--call", call, "--times", "1"]);
    assert_eq!(granted.code, 0, "{}", granted.stderr);
    std::fs::write(hermes.home().join("processes"), "no folder").unwrap();
    let refused = start();
    assert!(refused.code != 0 && is_there(&hermes.home().join("quarantine/expected")), "{}", refused.stdout);
    let planted = script(&hermes, Hermes::run, "echo x > .envrc", &[]);
    assert!(!is_there(&hermes.work().join(".envrc")), "{planted}");
}
