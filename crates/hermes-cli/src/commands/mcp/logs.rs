//! `hermes mcp logs`.

use super::dispatch::unknown;
use crate::app::{Surroundings, check_name};
use crate::commands::people::when;
use crate::failure::Failure;
use crate::render::print_text;

pub(super) fn run(name: &str, lines: usize, surroundings: &Surroundings) -> Result<(), Failure> {
    if !surroundings.config().mcp_servers.contains_key(name) {
        return Err(unknown(surroundings, name));
    }
    check_name(name).map_err(Failure::usage)?;
    let path = surroundings.home.logs_dir().join(format!("mcp-{name}.log"));
    let text = match std::fs::read_to_string(&path) {
        Ok(text) => text,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
            return print_text("It wrote nothing yet.\n");
        }
        Err(error) => return Err(Failure::io(&path.display().to_string())(error)),
    };
    let all: Vec<&str> = text.lines().collect();
    for line in all.iter().skip(all.len().saturating_sub(lines)) {
        let (at, words) = line.split_once(' ').unwrap_or(("", line));
        let at = at.parse().map(when).unwrap_or_default();
        print_text(&format!("{at} {words}\n"))?;
    }
    Ok(())
}
