//! Programs of the operating system that tests and measurements call beside our own.

use std::process::Command;

use crate::shell::{Outcome, run};

/// A program and the Debian package that has it.
const PROGRAMS: &[(&str, &str)] = &[
    ("mount", "mount"),
    ("patch", "patch"),
    ("rg", "ripgrep"),
    ("strace", "strace"),
    ("tar", "tar"),
    ("unzip", "unzip"),
    ("zip", "zip"),
    ("zstd", "zstd"),
];

/// Installs what is missing, where the system has `apt-get`; otherwise says what is missing.
pub(crate) fn install() -> Outcome {
    let missing: Vec<(&str, &str)> =
        PROGRAMS.iter().copied().filter(|(program, _)| !is_there(program)).collect();
    if missing.is_empty() {
        eprintln!("the programs of the system are there");
        return Ok(());
    }
    let packages: Vec<&str> = missing.iter().map(|(_, package)| *package).collect();
    if !is_there("apt-get") {
        return Err(format!("install these programs: {}", packages.join(", ")));
    }
    let mut install = Command::new("apt-get");
    install.args(["install", "--yes", "--no-install-recommends"]).args(&packages);
    run(install)
}

fn is_there(program: &str) -> bool {
    let path = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&path).any(|folder| folder.join(program).is_file())
}
