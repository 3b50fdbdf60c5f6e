//! Runs programs from the root of the repository and says which, and for how long.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::time::Instant;

/// What a chore comes to; the error is for a person.
pub(crate) type Outcome<T = ()> = Result<T, String>;

/// The root of the repository.
pub(crate) fn root() -> PathBuf {
    let own = Path::new(env!("CARGO_MANIFEST_DIR"));
    own.parent().unwrap_or(own).to_owned()
}

/// Where Cargo puts what it builds.
pub(crate) fn target_dir() -> PathBuf {
    match std::env::var_os("CARGO_TARGET_DIR") {
        Some(folder) => root().join(folder),
        None => root().join("target"),
    }
}

/// The Cargo that runs this program.
pub(crate) fn cargo() -> Command {
    starting_cargo(Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into())))
}

/// A command that is Cargo or starts it, from the root of the repository. The Cargo that runs this program has told it
/// its own package, and some build scripts look at those variables: were they passed on, half of what is built here
/// would be built anew by everybody who starts Cargo by hand, and the other way round.
pub(crate) fn starting_cargo(mut command: Command) -> Command {
    const TOLD: [&str; 4] = ["CARGO_MANIFEST_", "CARGO_PKG_", "CARGO_BIN_", "CARGO_CRATE_"];
    for (name, _) in std::env::vars_os() {
        if TOLD.iter().any(|told| name.to_string_lossy().starts_with(told)) {
            command.env_remove(name);
        }
    }
    command.current_dir(root());
    command
}

/// A Cargo subcommand with plain arguments.
pub(crate) fn cargo_with(arguments: &[&str]) -> Command {
    let mut command = cargo();
    command.args(arguments);
    command
}

/// Runs a command in the foreground; anything but success is an error.
pub(crate) fn run(mut command: Command) -> Outcome {
    let shown = show(&command);
    let status = command.status().map_err(|error| format!("{shown}: {error}"))?;
    if status.success() { Ok(()) } else { Err(format!("{shown} failed ({status})")) }
}

/// Runs a command and returns what it printed on standard output.
pub(crate) fn capture(mut command: Command) -> Outcome<String> {
    let shown = show(&command);
    let Output { status, stdout, stderr } = command.output().map_err(|error| format!("{shown}: {error}"))?;
    if !status.success() {
        return Err(format!("{shown} failed ({status})\n{}", String::from_utf8_lossy(&stderr)));
    }
    String::from_utf8(stdout).map_err(|_| format!("{shown} printed something that is not text"))
}

/// Runs one step of a longer chore, with its name and its time on standard error.
pub(crate) fn step(name: &str, work: impl FnOnce() -> Outcome) -> Outcome {
    eprintln!("\n==> {name}");
    let started = Instant::now();
    work().map_err(|message| format!("{name}: {message}"))?;
    eprintln!("    {name}: {:.1} s", started.elapsed().as_secs_f64());
    Ok(())
}

fn show(command: &Command) -> String {
    let program = Path::new(command.get_program());
    let name = program.file_name().unwrap_or(program.as_os_str());
    let words = std::iter::once(name).chain(command.get_args());
    words.map(|word| word.to_string_lossy().into_owned()).collect::<Vec<_>>().join(" ")
}
