//! Custodians that are stopped or slow: nobody waits for them without end, and nobody takes their work from them.

use std::time::Duration;

use hermes_host::process::{Child, Confinement, Launch};
use rustix::process::Signal;
use tokio::io::AsyncReadExt;

use super::processes::{children, custodian_of_one, kill, parent, run, sh, signal, until};

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
