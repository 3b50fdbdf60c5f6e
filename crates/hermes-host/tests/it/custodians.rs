//! Those who keep programs: used again where nothing can be left of what they kept, and replaced when they are killed.

use std::collections::BTreeSet;
use std::fs;
use std::time::Duration;

use hermes_host::process::{Child, Confinement, Lasting, Launch, Limits};
use rustix::process::{Pid, Signal, kill_process};
use tokio::io::AsyncReadExt;

fn sh(script: &str) -> Launch {
    let path = std::env::var("PATH").unwrap();
    Launch::new(["sh", "-c", script], "/").with_env([("PATH", path.as_str())])
}

/// What the program prints until it has ended.
async fn run(launch: &Launch) -> String {
    let mut child = Child::start(launch).await.unwrap();
    let mut output = Vec::new();
    // A terminal whose program has ended says so by an error.
    let _ = child.stdout.take().unwrap().read_to_end(&mut output).await;
    child.wait().await.unwrap();
    String::from_utf8(output).unwrap().trim_end().replace('\r', "")
}

/// A custodian tells by the programs it keeps that it is their parent.
async fn custodian_of_one() -> String {
    run(&sh("echo $PPID")).await
}

/// The parent of a process that is there.
fn parent(pid: &str) -> Option<String> {
    let stat = fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    let mut words = stat.rsplit(')').next()?.split_whitespace();
    // One that has ended and waits to be reaped is not there.
    words.next().filter(|state| *state != "Z")?;
    words.next().map(str::to_owned)
}

fn children(of: &str) -> Vec<String> {
    let all = fs::read_dir("/proc").unwrap().flatten().map(|entry| entry.file_name().into_string().unwrap());
    all.filter(|pid| parent(pid).as_deref() == Some(of)).collect()
}

fn kill(pid: &str) {
    signal(pid, Signal::KILL);
}

fn signal(pid: &str, signal: Signal) {
    kill_process(Pid::from_raw(pid.parse().unwrap()).unwrap(), signal).unwrap();
}

/// How many processes have this command line.
fn there(line: &str) -> usize {
    let all = fs::read_dir("/proc").unwrap().flatten();
    all.filter(|one| fs::read(one.path().join("cmdline")).unwrap_or_default() == line.as_bytes()).count()
}

