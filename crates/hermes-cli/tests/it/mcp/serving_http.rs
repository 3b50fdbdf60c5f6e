//! `hermes mcp serve --http`: who is let in, and what they get.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::Child;

use serde_json::{Value, json};

use super::support::OPEN;
use crate::harness::Hermes;

pub(super) struct Serving {
    child: Child,
    pub(super) port: u16,
    pub(super) token: String,
}

impl Serving {
    pub(super) fn start(hermes: &Hermes, flags: &[&str]) -> Self {
        let mut arguments = vec!["mcp", "serve", "--http", "0"];
        arguments.extend(flags);
        let mut child = hermes.spawn(&arguments);
        let mut line = String::new();
        let mut said = BufReader::new(child.stderr.take().unwrap());
        said.read_line(&mut line).unwrap();
        let port = line.split("http://127.0.0.1:").nth(1).and_then(|rest| rest.split('/').next());
        let port = port.and_then(|port| port.parse().ok()).unwrap_or_else(|| panic!("{line}"));
        let token = std::fs::read_to_string(hermes.home().join("mcp/serve-token")).unwrap_or_default();
        Serving { child, port, token: token.trim().to_owned() }
    }

    /// The status of a request, and its body.
    pub(super) fn post(&self, path: &str, headers: &[(&str, &str)], body: &Value) -> (u16, String) {
        let mut stream = TcpStream::connect(("127.0.0.1", self.port)).unwrap();
        let body = body.to_string();
        let mut head =
            format!("POST {path} HTTP/1.1\r\nContent-Length: {}\r\nConnection: close\r\n", body.len());
        head.push_str("Content-Type: application/json\r\nAccept: application/json, text/event-stream\r\n");
        for (name, value) in headers {
            head.push_str(&format!("{name}: {value}\r\n"));
        }
        write!(stream, "{head}\r\n{body}").unwrap();
        let mut answer = Vec::new();
        // The answer to `initialize` is a stream; its first bytes are enough.
        let mut piece = [0; 4096];
        while let Ok(read @ 1..) = stream.read(&mut piece) {
            answer.extend_from_slice(&piece[..read]);
            if String::from_utf8_lossy(&answer).contains("serverInfo") {
                break;
            }
        }
        let answer = String::from_utf8_lossy(&answer).into_owned();
        let status = answer.split(' ').nth(1).and_then(|status| status.parse().ok());
        (status.unwrap_or_else(|| panic!("{answer}")), answer)
    }
}

impl Drop for Serving {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

type Headers<'a> = &'a [(&'a str, &'a str)];

pub(super) fn hello() -> Value {
    json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {
        "protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}}})
}

#[test]
fn a_client_that_owes_an_answer_does_not_keep_the_server_from_ending() {
    let hermes = Hermes::new().with_config("permissions:\n  ask: ['file:write']\n");
    let mut serving = Serving::start(&hermes, &[]);
    let bearer = format!("Bearer {}", serving.token);
    let call = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {
        "name": "write_file", "arguments": {"path": "a.txt", "content": "a"}, "_meta": {
            "io.modelcontextprotocol/protocolVersion": "2026-07-28",
            "io.modelcontextprotocol/clientInfo": {"name": "t", "version": "1"},
            "io.modelcontextprotocol/clientCapabilities": {"elicitation": {"form": {}}}}}});
    let headers = [
        ("Host", "127.0.0.1"),
        ("Authorization", bearer.as_str()),
        ("MCP-Protocol-Version", "2026-07-28"),
        ("Mcp-Method", "tools/call"),
        ("Mcp-Name", "write_file"),
    ];
    let (_, asked) = serving.post("/mcp", &headers, &call);
    assert!(asked.contains("input_required"), "{asked}");
    let pid = serving.child.id().to_string();
    assert!(std::process::Command::new("kill").args(["-TERM", &pid]).status().unwrap().success());
    // A hang here is the failure.
    serving.child.wait().unwrap();
    assert!(!hermes.work().join("a.txt").exists());
}

#[test]
fn another_token_in_the_file_counts_at_once() {
    let hermes = Hermes::new();
    let serving = Serving::start(&hermes, &[]);
    let file = hermes.home().join("mcp/serve-token");
    let status = |token: &str| {
        let bearer = format!("Bearer {token}");
        serving.post("/mcp", &[("Host", "127.0.0.1"), ("Authorization", &bearer)], &hello()).0
    };
    assert_eq!(status(&serving.token), 200);
    std::fs::write(&file, "0123456789abcdef0123456789abcdef-other\n").unwrap();
    assert_eq!(status(&serving.token), 401);
    assert_eq!(status("0123456789abcdef0123456789abcdef-other"), 200);
    std::fs::write(&file, "short").unwrap();
    assert_eq!((status("short"), status("0123456789abcdef0123456789abcdef-other")), (401, 401));
}

