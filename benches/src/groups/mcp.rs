//! MCP: what a call through Hermes costs over the same call made directly, how fast many tools are listed, and whether
//! bad servers slow a good one down, hold up the start or stay down.

use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

use serde_json::json;

use crate::gateway::{BAD, SERVER, Talk, WARMING, configure, home_with, serve, serving};
use crate::measure::middle;
use crate::memory::peak_of;
use crate::table::{Table, Unit};

const CALLS: usize = 1_000;
const ROUNDS: usize = 10;
const LISTS: usize = 50;
const NEIGHBOURS: usize = 20;
const STARTS: usize = 9;
const SETTLING: Duration = Duration::from_secs(5);

pub fn run(table: &mut Table) {
    let folder = tempfile::tempdir().expect("a folder");
    let script = folder.path().join("server.py");
    std::fs::write(&script, SERVER).expect("a server");

    let mut bare = Talk::with(Command::new("python3").arg(&script));
    let home = home_with(folder.path(), "one", &script, &[("s", "1", "")]);
    let mut through = Talk::with(&mut serve(&home, "off"));
    let mut noted = Talk::with(&mut serving(&home, "off", true));
    let (mut direct, mut proxied, mut written) = (Vec::new(), Vec::new(), Vec::new());
    let mut computed = 0.0;
    // In turns: what else the machine does meets all of them alike.
    for _ in 0..ROUNDS {
        direct.extend(bare.calls("tool_0", CALLS / ROUNDS));
        let before = through.computed();
        proxied.extend(through.calls("mcp_s_tool_0", CALLS / ROUNDS));
        computed += (through.computed() - before) / (CALLS + ROUNDS * WARMING) as f64;
        written.extend(noted.calls("mcp_s_tool_0", CALLS / ROUNDS));
    }
    let direct = middle(direct);
    table
        .add("a call through Hermes, p50", middle(proxied), Unit::Nanoseconds)
        .target(direct + 150e3)
        .against("the same call made directly", direct);
    table
        .add("the same with the journal, p50", middle(written), Unit::Nanoseconds)
        .against("the same call made directly", direct);
    table
        .add("what Hermes computes for a call", computed, Unit::Nanoseconds)
        .target(150e3)
        .against("the same call made directly", direct);

    let home = home_with(folder.path(), "many", &script, &[("s", "500", "")]);
    let mut bare = Talk::with(Command::new("python3").arg(&script).env("MANY", "500"));
    let of_server = middle((0..LISTS).map(|_| bare.time("tools/list", json!({}))).collect());
    for (name, search) in [("500 tools behind the search", "on"), ("500 tools in full", "off")] {
        let mut gateway = Talk::with(&mut serve(&home, search));
        let lists = middle((0..LISTS).map(|_| gateway.time("tools/list", json!({}))).collect());
        let row = table
            .add(format!("list {name}, p50"), lists, Unit::Nanoseconds)
            .against("the list of the server itself", of_server);
        if search == "on" {
            row.target(5e6);
        }
    }

    neighbours(table, folder.path(), &script);
    beginning(table, folder.path(), &script);
    recovery(table, folder.path(), &script);
    together(table, folder.path(), &script);
}

/// From the start of the program to the first definitions, with servers that are known and one that never answers.
fn beginning(table: &mut Table, folder: &Path, script: &Path) {
    let names: Vec<String> = (0..NEIGHBOURS).map(|n| format!("s{n}")).collect();
    let mut servers: Vec<_> = names.iter().map(|name| (name.as_str(), "25", "")).collect();
    let with = home_with(folder, "beginning", script, &servers);
    if let Some(last) = servers.last_mut() {
        last.2 = "silent";
    }
    configure(&with, script, &servers);
    let without = home_with(folder, "nothing", script, &[]);
    let first = |home: &Path| {
        let mut command = serve(home, "auto");
        let start = Instant::now();
        let mut talk = Talk::with(&mut command);
        talk.time("tools/list", json!({}));
        start.elapsed().as_nanos() as f64
    };
    let [with, without] = [with, without].map(|home| middle((0..STARTS).map(|_| first(&home)).collect()));
    table
        .add("first definitions with 20 servers, one silent, p50", with, Unit::Nanoseconds)
        .target(50e6)
        .against("with none", without);
}

