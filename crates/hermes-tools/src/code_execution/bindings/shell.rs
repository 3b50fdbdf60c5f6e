//! The function `hermes_tool` for bash.

/// Put before the script, on one line so that line numbers stay what they are.
const HEAD: &str = concat!(
    "exec {__hermes_peer}<&0 0</dev/null; __hermes_ask=${HERMES_ASK:-$__hermes_peer}; unset HERMES_ASK; ",
    "hermes_tool() { printf '{\"tool\": \"%s\", \"arguments\": %s}\\n' \"$1\" \"${2:-{\\}}\" >&$__hermes_ask; ",
    "local answer; IFS= read -r answer <&$__hermes_peer || return 1; printf '%s\\n' \"$answer\"; ",
    "[[ $answer != '{\"error\"'* ]]; }; "
);

/// The whole script.
pub(in crate::code_execution) fn shell(code: &str) -> String {
    format!("{HEAD}{code}")
}