async fn until(is_so: impl Fn() -> bool) {
    while !is_so() {
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
}

#[tokio::test]
async fn a_custodian_keeps_one_program_after_another() {
    let mut all = BTreeSet::new();
    for _ in 0..40 {
        all.insert(custodian_of_one().await);
    }
    assert!(all.len() <= 8, "{all:?}");
}

#[tokio::test]
async fn one_that_bounds_a_tree_keeps_one_program_only() {
    let bounded =
        Launch { limits: Limits { memory_bytes: Some(1 << 30), ..Limits::default() }, ..sh("echo $PPID") };
    let mut all = BTreeSet::new();
    for _ in 0..5 {
        all.insert(run(&bounded).await);
    }
    assert_eq!(all.len(), 5, "{all:?}");
}

#[tokio::test]
async fn of_what_a_program_left_the_next_finds_nothing() {
    let leaves = "exec 7>/dev/null; ulimit -n 20; umask 0; cd /tmp; trap '' TERM; (setsid sleep 1000 &) ; sleep 1000 & echo $PPID";
    // By the descriptors, the bound, the mask and the folder of the next, and by who else is there.
    let looks = "echo /proc/self/fd/*; ulimit -n; umask; pwd; grep -l \"^PPid:.$PPID\" /proc/[0-9]*/status | wc -l; echo $PPID";
    let fresh = run(&sh(looks)).await;
    let (fresh, _) = fresh.rsplit_once('\n').unwrap();
    let round = async |pty| {
        let left = run(&Launch { pty, ..sh(leaves) }).await;
        tokio::time::sleep(Duration::from_millis(50)).await;
        // So many at once that all in reserve are needed, and this one too.
        let many =
            (0..8).map(|_| tokio::spawn(async move { run(&sh(&format!("sleep 0.1; {looks}"))).await }));
        let mut is_used_again = false;
        for one in many.collect::<Vec<_>>() {
            let found = one.await.unwrap();
            let (found, custodian) = found.rsplit_once('\n').unwrap();
            assert_eq!(found, fresh);
            is_used_again |= custodian == left;
        }
        is_used_again
    };
    for pty in [false, true] {
        let mut times = 0;
        // On a machine with much to do, one may come back too late.
        for _ in 0..20 {
            times += u32::from(round(pty).await);
            if times == 2 {
                break;
            }
        }
        assert_eq!(times, 2, "{pty}");
    }
}

#[tokio::test]
async fn what_a_program_does_to_its_custodian_is_not_passed_on() {
    let looks = "ulimit -a; nice; taskset -p $$ | cut -d: -f2; cat /proc/self/oom_score_adj /proc/self/coredump_filter /proc/self/timerslack_ns; chrt -p $$ | cut -d: -f2; ionice -p $$";
    let fresh = run(&sh(looks)).await;
    for change in [
        "renice -n 7 $PPID",
        "taskset -cp 0 $PPID",
        "prlimit --pid $PPID --nofile=33 --fsize=1000000",
        "prlimit --pid $PPID --nofile=3:3",
        "ionice -c3 -p $PPID",
        "chrt -b -p 0 $PPID",
        "echo 500 | tee /proc/$PPID/oom_score_adj",
        "echo 127 | tee /proc/$PPID/coredump_filter",
        "echo 7777777 | tee /proc/$PPID/timerslack_ns",
        // Those that wait for their turn, too.
        "for one in $(pgrep -P $(ps -o ppid= $PPID)); do prlimit --pid $one --fsize=0:0; done",
    ] {
        assert_eq!(run(&sh(&format!("{change} >/dev/null && echo done"))).await, "done", "{change}");
        for _ in 0..12 {
            let found = tokio::time::timeout(Duration::from_secs(20), run(&sh(looks))).await;
            assert_eq!(found.as_deref(), Ok(fresh.as_str()), "{change}");
        }
    }
}

/// Without walls a program may do anything to those who keep it, and they may end of it. Nobody waits for them, and what
/// they kept ends with them.
#[tokio::test]
async fn a_killed_custodian_leaves_nothing_of_its_tree() {
    for _ in 0..10 {
        let mut child = Child::start(&sh(
            "(setsid sleep 987 &); setsid sleep 987 & sleep 0.05; kill -9 $PPID; sleep 987",
        ))
        .await
        .unwrap();
        assert!(child.wait().await.unwrap_err().contains("was killed"));
        assert_eq!(run(&sh("echo on")).await, "on");
        let left = || there("sleep\0987\0");
        let gone = tokio::time::timeout(Duration::from_secs(10), until(|| left() == 0)).await;
        assert!(gone.is_ok(), "{} processes are left", left());
    }
}

#[tokio::test]
async fn who_is_to_start_the_next_program_is_stopped_in_vain() {
    let custodian = custodian_of_one().await;
    let keeper = parent(&custodian).unwrap();
    for what in [&keeper, &custodian] {
        signal(what, Signal::STOP);
        let on = tokio::time::timeout(Duration::from_secs(20), async {
            (run(&sh("echo on")).await, run(&sh("echo on")).await)
        });
        assert_eq!(on.await.unwrap(), ("on".to_owned(), "on".to_owned()));
    }
    // With nobody to wake it but who waits for it.
    let mut child = Child::start(&sh("echo $PPID; sleep 1000")).await.unwrap();
    let mut line = [0; 16];
    let read = child.stdout.as_mut().unwrap().read(&mut line).await.unwrap();
    kill(&parent(&custodian_of_one().await).unwrap());
    signal(std::str::from_utf8(&line[..read]).unwrap().trim(), Signal::STOP);
    let end = tokio::time::timeout(Duration::from_secs(20), child.kill()).await.unwrap().unwrap();
    assert_eq!(end.signal, Some(9));
}

#[tokio::test]
async fn one_that_is_killed_in_reserve_is_replaced() {
    for _ in 0..10 {
        let custodian = custodian_of_one().await;
        tokio::time::sleep(Duration::from_millis(20)).await;
        kill(&custodian);
        assert_ne!(custodian_of_one().await, custodian);
    }
}

#[tokio::test]
async fn one_that_is_stopped_goes_on() {
    let in_time = |launch: Launch| async move {
        tokio::time::timeout(Duration::from_secs(20), run(&launch)).await.unwrap()
    };
    for _ in 0..20 {
        assert_eq!(in_time(sh("kill -STOP $PPID; echo on")).await, "on");
        let custodian = in_time(sh("echo $PPID")).await;
        tokio::time::sleep(Duration::from_millis(20)).await;
        signal(&custodian, Signal::STOP);
        assert_eq!(in_time(sh("echo on")).await, "on");
    }
}

#[tokio::test]
async fn when_the_keeper_is_killed_those_in_reserve_end_and_programs_go_on() {
    let mut running = Child::start(&sh("read go; echo went on")).await.unwrap();
    let mut custodians = BTreeSet::new();
    for _ in 0..5 {
        custodians.insert(custodian_of_one().await);
    }
    let keeper = parent(custodians.first().unwrap()).unwrap();
    kill(&keeper);
    // By the one whose turn it was, or by one of a new keeper.
    custodian_of_one().await;
    until(|| custodians.iter().all(|pid| parent(pid).is_none())).await;
    let successor = custodian_of_one().await;
    assert!(!custodians.contains(&successor) && parent(&successor) != Some(keeper));
    drop(running.stdin.take());
    let mut text = String::new();
    running.stdout.take().unwrap().read_to_string(&mut text).await.unwrap();
    assert_eq!((text.trim(), running.wait().await.unwrap().code), ("went on", Some(0)));
}

#[tokio::test]
async fn after_many_at_once_few_are_left() {
    let keeper = parent(&custodian_of_one().await).unwrap();
    for _ in 0..2 {
        let many = (0..100).map(|_| tokio::spawn(async { run(&sh("sleep 0.2; echo done")).await }));
        for one in many.collect::<Vec<_>>() {
            assert_eq!(one.await.unwrap(), "done");
        }
        until(|| children(&keeper).len() <= 5).await;
    }
}

/// What a custodian needs to wait and to look around it can be taken from it. Then it ends, and its program with it.
#[tokio::test]
async fn one_that_can_open_nothing_any_more_ends_with_what_it_keeps() {
    for most in [0, 1, 3, 4, 6, 8] {
        let takes = format!("prlimit --pid $PPID --nofile={most}:{most} && (setsid sleep 988 &); echo on");
        for (rest, is_ended) in [("", false), ("; sleep 988", false), ("; sleep 988", true)] {
            let mut child = Child::start(&sh(&format!("{takes}{rest}"))).await.unwrap();
            let ends = async {
                // It may have ended already.
                let _ = child.stdout.as_mut().unwrap().read(&mut [0; 8]).await;
                match (rest, is_ended) {
                    ("", _) => drop(child.wait().await),
                    (_, true) => drop(child.kill().await),
                    (_, false) => drop(child),
                }
                until(|| there("sleep\0988\0") == 0).await;
            };
            let ended = tokio::time::timeout(Duration::from_secs(20), ends).await;
            assert!(ended.is_ok(), "{most} {rest} {is_ended}: {} are left", there("sleep\0988\0"));
            assert_eq!(run(&sh("echo on")).await, "on");
        }
    }
}

/// A caller that gives up before anybody has taken what it wants started finds nothing done afterwards.
#[tokio::test]
async fn what_nobody_waits_for_any_more_is_not_started() {
    let folder = tempfile::tempdir().unwrap();
    let writable = vec![folder.path().to_owned()];
    let walls = Confinement { writable, network: true, ..Confinement::default() };
    for confinement in [None, Some(walls)] {
        let touches = sh(&format!("touch {}/it", folder.path().display()));
        let launch = Launch { confinement, ..touches };
        run(&launch).await;
        fs::remove_file(folder.path().join("it")).unwrap();
        let keeper = parent(&custodian_of_one().await).unwrap();
        signal(&keeper, Signal::STOP);
        // The one whose turn it is takes this; nobody the next.
        custodian_of_one().await;
        let given_up = tokio::time::timeout(Duration::from_millis(200), Child::start(&launch)).await;
        assert!(given_up.is_err());
        signal(&keeper, Signal::CONT);
        for _ in 0..5 {
            run(&sh("sleep 0.02")).await;
        }
        assert!(!folder.path().join("it").exists());
    }
}

#[tokio::test]
async fn a_killed_custodian_of_one_that_may_last_leaves_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let lasting = Lasting::at(folder.path());
    let started = lasting.start(&sh("(setsid sleep 986 &); setsid sleep 986 & sleep 986")).await.unwrap();
    until(|| there("sleep\0986\0") == 3).await;
    kill(&started.custodian.to_string());
    let gone = tokio::time::timeout(Duration::from_secs(10), until(|| there("sleep\0986\0") == 0)).await;
    assert!(gone.is_ok(), "{} processes are left", there("sleep\0986\0"));
}

