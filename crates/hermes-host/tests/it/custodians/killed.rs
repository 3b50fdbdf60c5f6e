//! Custodians that are killed or hampered: what they kept ends with them, and others take their place.

use std::collections::BTreeSet;
use std::time::Duration;

use hermes_host::process::{Child, Lasting};
use tokio::io::AsyncReadExt;

use super::processes::{custodian_of_one, kill, parent, run, sh, there, until};

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
async fn one_that_is_killed_in_reserve_is_replaced() {
    for _ in 0..10 {
        let custodian = custodian_of_one().await;
        tokio::time::sleep(Duration::from_millis(20)).await;
        kill(&custodian);
        assert_ne!(custodian_of_one().await, custodian);
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
