//! `hermes run --jsonl` as another program would use it: over pipes.

use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use crate::measure::{Start, middle};
use crate::process::hermes;
use crate::table::{Table, Unit};

const ROUND_TRIPS: usize = 2_000;
const PIPELINED: usize = 20_000;

const PING: &str = r#"{"id":1,"op":"ping"}"#;
const CALL: &str = r#"{"id":1,"tool_calls":[{"id":"c","function":{"name":"todo","arguments":{}}}]}"#;

pub fn run(table: &mut Table) {
    let home = tempfile::tempdir().expect("a folder");
    let mut cat = Talk::with(&mut Command::new("/bin/cat"));
    let pipe = cat.round_trip(PING);
    let pipe_rate = cat.throughput(CALL);

    let mut off = Talk::with(&mut serve(home.path(), "journal.enabled=false"));
    table.add("ping, round trip", off.round_trip(PING), Unit::Nanoseconds).against("cat", pipe);
    table
        .add("a call, journal off, round trip", off.round_trip(CALL), Unit::Nanoseconds)
        .against("cat", pipe);
    let rate = off.throughput(CALL);
    table.add("calls per second, journal off", rate, Unit::PerSecond).against("cat", pipe_rate);

    let mut on = Talk::with(&mut serve(home.path(), "journal.enabled=true"));
    table.add("a call, journal on, round trip", on.round_trip(CALL), Unit::Nanoseconds).against("cat", pipe);
    let rate = on.throughput(CALL);
    table.add("calls per second, journal on", rate, Unit::PerSecond).against("cat", pipe_rate);
}

fn serve(home: &Path, setting: &str) -> Command {
    let mut command = Command::new(hermes());
    command.args(["run", "--jsonl", "--set", setting]).env("HERMES_HOME", home).current_dir(home);
    command
}

/// A program that answers every line with a line.
struct Talk {
    child: Child,
    input: Option<ChildStdin>,
    output: BufReader<ChildStdout>,
    line: String,
}

impl Talk {
    fn with(command: &mut Command) -> Self {
        let spawned = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn();
        let mut child = spawned.expect("a program that starts");
        let output = BufReader::new(child.stdout.take().expect("its output"));
        Talk { input: child.stdin.take(), child, output, line: String::new() }
    }

    /// The median time from a line to its answer.
    fn round_trip(&mut self, request: &str) -> f64 {
        let request = format!("{request}\n");
        let times: Vec<f64> = (0..ROUND_TRIPS)
            .map(|_| {
                let start = Start::now();
                self.input.as_mut().expect("open input").write_all(request.as_bytes()).expect("a listener");
                self.read_line();
                start.per(1).wall
            })
            .collect();
        middle(times)
    }

    /// Answers per second when nobody waits for one before sending the next.
    fn throughput(&mut self, request: &str) -> f64 {
        let mut input = self.input.take().expect("open input");
        let lines = format!("{request}\n").repeat(100);
        let start = Start::now();
        let writer = std::thread::spawn(move || {
            for _ in 0..PIPELINED / 100 {
                input.write_all(lines.as_bytes()).expect("a listener");
            }
            input
        });
        for _ in 0..PIPELINED {
            self.read_line();
        }
        let rate = 1e9 / start.per(PIPELINED).wall;
        self.input = Some(writer.join().expect("a writer that ends"));
        rate
    }

    fn read_line(&mut self) {
        self.line.clear();
        self.output.read_line(&mut self.line).expect("readable output");
        assert!(!self.line.contains("\"error\"") && !self.line.is_empty(), "an answer: {}", self.line);
    }
}

impl Drop for Talk {
    fn drop(&mut self) {
        drop(self.input.take());
        let _ = self.child.wait();
    }
}
