//! What is said to a shell on the other side.

use std::path::Path;

use super::contract::Job;
use crate::env_file::is_name;
use crate::process::{Launch, Stream};
use crate::terminal::quote::quoted_text;
use crate::terminal::script;

/// The program on this machine through which a command runs there; its own two outputs are one.
pub(super) fn client(argv: Vec<String>, env: &[(String, String)], job: &Job<'_>) -> Launch {
    Launch {
        stdin: if job.is_told_by_input() { Stream::Piped } else { Stream::Null },
        stderr: Stream::Merged,
        pty: job.pty,
        ..Launch::new(argv, "/").with_env(env.iter().cloned())
    }
}

/// The variable that names every process of a command on the other side.
const NAME: &str = "HERMES_JOB";

/// The variables of a command, its name among them.
pub(super) fn variables(job: &Job<'_>) -> Vec<(String, String)> {
    let own = (NAME.to_owned(), job.mark.to_owned());
    // A name becomes shell text there.
    let named = job.env.iter().filter(|(name, _)| is_name(name));
    named.map(|(name, value)| (name.clone(), value.clone())).chain([own]).collect()
}

/// Both outputs of a command travel as one, or what it complains about could arrive amid what its shell tells of
/// itself. Whoever feeds it wants its complaints apart from its answer.
fn merging(job: &Job<'_>) -> &'static str {
    if job.fed { "" } else { "exec 2>&1; " }
}

/// Enters the folder and becomes the best shell there is. A folder that is gone is the command's own failure.
const ENTER: &str = r#"case $0 in \~) cd ;; \~/*) cd && cd -- "${0#\~/}" ;; *) cd -- "$0" ;; esac || exit 126
command -v bash >/dev/null && exec bash "$@"
exec sh "$@""#;

/// The command by argument list, for a place that takes one.
pub(super) fn argv(job: &Job<'_>) -> Vec<String> {
    let enter = format!("{}{ENTER}", merging(job));
    let mut argv = vec!["sh".to_owned(), "-c".to_owned(), enter, job.cwd.display().to_string()];
    argv.extend(script::argv("sh", job.mark_given(), job.line).into_iter().skip(1));
    argv
}

/// The command as one line of shell, for a place that takes nothing else.
pub(super) fn line(job: &Job<'_>) -> String {
    let variables: String =
        variables(job).iter().map(|(name, value)| quoted_text(&format!("{name}={value}")) + " ").collect();
    let enter = enter(job.cwd);
    let words: Vec<String> = script::argv("\"$shell\"", job.mark_given(), job.line)
        .iter()
        .enumerate()
        // The host's own start file was read on the way; a second time its additions would be made twice.
        .map(|(index, word)| if index == 0 { format!("{word} $norc") } else { quoted_text(word) })
        .collect();
    let (merging, reaper) = (merging(job), REAPER.replace('\n', " "));
    format!(
        "{merging}shell=$(command -v bash) && norc=--norc || shell=$(command -v sh); {enter} || exit 126; \
         with() {{ if command -v perl >/dev/null; then PERL_BADLANG=0 exec perl -e '{reaper}' \"$@\"; fi; \
         exec env \"$@\"; }}; with {variables}{}",
        words.join(" ")
    )
}

/// For a program that can ask the kernel: whatever in the command loses its parent becomes a child of its shell, and is
/// found with that. Takes its arguments as `env` does, which stands in for it where it is not there. By the names of
/// machines: the number of `prctl`, and then that of `PR_SET_CHILD_SUBREAPER`.
const REAPER: &str = r#"use Config; my ($machine) = split /-/, $Config{archname};
my $prctl = { x86_64 => 157, aarch64 => 167, riscv64 => 167, ppc64le => 171, powerpc64le => 171, s390x => 172 }->{$machine};
syscall($prctl, 36, 1, 0, 0, 0) if $prctl; delete $ENV{PERL_BADLANG};
while (@ARGV && $ARGV[0] =~ /^(\w+)=(.*)\z/s) { $ENV{$1} = $2; shift }
exec { $ARGV[0] } @ARGV; exit 126"#;

fn enter(cwd: &Path) -> String {
    let cwd = cwd.display().to_string();
    match cwd.strip_prefix('~') {
        Some("") => "cd".to_owned(),
        Some(rest) => format!("cd && cd -- {}", quoted_text(rest.trim_start_matches('/'))),
        None => format!("cd -- {}", quoted_text(&cwd)),
    }
}

/// Ends every process that bears the name, also those that went their own way, and what these started and gave another
/// environment. Says nothing. Nobody over there is above them all: what has dropped the name and killed its own shell, or
/// lost it where that could not be made to keep it, is not found.
pub(super) fn end(mark: &str) -> String {
    format!("{}\n{END}", processes(mark))
}

/// Functions of the shell that find the processes that bear the name, and all that belongs to them.
pub(in crate::terminal) fn processes(mark: &str) -> String {
    format!("{}\n{TREE}", bearers(mark))
}

/// A function of the shell: `bearers` lists the environments of the processes that bear the name.
fn bearers(mark: &str) -> String {
    BEARERS.replace("NAME", &quoted_text(&format!("{NAME}={mark}")))
}

/// GNU's grep reads all environments at once. Others see only the first variable of each, so there every process
/// is looked at by itself.
const BEARERS: &str = r#"bearers() {
  if grep --version 2>/dev/null | grep -q GNU; then grep -lF NAME /proc/[0-9]*/environ 2>/dev/null; return; fi
  for p in /proc/[0-9]*/environ; do (tr '\0' '\n' < "$p" | grep -qxF NAME) 2>/dev/null && echo "$p"; done
}"#;