/// From the death of a server in the middle of a call to the next call that works.
fn recovery(table: &mut Table, folder: &Path, script: &Path) {
    let home = home_with(folder, "recovery", script, &[("s", "1", "")]);
    let times = (0..STARTS).map(|_| {
        let mut talk = Talk::with(&mut serve(&home, "off"));
        talk.calls("mcp_s_tool_0", 1);
        let died = talk.begin("tools/call", json!({"name": "mcp_s_tool_0", "arguments": {"text": "die"}}));
        let start = Instant::now();
        let said = talk.answer_to(died);
        assert!(said.to_string().contains("outcome_unknown"), "{said}");
        loop {
            let call = talk.begin("tools/call", json!({"name": "mcp_s_tool_0", "arguments": {"text": "x"}}));
            if talk.answer_to(call)["result"]["isError"] == false {
                return start.elapsed().as_nanos() as f64;
            }
            std::thread::sleep(Duration::from_millis(50));
        }
    });
    let recovered = middle(times.collect());
    let start = Instant::now();
    Talk::with(Command::new("python3").arg(script)).calls("tool_0", 1);
    let python = start.elapsed().as_nanos() as f64;
    table
        .add("a call that works after the server died in one, p50", recovered, Unit::Nanoseconds)
        .target(2e9)
        .against("starting the server", python);
}

/// Calls of one second each, made together.
fn together(table: &mut Table, folder: &Path, script: &Path) {
    let home = home_with(folder, "together", script, &[("s", "1", "")]);
    let mut talk = Talk::with(&mut serve(&home, "off"));
    talk.calls("mcp_s_tool_0", 1);
    let [four, one] = [4, 1].map(|count| {
        let start = Instant::now();
        let slow = json!({"name": "mcp_s_tool_0", "arguments": {"text": "slow"}});
        let begun: Vec<u64> = (0..count).map(|_| talk.begin("tools/call", slow.clone())).collect();
        for id in begun {
            assert_eq!(talk.answer_to(id)["result"]["isError"], false);
        }
        start.elapsed().as_nanos() as f64
    });
    table
        .add("four calls of 1 s to one server at once", four, Unit::Nanoseconds)
        .target(1.2e9)
        .against("one", one);
}

/// The good server's calls, alone and beside servers that misbehave, each in its own way and called again and again.
fn neighbours(table: &mut Table, folder: &Path, script: &Path) {
    let bad: Vec<(String, &str)> = BAD.iter().map(|how| (format!("bad_{how}"), *how)).collect();
    let mut servers = vec![("good", "1", "")];
    servers.extend(bad.iter().map(|(name, how)| (name.as_str(), "1", *how)));
    let home = home_with(folder, "neighbours", script, &servers);
    let mut gateway = Talk::with(&mut serve(&home, "off"));
    let alone = gateway.calls("mcp_good_tool_0", CALLS);
    let small = peak_of(gateway.process());
    let disturb = |gateway: &mut Talk, name: &str| {
        gateway.begin("tools/call", json!({"name": format!("mcp_{name}_tool_0"), "arguments": {}}))
    };
    for (name, _) in &bad {
        disturb(&mut gateway, name);
    }
    // What it costs to start twenty programs is not what they cost while they misbehave.
    std::thread::sleep(SETTLING);
    let mut beside = Vec::new();
    for (name, _) in &bad {
        disturb(&mut gateway, name);
        beside.extend(gateway.calls("mcp_good_tool_0", CALLS / bad.len()));
    }
    let worst = percentile(alone, 99);
    table
        .add("a good server's call beside 20 bad ones, p99", percentile(beside, 99), Unit::Nanoseconds)
        .target(worst * 2.0)
        .against("alone", worst);
    table
        .add("the most memory beside 20 bad ones", peak_of(gateway.process()), Unit::Bytes)
        .against("alone", small);
}

fn percentile(mut values: Vec<f64>, percent: usize) -> f64 {
    values.sort_by(f64::total_cmp);
    values[(values.len() * percent / 100).min(values.len() - 1)]
}
