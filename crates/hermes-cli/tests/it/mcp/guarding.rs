//! What servers, and the folder the user works in, cannot bring Hermes to do.

use serde_json::{Value, json};

use super::client::Client;
use super::support::{noted, with_servers};
use crate::harness::Hermes;

/// A program that leaves a line where it is said to, as code that nobody meant to run.
const CANARY: &str = "import os\nopen(os.path.join(os.environ['HOME'], 'canary'), 'w').close()\n";

#[test]
fn the_folder_the_user_works_in_runs_nothing_through_the_users_own_servers() {
    let servers = "mcp_servers:\n  time: {command: python3, args: [-m, mcp_server_time]}\n  \
                   tool: {command: helper}\n";
    let path = format!("bin::.:{}", std::env::var("PATH").unwrap());
    let hermes = Hermes::new().with_config(servers).with_env("PATH", &path);
    hermes.write("mcp_server_time/__main__.py", CANARY);
    for place in ["helper", "bin/helper"] {
        use std::os::unix::fs::PermissionsExt;
        let script = hermes.write(place, &format!("#!/usr/bin/env python3\n{CANARY}"));
        std::fs::set_permissions(script, std::fs::Permissions::from_mode(0o755)).unwrap();
    }
    for server in ["time", "tool"] {
        assert_ne!(hermes.run(&["mcp", "test", server]).code, 0);
    }
    let hello = json!({"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}});
    let mut client = Client::silent(&hermes, &[], Value::Null);
    client.ask("initialize", hello);
    client.end();
    assert!(!hermes.work().parent().unwrap().join("canary").exists());
}

#[test]
fn a_server_is_told_the_folder_instead_of_started_in_it() {
    let code =
        "import os, sys; open(os.environ['OUT'], 'w').write(' '.join(sys.argv[1:]) + '\\n' + os.getcwd())";
    let args = json!(["-c", code, ".", "--root=${workspaceFolder}", "./kept"]);
    let started = |keys: &str| {
        let hermes = Hermes::new();
        let out = hermes.work().join("out");
        let server = format!("{{command: python3, args: {args}, env: {{OUT: {}}}{keys}}}", out.display());
        let hermes = hermes.with_config(&format!("mcp_servers: {{s: {server}}}"));
        hermes.run(&["mcp", "test", "s"]);
        let told = std::fs::read_to_string(&out).unwrap();
        let (told, cwd) = told.split_once('\n').unwrap();
        (hermes, told.to_owned(), cwd.to_owned())
    };
    let (hermes, told, cwd) = started("");
    let work = hermes.work().display().to_string();
    assert_eq!(told, format!("{work} --root={work} ./kept"));
    assert_eq!(cwd, hermes.home().join("mcp/rooms/s").display().to_string(), "a folder of its own");
    let (hermes, _, cwd) = started(", cwd: .");
    assert_eq!(cwd, hermes.work().display().to_string(), "unless the user says where");
}

#[test]
fn a_server_that_asks_without_end_bothers_nobody_for_long() {
    for (kind, capability, most) in [
        ("elicitation/create", "elicitation", 20),
        ("sampling/createMessage", "sampling", 20),
        ("roots/list", "roots", 30),
    ] {
        let keys = format!("    {capability}: true\n");
        let hermes = with_servers(&[("fix", &format!("curious:{kind}"), &keys)]);
        assert_eq!(hermes.run(&["mcp", "test", "fix"]).code, 0);
        let answer = match kind {
            "elicitation/create" => json!({"action": "decline"}),
            "roots/list" => json!({"roots": []}),
            _ => json!({"role": "assistant", "model": "m", "content": {"type": "text", "text": "a"}}),
        };
        let mut client = Client::with(&hermes, &[], json!({capability: {}}), answer);
        let called = client.call("mcp_fix_echo", json!({}));
        assert_eq!(called["result"]["isError"], false, "{called}");
        let asked = client.questions.len();
        assert!(asked > 0 && asked <= most, "{kind}: asked {asked} times");
        client.end();
    }
}

#[test]
fn a_program_answers_for_a_model_only_where_somebody_agreed_and_learns_no_secrets() {
    let program = "cat > /dev/null; echo \"${A_SECRET:-none} ${KEY:-none} $PWD\" >> \"$HOME/ran\"; \
                   echo '{\"role\": \"assistant\", \"model\": \"m\", \"content\": {\"type\": \"text\", \"text\": \"a\"}}'";
    let ran = |more: &str| {
        let program = json!(["sh", "-c", program]);
        let keys = format!(
            "    sampling: true\n    sampling_program: {program}\n    sampling_env: {{KEY: \"${{GIVEN}}\"}}\n{more}"
        );
        let hermes = with_servers(&[("fix", "curious:sampling/createMessage", &keys)]);
        let hermes = hermes.with_env("A_SECRET", "shh").with_env("GIVEN", "given");
        let called = hermes.run(&["tools", "call", "mcp_fix_echo", "{}"]);
        assert_eq!(called.code, 0, "{}{}", called.stdout, called.stderr);
        let lines = std::fs::read_to_string(hermes.work().parent().unwrap().join("ran")).unwrap_or_default();
        (hermes, lines)
    };
    assert_eq!(ran("").1, "", "nobody could be asked");
    let (hermes, lines) = ran("    sampling_unattended: true\n");
    let room = hermes.home().join("mcp/sampling");
    assert!(!lines.is_empty() && lines.lines().count() <= 20, "{lines}");
    assert!(lines.lines().all(|line| line == format!("none given {}", room.display())), "{lines}");
}

#[test]
fn a_revision_that_nobody_knows_is_refused() {
    let hermes = with_servers(&[("fix", "future", "")]);
    let met = hermes.run(&["mcp", "test", "fix"]);
    assert!(met.code == 5 && met.stderr.contains("2099-01-01"), "{}{}", met.stdout, met.stderr);
    assert!(noted(&hermes, "fix", "calls").is_empty());
}
