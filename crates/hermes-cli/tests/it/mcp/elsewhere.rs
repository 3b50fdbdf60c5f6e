//! Servers that are reached over HTTP.

use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use serde_json::{Value, json};

use super::client::Client;
use super::support::{OPEN, noted, notes};
use crate::harness::{Hermes, Ran, request};

/// The fixture server, and a Hermes that knows it as `web`.
struct Web {
    hermes: Hermes,
    server: Child,
    port: String,
}

impl Web {
    fn start(path: &str, keys: &str) -> Self {
        let hermes = Hermes::new().with_env("KEY", "k-1");
        let folder = notes(&hermes, "web");
        std::fs::create_dir_all(&folder).unwrap();
        let fixture = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/fixtures/mcp_http_server.py");
        let mut server =
            Command::new("python3").arg(fixture).arg(&folder).stdout(Stdio::piped()).spawn().unwrap();
        let mut port = String::new();
        BufReader::new(server.stdout.take().unwrap()).read_line(&mut port).unwrap();
        let port = port.trim().to_owned();
        let config = format!(
            "permissions: {{profile: open}}\nmcp_servers:\n  web:\n    url: http://127.0.0.1:{port}{path}\n{keys}"
        );
        let hermes = hermes.with_config(&config);
        std::fs::write(hermes.home().join("hermes_permissions.yaml"), OPEN).unwrap();
        Web { hermes, server, port }
    }

