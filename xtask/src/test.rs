//! `cargo xtask test`: everything CI runs, cheapest first. A step that cannot run is a step that failed.

use std::process::Command;

use crate::programs::{ALL, DENY, NEXTEST};
use crate::shell::{Beside, Outcome, cargo_with, root, run, step, target_dir};
use crate::{conformance, docs, peers, setup, system, tidy};

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
    let fuzz = Beside::start("fuzz", with_what_is_left(&fuzz_targets()))?;
    step("docs", docs::check)?;
    step("tests", || nextest(&[]))?;
    step("MCP conformance", conformance::run_suite)?;
    step("examples in comments", || run(cargo_with(&["test", "--workspace", "--doc", "--locked"])))?;
    step("fuzz targets", || fuzz.wait())
}

fn nextest(arguments: &[&str]) -> Outcome {
    let mut nextest = NEXTEST.command()?;
    nextest.args(["run", "--workspace", "--all-targets", "--locked"]).args(arguments);
    run(nextest)
}

/// They stand outside the workspace and run on nightly only; here they must at least compile. Without
/// `--locked`: their lock file follows the workspace's dependencies by itself.
fn fuzz_targets() -> Command {
    let mut clippy = cargo_with(&["clippy", "--manifest-path", "fuzz/Cargo.toml", "--", "-D", "warnings"]);
    // A folder of its own: whoever builds in the other would wait for it.
    clippy.env("CARGO_TARGET_DIR", target_dir().join("fuzz"));
    // Nothing is linked, so the fuzzer itself need not be compiled.
    clippy.env("CUSTOM_LIBFUZZER_PATH", "not/linked.a");
    clippy
}

/// Takes what the tests leave of the processors: most of them wait most of the time.
fn with_what_is_left(command: &Command) -> Command {
    // A session of its own with the least weight: the kernel shares the processors among sessions first, and tests
    // start many of them.
    const LAST: &str = "echo 19 > /proc/self/autogroup; exec nice -n 19 \"$@\"";
    let mut last = Command::new("setsid");
    last.args(["sh", "-c", LAST, "last"]).arg(command.get_program()).args(command.get_args());
    last.envs(command.get_envs().filter_map(|(name, value)| Some((name, value?)))).current_dir(root());
    last
}

fn deny() -> Outcome {
    let mut deny = DENY.command()?;
    // Advisories need a database from the network; see deny.toml.
    deny.args(["check", "--hide-inclusion-graph", "licenses", "bans", "sources"]);
    run(deny)
}
