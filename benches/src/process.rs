//! Runs programs from start to end and tells what they cost.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::OnceLock;

use nix::sys::resource::{UsageWho, getrusage};

use crate::measure::{Start, Time, cpu_of, least, middle};

/// The cost of one run.
#[derive(Clone, Copy, Debug)]
pub struct Cost {
    /// From before the start to after the end.
    pub time: Time,
    pub max_resident: f64,
    pub output_bytes: usize,
}

/// The least time and the middle size over several runs. `command` must succeed.
pub fn cost_of(runs: usize, command: &mut Command) -> Cost {
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null());
    let all: Vec<Cost> = (0..runs + 1).map(|_| run_once(command)).skip(1).collect();
    Cost {
        time: least(all.iter().map(|cost| cost.time)),
        max_resident: middle(all.iter().map(|cost| cost.max_resident).collect()),
        output_bytes: all[0].output_bytes,
    }
}

/// The word that makes this binary run one program and print what it cost.
pub const MEASURE: &str = "__measure";

/// Runs the program as the only child of a process of its own, because the kernel tells what children
/// used only for all of them together.
fn run_once(command: &mut Command) -> Cost {
    let mut outer = Command::new(std::env::current_exe().expect("the path of this binary"));
    outer.arg(MEASURE).arg(command.get_program()).args(command.get_args());
    for (name, value) in command.get_envs() {
        match value {
            Some(value) => outer.env(name, value),
            None => outer.env_remove(name),
        };
    }
    if let Some(folder) = command.get_current_dir() {
        outer.current_dir(folder);
    }
    let output = outer.stdin(Stdio::null()).output().expect("a measurement");
    let text = String::from_utf8_lossy(&output.stdout);
    let numbers: Vec<f64> = text.split_whitespace().map(|number| number.parse().expect("a number")).collect();
    let [wall, cpu, max_resident, output_bytes] = numbers[..] else {
        panic!("{command:?} failed: {}", String::from_utf8_lossy(&output.stderr));
    };
    Cost { time: Time { wall, cpu }, max_resident, output_bytes: output_bytes as usize }
}

/// The inner half of [`run_once`].
pub fn measure_and_print(program: &str, arguments: &[String]) {
    let start = Start::now();
    let output =
        Command::new(program).args(arguments).stdin(Stdio::null()).output().expect("a program that starts");
    let wall = start.per(1).wall;
    assert!(output.status.success(), "{program} failed: {}", String::from_utf8_lossy(&output.stderr));
    let usage = getrusage(UsageWho::RUSAGE_CHILDREN).expect("what the child used");
    println!("{wall} {} {} {}", cpu_of(&usage), usage.max_rss() as f64 * 1024.0, output.stdout.len());
}

/// The `hermes` binary of the same profile as this program, built if it is missing or stale. That is found out once: to
/// ask takes longer than much of what is measured.
pub fn hermes() -> &'static Path {
    static HERMES: OnceLock<PathBuf> = OnceLock::new();
    HERMES.get_or_init(built)
}

fn built() -> PathBuf {
    if let Some(given) = std::env::var_os("HERMES_BIN") {
        return given.into();
    }
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut build = Command::new(cargo);
    build.args(["build", "--quiet", "--package", "hermes-cli"]);
    if !cfg!(debug_assertions) {
        build.arg("--release");
    }
    assert!(build.status().expect("cargo").success(), "the hermes binary does not build");
    let own = std::env::current_exe().expect("the path of this program");
    own.with_file_name("hermes")
}
