//! Which names exist, and which of them tools may not touch.

use hermes_core::{Steers, ToolError, steers};

const MAX_LENGTH: usize = 128;

/// Checks the spelling of a variable's name.
pub(in crate::system) fn check_name(name: &str) -> Result<(), ToolError> {
    let letter = |byte: u8| byte.is_ascii_alphabetic() || byte == b'_';
    let valid = name.bytes().next().is_some_and(letter)
        && name.bytes().all(|byte| letter(byte) || byte.is_ascii_digit())
        && name.len() <= MAX_LENGTH;
    if valid {
        return Ok(());
    }
    Err(ToolError::invalid(
        "name must be letters, digits and underscores, not beginning with a digit, at most 128 characters",
    ))
}

/// Refuses names that no tool has a reason to change. A change of the others is judged by the value.
pub(in crate::system) fn check_changeable(name: &str) -> Result<(), ToolError> {
    let why = match steers(name) {
        Some(Steers::Loading) => "decides what every program loads",
        Some(Steers::Hermes) => "decides how Hermes works",
        Some(Steers::Running) | None => return Ok(()),
    };
    Err(ToolError::denied(format!("{name} {why} and cannot be changed here"))
        .with_hint("Set it in front of the one command that needs it, where it is judged with the command."))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_checked() {
        for good in ["A", "_x", "API_KEY_2", &"A".repeat(128)] {
            assert!(check_name(good).is_ok(), "{good}");
        }
        for bad in ["", "1A", "A-B", "A B", "Ä", "A=B", "A\n", &"A".repeat(129)] {
            assert!(check_name(bad).is_err(), "{bad}");
        }
    }
}