/// With the keeper gone, nobody but who waits for it can wake it.
#[tokio::test]
async fn one_that_is_stopped_again_and_again_is_ended_all_the_same() {
    let keeper = parent(&custodian_of_one().await).unwrap();
    let mut child = Child::start(&sh("echo on; while :; do kill -STOP $PPID; done")).await.unwrap();
    let mut line = [0; 8];
    assert_ne!(child.stdout.as_mut().unwrap().read(&mut line).await.unwrap(), 0);
    kill(&keeper);
    let ended = tokio::time::timeout(Duration::from_secs(30), child.kill()).await;
    assert!(ended.is_ok());
    assert_eq!(run(&sh("echo on")).await, "on");
}

/// A machine may take processors away from all, or a person may move all to another group.
#[tokio::test]
async fn a_keeper_that_was_changed_is_replaced_and_no_program_hears_of_it() {
    let niceness = "ps -o ni= $$";
    let usual = run(&sh(niceness)).await;
    for _ in 0..3 {
        let keeper = parent(&custodian_of_one().await).unwrap();
        let all = children(&keeper);
        let renice = |pid: &String| {
            let done = std::process::Command::new("renice").args(["-n", "5", "-p", pid]).output().unwrap();
            // One in reserve may be gone by now.
            assert!(done.status.success() || *pid != keeper);
        };
        [&keeper].into_iter().chain(&all).for_each(renice);
        for _ in 0..8 {
            assert_eq!(run(&sh(niceness)).await, usual);
        }
        assert_ne!(parent(&custodian_of_one().await).unwrap(), keeper);
    }
}

