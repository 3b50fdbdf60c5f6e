//! How a shell is told to run a command and to say afterwards where it stands.
//!
//! The command is an argument, never pasted into text. When the shell ends, also by `exit` or by a signal that
//! can be caught, it writes a mark that no command can foresee, its folder and its exported variables.

/// For bash and every POSIX shell. `$1` is the mark, `$2` the command. All of it on one line, so that the lines the
/// shell complains about are those of the command.
const SCRIPT: &str = concat!(
    "__hermes_mark=$1 __hermes_line=$2; shift 2; ",
    r#"trap '__hermes_code=$?; trap - EXIT TERM; [ -t 1 ] && stty -opost; "#,
    r#"printf "\n%s\n%s\0" "$__hermes_mark" "$PWD"; export -p; printf "%s\n" "$__hermes_mark"; "#,
    r#"exit $__hermes_code' EXIT; trap 'exit 143' TERM; eval "$__hermes_line""#,
);

/// The program that runs a command, by argument list.
pub(super) fn argv(shell: &str, mark: Option<&str>, line: &str) -> Vec<String> {
    match mark {
        Some(mark) => [shell, "-c", SCRIPT, "hermes", mark, line].map(str::to_owned).to_vec(),
        // Nobody waits for where it stands.
        None => [shell, "-c", line].map(str::to_owned).to_vec(),
    }
}

/// A mark that the command cannot know before it runs.
pub(super) fn new_mark() -> String {
    format!("__hermes_{}__", uuid::Uuid::new_v4().simple())
}

/// Where the shell stood at its end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Stood {
    pub(super) cwd: String,
    pub(super) exports: Vec<(String, String)>,
}

/// Reads what stands between the marks.
pub(super) fn read(state: &[u8]) -> Option<Stood> {
    let end = state.iter().position(|byte| *byte == 0)?;
    let (cwd, rest) = state.split_at(end);
    let cwd = std::str::from_utf8(cwd).ok()?.to_owned();
    let exports = super::exports::read(rest.get(1..)?);
    cwd.starts_with('/').then_some(Stood { cwd, exports })
}
