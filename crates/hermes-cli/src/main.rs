//! `hermes`: the tool runtime as one binary.

mod app;
mod cli;
mod commands;
mod failure;
mod log;
mod render;

use std::process::ExitCode;

use clap::Parser;

// The linker keeps the built-in tools only if their crate is named.
use hermes_tools as _;

fn main() -> ExitCode {
    // Programs that tools run must not read secrets out of this process.
    hermes_host::process::keep_private();
    let cli = cli::Cli::parse();
    let style = render::Style::for_stderr(cli.global.color);
    let ended = commands::run(cli);
    // A run that comes to its own end leaves what it put into the background.
    hermes_host::process::let_go();
    match ended {
        Ok(code) => ExitCode::from(code),
        Err(failure) => {
            render::warn(style, "error:", &failure.message);
            if let Some(hint) = &failure.hint {
                render::warn(style, " hint:", hint);
            }
            ExitCode::from(failure.code)
        }
    }
}