/// Functions of the shell. `tree` adds to `all` the numbers of the processes that bear the name, and of what these and
/// those that are there already started; once seen they are known, whosever children they become. Of these, `tops` are
/// those that were started by others: the shell of the command. `send` sends a signal to the others that live, and
/// fails where none does.
const TREE: &str = r#"all=" " tops=" "
tree() {
  for p in $(bearers); do p=${p#/proc/}; p=${p%/environ}; case $all in *" $p "*) ;; *) all="$all$p ";; esac; done
  grew=1
  while [ $grew = 1 ]; do
    grew=0
    for s in /proc/[0-9]*/stat; do
      { IFS= read -r l <"$s"; } 2>/dev/null || continue
      p=${s#/proc/}; p=${p%/stat}; l=${l##*) }; l=${l#* }
      case $all in *" $p "*) continue;; *" ${l%% *} "*) all="$all$p "; grew=1;; esac
    done
  done
}
top() {
  for p in $all; do
    { IFS= read -r l <"/proc/$p/stat"; } 2>/dev/null || continue
    l=${l##*) }; l=${l#* }
    case $all in *" ${l%% *} "*) ;; *) tops="$tops$p ";; esac
  done
}
send() {
  lives=1
  for p in $2; do
    case $3 in *" $p "*) continue;; esac
    { IFS= read -r l <"/proc/$p/stat"; } 2>/dev/null || continue
    case ${l##*) } in [ZX]*) continue;; esac
    kill "-$1" "$p" 2>/dev/null && lives=0
  done
  return $lives
}"#;

/// They are asked first, and killed a moment later. Meanwhile their shell stands still: it would go on with its next
/// line, and as long as it is there nobody gets away from it. Then it is asked too, so that it can still tell where it
/// stands. Those that are to be killed are stopped first, so that none starts another behind our back.
const END: &str = r#"tree; top
send STOP "$tops" ""
send TERM "$all" "$tops" && { n=0; while sleep 0.2; n=$((n+1)); [ $n -lt 4 ] && send 0 "$all" "$tops"; do :; done; }
n=0
while tree; send STOP "$all" "$tops"; before=$all; tree; [ "$all" != "$before" ] && [ $n -lt 50 ]; do n=$((n+1)); done
n=0
while send KILL "$all" "$tops" && [ $n -lt 50 ]; do n=$((n+1)); sleep 0.1; tree; done
send TERM "$tops" ""; send CONT "$tops" ""
n=0
while send 0 "$tops" "" && [ $n -lt 4 ]; do n=$((n+1)); sleep 0.2; done
n=0
while tree; send KILL "$all" "" && [ $n -lt 50 ]; do n=$((n+1)); sleep 0.1; done"#;