    fn call(&self, tool: &str) -> Ran {
        self.hermes.run(&["tools", "call", &format!("mcp_web_{tool}"), r#"{"text": "hi"}"#])
    }

    fn calls(&self) -> Vec<String> {
        noted(&self.hermes, "web", "calls")
    }
}

impl Web {
    /// Checks that its tool can be called.
    fn answers(&self) {
        let called = self.call("echo");
        let said = (called.code, called.json()["result"].clone());
        assert_eq!(said, (0, "hi".into()), "{}{}", called.stdout, called.stderr);
    }
}

impl Drop for Web {
    fn drop(&mut self) {
        let _ = self.server.kill();
        let _ = self.server.wait();
    }
}

#[test]
fn tools_of_a_server_elsewhere_are_called_with_the_users_headers() {
    let web = Web::start("/mcp", "    headers: {X-Key: \"${KEY}\"}\n");
    web.answers();
    assert_eq!(web.call("late").json()["result"], "hi", "an answer as a stream of events");
    let requests = noted(&web.hermes, "web", "requests");
    assert!(requests.iter().all(|line| line.ends_with(" k-1")), "{requests:?}");
    let missing = Web::start("/mcp", "    headers: {X-Key: \"${GONE}\"}\n");
    let refused = missing.hermes.run(&["mcp", "test", "web"]);
    assert!(refused.stderr.contains("the variable GONE is not set"), "{}", refused.stderr);
    assert!(noted(&missing.hermes, "web", "requests").is_empty(), "nothing is sent without it");
}

#[test]
fn servers_of_2024_are_spoken_to_as_they_know_it() {
    let web = Web::start("/sse", "    transport: sse\n    headers: {X-Key: \"${KEY}\"}\n");
    web.answers();
    let requests = noted(&web.hermes, "web", "requests");
    assert!(requests.len() > 3 && requests.iter().all(|line| line.ends_with(" k-1")), "{requests:?}");
}

#[test]
fn what_is_not_known_to_have_failed_is_said_to_be_unknown() {
    let web = Web::start("/mcp", "");
    for (tool, code, word) in [
        ("hang_up", 6, "outcome_unknown"),
        ("half", 6, "outcome_unknown"),
        ("error_page", 6, "outcome_unknown"),
        ("accepted", 6, "outcome_unknown"),
        ("slow_down", 5, "unavailable"),
        // The rest of the answer is asked for, and is a refusal.
        ("resumed", 5, "invalid_argument"),
        // It speaks of a session, but not of its own.
        ("picky", 5, "exec_failed"),
    ] {
        let ran = web.call(tool);
        assert_eq!((ran.code, &ran.json()["code"]), (code, &word.into()), "{tool}: {}", ran.stdout);
        let times = web.calls().iter().filter(|call| *call == tool).count();
        assert!(times <= 1, "{tool} ran {times} times");
    }
    let accepted = web.call("accepted").stdout;
    assert!(accepted.contains("HTTP 202"), "nobody waits for what cannot come: {accepted}");
    assert_eq!(web.call("echo").code, 0, "the server is none the worse for it");
}

#[test]
fn an_answer_is_read_however_it_is_labelled_or_wrapped() {
    let web = Web::start("/mcp", "");
    for tool in ["labelled", "several", "beside"] {
        assert_eq!(web.call(tool).json()["result"], "hi", "{tool}");
    }
    let odd = web.call("odd");
    assert_eq!(odd.json()["structured_content"], json!({"size": null}), "{}", odd.stdout);
}

#[test]
fn a_server_that_breaks_down_over_a_question_it_does_not_know_is_shaken_hands_with() {
    Web::start("/rough", "").answers();
}

#[test]
fn a_session_that_ended_is_begun_anew_and_the_call_runs_once() {
    // Some say it by 404, as they should, others by 400 and in words.
    for said in ["", "words"] {
        let web = Web::start("/mcp", "");
        assert_eq!(web.hermes.run(&["mcp", "test", "web"]).code, 0);
        let mut client = Client::start(&web.hermes, &[]);
        for text in ["before", "after"] {
            let called = client.call("mcp_web_echo", json!({"text": text}));
            assert!(called.to_string().contains(text), "{called}");
            std::fs::write(notes(&web.hermes, "web").join("forget"), said).unwrap();
            // Longer than what is called without a pause.
            std::thread::sleep(Duration::from_millis(50));
        }
        client.end();
        assert_eq!(web.calls(), ["echo", "echo"]);
        let begun = noted(&web.hermes, "web", "requests");
        assert_eq!(begun.iter().filter(|line| line.contains(" initialize ")).count(), 3, "{begun:?}");
    }
}

#[test]
fn a_server_that_does_not_say_whether_it_is_there_is_asked_once() {
    let web = Web::start("/mcp", "");
    assert_eq!(web.hermes.run(&["mcp", "test", "web"]).code, 0);
    std::fs::write(notes(&web.hermes, "web").join("mute"), "yes").unwrap();
    let mut client = Client::start(&web.hermes, &[]);
    for text in ["one", "two", "three"] {
        let called = client.call("mcp_web_echo", json!({"text": text}));
        assert!(called.to_string().contains(text), "{called}");
        // Longer than what is called without a pause.
        std::thread::sleep(Duration::from_millis(50));
    }
    client.end();
    let asked = noted(&web.hermes, "web", "requests");
    assert_eq!(asked.iter().filter(|line| line.contains(" ping ")).count(), 1, "{asked:?}");
}

#[test]
fn a_server_that_finds_no_ping_keeps_its_session() {
    let web = Web::start("/mcp", "");
    assert_eq!(web.hermes.run(&["mcp", "test", "web"]).code, 0);
    std::fs::write(notes(&web.hermes, "web").join("pingless"), "yes").unwrap();
    let mut client = Client::start(&web.hermes, &[]);
    for text in ["one", "two", "three", "four", "five"] {
        let called = client.call("mcp_web_echo", json!({"text": text}));
        assert!(called.to_string().contains(text), "{called}");
        // Longer than what is called without a pause.
        std::thread::sleep(Duration::from_millis(50));
    }
    client.end();
    let begun = noted(&web.hermes, "web", "requests");
    // The first may be doubted, but not the one that was begun for that.
    assert!(begun.iter().filter(|line| line.contains(" initialize ")).count() <= 3, "{begun:?}");
    assert_eq!(web.calls().len(), 5);
}

#[test]
fn a_session_that_ends_with_a_call_does_not_have_it_made_again() {
    let web = Web::start("/mcp", "");
    let ran = web.call("act_and_forget");
    assert_eq!((ran.code, &ran.json()["code"]), (6, &"outcome_unknown".into()), "{}", ran.stdout);
    assert_eq!(web.calls(), ["act_and_forget"]);
    web.answers();
}

#[test]
fn a_tool_that_is_not_found_costs_no_other() {
    let web = Web::start("/mcp", "");
    let calls: Vec<_> =
        ["lost", "lost", "echo"].map(|tool| (["mcp_web_", tool].concat(), json!({"text": "hi"}))).into();
    let calls: Vec<(&str, Value)> = calls.iter().map(|(name, args)| (name.as_str(), args.clone())).collect();
    let ran = web.hermes.run_with(&["run", "-", "--set", "limits.batch_width=1"], &request(&calls));
    assert!(ran.stdout.contains("HTTP 404") && ran.stdout.contains("\"hi\""), "{}{}", ran.stdout, ran.stderr);
    assert_eq!(web.calls(), ["echo"]);
    assert!(!ran.stdout.contains("it is tried again in"), "{}", ran.stdout);
}

#[test]
fn answers_have_a_bound() {
    let web = Web::start("/mcp", "");
    let ran = web.call("huge");
    // It ran, whatever came of it.
    assert_eq!(ran.json()["code"], "outcome_unknown", "{}", ran.stdout);
    assert!(ran.code != 0 && ran.stdout.contains("more than 33554432 bytes"), "{}", ran.stdout);
    assert_eq!(ran.json()["flags"], Value::Null, "these words are ours");
}

#[test]
fn redirects_lead_nowhere_else() {
    let web = Web::start("/moved", "");
    assert_eq!(web.call("echo").code, 0, "another path of the same server");
    let web = Web::start("/elsewhere", "");
    let refused = web.hermes.run(&["mcp", "test", "web"]);
    assert_ne!(refused.code, 0);
    assert!(refused.stderr.contains("192.0.2.1"), "{}", refused.stderr);
}

#[test]
fn a_server_that_is_gone_fails_at_once_and_is_back_when_it_is() {
    let mut web = Web::start("/mcp", "    connect_timeout_seconds: 5\n");
    assert_eq!(web.call("echo").code, 0);
    web.server.kill().unwrap();
    web.server.wait().unwrap();
    let gone = web.call("echo");
    assert!(gone.code == 5 && gone.json()["code"] == "unavailable", "{}", gone.stdout);
    assert!(gone.stdout.contains(&web.port), "it says where it looked: {}", gone.stdout);
}

#[test]
fn servers_elsewhere_are_added_and_imported() {
    let hermes = Hermes::new();
    let header = "Authorization: Bearer ${TOKEN}";
    let added =
        hermes.run(&["mcp", "add", "far", "--no-start", "--url", "https://example.com/mcp", "-H", header]);
    assert_eq!(added.code, 0, "{}", added.stderr);
    let theirs = r#"{"mcpServers": {"old": {"type": "sse", "url": "https://example.com/sse", "headers": {"K": "${input:V}"}}}}"#;
    hermes.write(".mcp.json", theirs);
    assert_eq!(hermes.run(&["mcp", "import", ".mcp.json"]).code, 0);
    let set = hermes.run(&["config", "effective"]).json();
    let servers = &set["mcp_servers"];
    assert_eq!(servers["far"]["headers"]["Authorization"], "Bearer ${TOKEN}");
    assert_eq!(
        (&servers["old"]["transport"], &servers["old"]["headers"]["K"]),
        (&"sse".into(), &"${V}".into())
    );
    let both = Hermes::new().with_config("mcp_servers: {x: {command: a, url: http://b}}");
    assert!(both.run(&["mcp", "list"]).stderr.contains("not both"));
}
