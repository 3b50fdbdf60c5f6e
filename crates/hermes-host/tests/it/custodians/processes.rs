//! Programs for custodians, and a look at who is there.

use std::fs;
use std::time::Duration;

use hermes_host::process::{Child, Launch};
use rustix::process::{Pid, Signal, kill_process};
use tokio::io::AsyncReadExt;

pub(super) fn sh(script: &str) -> Launch {
    let path = std::env::var("PATH").unwrap();
    Launch::new(["sh", "-c", script], "/").with_env([("PATH", path.as_str())])
}

/// What the program prints until it has ended.
pub(super) async fn run(launch: &Launch) -> String {
    let mut child = Child::start(launch).await.unwrap();
    let mut output = Vec::new();
    // A terminal whose program has ended says so by an error.
    let _ = child.stdout.take().unwrap().read_to_end(&mut output).await;
    child.wait().await.unwrap();
    String::from_utf8(output).unwrap().trim_end().replace('\r', "")
}

/// A custodian tells by the programs it keeps that it is their parent.
pub(super) async fn custodian_of_one() -> String {
    run(&sh("echo $PPID")).await
}

/// The parent of a process that is there.
pub(super) fn parent(pid: &str) -> Option<String> {
    let stat = fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    let mut words = stat.rsplit(')').next()?.split_whitespace();
    // One that has ended and waits to be reaped is not there.
    words.next().filter(|state| *state != "Z")?;
    words.next().map(str::to_owned)
}

pub(super) fn children(of: &str) -> Vec<String> {
    let all = fs::read_dir("/proc").unwrap().flatten().map(|entry| entry.file_name().into_string().unwrap());
    all.filter(|pid| parent(pid).as_deref() == Some(of)).collect()
}

pub(super) fn kill(pid: &str) {
    signal(pid, Signal::KILL);
}

pub(super) fn signal(pid: &str, signal: Signal) {
    kill_process(Pid::from_raw(pid.parse().unwrap()).unwrap(), signal).unwrap();
}

/// How many processes have this command line.
pub(super) fn there(line: &str) -> usize {
    let all = fs::read_dir("/proc").unwrap().flatten();
    all.filter(|one| fs::read(one.path().join("cmdline")).unwrap_or_default() == line.as_bytes()).count()
}

pub(super) async fn until(is_so: impl Fn() -> bool) {
    while !is_so() {
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
}
