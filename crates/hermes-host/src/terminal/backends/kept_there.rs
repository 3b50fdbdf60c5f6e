//! Who stays with a command on the other side: ends what it leaves running, and ends it where it is to be ended.

use super::withdrawn;
use crate::terminal::quote::quoted_text;

/// The variable that names every process of a command on the other side.
pub(super) const NAME: &str = "HERMES_JOB";

/// The command with somebody who stays with it, and ends with it what it leaves running. `watched`: its standard input
/// stays open for as long as somebody waits for it, and it is ended where nobody does any more.
pub(super) fn kept(mark: &str, watched: bool, argv: Vec<String>) -> Vec<String> {
    let keep = KEEP
        .replace("WATCHED", if watched { "1" } else { "0" })
        .replace("PROCESSES", &processes(mark))
        .replace(" PERL ", &format!(" {} ", bare(PERL)))
        .replace(" PYTHON ", &format!(" {} ", bare(PYTHON)));
    let mut words = ["sh", "-c", &keep, "hermes"].map(str::to_owned).to_vec();
    words.extend(argv);
    words
}

/// A program as one word, without what only people read.
fn bare(program: &str) -> String {
    let lines = program.lines().filter(|line| !line.is_empty() && !line.trim_start().starts_with('#'));
    quoted_text(&lines.collect::<Vec<_>>().join("\n"))
}

/// Where there is neither of the two, a shell does what a shell can: what bears the name, and what that started, is found.
const KEEP: &str = r#"command -v perl >/dev/null && PERL_BADLANG=0 exec perl -e PERL WATCHED "$@"
command -v python3 >/dev/null && exec python3 -I -S -c PYTHON WATCHED "$@"
trap : INT QUIT HUP TERM
"$@"
code=$?
PROCESSES
n=0
while tree; send KILL "$all" "" && [ $n -lt 50 ]; do n=$((n+1)); done
exit $code"#;

/// For a program that can ask the kernel who becomes the parent of what loses its own.
const PERL: &str = include_str!("keeper.pl");
const PYTHON: &str = include_str!("keeper.py");

/// Ends every process that bears the name, also those that went their own way, and what these started and gave another
/// environment. One that has not begun yet never does. Says in the end whether nothing of it is left.
pub(super) fn end(mark: &str) -> String {
    let (leave, remove) = (withdrawn::leave(mark), withdrawn::remove(mark));
    // What was found cannot begin any more.
    format!(
        "{leave}\n{}\n{END}\n[ \"$all\" = ' ' ] || {remove}\n{SEEN} && {{ send 0 \"$all\" '' || echo {DONE}; }}",
        processes(mark)
    )
}

/// The same for whatever shell reads a line there.
pub(super) fn end_line(mark: &str) -> String {
    format!("exec sh -c {}", quoted_text(&end(mark)))
}

/// Whether it is seen what others run, too: of what nobody sees nobody knows that it is gone.
const SEEN: &str = r#"{ IFS= read -r l </proc/1/stat; } 2>/dev/null"#;

/// What the other side says where nothing is left.
const DONE: &str = "hermes-done";

