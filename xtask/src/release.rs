//! `cargo xtask release`: the binary as users get it does what the README says, within its memory. Optimising takes
//! as long as all the tests, so this is not one of them.

use std::process::Command;

use serde_json::Value;

use crate::resident;
use crate::shell::{Outcome, capture, cargo_with, root, run, step, target_dir};

pub(crate) fn check() -> Outcome {
    step("build", || run(cargo_with(&["build", "--release", "--locked", "--package", "hermes-cli"])))?;
    step("the README's first command", first_command)
}

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
