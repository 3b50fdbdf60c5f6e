//! Runs programs from start to end and tells what they cost.

use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::time::Instant;

use nix::sys::resource::{UsageWho, getrusage};

use crate::measure::{median, nanoseconds};

/// The cost of one run.
#[derive(Clone, Copy, Debug)]
pub struct Cost {
    /// From before the start to after the end.
    pub nanoseconds: f64,
    pub cpu_nanoseconds: f64,
    pub max_resident: f64,
    pub output_bytes: usize,
}

/// The medians over several runs. `command` must succeed.
pub fn cost_of(runs: usize, command: &mut Command) -> Cost {
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null());
    let all: Vec<Cost> = (0..runs + 1).map(|_| run_once(command)).skip(1).collect();
    let middle = |field: fn(&Cost) -> f64| median(all.iter().map(field));
    Cost {
        nanoseconds: middle(|cost| cost.nanoseconds),
        cpu_nanoseconds: middle(|cost| cost.cpu_nanoseconds),
        max_resident: middle(|cost| cost.max_resident),
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
    let output = outer.stdin(Stdio::null()).output().expect("a measurement");
    let text = String::from_utf8_lossy(&output.stdout);
    let numbers: Vec<f64> = text.split_whitespace().map(|number| number.parse().expect("a number")).collect();
    let [nanoseconds, cpu_nanoseconds, max_resident, output_bytes] = numbers[..] else {
        panic!("{command:?} failed: {}", String::from_utf8_lossy(&output.stderr));
    };
    Cost { nanoseconds, cpu_nanoseconds, max_resident, output_bytes: output_bytes as usize }
}

/// The inner half of [`run_once`].
pub fn measure_and_print(program: &str, arguments: &[String]) {
    let start = Instant::now();
    let output =
        Command::new(program).args(arguments).stdin(Stdio::null()).output().expect("a program that starts");
    let took = nanoseconds(start);
    assert!(output.status.success(), "{program} failed: {}", String::from_utf8_lossy(&output.stderr));
    let usage = getrusage(UsageWho::RUSAGE_CHILDREN).expect("what the child used");
    let time = |time: nix::sys::time::TimeVal| time.tv_sec() as f64 * 1e9 + time.tv_usec() as f64 * 1e3;
    let cpu = time(usage.user_time()) + time(usage.system_time());
    println!("{took} {cpu} {} {}", usage.max_rss() as f64 * 1024.0, output.stdout.len());
}

/// The `hermes` binary of the same profile as this program, built if it is missing or stale.
pub fn hermes() -> PathBuf {
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
