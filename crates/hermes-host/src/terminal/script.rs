//! How a shell is told to run a command and to say afterwards where it stands.
//!
//! The command is an argument, never pasted into text. When the shell ends, also by `exit` or by a signal that
//! can be caught, it writes a mark that no command can foresee, its folder and its exported variables. The mark comes by
//! standard input, so that no program that the command starts can read it off the shell and tell something else.

use std::ffi::OsString;
use std::os::unix::ffi::OsStringExt as _;
use std::path::PathBuf;

/// For bash and every POSIX shell. `$1` is the mark, or empty where it is the first line of standard input; `$2` the
/// command. What the shell tells goes to a descriptor of its own where the command may lead its output elsewhere (programs would
/// see one more, so not always), and by builtins, whatever functions it defines. The last that is told holds: before `exec`, which leaves nobody to tell
/// it afterwards, and at the end.
const SCRIPT: &str = r#"__hermes_mark=$1 __hermes_line=$2 __hermes_own=command __hermes_out=1 __hermes_exit=; shift 2;
[ -n "$__hermes_mark" ] || { IFS= read -r __hermes_mark; exec </dev/null; };
__hermes_tell() { { $__hermes_own printf "\n%s\n%s\0" "$__hermes_mark" "$PWD"; $__hermes_own export -p;
$__hermes_own printf "%s\n" "$__hermes_mark"; } >&$__hermes_out 2>/dev/null; };
__hermes_code() { return $1; };
__hermes_end() { $__hermes_own trap - EXIT TERM; [ -t 1 ] && stty -opost; __hermes_tell;
[ -z "$__hermes_exit" ] || { __hermes_code $1; $__hermes_own eval "$__hermes_exit"; __hermes_tell; };
$__hermes_own exit $1; };
if [ -n "${BASH_VERSION-}" ]; then __hermes_own=builtin; eval '
case $__hermes_line in *exec*|*exit*) exec {__hermes_out}>&1;; esac; trap() {
[ "$1" = -- ] && shift;
if [ $# -lt 2 ] || [ $BASH_SUBSHELL -gt 0 ] || [[ $1 == -?* ]]; then builtin trap "$@"; return; fi;
local action=$1 signal others=(); shift;
for signal; do case $signal in EXIT|exit|0) [ "$action" = - ] && __hermes_exit= || __hermes_exit=$action;;
*) others+=("$signal");; esac; done;
[ ${#others[@]} = 0 ] || builtin trap -- "$action" "${others[@]}"; }';
else case $__hermes_line in *exec*|*exit*) exec 9>&1; __hermes_out=9;; esac; fi;
$__hermes_own trap '{ __hermes_was=$?; set +x; } 2>/dev/null; __hermes_end $__hermes_was' EXIT;
$__hermes_own trap 'exit 143' TERM;
case $__hermes_own$__hermes_line in builtin*exec*) [ -t 1 ] || builtin trap '{ case $-/$BASH_COMMAND in *x*/exec*)
set +x; __hermes_tell; set -x;; */exec*) __hermes_tell;; esac; } 2>/dev/null' DEBUG;; esac;
eval "$__hermes_line";
{ __hermes_was=$?; set +x; } 2>/dev/null; [ $__hermes_own = builtin ] || { [ -t 1 ] && stty -opost; __hermes_tell; };
$__hermes_own exit $__hermes_was"#;

/// The program that runs a command, by argument list. A shell that tells where it stands is given the mark here or,
/// where this is empty, by its standard input.
pub(super) fn argv(shell: &str, mark: Option<&str>, line: &str) -> Vec<String> {
    match mark {
        Some(mark) => {
            // In one line: what a shell complains about has the line of the command, not of the script.
            let script = SCRIPT.replace('\n', " ");
            [shell, "-c", &script, "hermes", mark, line].map(str::to_owned).to_vec()
        }
        // Nobody waits for where it stands.
        None => [shell, "-c", line, "hermes"].map(str::to_owned).to_vec(),
    }
}

/// A mark that the command cannot know before it runs.
pub(super) fn new_mark() -> String {
    format!("__hermes_{}__", uuid::Uuid::new_v4().simple())
}

/// Where the shell stood at its end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Stood {
    pub(super) cwd: PathBuf,
    pub(super) exports: Vec<(String, String)>,
    /// Variables whose values are no text, which nothing here can carry.
    pub(super) unreadable: Vec<String>,
}

/// Reads what stands between the marks.
pub(super) fn read(state: &[u8]) -> Option<Stood> {
    let end = state.iter().position(|byte| *byte == 0)?;
    let (cwd, rest) = state.split_at(end);
    let cwd = PathBuf::from(OsString::from_vec(cwd.to_vec()));
    let (exports, unreadable) = super::exports::read(rest.get(1..)?);
    cwd.is_absolute().then_some(Stood { cwd, exports, unreadable })
}
