//! Who stays with a command on the other side, and ends what it leaves running.

use super::ended_there::processes;
use crate::terminal::quote::quoted_text;

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

/// Where there is neither of the two, a shell does what a shell can: what bears the name, and what that started, is found,
/// and what is not by then is looked for after the command's own end. Perl's own settings could have it take bytes for text
/// or load what is not there.
const KEEP: &str = r#"command -v perl >/dev/null && HERMES_PERL5OPT=${PERL5OPT+=$PERL5OPT} PERL5OPT= PERL_BADLANG=0 exec perl -C0 -e PERL WATCHED "$@"
command -v python3 >/dev/null && exec python3 -I -S -c PYTHON WATCHED "$@"
trap : INT QUIT HUP TERM
"$@"
code=$?
PROCESSES
sweep 40 "" || { (sweep 10000 "") </dev/null >/dev/null 2>&1 & }
exit $code"#;

/// For a program that can ask the kernel who becomes the parent of what loses its own.
const PERL: &str = include_str!("keeper.pl");
const PYTHON: &str = include_str!("keeper.py");

#[cfg(test)]
mod tests {
    use std::fs::{self, File};
    use std::io::Read as _;
    use std::process::{Command, Stdio};
    use std::time::{Duration, Instant};

    use super::super::ended_there::NAME;
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

    /// What takes no longer than this did not wait, on a machine that has much to do too.
    const SOON: Duration = Duration::from_secs(60);

    /// Whether something comes true.
    fn soon(is_so: impl Fn() -> bool) -> bool {
        let begun = Instant::now();
        while begun.elapsed() < SOON {
            if is_so() {
                return true;
            }
            std::thread::sleep(Duration::from_millis(100));
        }
        false
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

    /// What cannot be killed stays, and nobody waits for it: its output is not the command's any more. Who stays goes on
    /// looking.
    #[test]
    fn what_outlives_its_command_holds_no_output_open() {
        let seconds = 98_000_000 + std::process::id();
        for lacking in [&[][..], &["perl"]] {
            let folder = without(lacking);
            let line = format!("echo begun; head -c 300000 /dev/zero; (setsid sleep {seconds} &); exit 3");
            let mut words = words(&line, false);
            // Both signals of its last round come to nothing.
            words[2] = words[2].replace("KILL\", $_", "CONT\", $_").replace("SIGKILL, left", "SIGCONT, left");
            let begun = Instant::now();
            let output = Command::new("/bin/sh")
                .args(&words[1..])
                .env("PATH", folder.path())
                .stdin(Stdio::null())
                .output()
                .unwrap();
            let took = begun.elapsed();
            assert_eq!((output.status.code(), output.stdout.len()), (Some(3), 300_006), "{lacking:?}");
            assert!(took < SOON && sleeping(seconds), "{lacking:?}: {took:?}");
            // Its keeper is there as long as this is, and goes with it.
            let keepers = || {
                let name = words.iter().find(|word| word.starts_with(NAME)).unwrap();
                Command::new("pgrep").args(["-f", name]).output().unwrap().status.success()
            };
            assert!(keepers(), "{lacking:?}");
            let sleeper = Command::new("pkill").args(["-KILL", "-f", &format!("^sleep {seconds}")]).status();
            assert!(sleeper.unwrap().success());
            assert!(soon(|| !keepers()), "{lacking:?}");
        }
    }

    /// Each forks and ends, faster than anybody can look through all processes.
    #[test]
    fn what_forks_away_all_the_time_ends_with_its_command() {
        let seconds = 99_000_000 + std::process::id();
        for lacking in [&[][..], &["perl"]] {
            let folder = without(lacking);
            let hopper = format!(
                "use POSIX; my $until = time() + 4; setsid; while (time() < $until) {{ fork and exit }} exec qw(sleep {seconds})"
            );
            // The program that is lacking to others is not to this one.
            let perl = fs::canonicalize("/usr/bin/perl").unwrap();
            let line = format!(
                "for n in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do ({} -e '{hopper}' &); done; sleep 0.5; echo begun; exit 3",
                perl.display()
            );
            let ended = run(&line, folder.path().to_str().unwrap(), false);
            assert_eq!(ended, ("begun\n".to_owned(), Some(3)), "{lacking:?}");
            // By then none of them forks any more, but sleeps where it was not ended.
            std::thread::sleep(Duration::from_secs(5));
            assert!(soon(|| !sleeping(seconds)), "{lacking:?}");
        }
    }

    #[test]
    fn what_perl_is_set_to_there_changes_nothing() {
        for (name, value) in [
            ("PERL_UNICODE", "SDA"),
            ("PERL5OPT", "-CSDA"),
            ("PERL5OPT", "-Mopen=:std,:utf8"),
            ("PERL5OPT", "-Mthere::is::none"),
            ("PERL5OPT", ""),
            ("PERLIO", ":utf8"),
        ] {
            let line = "printf '\\303\\266\\377 '; echo \"${PERL5OPT-none} ${HERMES_PERL5OPT-none}\"; \
                        head -c 300000 /dev/zero | tr '\\0' '\\377'; printf '\\377' >&2; exit 3";
            let output = Command::new("/bin/sh")
                .args(&words(line, false)[1..])
                .env_remove("PERL5OPT")
                .env(name, value)
                .stdin(Stdio::null())
                .output()
                .unwrap();
            let options = if name == "PERL5OPT" { value } else { "none" };
            let mut printed = [b"\xc3\xb6\xff ", options.as_bytes(), b" none\n"].concat();
            printed.extend([0xff; 300_000]);
            assert_eq!(output.stderr, b"\xff", "{name}={value}");
            assert!(output.stdout == printed, "{name}={value}: {} bytes", output.stdout.len());
            assert_eq!(output.status.code(), Some(3), "{name}={value}");
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
    fn who_killed_its_keeper_is_not_waited_for() {
        let seconds = 97_000_000 + std::process::id();
        let line = format!("echo begun; kill -KILL $PPID; exec sleep {seconds}");
        for lacking in [&[][..], &["perl"]] {
            let folder = without(lacking);
            let ended = run(&line, folder.path().to_str().unwrap(), true);
            assert_eq!(ended, ("begun\n".to_owned(), Some(137)), "{lacking:?}");
            // Its standard input has ended with that.
            assert!(soon(|| !sleeping(seconds)), "{lacking:?}");
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
}
