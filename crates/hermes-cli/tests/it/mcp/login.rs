//! Logging in at a server, against an authorisation server that follows the RFCs to the letter.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::os::unix::fs::MetadataExt;
use std::process::{Child, Command, Stdio};

use serde_json::json;

use super::client::Client;
use super::support::{OPEN, noted, notes};
use crate::harness::{Hermes, Ran};

struct Guarded {
    hermes: Hermes,
    server: Child,
}

impl Guarded {
    fn start() -> Self {
        Self::at("/mcp", "")
    }

    /// A server at this place, and further keys for it.
    fn at(path: &str, keys: &str) -> Self {
        let hermes = Hermes::new().with_env("CLIENT", "known").with_env("SECRET", "a secret of ours");
        let folder = notes(&hermes, "g");
        std::fs::create_dir_all(&folder).unwrap();
        std::fs::write(folder.join("path"), path).unwrap();
        let fixture = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/fixtures/mcp_oauth_server.py");
        let mut server =
            Command::new("python3").arg(fixture).arg(&folder).stdout(Stdio::piped()).spawn().unwrap();
        let mut port = String::new();
        BufReader::new(server.stdout.take().unwrap()).read_line(&mut port).unwrap();
        let url = format!("http://127.0.0.1:{}{path}", port.trim());
        let hermes = hermes.with_config(&format!(
            "permissions: {{profile: open}}\nmcp_servers: {{g: {{url: \"{url}\"{keys}}}}}\n"
        ));
        std::fs::write(hermes.home().join("hermes_permissions.yaml"), OPEN).unwrap();
        Guarded { hermes, server }
    }

    fn set(&self, name: &str, value: &str) {
        std::fs::write(notes(&self.hermes, "g").join(name), value).unwrap();
    }

    fn noted(&self, name: &str) -> Vec<String> {
        noted(&self.hermes, "g", name)
    }

    fn state(&self) -> String {
        self.hermes.run(&["mcp", "list", "--json"]).json()[0]["state"].as_str().unwrap().to_owned()
    }

    fn call(&self) -> Ran {
        self.hermes.run(&["tools", "call", "mcp_g_whoami", "{}"])
    }

    /// Logs in with a browser that agrees to everything.
    fn log_in(&self) -> Ran {
        let mut login = self.hermes.spawn(&["mcp", "login", "g"]);
        let mut output = BufReader::new(login.stdout.take().unwrap());
        let mut page = String::new();
        while !page.starts_with("http://") {
            page.clear();
            if output.read_line(&mut page).unwrap() == 0 {
                return login.wait_with_output().unwrap().into();
            }
        }
        let back = visit(page.trim());
        let location = back.lines().find_map(|line| line.strip_prefix("Location: "));
        let location = location.unwrap_or_else(|| panic!("{back}")).trim();
        // Any page can make the browser ask for these.
        let (callback, _) = location.split_once('?').unwrap();
        for stray in ["?code=x&state=forged", "?error=access_denied", "?foo=1", "", "?code=x"] {
            assert!(visit(&format!("{callback}{stray}")).starts_with("HTTP/1.1 404"), "{stray}");
        }
        visit(location);
        let mut rest = String::new();
        output.read_to_string(&mut rest).unwrap();
        let mut ran: Ran = login.wait_with_output().unwrap().into();
        ran.stdout = rest;
        ran
    }
}

impl Drop for Guarded {
    fn drop(&mut self) {
        let _ = self.server.kill();
        let _ = self.server.wait();
    }
}

/// What a page answers.
fn visit(url: &str) -> String {
    let (host, path) = url.strip_prefix("http://").unwrap().split_once('/').unwrap();
    let mut stream = TcpStream::connect(host).unwrap();
    write!(stream, "GET /{path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n").unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    answer
}

