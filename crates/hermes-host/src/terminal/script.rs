//! How a shell is told to run a command and to say afterwards where it stands.
//!
//! The command is an argument, never pasted into text. When the shell ends, also by `exit` or by a signal that
//! can be caught, it tells its folder and its exported variables. On this machine it does so by a descriptor of its own:
//! a socket, which nobody can open a second time, and which closes in every program that the shell starts. So no program
//! of a command can put words into the shell's mouth, however much it prints, nor read what the shell says.
//!
//! Where there is no such descriptor, on other machines and for shells other than bash, the shell writes among the
//! output between marks that no command can foresee. The mark comes by standard input, or lies in a file where that is
//! a terminal, which would show it. A program there that looks into the shell's memory, or prints while the shell
//! tells, can speak for it: what it gains are variables of later commands over there, where no walls of ours keep it
//! from changing what those run anyway.

use std::ffi::OsString;
use std::os::unix::ffi::OsStringExt as _;
use std::path::PathBuf;

/// For bash and every POSIX shell. `$1` is empty where the mark is the first line of standard input, a folder where it
/// lies in a file there, or [`OWN`]; `$2` the command. The descriptor of its own is closed for the command, so the shell keeps it as number 10, which
/// closes where a program begins, and has it back at the end. Among the output it tells by a second descriptor where
/// the command may lead its output elsewhere (programs would see one more, so not always), and leaves the number 10 to
/// the command. It tells by builtins, whatever functions are defined. The last that is told holds: before `exec`, which
/// leaves nobody to tell it afterwards, and at the end.
const SCRIPT: &str = r#"__hermes_first=$1 __hermes_line=$2 __hermes_own=command __hermes_out=1 __hermes_by= __hermes_exit=; shift 2;
case $__hermes_first in 3) __hermes_by=3 __hermes_first='\0%s\0' __hermes_last='\0';;
*) case $__hermes_first in /*) IFS= read -r __hermes_last <"$__hermes_first/mark";
command -p rm -rf -- "$__hermes_first" 2>/dev/null; __hermes_first=$__hermes_last;;
'') IFS= read -r __hermes_first; if [ -t 0 ]; then stty echo; else exec </dev/null; fi;; esac;
__hermes_last="$__hermes_first\n" __hermes_first="\n$__hermes_first\n%s\0";; esac;
__hermes_tell() { [ -z "$__hermes_by" ] || { __hermes_out=10; $__hermes_own [ -S /dev/fd/10 ] || __hermes_out=3;
$__hermes_own [ -S /dev/fd/$__hermes_out ] || return 0; };
{ $__hermes_own printf "$__hermes_first" "$PWD"; $__hermes_own export -p;
$__hermes_own printf "$__hermes_last"; } >&$__hermes_out 2>/dev/null; };
__hermes_shown() { [ -z "$__hermes_by" ] && [ -t 1 ]; };
__hermes_code() { return $1; };
__hermes_end() { $__hermes_own trap - EXIT TERM; __hermes_shown && stty -opost; __hermes_tell;
[ -z "$__hermes_exit" ] || { __hermes_code $1; $__hermes_own eval "$__hermes_exit"; __hermes_tell; };
$__hermes_own exit $1; };
if [ -n "${BASH_VERSION-}" ]; then __hermes_own=builtin; eval '
case $__hermes_by/$__hermes_line in /*exec*|/*exit*) exec {__hermes_was}>&1 {__hermes_out}>&1 {__hermes_was}>&-;; esac; trap() {
[ "$1" = -- ] && shift;
if [ $# -lt 2 ] || [ $BASH_SUBSHELL -gt 0 ] || [[ $1 == -?* ]]; then builtin trap "$@"; return; fi;
local action=$1 signal others=(); shift;
for signal; do case $signal in EXIT|exit|0) [ "$action" = - ] && __hermes_exit= || __hermes_exit=$action;;
*) others+=("$signal");; esac; done;
[ ${#others[@]} = 0 ] || builtin trap -- "$action" "${others[@]}"; }';
else case $__hermes_line in *exec*|*exit*) exec 9>&1; __hermes_out=9;; esac;
__hermes_trap() { [ "${1-}" = -- ] && shift;
read -r __hermes_pid __hermes_rest </proc/self/stat || __hermes_pid=$$;
case $#/${1-}/$__hermes_pid in [01]/*|*/-?*/*) command trap "$@"; return;; */$$);; *) command trap "$@"; return;; esac;
__hermes_action=$1; shift;
for __hermes_signal; do case $__hermes_signal in
EXIT|exit|0) [ "$__hermes_action" = - ] && __hermes_exit= || __hermes_exit=$__hermes_action;;
*) command trap "$__hermes_action" "$__hermes_signal";; esac; done; };
case $__hermes_line in *trap*) alias trap=__hermes_trap;; esac;
case $__hermes_line in *exec*) [ -t 1 ] || alias exec='exec $({ set +x; } 2>/dev/null; __hermes_tell)';; esac; fi;
$__hermes_own trap '{ __hermes_was=$?; set +x; } 2>/dev/null; __hermes_end $__hermes_was' EXIT;
$__hermes_own trap 'exit 143' TERM;
case $__hermes_own$__hermes_line in builtin*exec*) __hermes_shown || builtin trap '{ case $-/$BASH_COMMAND in *x*/exec*)
set +x; __hermes_tell; set -x;; */exec*) __hermes_tell;; esac; } 2>/dev/null' DEBUG;; esac;
eval "$__hermes_line" 3>&-;
{ __hermes_was=$?; set +x; } 2>/dev/null; [ $__hermes_own = builtin ] || { __hermes_shown && stty -opost; __hermes_tell; };
$__hermes_own exit $__hermes_was"#;

