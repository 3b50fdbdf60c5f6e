//! The function `hermes_tool` for bash.

/// Put before the script, on one line so that line numbers stay what they are. Each call takes its turn, also those
/// that run at once, and takes only the answer with its own name.
const HEAD: &str = concat!(
    "exec {__hermes_peer}<&0 0</dev/null; __hermes_ask=${HERMES_ASK/#0/$__hermes_peer}; unset HERMES_ASK; ",
    "__hermes_turn=$0; ",
    "hermes_tool() { local id=$BASHPID.$RANDOM$RANDOM turn answer code=1; exec {turn}<\"$__hermes_turn\"; ",
    "if flock $turn; then printf '\\n{\"id\":\"%s\",\"tool\":\"%s\",\"arguments\":%s}\\n' \"$id\" \"$1\" \"${2:-{\\}}\" ",
    ">&$__hermes_ask; while IFS= read -r answer <&$__hermes_peer; do ",
    "if [[ $answer == '{\"id\":\"'$id'\",'* ]]; then answer={${answer#*,}; printf '%s\\n' \"$answer\"; ",
    "[[ $answer == '{\"error\"'* ]] || code=0; break; fi; done; fi; exec {turn}<&-; return $code; }; "
);

/// The whole script.
pub(in crate::code_execution) fn shell(code: &str) -> String {
    format!("{HEAD}{code}")
}