#[test]
fn only_who_shows_the_token_and_is_no_web_page_comes_in() {
    let hermes = Hermes::new();
    let serving = Serving::start(&hermes, &[]);
    let bearer = format!("Bearer {}", serving.token);
    let (good, host) = (("Authorization", bearer.as_str()), ("Host", "127.0.0.1"));
    let refused: [(u16, &str, Headers<'_>); 14] = [
        (401, "/mcp", &[host]),
        (401, "/mcp", &[host, ("Authorization", "Bearer wrong")]),
        (401, "/mcp", &[host, ("Authorization", "Basic Og==")]),
        (404, "/", &[host, good]),
        (403, "/mcp", &[("Host", "evil.example"), good]),
        (403, "/mcp", &[("Host", "evil.example"), good, ("Origin", "http://evil.example")]),
        (403, "/mcp", &[host, good, ("Origin", "https://evil.example")]),
        (403, "/mcp", &[host, good, ("Origin", "http://127.0.0.1:3000")]),
        (403, "/mcp", &[host, good, ("Origin", "null")]),
        (400, "/mcp", &[host, ("Host", "evil.example"), good]),
        (400, "/mcp", &[host, good, ("Origin", "http://127.0.0.1"), ("Origin", "http://evil.example")]),
        (400, "/mcp", &[host, good, ("Authorization", "Bearer wrong")]),
        (400, "/mcp", &[host, good, ("Mcp-Session-Id", "a"), ("Mcp-Session-Id", "b")]),
        (400, "http://evil.example/mcp", &[host, good]),
    ];
    for (status, path, headers) in refused {
        let (answered, text) = serving.post(path, headers, &hello());
        assert_eq!(answered, status, "{path} {headers:?}: {text}");
    }
    for origin in [None, Some(("Origin", "http://127.0.0.1"))] {
        let headers: Vec<_> = [host, good].into_iter().chain(origin).collect();
        let (status, text) = serving.post("/mcp", &headers, &hello());
        assert!(status == 200 && text.contains("hermes"), "{text}");
    }
    let mode =
        std::os::unix::fs::MetadataExt::mode(&hermes.home().join("mcp/serve-token").metadata().unwrap());
    assert_eq!(mode & 0o777, 0o600);
    let taken = hermes.run(&["mcp", "serve", "--http", &serving.port.to_string()]);
    assert!(taken.code != 0 && taken.stderr.contains(&serving.port.to_string()), "{}", taken.stderr);
}

#[test]
fn pages_and_names_that_the_user_allows_come_in() {
    let hermes = Hermes::new();
    let token = hermes.write("token", "0123456789abcdef\n");
    let flags = [
        "--token-file",
        token.to_str().unwrap(),
        "--allow-host",
        "tools.test",
        "--allow-origin",
        "https://app.test:443",
    ];
    let serving = Serving::start(&hermes, &flags);
    let headers = [
        ("Host", "tools.test"),
        ("Origin", "https://app.test"),
        ("Authorization", "Bearer 0123456789abcdef"),
    ];
    let (status, text) = serving.post("/mcp", &headers, &hello());
    assert_eq!(status, 200, "{text}");
    hermes.write("token", "short\n");
    assert_eq!(hermes.run(&["mcp", "serve", "--http", "0", "--token-file", token.to_str().unwrap()]).code, 2);
}

#[test]
fn one_hermes_uses_another_over_http() {
    let inner = Hermes::new();
    inner.write("b.txt", "from afar\n");
    let serving = Serving::start(&inner, &["--toolsets", "file"]);
    let config = format!(
        "permissions: {{profile: open}}\nmcp_servers:\n  far:\n    url: http://localhost:{}/mcp\n    headers: {{Authorization: \"Bearer ${{FAR}}\"}}\n",
        serving.port
    );
    let outer = Hermes::new().with_config(&config).with_env("FAR", &serving.token);
    std::fs::write(outer.home().join("hermes_permissions.yaml"), OPEN).unwrap();
    let read = outer.run(&["tools", "call", "mcp_far_read_file", r#"{"path": "b.txt"}"#]);
    assert!(read.code == 0 && read.stdout.contains("from afar"), "{}{}", read.stdout, read.stderr);
    // Both speak the newest revision.
    assert_eq!(outer.run(&["mcp", "test", "far", "--json"]).json()["protocol"], "2026-07-28");
    let stranger = Hermes::new().with_config(&config.replace("${FAR}", "nothing"));
    let refused = stranger.run(&["mcp", "test", "far"]);
    assert!(refused.code != 0 && refused.stderr.contains("hermes mcp login far"), "{}", refused.stderr);
    assert_eq!(stranger.run(&["mcp", "list", "--json"]).json()[0]["state"], "needs_login");
}
