//! `cargo xtask`: the chores of this repository as one small program.
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a program for a terminal")]

mod bench;
mod conformance;
mod docs;
mod order;
mod peers;
mod programs;
mod release;
mod resident;
mod setup;
mod shell;
mod system;
mod test;
mod tidy;

use std::process::ExitCode;

const USAGE: &str = "\
cargo xtask docs [--check]   write docs/tools.md and docs/config.md, or compare them with the binary
cargo xtask tidy             check the rules of the house that no compiler knows
cargo xtask test             everything CI runs
cargo xtask release          build the binary as users get it, and check it
cargo xtask conformance      MCP's conformance suite against our server and our client
cargo xtask bench [ARGS]     run the benchmarks in release
cargo xtask order            list anew which functions a start runs, for the linker to put together
cargo xtask setup            install what the other commands need and this machine lacks";

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let outcome = match words.as_slice() {
        ["docs"] => docs::write(),
        ["docs", "--check"] => docs::check(),
        ["tidy"] => tidy::run(),
        ["test"] => test::run_everything(),
        ["conformance"] => conformance::run_suite(),
        ["bench", rest @ ..] => bench::run_benches(rest),
        ["order"] => order::write(),
        ["release"] => release::check(),
        ["setup"] => setup::run(),
        ["help" | "--help" | "-h"] => {
            println!("{USAGE}");
            Ok(())
        }
        _ => {
            eprintln!("{USAGE}");
            return ExitCode::from(2);
        }
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("error: {message}");
            ExitCode::FAILURE
        }
    }
}
