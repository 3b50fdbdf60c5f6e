//! MCP: what a call through Hermes costs over the same call made directly, how fast many tools are listed, and whether
//! bad servers slow a good one down.

use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::Instant;

use serde_json::{Value, json};

use crate::measure::middle;
use crate::process::hermes;
use crate::table::{Table, Unit};

const CALLS: usize = 1_000;
const LISTS: usize = 50;
const NEIGHBOURS: usize = 20;

/// Answers as fast as Python can; `MANY` says how many tools it has, `BAD` how it fails.
const SERVER: &str = r#"
import json, os, sys, time
many, bad = int(os.environ.get("MANY", "1")), os.environ.get("BAD", "")
tools = [{"name": "tool_%d" % n, "description": "Reads the rotor of turbine %d" % n,
          "inputSchema": {"type": "object", "properties": {"text": {"type": "string"}}}} for n in range(many)]
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
            sys.stderr.write("x" * 100000 + "\n")
            print("not a message " + "y" * 100000, flush=True)
        result = {"content": [{"type": "text", "text": "ok"}]}
    sys.stdout.write(json.dumps({"jsonrpc": "2.0", "id": message["id"], "result": result}) + "\n")
    sys.stdout.flush()
"#;

pub fn run(table: &mut Table) {
    let folder = tempfile::tempdir().expect("a folder");
    let script = folder.path().join("server.py");
    std::fs::write(&script, SERVER).expect("a server");

    let mut bare = Talk::with(Command::new("python3").arg(&script));
    let direct = bare.calls("tool_0", CALLS);
    let home = home(folder.path(), "one", &script, &[("s", "1", "")]);
    let mut through = Talk::with(&mut serve(&home, "off"));
    let proxied = through.calls("mcp_s_tool_0", CALLS);
    let target = middle(direct.clone()) + 150e3;
    table
        .add("a call through Hermes, p50", middle(proxied), Unit::Nanoseconds)
        .target(target)
        .against("the same call made directly", middle(direct));

    let home = self::home(folder.path(), "many", &script, &[("s", "500", "")]);
    for (name, search) in [("500 tools behind the search", "on"), ("500 tools in full", "off")] {
        let mut gateway = Talk::with(&mut serve(&home, search));
        let lists = middle((0..LISTS).map(|_| gateway.time("tools/list", json!({}))).collect());
        let row = table.add(format!("list {name}, p50"), lists, Unit::Nanoseconds);
        if search == "on" {
            row.target(5e6);
        }
    }

    neighbours(table, folder.path(), &script);
}

/// The good server's calls, alone and beside servers that hang, die and shout.
fn neighbours(table: &mut Table, folder: &Path, script: &Path) {
    let bad: Vec<String> = (0..NEIGHBOURS).map(|n| format!("bad{n}")).collect();
    let mut servers = vec![("good", "1", "")];
    servers.extend(
        bad.iter().enumerate().map(|(n, name)| (name.as_str(), "1", ["hang", "die", "shout"][n % 3])),
    );
    let home = home(folder, "neighbours", script, &servers);
    let mut gateway = Talk::with(&mut serve(&home, "off"));
    let alone = gateway.calls("mcp_good_tool_0", CALLS);
    for name in &bad {
        gateway.begin("tools/call", json!({"name": format!("mcp_{name}_tool_0"), "arguments": {}}));
    }
    let beside = gateway.calls("mcp_good_tool_0", CALLS);
    let worst = percentile(alone, 99);
    table
        .add("a good server's call beside 20 bad ones, p99", percentile(beside, 99), Unit::Nanoseconds)
        .target(worst * 2.0)
        .against("alone", worst);
}

fn percentile(mut values: Vec<f64>, percent: usize) -> f64 {
    values.sort_by(f64::total_cmp);
    values[(values.len() * percent / 100).min(values.len() - 1)]
}

/// A home with these servers, each met once.
fn home(folder: &Path, name: &str, script: &Path, servers: &[(&str, &str, &str)]) -> std::path::PathBuf {
    let home = folder.join(name);
    std::fs::create_dir(&home).expect("a home");
    let server = |(name, many, bad): &(&str, &str, &str)| {
        let server = json!({"command": "python3", "args": [script], "env": {"MANY": many, "BAD": bad},
            "parallel": 4, "timeout_seconds": 600});
        ((*name).to_owned(), server)
    };
    let config = json!({"permissions": {"profile": "open"}, "mcp_servers": servers.iter().map(server).collect::<Value>()});
    std::fs::write(home.join("config.yaml"), config.to_string()).expect("a configuration");
    std::fs::write(home.join("hermes_permissions.yaml"), "profiles: {open: {allow: [\"*\"]}}\n")
        .expect("rules");
    for (name, ..) in servers {
        let met = Command::new(hermes()).args(["mcp", "test", name]).env("HERMES_HOME", &home).output();
        assert!(met.expect("hermes").status.success(), "{name}");
    }
    home
}

fn serve(home: &Path, search: &str) -> Command {
    let mut command = Command::new(hermes());
    let search = format!("tools.tool_search={{\"enabled\":\"{search}\"}}");
    command.args(["--set", &search, "--set", "journal.enabled=false", "mcp", "serve"]);
    command.env("HERMES_HOME", home).current_dir(home);
    command
}

/// A client of a server over its standard input and output.
struct Talk {
    child: Child,
    input: Option<ChildStdin>,
    output: BufReader<ChildStdout>,
    last: u64,
}

impl Talk {
    fn with(command: &mut Command) -> Self {
        let mut child = command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("a server");
        let (input, output) = (child.stdin.take(), BufReader::new(child.stdout.take().expect("its output")));
        let mut talk = Talk { child, input, output, last: 0 };
        let hello = json!({"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "b", "version": "1"}});
        talk.time("initialize", hello);
        talk.send(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"}));
        talk
    }

    fn send(&mut self, message: &Value) {
        let mut line = message.to_string();
        line.push('\n');
        self.input.as_mut().expect("its input").write_all(line.as_bytes()).expect("a server that reads");
    }

    fn begin(&mut self, method: &str, params: Value) -> u64 {
        self.last += 1;
        self.send(&json!({"jsonrpc": "2.0", "id": self.last, "method": method, "params": params}));
        self.last
    }

    /// Nanoseconds from the question to its answer.
    fn time(&mut self, method: &str, params: Value) -> f64 {
        let start = Instant::now();
        let id = self.begin(method, params);
        let mut line = String::new();
        loop {
            line.clear();
            assert_ne!(self.output.read_line(&mut line).expect("an answer"), 0, "the server ended");
            // Answers name their question first or last.
            let message: Value = serde_json::from_str(&line).expect("a message");
            if message["id"] == id {
                assert!(message.get("result").is_some(), "{message}");
                return start.elapsed().as_nanos() as f64;
            }
        }
    }

    fn calls(&mut self, tool: &str, count: usize) -> Vec<f64> {
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
