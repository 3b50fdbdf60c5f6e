//! `cargo xtask test`: everything CI runs, cheapest first. A step that cannot run is a step that failed.

use std::process::Command;

use crate::programs::{ALL, DENY, NEXTEST};
use crate::shell::{Outcome, cargo_with, run, step};
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
    step("docs", docs::check)?;
    step("tests", || nextest(&[]))?;
    step("MCP conformance", conformance::run_suite)?;
    step("examples in comments", || run(cargo_with(&["test", "--workspace", "--doc", "--locked"])))
}

fn nextest(arguments: &[&str]) -> Outcome {
    let mut nextest = NEXTEST.command()?;
    nextest.args(["run", "--workspace", "--all-targets", "--locked"]).args(arguments);
    run(nextest)
}

fn deny() -> Outcome {
    let mut deny = DENY.command()?;
    // Advisories need a database from the network; see deny.toml.
    deny.args(["check", "--hide-inclusion-graph", "licenses", "bans", "sources"]);
    run(deny)
}
