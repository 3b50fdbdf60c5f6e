//! Hermes as a gateway to MCP servers, and a client to ask it.

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::Instant;

use serde_json::{Value, json};

use crate::process::hermes;

/// Answers as fast as Python can; `MANY` says how many tools it has, `BAD` how it fails.
pub const SERVER: &str = r#"
import json, os, sys, threading, time
many, bad = int(os.environ.get("MANY", "1")), os.environ.get("BAD", "")
tools = [{"name": "tool_%d" % n, "description": "Reads the rotor of turbine %d" % n,
          "inputSchema": {"type": "object", "properties": {"text": {"type": "string"}}}} for n in range(many)]
lock = threading.Lock()
def answer(id, result):
    with lock:
        sys.stdout.write(json.dumps({"jsonrpc": "2.0", "id": id, "result": result}) + "\n")
        sys.stdout.flush()
def shout():
    while True:
        sys.stderr.write("x" * 100000 + "\n")
        with lock:
            print("{\"not\": \"a message\"}" + " " * 100000, flush=True)
        time.sleep(0.05)
if bad == "silent":
    threading.Event().wait()
for line in sys.stdin:
    message = json.loads(line)
    method = message.get("method")
    if "id" not in message:
        continue
    result = {}
    if method == "initialize":
        result = {"protocolVersion": "2025-06-18", "capabilities": {"tools": {}}, "serverInfo": {"name": "b", "version": "1"}}
    elif method == "tools/list":
        result = {"tools": tools}
    elif method == "tools/call":
        if bad == "hang":
            continue
        if bad == "die":
            sys.exit(1)
        if bad == "shout":
            threading.Thread(target=shout, daemon=True).start()
        result = {"content": [{"type": "text", "text": "ok"}]}
        said = message["params"]["arguments"].get("text")
        if said == "die":
            os._exit(1)
        if said == "slow":
            threading.Timer(1, answer, (message["id"], result)).start()
            continue
    answer(message["id"], result)
"#;

/// A home with these servers, each met once.
pub fn home_with(
    folder: &Path,
    name: &str,
    script: &Path,
    servers: &[(&str, &str, &str)],
) -> std::path::PathBuf {
    let home = folder.join(name);
    std::fs::create_dir(&home).expect("a home");
    configure(&home, script, servers);
    std::fs::write(home.join("hermes_permissions.yaml"), "profiles: {open: {allow: [\"*\"]}}\n")
        .expect("rules");
    for (name, ..) in servers {
        let met = Command::new(hermes()).args(["mcp", "test", name]).env("HERMES_HOME", &home).output();
        assert!(met.expect("hermes").status.success(), "{name}");
    }
    home
}

pub fn configure(home: &Path, script: &Path, servers: &[(&str, &str, &str)]) {
    let server = |(name, many, bad): &(&str, &str, &str)| {
        let server = json!({"command": "python3", "args": [script], "env": {"MANY": many, "BAD": bad},
            "parallel": 4, "timeout_seconds": 600});
        ((*name).to_owned(), server)
    };
    let servers: serde_json::Map<String, Value> = servers.iter().map(server).collect();
    let config = json!({"permissions": {"profile": "open"}, "mcp_servers": servers});
    std::fs::write(home.join("config.yaml"), config.to_string()).expect("a configuration");
}

pub fn serve(home: &Path, search: &str) -> Command {
    let mut command = Command::new(hermes());
    let search = format!("tools.tool_search={{\"enabled\":\"{search}\"}}");
    command.args(["--set", &search, "--set", "journal.enabled=false", "mcp", "serve"]);
    command.env("HERMES_HOME", home).current_dir(home);
    command
}

/// A client of a server over its standard input and output.
pub struct Talk {
    child: Child,
    input: Option<ChildStdin>,
    output: BufReader<ChildStdout>,
    last: u64,
    early: BTreeMap<u64, Value>,
}

impl Talk {
    pub fn with(command: &mut Command) -> Self {
        let mut child = command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("a server");
        let (input, output) = (child.stdin.take(), BufReader::new(child.stdout.take().expect("its output")));
        let mut talk = Talk { child, input, output, last: 0, early: BTreeMap::new() };
        let hello = json!({"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "b", "version": "1"}});
        talk.time("initialize", hello);
        talk.send(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"}));
        talk
    }

    pub fn process(&self) -> u32 {
        self.child.id()
    }

    /// Nanoseconds that the program has computed so far, all threads together.
    pub fn computed(&self) -> f64 {
        let threads = std::fs::read_dir(format!("/proc/{}/task", self.child.id())).expect("its threads");
        let computed = threads.flatten().filter_map(|thread| {
            let text = std::fs::read_to_string(thread.path().join("schedstat")).ok()?;
            text.split(' ').next()?.parse::<f64>().ok()
        });
        computed.sum()
    }

    fn send(&mut self, message: &Value) {
        let mut line = message.to_string();
        line.push('\n');
        self.input.as_mut().expect("its input").write_all(line.as_bytes()).expect("a server that reads");
    }

    pub fn begin(&mut self, method: &str, params: Value) -> u64 {
        self.last += 1;
        self.send(&json!({"jsonrpc": "2.0", "id": self.last, "method": method, "params": params}));
        self.last
    }

    /// Nanoseconds from the question to its answer.
    pub fn time(&mut self, method: &str, params: Value) -> f64 {
        let start = Instant::now();
        let id = self.begin(method, params);
        let message = self.answer_to(id);
        assert!(message.get("result").is_some(), "{message}");
        start.elapsed().as_nanos() as f64
    }

    /// Answers that come before it are kept for whoever waits for them.
    pub fn answer_to(&mut self, id: u64) -> Value {
        if let Some(early) = self.early.remove(&id) {
            return early;
        }
        let mut line = String::new();
        loop {
            line.clear();
            assert_ne!(self.output.read_line(&mut line).expect("an answer"), 0, "the server ended");
            let message: Value = serde_json::from_str(&line).expect("a message");
            match message["id"].as_u64() {
                Some(answered) if answered == id => return message,
                Some(answered) => drop(self.early.insert(answered, message)),
                None => {}
            }
        }
    }

    pub fn calls(&mut self, tool: &str, count: usize) -> Vec<f64> {
        let call = json!({"name": tool, "arguments": {"text": "x"}});
        (0..count + 20).map(|_| self.time("tools/call", call.clone())).skip(20).collect()
    }
}

impl Drop for Talk {
    fn drop(&mut self) {
        drop(self.input.take());
        let _ = self.child.wait();
    }
}
