//! Commands in the background as users of the binary meet them: kept between runs, typed into, ended with a killed one.

use std::io::Write as _;
use std::path::Path;
use std::time::Duration;

use serde_json::{Value, json};

use crate::execution::call;
use crate::harness::Hermes;

fn running(hermes: &Hermes) -> Vec<Value> {
    hermes.run(&["ps", "--json"]).json().as_array().unwrap().clone()
}

#[test]
fn the_background_outlives_a_run_in_peace_and_is_found_again() {
    let hermes = Hermes::new();
    let (_, started) =
        call(&hermes, "terminal", &json!({"command": "echo up; cat; echo down", "background": true}));
    let id = started["session_id"].as_str().unwrap().to_owned();
    assert_eq!(running(&hermes).len(), 1);
    let on = |action: &str, more: Value| {
        let mut arguments = json!({"action": action, "session_id": id});
        arguments.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        call(&hermes, "process", &arguments).1
    };
    on("submit", json!({"data": "hello"}));
    on("close", json!({}));
    let ended = on("wait", json!({"timeout": 60}));
    assert_eq!((&ended["state"], &ended["exit_code"]), (&json!("exited"), &json!(0)), "{ended}");
    assert_eq!(ended["output"], json!("up\nhello\ndown"));
    assert_eq!(running(&hermes).len(), 0);
}

#[test]
fn killing_hermes_ends_what_it_started() {
    let hermes = Hermes::new();
    let mut server = hermes.spawn(&["run", "--jsonl", "--session", "s"]);
    let mut input = server.stdin.take().unwrap();
    // Nobody else on the machine sleeps exactly that long.
    let seconds = (40_000_000 + std::process::id()).to_string();
    let sleep = format!("sleep {seconds}");
    let background =
        json!({"id": "1", "name": "terminal", "arguments": {"command": sleep, "background": true}});
    let foreground = json!({"id": "2", "name": "terminal", "arguments": {"command": format!("touch begun; setsid {sleep}")}});
    let mut answers = std::io::BufRead::lines(std::io::BufReader::new(server.stdout.take().unwrap()));
    writeln!(input, "{background}").unwrap();
    answers.next().unwrap().unwrap();
    writeln!(input, "{foreground}").unwrap();
    while !hermes.work().join("begun").exists() || running(&hermes).is_empty() || sleepers(&seconds).len() < 2
    {
        std::thread::sleep(Duration::from_millis(10));
    }
    let pids: Vec<String> = sleepers(&seconds);
    server.kill().unwrap();
    server.wait().unwrap();
    while pids.iter().any(|pid| Path::new("/proc").join(pid).exists()) {
        std::thread::sleep(Duration::from_millis(10));
    }
    while !running(&hermes).is_empty() {
        std::thread::sleep(Duration::from_millis(10));
    }
}

fn sleepers(seconds: &str) -> Vec<String> {
    let wanted = format!("sleep\0{seconds}\0").into_bytes();
    let processes = std::fs::read_dir("/proc").unwrap().flatten();
    let is_ours = |path: &Path| std::fs::read(path.join("cmdline")).is_ok_and(|line| line == wanted);
    let found = processes.filter(|entry| is_ours(&entry.path()));
    found.map(|entry| entry.file_name().into_string().unwrap()).collect()
}

/// What answers a question of a program is no command, in whatever language; it may only look like one.
#[test]
fn an_answer_in_another_language_is_typed_like_any_other() {
    let hermes = Hermes::new();
    let call = |arguments: Value| hermes.run(&["tools", "call", "process", &arguments.to_string(), "--json"]);
    let started = call(json!({"action": "start", "command": "read x; echo got $x"})).json();
    let id = &started["session_id"];
    for (text, code) in [("ŕm -rf x", 4), ("größer als 3", 0)] {
        let typed = call(json!({"action": "submit", "session_id": id, "data": text}));
        assert_eq!(typed.code, code, "{text}: {}", typed.stdout);
    }
    let ended = call(json!({"action": "wait", "session_id": id})).json();
    assert_eq!(ended["output"], json!("got größer als 3"), "{ended}");
}