/// Whether it said so.
pub(super) fn is_done(said: Result<String, String>) -> bool {
    said.is_ok_and(|said| said.trim_end().ends_with(DONE))
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
const BEARERS: &str = r#"case $(grep --version 2>/dev/null) in *GNU*) gnu=1;; *) gnu=;; esac
bearers() {
  if [ "$gnu" ]; then grep -lF NAME /proc/[0-9]*/environ 2>/dev/null; return; fi
  for p in /proc/[0-9]*/environ; do (tr '\0' '\n' < "$p" | grep -qxF NAME) 2>/dev/null && echo "$p"; done
}"#;

/// Functions of the shell. `tree` adds to `all` the numbers of the processes that bear the name, and of what these and
/// those that are there already started; once seen they are known, whosever children they become. To read who started whom
/// takes a while where many run, so it is done once. Of these, `tops` are those that were started by others: the shell of
/// the command. `send` sends a signal to the others that live, and fails where none gets it; 0 counts all: who became somebody
/// else lives too.
const TREE: &str = r#"all=" " tops=" "
tree() {
  for p in $(bearers); do p=${p#/proc/}; p=${p%/environ}; case $all in *" $p "*) ;; *) all="$all$p ";; esac; done
  started=
  for s in /proc/[0-9]*/stat; do
    { IFS= read -r l <"$s"; } 2>/dev/null || continue
    p=${s#/proc/}; l=${l##*) }; l=${l#* }
    started="$started ${p%/stat}:${l%% *}"
  done
  grew=1
  while [ $grew = 1 ]; do
    grew=0
    for s in $started; do
      case $all in *" ${s%%:*} "*) ;; *" ${s#*:} "*) all="$all${s%%:*} "; grew=1;; esac
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
    if [ "$1" = 0 ]; then lives=0; else kill "-$1" "$p" 2>/dev/null && lives=0; fi
  done
  return $lives
}"#;

/// They are asked first, and killed a moment later. Meanwhile their shell stands still: it would go on with its next
/// line, and as long as it is there nobody gets away from it. Then it is asked too, so that it can still tell where it
/// stands. Those that are to be killed are stopped first, so that none starts another behind our back.
const END: &str = r#"tree; top
send STOP "$tops" ""
send TERM "$all" "$tops" && { n=0; while sleep 0.05; n=$((n+1)); [ $n -lt 16 ] && send 0 "$all" "$tops"; do :; done; }
n=0
while tree; send STOP "$all" "$tops"; before=$all; tree; [ "$all" != "$before" ] && [ $n -lt 50 ]; do n=$((n+1)); done
n=0
while send KILL "$all" "$tops" && [ $n -lt 100 ]; do n=$((n+1)); sleep 0.05; tree; done
send TERM "$tops" ""; send CONT "$tops" ""
n=0
while send 0 "$tops" "" && [ $n -lt 16 ]; do n=$((n+1)); sleep 0.05; done
n=0
while tree; send KILL "$all" "" && [ $n -lt 100 ]; do n=$((n+1)); sleep 0.05; done"#;

#[cfg(test)]
mod tests {
    use std::fs::{self, File};
    use std::io::Read as _;
    use std::process::{Command, Stdio};

    use super::*;
    use crate::process::open_terminal;
    use crate::terminal::script::new_mark;

    /// A line with somebody who stays with it.
    fn words(line: &str, watched: bool) -> Vec<String> {
        let mark = new_mark();
        let name = format!("{NAME}={mark}");
        let argv = ["/usr/bin/env", &name, "bash", "-c", line].map(str::to_owned).to_vec();
        kept(&mark, watched, argv)
    }

    /// Runs a line with somebody who stays with it; what it printed and its exit code.
    fn run(line: &str, path: &str, watched: bool) -> (String, Option<i32>) {
        let mut child = Command::new("/bin/sh")
            .args(&words(line, watched)[1..])
            .env("PATH", path)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let (mut stdin, mut stdout) = (child.stdin.take(), child.stdout.take().unwrap());
        let mut printed = vec![0; 6];
        stdout.read_exact(&mut printed).unwrap();
        stdin = stdin.filter(|_| !watched);
        stdout.read_to_end(&mut printed).unwrap();
        let code = child.wait().unwrap().code();
        drop(stdin);
        (String::from_utf8(printed).unwrap(), code)
    }

    /// The same on a terminal of its own, which is gone as soon as that was printed; its exit code.
    fn run_on_terminal(line: &str, path: &str, until: &str) -> Option<i32> {
        let (ours, theirs) = open_terminal().unwrap();
        let mut child = Command::new("setsid")
            .arg("--ctty")
            .args(words(line, false))
            .env("PATH", path)
            .stdin(theirs.try_clone().unwrap())
            .stdout(theirs.try_clone().unwrap())
            .stderr(theirs)
            .spawn()
            .unwrap();
        let (mut ours, mut printed) = (File::from(ours), Vec::new());
        while !String::from_utf8_lossy(&printed).contains(until) {
            let mut piece = [0; 64];
            let length = ours.read(&mut piece).unwrap();
            printed.extend(&piece[..length]);
        }
        drop(ours);
        child.wait().unwrap().code()
    }

    fn sleeping(seconds: u32) -> bool {
        let lines = fs::read_dir("/proc").unwrap().flatten().filter_map(|entry| {
            let line = fs::read(entry.path().join("cmdline")).ok()?;
            (line == format!("sleep\0{seconds}\0").into_bytes()).then_some(())
        });
        lines.count() > 0
    }

    /// The programs of this machine but those with one of these in their names.
    fn without(names: &[&str]) -> tempfile::TempDir {
        let folder = tempfile::tempdir().unwrap();
        let programs = fs::read_dir("/usr/bin").unwrap().chain(fs::read_dir("/bin").unwrap()).flatten();
        for program in programs {
            let name = program.file_name();
            if !names.iter().any(|unwanted| name.to_string_lossy().contains(unwanted)) {
                let _ = std::os::unix::fs::symlink(program.path(), folder.path().join(name));
            }
        }
        folder
    }

    #[test]
    fn what_a_command_leaves_running_ends_with_it() {
        let seconds = 92_000_000 + std::process::id();
        let dropped =
            format!("env -i setsid sh -c 'trap \"\" TERM; sleep {seconds}' & sleep 0.2; echo begun");
        for lacking in [&[][..], &["perl"]] {
            let folder = without(lacking);
            let path = folder.path().to_str().unwrap();
            for (line, code) in [
                (format!("sleep {seconds} & echo begun; exit 3"), 3),
                (format!("({dropped})"), 0),
                (format!("({dropped}); kill -KILL $$"), 137),
            ] {
                let ended = run(&line, path, false);
                assert_eq!(ended, ("begun\n".to_owned(), Some(code)), "{lacking:?}: {line}");
                assert!(!sleeping(seconds), "{lacking:?}: {line}");
            }
        }
    }

    #[test]
    fn by_a_shell_alone_what_bears_the_name_ends_too() {
        let folder = without(&["perl", "python"]);
        let seconds = 93_000_000 + std::process::id();
        let line = format!("(setsid sleep {seconds} &); sleep 0.2; echo begun; kill -KILL $$");
        let ended = run(&line, folder.path().to_str().unwrap(), false);
        assert_eq!(ended, ("begun\n".to_owned(), Some(137)));
        assert!(!sleeping(seconds));
    }

    #[test]
    fn a_command_that_nobody_waits_for_any_more_ends() {
        let seconds = 94_000_000 + std::process::id();
        let line = format!("exec </dev/null; trap '' TERM HUP; echo begun; setsid sleep {seconds}");
        for lacking in [&[][..], &["perl"]] {
            let folder = without(lacking);
            let ended = run(&line, folder.path().to_str().unwrap(), true);
            assert_eq!(ended, ("begun\n".to_owned(), Some(137)), "{lacking:?}");
            assert!(!sleeping(seconds), "{lacking:?}");
            // A terminal shows by its own end that nobody waits.
            let ended = run_on_terminal(&line, folder.path().to_str().unwrap(), "begun");
            assert_eq!(ended, Some(137), "{lacking:?}");
            assert!(!sleeping(seconds), "{lacking:?}");
        }
    }

    #[test]
    fn the_signal_of_a_terminal_that_is_still_there_ends_nothing() {
        let seconds = 96_000_000 + std::process::id();
        // Heard by the time it prints.
        let line = format!("trap '' HUP; kill -HUP 0; sleep 0.3; echo still; sleep {seconds}");
        for lacking in [&[][..], &["perl"]] {
            let folder = without(lacking);
            let ended = run_on_terminal(&line, folder.path().to_str().unwrap(), "still");
            assert_eq!(ended, Some(137), "{lacking:?}");
            assert!(!sleeping(seconds), "{lacking:?}");
        }
    }

    /// What ending a sleeper says, by a shell that begins like this.
    fn said(begins: &str, line: impl Fn(&str) -> String) -> (bool, bool) {
        let mark = new_mark();
        let mut child = Command::new("sleep").arg("1000").env(NAME, &mark).spawn().unwrap();
        let said = Command::new("sh").args(["-c", &format!("{begins}\n{}", line(&mark))]).output().unwrap();
        let lives = child.try_wait().unwrap().is_none();
        child.kill().and_then(|()| child.wait()).unwrap();
        (is_done(Ok(String::from_utf8(said.stdout).unwrap())), lives)
    }

    #[test]
    fn nothing_is_said_to_have_ended_that_lives_or_cannot_be_seen() {
        // A shell may read a line by rules of its own; who became somebody else gets no signal.
        assert_eq!((said("", end), said("IFS=", end_line)), ((true, false), (true, false)));
        assert_eq!(said("kill() { return 1; }", end), (false, true));
        assert_eq!(said("", |mark| end(mark).replace("/proc", "/nowhere")), (false, true));
    }
}
