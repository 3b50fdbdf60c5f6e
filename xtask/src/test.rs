//! `cargo xtask test`: everything CI runs, cheapest first. A step that cannot run is a step that failed.

use std::process::Command;

use serde_json::Value;

use crate::programs::{ALL, DENY, NEXTEST};
use crate::shell::{Beside, Outcome, capture, cargo, cargo_with, root, run, step, target_dir};
use crate::{conformance, docs, peers, resident, setup, system, tidy};

/// Has Cargo lint the crates of the workspace while it builds them. `cargo clippy` sets the same two, but only checks:
/// everything would be compiled once for it and once more for the tests.
const LINTED: [(&str, &str); 2] =
    [(WRAPPER, "clippy-driver"), ("CLIPPY_ARGS", "-D__CLIPPY_HACKERY__warnings__CLIPPY_HACKERY__")];
const WRAPPER: &str = "RUSTC_WORKSPACE_WRAPPER";

pub(crate) fn run_everything() -> Outcome {
    if std::env::var_os(WRAPPER).is_some() {
        return every_step();
    }
    // Every Cargo that is started on the way inherits it, so that none builds anything anew.
    let own = std::env::current_exe().map_err(|error| error.to_string())?;
    let mut again = Command::new(own);
    again.arg("test").envs(LINTED);
    run(again)
}

fn every_step() -> Outcome {
    step("programs", || {
        setup::check_components()?;
        system::check()?;
        peers::check()?;
        ALL.iter().try_for_each(|program| program.find().map(|_| ()))
    })?;
    step("fmt", || run(cargo_with(&["fmt", "--all", "--check"])))?;
    step("tidy", tidy::run)?;
    step("deny", deny)?;
    step("clippy and build", || nextest(&["--no-run"]))?;
    let release = Beside::start("release", build_release())?;
    step("docs", docs::check)?;
    step("tests", || nextest(&[]))?;
    step("MCP conformance", conformance::run_suite)?;
    step("examples in comments", || run(cargo_with(&["test", "--workspace", "--doc", "--locked"])))?;
    step("fuzz targets", fuzz_targets)?;
    step("release", || {
        release.wait()?;
        first_command()
    })
}

fn nextest(arguments: &[&str]) -> Outcome {
    let mut nextest = NEXTEST.command()?;
    nextest.args(["run", "--workspace", "--all-targets", "--locked"]).args(arguments);
    run(nextest)
}

/// Takes what the tests leave of the processors: most of them wait most of the time.
fn build_release() -> Command {
    // A session of its own with the least weight: the kernel shares the processors among sessions first, and tests
    // start many of them.
    const LAST: &str = "echo 19 > /proc/self/autogroup; exec nice -n 19 \"$@\"";
    let mut build = Command::new("setsid");
    build.args(["sh", "-c", LAST, "release"]).arg(cargo().get_program()).current_dir(root());
    build.args(["build", "--release", "--locked", "--package", "hermes-cli"]);
    for (name, _) in LINTED {
        build.env_remove(name);
    }
    build
}

/// The binary as users get it does the README's first command.
fn first_command() -> Outcome {
    let (home, binary) = (target_dir().join("release-home"), target_dir().join("release/hermes"));
    let hermes = |arguments: &[&str]| {
        let mut command = Command::new(&binary);
        command.args(arguments).env("HERMES_HOME", &home).current_dir(root());
        capture(command)
    };
    let answer = hermes(&["run", "examples/hello.json", "--format", "json"])?;
    let answer: Value =
        serde_json::from_str(&answer).map_err(|error| format!("examples/hello.json: {error}"))?;
    let results =
        answer.get("tool_results").and_then(Value::as_array).ok_or("examples/hello.json has no results")?;
    let all_well =
        results.iter().all(|result| result.pointer("/content/status").is_some_and(|is| is == "success"));
    if !all_well {
        return Err(format!("examples/hello.json: {answer:#}"));
    }
    hermes(&["journal", "verify"])?;
    hermes(&["tools", "schema", "--json"])?;
    resident::check(&binary, &home)
}

/// They stand outside the workspace and run on nightly only; here they must at least compile. Without
/// `--locked`: their lock file follows the workspace's dependencies by itself.
fn fuzz_targets() -> Outcome {
    let mut clippy = cargo_with(&["clippy", "--manifest-path", "fuzz/Cargo.toml", "--", "-D", "warnings"]);
    clippy.env("CARGO_TARGET_DIR", target_dir());
    // Nothing is linked, so the fuzzer itself need not be compiled.
    clippy.env("CUSTOM_LIBFUZZER_PATH", "not/linked.a");
    run(clippy)
}

fn deny() -> Outcome {
    let mut deny = DENY.command()?;
    // Advisories need a database from the network; see deny.toml.
    deny.args(["check", "--hide-inclusion-graph", "licenses", "bans", "sources"]);
    run(deny)
}
