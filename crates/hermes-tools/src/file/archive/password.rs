//! The password of an archive: named by its variable, and shown to nobody.

use hermes_core::{ErrorCode, ToolError};
use hermes_host::Keys;

/// A password and the variable it came from. It cannot be printed.
pub(crate) struct Password {
    variable: String,
    value: String,
}

impl Password {
    pub(crate) fn look_up(keys: &Keys, variable: &str) -> Result<Self, ToolError> {
        match keys.get(variable) {
            Some(value) => Ok(Password { variable: variable.to_owned(), value }),
            None => Err(ToolError::new(
                ErrorCode::Auth,
                format!("the variable '{variable}', named by password_env, is not set"),
            )
            .with_hint("Pass the name of a variable that holds the password, never the password itself.")),
        }
    }

    pub(crate) fn text(&self) -> &str {
        &self.value
    }
}

/// The answer where an archive is locked: nothing was tried, or what was tried does not fit.
pub(crate) fn locked(tried: Option<&Password>) -> ToolError {
    match tried {
        None => ToolError::new(ErrorCode::Auth, "the archive is encrypted; nothing was unpacked")
            .with_hint("Pass password_env with the name of the variable that holds its password."),
        Some(password) => ToolError::new(
            ErrorCode::Auth,
            format!(
                "the password in '{}' does not open the archive, or the archive is damaged; nothing was unpacked",
                password.variable
            ),
        ),
    }
}
