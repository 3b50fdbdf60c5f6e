//! A person at a terminal, played by a script.

use std::path::Path;
use std::process::Command;

use crate::harness::Hermes;

/// What was on the screen, and how the program ended.
pub(crate) struct Screen {
    pub(crate) text: String,
    pub(crate) code: i32,
}

/// Runs hermes on a terminal; for each step waits for the first text and types the second.
pub(crate) fn at_terminal(hermes: &Hermes, arguments: &[&str], steps: &[(&str, &str)]) -> Screen {
    let driver = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/type_at_terminal.py");
    let output = Command::new("python3")
        .arg(driver)
        .arg(serde_json::to_string(steps).unwrap())
        .arg(env!("CARGO_BIN_EXE_hermes"))
        .args(arguments)
        .current_dir(hermes.work())
        .env_clear()
        .env("PATH", std::env::var_os("PATH").unwrap_or_default())
        .env("HOME", hermes.home().parent().unwrap())
        .env("HERMES_HOME", hermes.home())
        .env("TERM", "xterm")
        .output()
        .unwrap();
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let code = text.trim_end().rsplit('\n').next().and_then(|line| line.parse().ok());
    Screen { code: code.unwrap_or_else(|| panic!("{text}{}", String::from_utf8_lossy(&output.stderr))), text }
}
