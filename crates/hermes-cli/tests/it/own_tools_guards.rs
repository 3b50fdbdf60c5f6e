//! What a user's own files and plugins cannot do to whoever tries, registers or installs them.

use std::io::{BufRead, BufReader, Write};
use std::net::TcpListener;

use serde_json::json;

use crate::harness::Hermes;

fn asks(address: &str) -> String {
    format!(
        "tools: [{{name: asks, description: d, type: http_wrapper, allow_private: true, endpoint: 'http://{address}/', auth: {{type: bearer, token_env: MY_WORD}}}}]"
    )
}

/// A pipe in the place of a file keeps nobody waiting.
#[test]
fn a_pipe_is_no_file_of_tools() {
    let hermes = Hermes::new();
    let path = hermes.work().join("tools.yaml");
    assert!(std::process::Command::new("mkfifo").arg(&path).status().unwrap().success());
    for command in [
        &["tool", "validate", "tools.yaml"][..],
        &["tool", "register", "--config", "tools.yaml"],
        &["tool", "test", "x", "--config", "tools.yaml"],
        &["plugins", "install", "tools.yaml"],
    ] {
        let ran = hermes.run(command);
        assert_eq!(ran.code, 5, "{command:?}: {}", ran.stderr);
    }
    std::fs::remove_file(&path).unwrap();
    hermes.write("tools.yaml", &asks("127.0.0.1:8080"));
    assert_eq!(hermes.run(&["tool", "register", "--config", "tools.yaml"]).code, 0);
    std::fs::remove_file(&path).unwrap();
    assert!(std::process::Command::new("mkfifo").arg(&path).status().unwrap().success());
    // A file that was registered and became a pipe is broken, and everything else works.
    let listed = hermes.run(&["--json", "tool", "list"]);
    assert!(listed.json()[0]["error"].as_str().unwrap().contains("no plain file"), "{}", listed.stdout);
    assert_eq!(hermes.run(&["tools", "list"]).code, 0);
}

#[test]
fn a_tried_file_sends_its_secrets_where_it_was_agreed() {
    let hermes = Hermes::new()
        .with_env("MY_WORD", "persimmon")
        .with_config("network: {allow_private: true}\npermissions: {profile: full_developer}\n");
    let serve = |listener: TcpListener| {
        std::thread::spawn(move || {
            let (mut stream, _) = listener.accept().unwrap();
            let mut lines = BufReader::new(stream.try_clone().unwrap()).lines().map_while(Result::ok);
            let seen: Vec<String> = lines.by_ref().take_while(|line| !line.is_empty()).collect();
            let _ = stream.write_all(b"HTTP/1.1 200 OK\r\ncontent-length: 2\r\nconnection: close\r\n\r\nok");
            seen.join("\n")
        })
    };
    let (first, second) =
        (TcpListener::bind("127.0.0.1:0").unwrap(), TcpListener::bind("127.0.0.1:0").unwrap());
    let (known, other) = (first.local_addr().unwrap().to_string(), second.local_addr().unwrap().to_string());
    hermes.write("tools.yaml", &asks(&known));
    assert_eq!(hermes.run(&["tool", "register", "--config", "tools.yaml"]).code, 0);
    let asked = serve(first);
    let ran = hermes.run(&["tool", "test", "asks", "--config", "tools.yaml"]);
    assert_eq!(ran.json()["body"], "ok", "{}{}", ran.stdout, ran.stderr);
    assert!(asked.join().unwrap().contains("persimmon"));

    hermes.write("tools.yaml", &asks(&other));
    let ran = hermes.run(&["tool", "test", "asks", "--config", "tools.yaml"]);
    assert_ne!(ran.code, 0);
    let said = format!("{}{}", ran.stdout, ran.stderr);
    assert!(said.contains(&format!("nobody agreed that MY_WORD is sent to http://{other}")), "{said}");
    second.set_nonblocking(true).unwrap();
    assert!(second.accept().is_err(), "somebody was asked all the same");
}

