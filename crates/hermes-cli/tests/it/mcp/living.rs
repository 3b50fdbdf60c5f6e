//! Servers that come and go while Hermes runs, and what other processes see of them.

use std::io::{BufRead, BufReader, Write};

use serde_json::{Value, json};

use super::client::Client;
use super::support::{configured, noted, notes, with_servers};
use crate::harness::Hermes;

fn names(client: &mut Client) -> Vec<String> {
    let listed = client.ask("tools/list", json!({}));
    let tools = listed["result"]["tools"].as_array().unwrap().clone();
    let names = tools.iter().map(|tool| tool["name"].as_str().unwrap().to_owned());
    names.filter(|name| name.starts_with("mcp_")).collect()
}

/// Waits until it is so. A hang here is the failure.
fn until(mut it_is: impl FnMut() -> bool) {
    while !it_is() {
        std::thread::sleep(std::time::Duration::from_millis(50));
    }
}

fn state(hermes: &Hermes) -> Value {
    hermes.run(&["mcp", "list", "--json"]).json()[0].clone()
}

#[test]
fn a_server_comes_goes_and_changes_while_a_client_is_served() {
    let hermes = with_servers(&[("fix", "", "")]);
    let mut client = Client::start(&hermes, &["--toolsets", "file,mcp_servers"]);
    until(|| names(&mut client).contains(&"mcp_fix_echo".to_owned()));
    let hermes = configured(hermes, &[("fix", "", ""), ("new", "", "")]);
    client.hear("notifications/tools/list_changed");
    until(|| names(&mut client).contains(&"mcp_new_echo".to_owned()));
    let called = client.call("mcp_new_echo", json!({"text": "here"}));
    assert!(called.to_string().contains("here"), "{called}");
    // A file that cannot be read changes nothing.
    let file = hermes.home().join("config.yaml");
    let good = std::fs::read_to_string(&file).unwrap();
    std::fs::write(&file, "mcp_servers: [").unwrap();
    assert!(names(&mut client).contains(&"mcp_new_echo".to_owned()));
    std::fs::write(&file, good).unwrap();

    assert_eq!(hermes.run(&["mcp", "remove", "fix"]).code, 0);
    until(|| !names(&mut client).contains(&"mcp_fix_echo".to_owned()));
    let calls = noted(&hermes, "fix", "calls").len();
    let called = client.call("mcp_fix_echo", json!({"text": "gone"}));
    assert!(called["result"]["isError"] != false, "{called}");
    assert_eq!(noted(&hermes, "fix", "calls").len(), calls, "a server that was removed runs nothing");
    let hermes = configured(hermes, &[("new", "", "    tools: {include: [echo]}\n")]);
    until(|| names(&mut client).iter().filter(|name| name.starts_with("mcp_new_")).count() < 10);
    assert!(client.call("mcp_new_echo", json!({"text": "still"})).to_string().contains("still"));
    until(|| hermes.run(&["mcp", "list", "--json"]).json()[0]["state"] == "running");
    client.end();
}

#[test]
fn a_server_that_came_later_has_its_program_for_a_model() {
    let hermes = with_servers(&[("fix", "", "")]);
    let mut child = hermes.spawn(&["--set", "repeat_guard.enabled=false", "run", "--jsonl"]);
    let mut input = child.stdin.take().unwrap();
    let mut output = BufReader::new(child.stdout.take().unwrap());
    let mut call = |tool: &str| {
        writeln!(input, "{}", json!({"id": "1", "tool_calls": [{"id": "1", "name": tool, "arguments": {}}]}))
            .unwrap();
        let mut line = String::new();
        output.read_line(&mut line).unwrap();
        line
    };
    assert!(call("mcp_fix_echo").contains("success"));
    let answer = json!({"role": "assistant", "model": "m", "content": {"type": "text", "text": "a"}});
    let program = json!(["sh", "-c", format!("cat > /dev/null; echo ran >> \"$HOME/ran\"; echo '{answer}'")]);
    let keys =
        format!("    sampling: true\n    sampling_unattended: true\n    sampling_program: {program}\n");
    let hermes = configured(hermes, &[("fix", "", ""), ("new", "curious:sampling/createMessage", &keys)]);
    until(|| call("mcp_new_echo").contains("success"));
    assert!(hermes.work().parent().unwrap().join("ran").exists());
    drop(input);
    child.wait().unwrap();
}

#[test]
fn other_processes_see_what_a_server_does() {
    let hermes = with_servers(&[("fix", "", "")]);
    assert_eq!(hermes.run(&["mcp", "test", "fix"]).code, 0);
    assert_eq!(state(&hermes)["state"], "known");
    let mut client = Client::start(&hermes, &[]);
    client.call("mcp_fix_echo", json!({"text": "t"}));
    until(|| state(&hermes)["state"] == "running");
    assert!(state(&hermes)["processes"][0]["pid"].is_u64(), "{}", state(&hermes));
    client.begin("tools/call", json!({"name": "mcp_fix_hang", "arguments": {}}));
    until(|| state(&hermes)["state"] == "in_use");
    assert_eq!(state(&hermes)["calls"], 1);
    client.kill();
    until(|| state(&hermes)["state"] == "known");
    assert_eq!(
        std::fs::read_dir(hermes.home().join("mcp/running")).unwrap().count(),
        0,
        "nothing is left behind"
    );
}

#[test]
fn how_a_server_failed_is_told_until_it_works_again() {
    let hermes = with_servers(&[("fix", "crash", "")]);
    assert_ne!(hermes.run(&["mcp", "test", "fix"]).code, 0);
    let failed = state(&hermes);
    assert_eq!(failed["state"], "failed", "{failed}");
    assert!(failed["reason"].as_str().unwrap().contains("flux capacitor"), "{failed}");
    assert!(hermes.run(&["mcp", "list"]).stdout.contains("failed: it ended with exit code 7"));
    std::fs::write(notes(&hermes, "fix").join("mode"), "well").unwrap();
    assert_eq!(hermes.run(&["mcp", "test", "fix"]).code, 0);
    assert_eq!(state(&hermes)["state"], "known");
}

#[test]
fn secrets_do_not_reach_the_log() {
    let secret = "supersecretkey123";
    let hermes = Hermes::new().with_env("KEYX", secret).with_config(
        "mcp_servers:\n  far: {url: \"http://127.0.0.1:9/${KEYX}/mcp?api_key=${KEYX}\"}\n  \
         near: {command: sh, args: [-c, 'echo \"key is $KEY ghp_abcdefghijklmnopqrstuvwxyz0123456789\" >&2; exit 3'], \
         env: {KEY: \"${KEYX}\"}}\n",
    );
    for server in ["far", "near"] {
        let met = hermes.run(&["mcp", "test", server]);
        assert!(met.code != 0 && !met.stderr.contains(secret), "{}", met.stderr);
        let listed = hermes.run(&["mcp", "list", "--json"]).stdout;
        assert!(!listed.contains(secret), "{listed}");
    }
    let log = |server: &str| hermes.run(&["mcp", "logs", server]).stdout;
    assert!(log("far").contains("connecting to http://127.0.0.1:9]"), "{}", log("far"));
    assert!(log("near").contains("key is [REDACTED"), "{}", log("near"));
    for shown in [log("far"), log("near")] {
        assert!(!shown.contains(secret) && !shown.contains("ghp_abc"), "{shown}");
    }
}
