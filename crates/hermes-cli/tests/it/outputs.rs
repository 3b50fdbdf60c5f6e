//! Sixteen commands that print a lot at once: counted to the byte, and the runtime stays small.

use std::io::{BufRead, BufReader, Write as _};

use serde_json::{Value, json};

use crate::harness::Hermes;

/// The most memory that a process ever had, in MiB.
fn peak(pid: u32) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{pid}/status")).unwrap();
    let line = status.lines().find(|line| line.starts_with("VmHWM:")).unwrap();
    line.split_whitespace().nth(1).unwrap().parse::<u64>().unwrap() / 1024
}

#[test]
fn sixteen_outputs_of_a_gibibyte_stay_small() {
    let hermes = Hermes::new();
    let mut server = hermes.spawn(&["run", "--jsonl"]);
    let mut input = server.stdin.take().unwrap();
    let mut answers = BufReader::new(server.stdout.take().unwrap()).lines();
    let mut ask = |command: &str, sessions: usize| {
        for session in 0..sessions {
            let call = json!({"session": format!("s{session}"), "name": "terminal",
                "arguments": {"command": command, "timeout": 600}});
            writeln!(input, "{call}").unwrap();
        }
        let answer = |_| serde_json::from_str::<Value>(&answers.next().unwrap().unwrap()).unwrap();
        (0..sessions).map(answer).collect::<Vec<_>>()
    };
    ask("true", 16);
    let before = peak(server.id());
    let bytes = 1_u64 << 30;
    for answer in ask(&format!("head -c {bytes} /dev/zero"), 16) {
        let content = &answer["tool_results"][0]["content"];
        assert_eq!(content["exit_code"], json!(0), "{answer}");
        let output = content["output"].as_str().unwrap();
        assert!(output.len() < 60_000 && output.contains(&bytes.to_string()), "{}", output.len());
    }
    let grown = peak(server.id()) - before;
    assert!(grown < 64, "{grown} MiB");
    drop(input);
    server.wait().unwrap();
}