#[test]
fn a_server_that_wants_to_know_who_asks_is_told_once() {
    let guarded = Guarded::start();
    let refused = guarded.call();
    assert!(
        refused.stdout.contains("hermes mcp login g") || refused.stderr.contains("hermes mcp login g"),
        "{}{}",
        refused.stdout,
        refused.stderr
    );
    assert_eq!(guarded.state(), "needs_login");
    let logged_in = guarded.log_in();
    assert_eq!(logged_in.code, 0, "{}{}", logged_in.stdout, logged_in.stderr);
    assert_eq!(guarded.state(), "known");
    let called = guarded.call();
    assert_eq!((called.code, &called.json()["result"]), (0, &"a known user".into()), "{}", called.stdout);
    assert_eq!(guarded.noted("exchanged").len(), 1, "one login serves all processes");
    // What the server said to ask for, and what the authority needs to give out tokens that can be renewed.
    assert_eq!(guarded.noted("authorised"), ["tools offline_access"]);
    let file = guarded.hermes.home().join("mcp/logins/g.json");
    assert_eq!(file.metadata().unwrap().mode() & 0o777, 0o600);
    let stored: serde_json::Value = serde_json::from_slice(&std::fs::read(&file).unwrap()).unwrap();
    let token = stored["credentials"]["token_response"]["access_token"].as_str().unwrap();
    for shown in [&["mcp", "list", "--json"][..], &["mcp", "logs", "g"], &["journal", "list", "--json"]] {
        assert!(!guarded.hermes.run(shown).stdout.contains(token), "{shown:?}");
    }
    let again = guarded.hermes.run(&["mcp", "login", "g"]);
    assert!(again.code == 0 && again.stdout.contains("needs no login"), "{}", again.stdout);
    assert_eq!(guarded.hermes.run(&["mcp", "login", "g", "--forget"]).code, 0);
    assert!(!file.exists());
    assert_ne!(guarded.call().code, 0);
}

#[test]
fn a_token_that_runs_out_is_renewed_once_for_all() {
    let guarded = Guarded::start();
    guarded.set("lifetime", "1");
    guarded.set("renewed", "1");
    let _ = guarded.call();
    assert_eq!(guarded.log_in().code, 0);
    std::thread::sleep(std::time::Duration::from_millis(1_100));
    guarded.set("renewed", "3600");
    let calls: Vec<Child> =
        (0..4).map(|_| guarded.hermes.spawn(&["tools", "call", "mcp_g_whoami", "{}"])).collect();
    for call in calls {
        let output = call.wait_with_output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stdout));
    }
    // The fixture ends the grant when a refresh token is used twice, as OAuth 2.1 says.
    assert!(guarded.noted("refreshed").iter().all(|how| how == "good"), "{:?}", guarded.noted("refreshed"));
    assert_eq!(guarded.call().code, 0);
}

#[test]
fn a_login_that_ended_is_asked_for_again() {
    let guarded = Guarded::start();
    guarded.set("lifetime", "1");
    guarded.set("renewed", "1");
    let _ = guarded.call();
    assert_eq!(guarded.log_in().code, 0);
    let file = guarded.hermes.home().join("mcp/logins/g.json");
    let text = std::fs::read_to_string(&file).unwrap();
    let stored: serde_json::Value = serde_json::from_str(&text).unwrap();
    let refresher = stored["credentials"]["token_response"]["refresh_token"].as_str().unwrap();
    std::fs::write(&file, text.replace(refresher, "stolen")).unwrap();
    std::thread::sleep(std::time::Duration::from_millis(1_100));
    assert_ne!(guarded.call().code, 0);
    assert_eq!(guarded.state(), "needs_login");
    guarded.set("lifetime", "3600");
    assert_eq!(guarded.log_in().code, 0, "and it can be had");
    assert_eq!(guarded.call().code, 0);
}

#[test]
fn what_the_browser_brings_back_is_looked_at() {
    let guarded = Guarded::start();
    let _ = guarded.call();
    for answer in ["other issuer", "refusal"] {
        guarded.set("answer", answer);
        let refused = guarded.log_in();
        assert_ne!(refused.code, 0, "{answer}: {}", refused.stdout);
        assert!(guarded.noted("exchanged").is_empty(), "{answer}: no code is taken to the authority");
        assert_eq!(guarded.state(), "needs_login", "{answer}");
        let _ = guarded.call();
    }
}

#[test]
fn who_does_not_protect_codes_or_shows_no_page_of_its_own_is_refused() {
    let guarded = Guarded::start();
    let _ = guarded.call();
    for metadata in [
        r#"{"code_challenge_methods_supported": null}"#,
        r#"{"code_challenge_methods_supported": ["plain"]}"#,
        r#"{"authorization_endpoint": "http://example.com/authorize"}"#,
        r#"{"authorization_endpoint": "javascript:alert(1)"}"#,
        r#"{"authorization_endpoint": "file:///bin/sh"}"#,
        r#"{"authorization_endpoint": "https://login.example.com@evil.example/authorize"}"#,
        r#"{"authorization_endpoint": "https://evil.example/$(reboot)"}"#,
    ] {
        guarded.set("metadata", metadata);
        let refused = guarded.hermes.run(&["mcp", "login", "g"]);
        assert_eq!(refused.code, 5, "{metadata}: {}{}", refused.stdout, refused.stderr);
        assert!(!refused.stdout.contains("Open this page"), "{metadata}: {}", refused.stdout);
    }
}

