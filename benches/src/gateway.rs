//! Hermes as a gateway to MCP servers, and a client to ask it.

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::Instant;

use serde_json::{Value, json};

use crate::process::hermes;

/// Calls that are made before those that count.
pub const WARMING: usize = 20;

/// Answers as fast as Python can; `MANY` says how many tools it has, `BAD` how it fails.
pub const SERVER: &str = r#"
import json, os, subprocess, sys, threading, time
many, bad = int(os.environ.get("MANY", "1")), os.environ.get("BAD", "")
tools = [{"name": "tool_%d" % n, "description": "Reads the rotor of turbine %d" % n,
          "inputSchema": {"type": "object", "properties": {"text": {"type": "string"}}}} for n in range(many)]
lock = threading.Lock()
def write(text):
    with lock:
        sys.stdout.write(text)
        sys.stdout.flush()
def answer(id, result):
    write(json.dumps({"jsonrpc": "2.0", "id": id, "result": result}) + "\n")
def tell(method, params):
    write(json.dumps({"jsonrpc": "2.0", "method": "notifications/" + method, "params": params}) + "\n")
def again(work, pause=0.05):
    def run():
        while True:
            work()
            time.sleep(pause)
    threading.Thread(target=run, daemon=True).start()
def misbehave(id, ok):
    """True if that was the answer."""
    if bad == "die": os._exit(1)
    if bad == "end": sys.exit(0)
    if bad == "close": os.close(1)
    if bad == "half": write('{"jsonrpc": "2.0", "id": %d, "result": {"content": [' % id)
    if bad == "slow": [(write(c), time.sleep(0.01)) for c in json.dumps({"jsonrpc": "2.0", "id": id, "result": ok})]
    if bad == "huge": write('{"jsonrpc": "2.0", "result": {"text": "' + "x" * (40 << 20) + '"}, "id": %d}\n' % id)
    if bad == "deep": write('{"jsonrpc": "2.0", "id": %d, "result": ' % id + "[" * 100000 + "]" * 100000 + "}\n")
    if bad == "odd": answer(id, 7)
    if bad == "bytes": sys.stdout.buffer.write(b"\xff\xfe\x00" * 1000 + b"\n"); sys.stdout.buffer.flush()
    if bad == "other": answer(id + 12345, ok)
    if bad in ("hang", "die", "close", "half", "slow", "huge", "deep", "odd", "bytes", "other"): return True
    if bad == "twice": answer(id, ok)
    if bad == "shout": again(lambda: (sys.stderr.write("x" * 100000 + "\n"), write("{\"not\": \"a message\"}" + " " * 100000 + "\n")))
    if bad == "garbage": again(lambda: write("hello\n" * 20))
    if bad == "stderr": again(lambda: sys.stderr.write("x" * 200000 + "\n"))
    if bad == "storm": again(lambda: [tell("tools/list_changed", {}) for _ in range(20)])
    if bad == "progress": again(lambda: [tell("progress", {"progressToken": 1, "progress": n}) for n in range(20)])
    if bad == "log": again(lambda: tell("message", {"level": "error", "data": "x" * 100000}))
    if bad == "ask": again(lambda: write(json.dumps({"jsonrpc": "2.0", "id": "q", "method": "sampling/createMessage", "params": {"messages": [], "maxTokens": 1}}) + "\n"), 0.01)
    if bad == "child": subprocess.Popen(["sleep", "600"], start_new_session=True)
    if bad == "error": write(json.dumps({"jsonrpc": "2.0", "id": id, "error": {"code": -32603, "message": "x" * 100000}}) + "\n"); return True
    return False
if bad == "silent":
    threading.Event().wait()
for line in sys.stdin:
    message = json.loads(line)
    method, result = message.get("method"), {}
    if "id" not in message or method is None:
        continue
    if method == "initialize":
        result = {"protocolVersion": "2025-06-18", "capabilities": {"tools": {}}, "serverInfo": {"name": "b", "version": "1"}}
    elif method == "tools/list":
        result = {"tools": tools}
    elif method == "tools/call":
        result = {"content": [{"type": "text", "text": "ok"}]}
        if bad and misbehave(message["id"], result):
            continue
        said = message["params"]["arguments"].get("text")
        if said == "die":
            os._exit(1)
        if said == "slow":
            threading.Timer(1, answer, (message["id"], result)).start()
            continue
    answer(message["id"], result)
"#;

/// The ways in which a server can misbehave once it is called.
pub const BAD: [&str; 20] = [
    "hang", "die", "end", "close", "half", "slow", "huge", "deep", "odd", "bytes", "other", "twice", "shout",
    "garbage", "stderr", "storm", "progress", "log", "ask", "child",
];

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

/// Without a journal: what a disk takes to write is not what is measured here.
pub fn serve(home: &Path, search: &str) -> Command {
    serving(home, search, false)
}

pub fn serving(home: &Path, search: &str, journal: bool) -> Command {
    let mut command = Command::new(hermes());
    let search = format!("tools.tool_search={{\"enabled\":\"{search}\"}}");
    let journal = format!("journal.enabled={journal}");
    command.args(["--set", &search, "--set", &journal, "mcp", "serve"]);
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
        (0..count + WARMING).map(|_| self.time("tools/call", call.clone())).skip(WARMING).collect()
    }
}

impl Drop for Talk {
    fn drop(&mut self) {
        drop(self.input.take());
        let _ = self.child.wait();
    }
}
