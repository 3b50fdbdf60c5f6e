//! `kill -9` of the runtime while many commands run: none of them is there afterwards.

use std::io::Write as _;
use std::path::Path;
use std::time::{Duration, Instant};

use serde_json::json;

use crate::harness::Hermes;

/// What may pass before everything has to be gone.
const PATIENCE: Duration = Duration::from_secs(5);

/// How many processes there are that sleep as long as those of one round, or of all if only their beginning is given.
fn sleepers(seconds: &str) -> usize {
    let processes = std::fs::read_dir("/proc").unwrap().flatten();
    let is_ours = |path: &Path| {
        std::fs::read(path.join("cmdline"))
            .is_ok_and(|line| line.split(|byte| *byte == 0).any(|word| word.starts_with(seconds.as_bytes())))
    };
    processes.filter(|entry| is_ours(&entry.path())).count()
}

/// Starts so many commands, some hostile, some in the background, and kills the runtime once that many are there.
fn round(commands: usize, ours: &str, number: usize) {
    let hermes = Hermes::new().with_config("limits:\n  concurrent_calls: 512\n");
    let mut server = hermes.spawn(&["run", "--jsonl"]);
    let mut input = server.stdin.take().unwrap();
    let seconds = format!("{ours}{number:02}");
    for command in 0..commands {
        let line = match command % 3 {
            0 => format!(": > {command}; sleep {seconds}"),
            1 => format!(": > {command}; trap '' TERM HUP INT; (setsid sleep {seconds} &); sleep {seconds}"),
            _ => format!("setsid sh -c 'sleep {seconds}' & : > {command}; wait"),
        };
        // Each in a session of its own: those of one session take turns.
        let call = json!({"id": command, "session": format!("s{command}"), "name": "terminal",
            "arguments": {"command": line, "background": command % 7 == 0}});
        writeln!(input, "{call}").unwrap();
    }
    // Also in the middle of starting them.
    let wanted = commands / [20, 10, 4, 1][number % 4];
    while std::fs::read_dir(hermes.work()).unwrap().count() < wanted {
        std::thread::sleep(Duration::from_millis(20));
    }
    server.kill().unwrap();
    server.wait().unwrap();
    let end = Instant::now() + PATIENCE;
    while sleepers(&seconds) > 0 {
        assert!(Instant::now() < end, "round {number}: {} are left", sleepers(&seconds));
        std::thread::sleep(Duration::from_millis(20));
    }
}

#[test]
fn nothing_is_left_of_a_killed_runtime() {
    // Nobody else on the machine sleeps exactly that long.
    let ours = (80_000_000 + std::process::id()).to_string();
    for number in 0..20 {
        round(200, &ours, number);
    }
    // Nor does one of them come up later.
    std::thread::sleep(PATIENCE);
    assert_eq!(sleepers(&ours), 0);
}