#[test]
fn who_takes_no_strangers_is_named_with_the_remedy() {
    let guarded = Guarded::start();
    let _ = guarded.call();
    guarded.set("metadata", r#"{"registration_endpoint": null}"#);
    let refused = guarded.hermes.run(&["mcp", "login", "g"]);
    assert!(refused.code == 5 && refused.stderr.contains("login: {client_id: …}"), "{}", refused.stderr);
}

/// Logs in, and calls once the tokens have run out.
fn call_with_renewed_tokens(guarded: &Guarded) {
    guarded.set("lifetime", "1");
    let _ = guarded.call();
    let logged_in = guarded.log_in();
    assert_eq!(logged_in.code, 0, "{}{}", logged_in.stdout, logged_in.stderr);
    let called = guarded.call();
    assert_eq!(called.json()["result"], "a known user", "{}", called.stdout);
}

#[test]
fn tokens_serve_a_server_of_2024_too_and_are_renewed() {
    let guarded = Guarded::at("/sse", ", transport: sse");
    call_with_renewed_tokens(&guarded);
    assert!(!guarded.noted("refreshed").is_empty());
}

#[test]
fn a_token_that_was_taken_away_is_renewed_and_no_call_is_made_twice() {
    for (path, keys) in [("/mcp", ""), ("/sse", ", transport: sse")] {
        let guarded = Guarded::at(path, keys);
        let _ = guarded.call();
        assert_eq!(guarded.log_in().code, 0);
        let mut client = Client::start(&guarded.hermes, &[]);
        let mut call = || client.call("mcp_g_whoami", json!({})).to_string();
        assert!(call().contains("a known user"), "{path}");
        guarded.set("revoke", "now");
        // Longer than is waited for a server that does not say whether it is there. A refresh token is good for one use.
        guarded.set("slow", "2.5");
        // Longer than what is called without a pause.
        std::thread::sleep(std::time::Duration::from_millis(50));
        assert!(call().contains("a known user"), "{path}");
        guarded.set("slow", "0");
        // Nobody knows any more whether the call was turned away before it was made.
        guarded.set("revoke", "after");
        let unknown = call();
        for word in ["wants to know who asks", "outcome_unknown", "cause", "hermes mcp login g"] {
            assert!(unknown.contains(word), "{path}: {word}: {unknown}");
        }
        assert_eq!(guarded.noted("calls").len(), 3, "{path}");
        assert!(call().contains("a known user"), "{path}");
        client.end();
        assert_eq!(guarded.noted("refreshed"), ["good", "good"], "{path}");
    }
}

#[test]
fn a_client_that_was_made_known_by_hand_is_the_same_when_tokens_are_renewed() {
    let guarded = Guarded::at("/mcp", ", login: {client_id: \"${CLIENT}\", client_secret: \"${SECRET}\"}");
    call_with_renewed_tokens(&guarded);
    let mut clients = guarded.noted("clients");
    clients.dedup();
    assert_eq!(clients, ["known a secret of ours"]);
}

#[test]
fn tokens_that_a_server_tells_are_hidden() {
    let guarded = Guarded::start();
    guarded.set("lifetime", "1");
    guarded.set("tell", "all");
    let _ = guarded.call();
    assert_eq!(guarded.log_in().code, 0);
    std::thread::sleep(std::time::Duration::from_millis(1_100));
    // The second shows a token that was renewed meanwhile.
    for _ in 0..2 {
        let told = guarded.call().json()["result"].to_string();
        let shown =
            told.contains("by Bearer [REDACTED:access_token]") && told.contains("[REDACTED:refresh_token]");
        assert!(shown, "{told}");
        let file = std::fs::read_to_string(guarded.hermes.home().join("mcp/logins/g.json")).unwrap();
        let tokens: serde_json::Value = serde_json::from_str(&file).unwrap();
        for name in ["access_token", "refresh_token"] {
            let token = tokens["credentials"]["token_response"][name].as_str().unwrap();
            assert!(!told.contains(token), "{told}");
        }
    }
}