/// In the place of a mark: the shell has a descriptor of its own to tell by.
pub(super) const OWN: &str = "3";

/// Whether a shell may tell by a descriptor of its own: bash would not let the command have number 10 then.
pub(super) fn tells_by_itself(shell: &str, line: &str) -> bool {
    shell.ends_with("/bash") && !["10>", "10<", "&10"].iter().any(|number| line.contains(number))
}

/// The program that runs a command, by argument list. A shell that tells where it stands finds the mark in this folder
/// or, where this is empty, in its standard input; [`OWN`] where it needs none.
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

/// Reads what was told.
pub(super) fn read(state: &[u8]) -> Option<Stood> {
    let end = state.iter().position(|byte| *byte == 0)?;
    let (cwd, rest) = state.split_at(end);
    let cwd = PathBuf::from(OsString::from_vec(cwd.to_vec()));
    let (exports, unreadable) = super::exports::read(rest.get(1..)?);
    cwd.is_absolute().then_some(Stood { cwd, exports, unreadable })
}

#[cfg(test)]
mod tests {
    use std::io::Write;
    use std::path::Path;
    use std::process::{Command, Stdio};

    use super::*;

    /// What a shell printed, what it told, and its exit code.
    fn run(shell: &[&str], line: &str, folder: &Path) -> (String, Option<Stood>, Option<i32>) {
        let mark = new_mark();
        let words = argv("sh", Some(""), line);
        let (program, applet) = shell.split_first().unwrap();
        let mut child = Command::new(program)
            .args(applet)
            .args(&words[1..])
            .current_dir(folder)
            .env_remove("LASTS")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap_or_else(|error| panic!("{program}: {error}; install it with: cargo xtask setup"));
        child.stdin.take().unwrap().write_all(format!("{mark}\n").as_bytes()).unwrap();
        let output = child.wait_with_output().unwrap();
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        let mut shown = String::new();
        let mut told = None;
        for (number, part) in text.split(&format!("{mark}\n")).enumerate() {
            match number % 2 {
                0 => shown.push_str(part.strip_suffix('\n').unwrap_or(part)),
                _ => told = read(part.as_bytes()),
            }
        }
        (shown, told, output.status.code())
    }

    #[test]
    fn shells_without_the_means_of_bash_tell_where_they_stand_too() {
        for shell in [&["dash"][..], &["busybox", "sh"]] {
            for (line, shown, code) in [
                ("trap 'echo bye $?' EXIT; exit 4", "bye 4", 4),
                ("trap 'echo bye; exit 9' EXIT; true", "bye", 9),
                ("trap 'echo no' EXIT; trap - EXIT; echo yes", "yes", 0),
                ("trap 'exit 7' 0; exit 2", "", 7),
                ("(trap 'echo inner' EXIT; true); echo outer", "inner\nouter", 0),
                ("trap 'echo caught' INT; kill -INT $$; echo on", "caught\non", 0),
                ("exec echo became", "became", 0),
                ("exec >/dev/null; echo unseen", "", 0),
                ("true || exec echo no; false && exec echo no; echo end", "end", 0),
                ("false && exec echo no || exec echo yes", "yes", 0),
                ("if true; then exec sh -c 'exit 5'; fi", "", 5),
                ("{ echo unseen; exit 3; } >/dev/null", "", 3),
            ] {
                let folder = tempfile::tempdir().unwrap();
                let before = format!("mkdir d; cd d; export LASTS=kept; {line}");
                let (printed, told, ended) = run(shell, &before, folder.path());
                assert_eq!((printed.trim_end(), ended), (shown, Some(code)), "{shell:?}: {line}");
                let told = told.unwrap_or_else(|| panic!("{shell:?} told nothing: {line}"));
                assert!(told.cwd.ends_with("d"), "{shell:?}: {line}: {told:?}");
                let lasts = ("LASTS".to_owned(), "kept".to_owned());
                assert!(told.exports.contains(&lasts), "{shell:?}: {line}: {told:?}");
            }
        }
    }
}