#[test]
fn what_cannot_be_enabled_is_not_left_behind() {
    let hermes = Hermes::new();
    hermes.write("broken.py", "from hermes.tools import tool\n\n@tool\ndef broken(:\n    pass\n");
    hermes.write("taken.py", "from hermes.tools import tool\n\n@tool\ndef read_file():\n    'd'\n");
    hermes.write("empty/plugin.yaml", "id: empty\ncommand: [cat]\n");
    for (path, why) in [
        ("broken.py", "broken.py:4:12: SyntaxError"),
        ("taken.py", "'read_file' is already a tool of built-in"),
        ("empty", "the plugin empty: "),
    ] {
        let ran = hermes.run(&["plugins", "install", path, "--enable"]);
        assert_eq!(ran.code, 5, "{path}: {}", ran.stdout);
        assert!(ran.stderr.contains(why), "{path}: {}", ran.stderr);
        assert!(!ran.stdout.contains("installed"), "{}", ran.stdout);
    }
    assert_eq!(hermes.run(&["--json", "plugins", "list"]).json(), json!([]));
    // Without enabling it is the user's to mend where it lies.
    assert_eq!(hermes.run(&["plugins", "install", "broken.py"]).code, 0);
    assert!(hermes.home().join("plugins/broken/broken.py").is_file());
    // And what was there before is not taken away by a second try.
    assert_eq!(hermes.run(&["plugins", "install", "broken.py", "--enable"]).code, 5);
    assert!(hermes.home().join("plugins/broken/broken.py").is_file());
}

#[test]
fn links_of_a_plugin_stay_links_and_lead_nowhere_else() {
    let hermes = Hermes::new();
    assert_eq!(hermes.run(&["plugins", "new", "linked", "--language", "shell"]).code, 0);
    let folder = hermes.work().join("linked");
    let link = |target: &str, name: &str| std::os::unix::fs::symlink(target, folder.join(name)).unwrap();
    // Followed, they would be copied two to the power of forty times.
    link(".", "one");
    link(".", "other");
    link("plugin.sh", "same");
    let ran = hermes.run(&["plugins", "install", "linked", "--enable"]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    let installed = hermes.home().join("plugins/linked");
    assert_eq!(std::fs::read_link(installed.join("one")).unwrap().to_str(), Some("."));
    assert_eq!(std::fs::read_link(installed.join("same")).unwrap().to_str(), Some("plugin.sh"));
    std::fs::remove_dir_all(&installed).unwrap();
    link(folder.join("plugin.sh").to_str().unwrap(), "back");
    let ran = hermes.run(&["plugins", "install", "linked"]);
    assert_eq!(ran.code, 5, "{}", ran.stdout);
    assert!(ran.stderr.contains("back leads out of the plugin's folder"), "{}", ran.stderr);
    assert!(!installed.exists());
}

#[test]
fn many_costly_patterns_are_refused_within_64_mib() {
    let hermes = Hermes::new();
    for bomb in ["[a-z]{1,900}[0-9]{1,900}", "(a{1,99}){1,99}", r"(\\p{L}|\\p{N}){1,15}"] {
        let tool = |n: usize| {
            format!(
                "  - {{name: t{n}, description: d, type: command, command: [echo, '{{x}}'], parameters: [{{name: x, pattern: \"{bomb}\"}}]}}\n"
            )
        };
        hermes.write("bomb.yaml", &format!("tools:\n{}", (0..500).map(tool).collect::<String>()));
        let ran = hermes.run_within(64 * 1024, &["tool", "validate", "bomb.yaml"]);
        assert_eq!(ran.code, 5, "{bomb}: {}", ran.stderr.chars().take(500).collect::<String>());
        assert!(ran.stderr.contains("cost"), "{bomb}: {}", ran.stderr.chars().take(500).collect::<String>());
    }
}

/// The handbook's own example, as it is, with a database in the working folder.
#[test]
fn a_file_that_asks_for_nothing_can_be_given_more() {
    let hermes = Hermes::new();
    hermes.write("database.py", include_str!("../../../hermes-plugins/tests/it/fixtures/database.py"));
    std::fs::create_dir_all(hermes.home()).unwrap();
    std::fs::write(hermes.home().join("hermes_permissions.yaml"), "profiles: {mine: {allow: ['*']}}\n")
        .unwrap();
    let install =
        |more: &[&str]| hermes.run(&[&["plugins", "install", "database.py", "--enable"], more].concat());
    assert!(install(&["--permission", "file:writ"]).stderr.contains("did you mean file:write?"));
    let ran = install(&["--permission", "file:write"]);
    assert!(ran.stdout.contains("it may use: file:write, network:fetch"), "{}{}", ran.stdout, ran.stderr);
    let query = |text: &str| {
        let arguments = json!({"dialect": "sqlite", "connection_string": "sqlite:///x.db", "query": text});
        hermes.run(&[
            "--profile",
            "mine",
            "--json",
            "tools",
            "call",
            "database_query_advanced",
            &arguments.to_string(),
        ])
    };
    query("create table t (a)");
    query("insert into t values (7)");
    let ran = query("select a from t");
    assert_eq!(ran.json()["rows"], json!([[7]]), "{}", ran.stdout);
    assert!(hermes.work().join("x.db").is_file());
}
