//! `hermes mcp serve --http` and clients that say nothing, or nothing that makes sense.

use std::io::{BufRead, BufReader, ErrorKind, Read, Write};
use std::net::TcpStream;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::serving_http::{Serving, hello};
use super::support::{noted, with_servers};
use crate::harness::Hermes;

impl Serving {
    /// Sends a request and leaves its answer to be read.
    fn begin(&self, headers: &[(&str, &str)], body: &str) -> TcpStream {
        let mut stream = TcpStream::connect(("127.0.0.1", self.port)).unwrap();
        let mut head =
            format!("POST /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer {}\r\n", self.token);
        head.push_str("Accept: application/json, text/event-stream\r\nConnection: close\r\n");
        for (name, value) in headers {
            head.push_str(&format!("{name}: {value}\r\n"));
        }
        write!(stream, "{head}Content-Length: {}\r\n\r\n{body}", body.len()).unwrap();
        stream
    }

    /// The status, and all of the answer.
    fn answer(&self, headers: &[(&str, &str)], body: &str) -> (u16, String) {
        let mut answer = String::new();
        self.begin(headers, body).read_to_string(&mut answer).unwrap();
        (answer.split(' ').nth(1).unwrap().parse().unwrap(), answer)
    }
}

fn is_open(stream: &TcpStream) -> bool {
    stream.set_nonblocking(true).unwrap();
    let mut stream = stream;
    stream.read(&mut [0]).is_err_and(|error| error.kind() == ErrorKind::WouldBlock)
}

#[test]
fn connections_that_say_nothing_keep_nobody_out() {
    let hermes = Hermes::new();
    let serving = Serving::start(&hermes, &[]);
    let connect = || TcpStream::connect(("127.0.0.1", serving.port)).unwrap();
    let bearer = format!("Bearer {}", serving.token);
    let speak = || {
        let (status, text) =
            serving.post("/mcp", &[("Host", "127.0.0.1"), ("Authorization", &bearer)], &hello());
        assert_eq!(status, 200, "{text}");
    };
    let silent: Vec<TcpStream> = (0..300).map(|_| connect()).collect();
    speak();
    // It is told to give way, and does so beside the answer.
    let since = Instant::now();
    while is_open(&silent[0]) {
        assert!(since.elapsed() < Duration::from_secs(2), "it gave way");
        std::thread::sleep(Duration::from_millis(5));
    }
    assert!(is_open(&silent[200]), "nobody was let in only because the others had waited too long");
    // Those that speak without the token are no better.
    let strangers: Vec<TcpStream> = (0..300).map(|_| connect()).collect();
    for mut stranger in &strangers {
        let _ = write!(stranger, "POST /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 9\r\n\r\n");
    }
    speak();
}

#[test]
fn a_body_that_is_no_message_is_a_bad_request() {
    let hermes = Hermes::new();
    let serving = Serving::start(&hermes, &[]);
    let json = [("Content-Type", "application/json")];
    for (body, code) in [
        ("not json", -32700),
        ("{\"jsonrpc\": \"2.0\", ", -32700),
        ("", -32700),
        ("[]", -32600),
        ("{\"jsonrpc\": \"1.0\", \"id\": 1, \"method\": \"ping\"}", -32600),
    ] {
        let (status, text) = serving.answer(&json, body);
        assert_eq!(status, 400, "{body}: {text}");
        let told: Value = serde_json::from_str(text.split("\r\n\r\n").nth(1).unwrap()).unwrap();
        assert_eq!(told["error"]["code"], code, "{body}: {told}");
    }
    let (status, text) = serving.answer(&[("Content-Type", "text/plain")], &hello().to_string());
    assert_eq!(status, 415, "{text}");
}

#[test]
fn of_two_requests_with_one_id_neither_is_lost() {
    let hermes = with_servers(&[("fix", "", "    parallel: 4\n")]);
    assert_eq!(hermes.run(&["mcp", "test", "fix"]).code, 0);
    let serving = Serving::start(&hermes, &[]);
    let bearer = format!("Bearer {}", serving.token);
    let (_, welcome) = serving.post("/mcp", &[("Host", "127.0.0.1"), ("Authorization", &bearer)], &hello());
    let session = welcome
        .lines()
        .find_map(|line| line.to_lowercase().strip_prefix("mcp-session-id: ").map(str::to_owned));
    let session = session.unwrap_or_else(|| panic!("{welcome}"));
    let headers = [("Content-Type", "application/json"), ("Mcp-Session-Id", session.as_str())];
    let begun = json!({"jsonrpc": "2.0", "method": "notifications/initialized"});
    assert_eq!(serving.answer(&headers, &begun.to_string()).0, 202);
    let call = |id: u64, tool: &str| {
        let params = json!({"name": format!("mcp_fix_{tool}"), "arguments": {"text": "heard"}});
        json!({"jsonrpc": "2.0", "id": id, "method": "tools/call", "params": params}).to_string()
    };
    let mut hanging = BufReader::new(serving.begin(&headers, &call(7, "hang")));
    while noted(&hermes, "fix", "calls").is_empty() {
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
    let (_, second) = serving.answer(&headers, &call(7, "echo"));
    assert!(second.contains("-32600") && second.contains("under way already"), "{second}");
    assert!(serving.answer(&headers, &call(8, "echo")).1.contains("heard"), "another is another");
    assert_eq!(noted(&hermes, "fix", "calls"), ["hang", "echo"]);
    // The first is still the first's.
    let cancelled =
        json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 7}});
    assert_eq!(serving.answer(&headers, &cancelled.to_string()).0, 202);
    let mut rest = String::new();
    while hanging.read_line(&mut rest).is_ok_and(|read| read > 0) {}
    assert!(rest.starts_with("HTTP/1.1 200"), "{rest}");
    assert!(serving.answer(&headers, &call(8, "echo")).1.contains("heard"), "its name is free again");
}

#[test]
fn whoever_listens_beyond_this_machine_is_told_what_that_means() {
    let hermes = Hermes::new();
    let mut child = hermes.spawn(&["mcp", "serve", "--http", "0.0.0.0:0"]);
    let mut said = BufReader::new(child.stderr.take().unwrap());
    let mut lines = [String::new(), String::new()];
    for line in &mut lines {
        said.read_line(line).unwrap();
    }
    child.kill().unwrap();
    child.wait().unwrap();
    assert!(lines[0].starts_with("warning: 0.0.0.0:") && lines[0].contains("other machines"), "{lines:?}");
    assert!(lines[1].starts_with("listening at http://0.0.0.0:"), "{lines:?}");
}
