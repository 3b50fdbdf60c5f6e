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
    let cli = cli::Cli::parse();
    let style = render::Style::for_stderr(cli.global.color);
    match commands::run(cli) {
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
