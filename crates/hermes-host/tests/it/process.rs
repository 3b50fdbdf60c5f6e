//! The process door with real programs: streams, ends, and trees that try to stay.

use std::path::Path;
use std::time::Duration;

use hermes_host::process::{Child, Launch, Stream};
use tokio::io::{AsyncReadExt, AsyncWriteExt};

use super::children;

fn sh(script: &str) -> Launch {
    let path = std::env::var("PATH").unwrap();
    Launch::new(["sh", "-c", script], "/").with_env([("PATH", path.as_str())])
}

async fn output_of(child: &mut Child) -> String {
    let mut text = String::new();
    child.stdout.take().unwrap().read_to_string(&mut text).await.unwrap();
    text
}

/// Whether the process is there and not just waiting to be reaped.
fn runs(pid: &str) -> bool {
    std::fs::read_to_string(Path::new("/proc").join(pid).join("stat"))
        .is_ok_and(|stat| !stat.rsplit(')').next().unwrap().starts_with(" Z"))
}

fn all_gone(pids: &str) {
    while pids.split_whitespace().any(runs) {
        std::thread::sleep(Duration::from_millis(5));
    }
}

#[tokio::test]
async fn streams_carry_bytes_and_the_end_is_told() {
    let mut child = Child::start(&sh("cat; echo oops >&2; exit 7")).await.unwrap();
    let mut stdin = child.stdin.take().unwrap();
    stdin.write_all(b"a\0\xff\n").await.unwrap();
    drop(stdin);
    let (mut out, mut err) = (Vec::new(), Vec::new());
    child.stdout.take().unwrap().read_to_end(&mut out).await.unwrap();
    child.stderr.take().unwrap().read_to_end(&mut err).await.unwrap();
    assert_eq!((out.as_slice(), err.as_slice()), (&b"a\0\xff\n"[..], &b"oops\n"[..]));
    let exit = child.wait().await.unwrap();
    assert_eq!((exit.code, exit.signal, exit.left_behind), (Some(7), None, 0));
    assert_eq!(child.wait().await.unwrap(), exit);
}

#[tokio::test]
async fn nothing_is_inherited() {
    let launch = sh("env | sort; ls /proc/$$/fd; ps -o tty= -p $$ 2>/dev/null || true");
    let mut child = Child::start(&Launch { stdin: Stream::Null, ..launch }).await.unwrap();
    let text = output_of(&mut child).await;
    let names: Vec<&str> = text.lines().filter_map(|line| Some(line.split_once('=')?.0)).collect();
    assert!(names.iter().all(|name| ["PATH", "PWD", "_", "OLDPWD", "SHLVL"].contains(name)), "{text}");
    let descriptors: Vec<&str> = text.lines().filter(|line| line.parse::<u32>().is_ok()).collect();
    assert!(descriptors.iter().all(|name| name.parse::<u32>().unwrap() < 3 || *name == "10"), "{text}");
}

#[tokio::test]
async fn what_cannot_be_started_says_why() {
    let failure = async |launch: Launch| Child::start(&launch).await.unwrap_err();
    assert!(failure(Launch::new(["no-such-program"], "/")).await.contains("not on the PATH"));
    assert!(failure(Launch::new(["/etc/passwd"], "/")).await.contains("ermission denied"));
    assert!(failure(Launch { cwd: "/no/such/folder".into(), ..sh("true") }).await.contains("working folder"));
    assert!(failure(Launch::new(["a\0b"], "/")).await.contains("NUL"));
    assert!(failure(Launch::new(Vec::<String>::new(), "/")).await.contains("empty"));
}

/// Double forks, new sessions, new groups, ignored signals, a parent that dies at once.
const HOSTILE: &str = "trap '' TERM INT HUP; \
    (setsid sh -c 'trap \"\" TERM; echo $$; sleep 1000' &) ; \
    (sh -c 'echo $$; exec setsid sleep 1000' &) ; \
    sh -c 'trap \"\" TERM; echo $$; sleep 1000 & sleep 1000' & \
    echo $$; ";

#[tokio::test]
async fn a_hostile_tree_ends_with_its_child() {
    for ending in ["drop", "stop", "kill", "exit"] {
        let tail = if ending == "exit" { "read go" } else { "sleep 1000" };
        let launch = Launch { stderr: Stream::Merged, ..sh(&format!("{HOSTILE}{tail}")) };
        let mut child = Child::start(&launch).await.unwrap();
        let mut pids = String::new();
        let mut stdout = child.stdout.take().unwrap();
        while pids.lines().count() < 4 {
            let mut chunk = [0; 64];
            let read = stdout.read(&mut chunk).await.unwrap();
            assert_ne!(read, 0, "{ending}: {pids}");
            pids.push_str(std::str::from_utf8(&chunk[..read]).unwrap());
        }
        match ending {
            "drop" => drop(child),
            "stop" => drop(child.stop(Duration::from_millis(50)).await.unwrap()),
            "kill" => assert_eq!(child.kill().await.unwrap().signal, Some(9)),
            _ => {
                child.stdin.take().unwrap().write_all(b"\n").await.unwrap();
                assert!(child.wait().await.unwrap().left_behind >= 3);
            }
        }
        all_gone(&pids);
    }
}

#[tokio::test]
async fn a_program_may_end_by_itself_when_asked() {
    let mut child =
        Child::start(&sh("trap 'echo bye; exit 3' TERM; echo ready; sleep 1000 & wait")).await.unwrap();
    let mut stdout = child.stdout.take().unwrap();
    let mut ready = [0; 6];
    stdout.read_exact(&mut ready).await.unwrap();
    assert_eq!(child.stop(Duration::from_secs(60)).await.unwrap().code, Some(3));
    let mut rest = String::new();
    stdout.read_to_string(&mut rest).await.unwrap();
    assert_eq!(rest, "bye\n");
}

/// Played by another process, see below.
#[test]
fn holds_programs_until_it_is_killed() {
    let Some((_, count)) = children::child_of() else { return };
    let reactor = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    reactor.block_on(async {
        let mut held = Vec::new();
        let mut pids = String::new();
        for _ in 0..count.parse().unwrap() {
            let mut child = Child::start(&sh("setsid sleep 1000 & echo $! $$; sleep 1000")).await.unwrap();
            let mut line = Vec::new();
            let mut stdout = child.stdout.take().unwrap();
            while line.last() != Some(&b'\n') {
                line.push(stdout.read_u8().await.unwrap());
            }
            pids.push_str(std::str::from_utf8(&line).unwrap().trim());
            pids.push(' ');
            held.push((child, stdout));
        }
        println!("@{pids}");
        std::future::pending::<()>().await;
    });
}

#[test]
fn killing_the_runtime_leaves_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let home = hermes_host::home::Home::at(folder.path());
    let mut runtime = children::spawn("process::holds_programs_until_it_is_killed", &home, "20");
    let mut told = std::io::BufReader::new(runtime.stdout.take().unwrap());
    let mut line = String::new();
    while !line.starts_with('@') {
        line.clear();
        assert!(
            std::io::BufRead::read_line(&mut told, &mut line).unwrap() > 0,
            "the runtime ended too early"
        );
        line = line.split_once('@').map_or(String::new(), |(_, pids)| format!("@{pids}"));
    }
    let pids = line.trim_start_matches('@').to_owned();
    assert!(pids.split_whitespace().all(runs), "{pids}");
    runtime.kill().unwrap();
    runtime.wait().unwrap();
    all_gone(&pids);
}
