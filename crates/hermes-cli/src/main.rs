//! `hermes`: the tool runtime as one binary.

mod app;
mod cli;
mod commands;
mod failure;
mod log;
mod render;

use std::io;
use std::process::ExitCode;

use clap::Parser;

use failure::Failure;

// The linker keeps the built-in tools only if their crate is named.
use hermes_tools as _;

fn main() -> ExitCode {
    // Programs that tools run must not read secrets out of this process.
    hermes_host::process::keep_private();
    let cli = cli::Cli::try_parse().unwrap_or_else(|error| misused(&error));
    let (style, json) = (render::Style::for_stderr(cli.global.color), cli.global.json);
    let ended = commands::run(cli);
    // A run that comes to its own end leaves what it put into the background.
    hermes_host::process::let_go();
    match ended {
        Ok(code) => ExitCode::from(code),
        Err(failure) => {
            let failure = failure.reworded(log::redacted);
            // Who reads JSON finds one document, and not a second one behind an answer.
            if json && !render::has_printed() {
                let _ = render::print_json(&failure.document());
            }
            render::warn(style, "error:", &failure.message);
            if let Some(hint) = &failure.hint {
                render::warn(style, " hint:", hint);
            }
            ExitCode::from(failure.code)
        }
    }
}

/// A command line that means nothing, or one that only asks for help.
fn misused(error: &clap::Error) -> ! {
    if error.use_stderr() && std::env::args_os().any(|word| word == "--json") {
        let text = error.to_string();
        let failure = Failure::usage(text.trim().trim_start_matches("error: "));
        let _ = render::print_json(&failure.document());
    }
    match error.print() {
        Err(unwritten) if !error.use_stderr() && unwritten.kind() != io::ErrorKind::BrokenPipe => {
            let failure = Failure::unwritten(&unwritten);
            render::warn(render::Style::for_stderr(render::ColorChoice::Auto), "error:", &failure.message);
            std::process::exit(i32::from(failure.code))
        }
        _ => std::process::exit(error.exit_code()),
    }
}
