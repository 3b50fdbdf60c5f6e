//! Changes to the user's configuration file that touch nothing but the server they are about: order, comments
//! and spacing of the rest stay.

use serde_json::Value;

use crate::app::Surroundings;
use crate::app::user_config::{by_hand, change};
use crate::failure::Failure;

const SECTION: &str = "mcp_servers:";
/// What the section is called where it has to be edited by hand.
const NAME: &str = "mcp_servers";

/// Writes a server into the file. The result is checked before it replaces the old file.
pub(super) fn put(surroundings: &Surroundings, name: &str, server: &Value) -> Result<(), Failure> {
    let path = surroundings.home.config_file();
    let mut block = vec![format!("  {}:", quoted(name))];
    for (key, value) in server.as_object().into_iter().flatten() {
        // JSON is YAML, and it needs no care about what a text may look like.
        block.push(format!("    {key}: {value}"));
    }
    change(&surroundings.home, |lines| {
        match lines.iter().position(|line| line.trim_end() == SECTION) {
            Some(at) => {
                lines.splice(at + 1..at + 1, block);
            }
            None if lines.iter().any(|line| line.starts_with(SECTION)) => return Err(by_hand(&path, NAME)),
            None => {
                lines.push(SECTION.to_owned());
                lines.extend(block);
            }
        }
        Ok(())
    })
}

/// Takes a server out of the file.
pub(super) fn cut(surroundings: &Surroundings, name: &str) -> Result<(), Failure> {
    change(&surroundings.home, |lines| {
        cut_from(lines, name, || by_hand(&surroundings.home.config_file(), NAME))
    })
}

fn cut_from(lines: &mut Vec<String>, name: &str, by_hand: impl Fn() -> Failure) -> Result<(), Failure> {
    let section = lines.iter().position(|line| line.trim_end() == SECTION).ok_or_else(&by_hand)?;
    let inside = |line: &str| line.starts_with(' ') || line.trim().is_empty() || line.starts_with('#');
    let heads = [format!("  {name}:"), format!("  {}:", quoted(name)), format!("  '{name}':")];
    let below = lines.iter().enumerate().skip(section + 1).take_while(|(_, line)| inside(line));
    let start = below.clone().find(|(_, line)| heads.iter().any(|head| line.trim_end() == head));
    let (start, _) = start.ok_or_else(by_hand)?;
    let deeper = |line: &str| line.starts_with("   ");
    let length = lines.iter().skip(start + 1).take_while(|line| deeper(line)).count();
    lines.drain(start..=start + length);
    // An empty section would read as nothing at all.
    let left = lines.iter().skip(section + 1).take_while(|line| inside(line));
    if left.filter(|line| !line.trim().is_empty() && !line.trim().starts_with('#')).count() == 0 {
        lines.remove(section);
    }
    Ok(())
}

fn quoted(name: &str) -> String {
    Value::from(name).to_string()
}