/// Then nobody takes what is handed over, and the socket is still open all the same.
#[tokio::test]
async fn a_dead_keeper_and_a_stopped_successor_keep_nobody_from_starting_programs() {
    let keeper = parent(&custodian_of_one().await).unwrap();
    until(|| !children(&keeper).is_empty()).await;
    let waiting = children(&keeper);
    kill(&keeper);
    until(|| parent(&keeper).is_none()).await;
    waiting.iter().filter(|one| parent(one).is_some()).for_each(|one| signal(one, Signal::STOP));
    for _ in 0..3 {
        let on = tokio::time::timeout(Duration::from_secs(20), run(&sh("echo on"))).await;
        assert_eq!(on.as_deref(), Ok("on"));
    }
    let gone = waiting.iter().filter(|one| parent(one).is_some()).cloned().collect::<Vec<_>>();
    gone.iter().for_each(|one| signal(one, Signal::CONT));
    until(|| waiting.iter().all(|one| parent(one).is_none())).await;
}

/// What a program has put where nothing may be takes its custodian a while to take away, and who kills that one leaves it.
#[tokio::test]
async fn one_that_takes_long_behind_walls_is_waited_for() {
    let folder = tempfile::tempdir().unwrap();
    let walls =
        Confinement { writable: vec![folder.path().to_owned()], network: true, ..Confinement::default() };
    let mut child = Child::start(&Launch { confinement: Some(walls), ..sh("sleep 1000") }).await.unwrap();
    let custodian = parent(&child.id().to_string()).unwrap();
    let keeper = parent(&custodian).unwrap();
    // Who would wake it.
    signal(&keeper, Signal::STOP);
    signal(&custodian, Signal::STOP);
    let ends = tokio::time::timeout(Duration::from_secs(13), child.kill()).await;
    assert!(ends.is_err() && parent(&custodian).is_some());
    signal(&keeper, Signal::CONT);
    signal(&custodian, Signal::CONT);
    assert_eq!(child.wait().await.unwrap().signal, Some(9));
}
