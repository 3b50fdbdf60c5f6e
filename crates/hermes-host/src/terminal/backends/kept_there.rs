//! Who stays with a command on the other side: ends what it leaves running, and ends it where it is to be ended.

use crate::terminal::quote::quoted_text;

/// The variable that names every process of a command on the other side.
pub(super) const NAME: &str = "HERMES_JOB";

/// The command with somebody who stays with it, and ends with it what it leaves running. `watched`: its standard input
/// stays open for as long as somebody waits for it, and it is ended where nobody does any more.
pub(super) fn kept(mark: &str, watched: bool, argv: Vec<String>) -> Vec<String> {
    let keep = KEEP
        .replace("KEEPER", &quoted_text(&KEEPER.replace('\n', " ")))
        .replace("WATCHED", if watched { "1" } else { "0" })
        .replace("PROCESSES", &processes(mark));
    let mut words = ["sh", "-c", &keep, "hermes"].map(str::to_owned).to_vec();
    words.extend(argv);
    words
}

/// Where there is no perl, a shell does what a shell can: what bears the name, and what that started, is found.
const KEEP: &str = r#"command -v perl >/dev/null && PERL_BADLANG=0 exec perl -e KEEPER WATCHED "$@"
trap : INT QUIT HUP TERM
"$@"
code=$?
PROCESSES
n=0
while tree; send KILL "$all" "" && [ $n -lt 50 ]; do n=$((n+1)); done
exit $code"#;

/// Asks the kernel that whatever in the command loses its parent becomes a child of the command's shell and, where that
/// is gone, of this one. What is still there when the shell has ended is stopped, so that it starts nothing more, and
/// killed; what cannot be killed is left. By the names of machines: the number of `prctl`; 36 is
/// `PR_SET_CHILD_SUBREAPER`, 0x541b `FIONREAD`: standard input that can be read and holds nothing has ended.
const KEEPER: &str = r#"use Config; my ($machine) = split /-/, $Config{archname}; my $watched = shift;
my $prctl = { x86_64 => 157, aarch64 => 167, riscv64 => 167, ppc64le => 171, powerpc64le => 171, s390x => 172 }->{$machine};
sub adopt { syscall($prctl, 36, 1, 0, 0, 0) if $prctl }
sub below { my %of; local $/; opendir(my $proc, "/proc") or return;
for my $pid (grep { /^\d+$/ } readdir $proc) { open(my $stat, "<", "/proc/$pid/stat") or next;
my $line = <$stat>; push @{$of{$2}}, $pid if defined $line && $line =~ /.*\) (\S) (\d+)/s && $1 !~ /[ZX]/; }
my @all; my @next = ($$); while (@next) { push @all, @{$of{$next[0]} || []}; push @next, @{$of{shift @next} || []}; } return @all; }
delete $ENV{PERL_BADLANG}; adopt();
my $shell = fork; exit 126 unless defined $shell;
if (!$shell) { adopt(); exec { $ARGV[0] } @ARGV; exit 126 }
$SIG{$_} = "IGNORE" for qw(INT QUIT HUP TERM TSTP TTIN TTOU PIPE);
my $watcher = $watched ? fork : undef; if (defined $watcher && !$watcher) { while (1) {
my $in = ""; vec($in, 0, 1) = 1; select($in, undef, undef, undef);
my $there = pack("i", 0); ioctl(STDIN, 0x541b, $there) or exit; last unless unpack("i", $there);
select(undef, undef, undef, 0.1); } kill("KILL", $shell); exit }
my $code = waitpid($shell, 0) == $shell ? ($? & 127 ? 128 + ($? & 127) : $? >> 8) : 126;
if ($watcher) { kill("KILL", $watcher); waitpid($watcher, 0) }
for my $round (1 .. 200) { 1 while waitpid(-1, 1) > 0; my @left = below() or last;
kill("STOP", @left); kill("KILL", below()) or last; select(undef, undef, undef, 0.005); }
exit $code"#;

/// Ends every process that bears the name, also those that went their own way, and what these started and gave another
/// environment. Says nothing.
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

#[cfg(test)]
mod tests {
    use std::fs;
    use std::io::Read as _;
    use std::process::{Command, Stdio};

    use super::*;
    use crate::terminal::script::new_mark;

    /// Runs a line with somebody who stays with it; what it printed and its exit code.
    fn run(line: &str, path: &str, watched: bool) -> (String, Option<i32>) {
        let mark = new_mark();
        let name = format!("{NAME}={mark}");
        let argv = ["/usr/bin/env", &name, "bash", "-c", line].map(str::to_owned).to_vec();
        let words = kept(&mark, watched, argv);
        let mut child = Command::new("/bin/sh")
            .args(&words[1..])
            .env("PATH", path)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let (mut stdin, mut stdout) = (child.stdin.take(), child.stdout.take().unwrap());
        let mut printed = vec![0; 6];
        stdout.read_exact(&mut printed).unwrap();
        if watched {
            stdin = None;
        }
        stdout.read_to_end(&mut printed).unwrap();
        let code = child.wait().unwrap().code();
        drop(stdin);
        (String::from_utf8(printed).unwrap(), code)
    }

    fn sleeping(seconds: u32) -> bool {
        let lines = fs::read_dir("/proc").unwrap().flatten().filter_map(|entry| {
            let line = fs::read(entry.path().join("cmdline")).ok()?;
            (line == format!("sleep\0{seconds}\0").into_bytes()).then_some(())
        });
        lines.count() > 0
    }

    const PATH: &str = "/usr/local/bin:/usr/bin:/bin";

    #[test]
    fn what_a_command_leaves_running_ends_with_it() {
        let seconds = 92_000_000 + std::process::id();
        let dropped =
            format!("env -i setsid sh -c 'trap \"\" TERM; sleep {seconds}' & sleep 0.2; echo begun");
        for (line, code) in [
            (format!("sleep {seconds} & echo begun; exit 3"), 3),
            (format!("({dropped})"), 0),
            (format!("({dropped}); kill -KILL $$"), 137),
        ] {
            assert_eq!(run(&line, PATH, false), ("begun\n".to_owned(), Some(code)), "{line}");
            assert!(!sleeping(seconds), "{line}");
        }
    }

    #[test]
    fn without_perl_what_bears_the_name_ends_too() {
        let folder = tempfile::tempdir().unwrap();
        let programs = fs::read_dir("/usr/bin").unwrap().chain(fs::read_dir("/bin").unwrap()).flatten();
        for program in programs.filter(|program| !program.file_name().to_string_lossy().contains("perl")) {
            let _ = std::os::unix::fs::symlink(program.path(), folder.path().join(program.file_name()));
        }
        let seconds = 93_000_000 + std::process::id();
        let line = format!("(setsid sleep {seconds} &); sleep 0.2; echo begun; kill -KILL $$");
        let path = folder.path().to_str().unwrap();
        assert_eq!(run(&line, path, false), ("begun\n".to_owned(), Some(137)));
        assert!(!sleeping(seconds));
    }

    #[test]
    fn a_command_that_nobody_waits_for_any_more_ends() {
        let seconds = 94_000_000 + std::process::id();
        let line = format!("exec </dev/null; trap '' TERM HUP; echo begun; setsid sleep {seconds}");
        assert_eq!(run(&line, PATH, true), ("begun\n".to_owned(), Some(137)));
        assert!(!sleeping(seconds));
    }
}
