//! `cargo xtask bench`: the benchmarks, in release.

use crate::shell::{Outcome, cargo_with, run};

pub(crate) fn run_benches(arguments: &[&str]) -> Outcome {
    // The benchmarks start the binary as users have it.
    run(cargo_with(&["build", "--release", "--locked", "--package", "hermes-cli"]))?;
    let mut bench = cargo_with(&["run", "--release", "--locked", "--package", "hermes-benches", "--"]);
    bench.args(arguments);
    run(bench)
}
