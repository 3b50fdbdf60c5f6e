//! Which names exist, and which of them tools may not touch.

use hermes_core::ToolError;

const MAX_LENGTH: usize = 128;

/// Variables that decide which code other programs load or run. A change in them would reach every later
/// command without being judged with it.
const STEERING: &[&str] = &[
    "BASHOPTS",
    "BASH_ENV",
    "ENV",
    "GCONV_PATH",
    "GIT_EDITOR",
    "GIT_EXEC_PATH",
    "GIT_EXTERNAL_DIFF",
    "GIT_PAGER",
    "GIT_PROXY_COMMAND",
    "GIT_SEQUENCE_EDITOR",
    "GIT_SSH",
    "GIT_SSH_COMMAND",
    "GLIBC_TUNABLES",
    "IFS",
    "JAVA_TOOL_OPTIONS",
    "LESSOPEN",
    "NODE_OPTIONS",
    "PATH",
    "PERL5LIB",
    "PERL5OPT",
    "PROMPT_COMMAND",
    "PYTHONHOME",
    "PYTHONSTARTUP",
    "RUBYOPT",
    "SHELLOPTS",
    "_JAVA_OPTIONS",
];
const STEERING_PREFIXES: &[&str] = &["BASH_FUNC_", "DYLD_", "GIT_CONFIG", "HERMES_", "LD_"];

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

/// Refuses names that tools may not change.
pub(in crate::system) fn check_changeable(name: &str) -> Result<(), ToolError> {
    let upper = name.to_ascii_uppercase();
    let steering = STEERING.contains(&upper.as_str())
        || STEERING_PREFIXES.iter().any(|prefix| upper.starts_with(prefix));
    if !steering {
        return Ok(());
    }
    Err(ToolError::denied(format!("{name} steers which programs run and cannot be changed here"))
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

    #[test]
    fn steering_names_are_refused_whatever_their_case() {
        for refused in ["PATH", "path", "LD_PRELOAD", "HERMES_HOME", "BASH_ENV", "GIT_CONFIG_COUNT"] {
            assert!(check_changeable(refused).is_err(), "{refused}");
        }
        for fine in ["MY_PATH", "PYTHONPATH", "EDITOR", "LDFLAGS", "GITHUB_TOKEN", "DATABASE_URL"] {
            assert!(check_changeable(fine).is_ok(), "{fine}");
        }
    }
}
