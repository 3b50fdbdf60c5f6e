//! Custodians keep one program after another, and nothing of one reaches the next.

use std::collections::BTreeSet;
use std::fs;
use std::time::Duration;

use hermes_host::process::{Child, Confinement, Launch, Limits};
use rustix::process::Signal;

use super::processes::{children, custodian_of_one, parent, run, sh, signal, until};

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
        // It has somebody ready by then.
        tokio::time::sleep(Duration::from_millis(200)).await;
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
