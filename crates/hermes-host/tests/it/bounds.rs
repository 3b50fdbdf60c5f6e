//! What a program and everything it starts may use together, by a control group where one can be made.

use hermes_host::process::{Bounds, Child, Confinement, Launch, Limits, Stream};
use tokio::io::AsyncReadExt;

const LIMITS: Limits =
    Limits { memory_bytes: Some(200 << 20), processes: Some(40), file_bytes: None, open_files: None };

async fn run(script: &str, walls: bool) -> (String, Option<Bounds>, i32) {
    let confinement =
        walls.then(|| Confinement { writable: vec!["/tmp".into()], network: true, ..Confinement::default() });
    let launch = Launch {
        stdin: Stream::Null,
        stderr: Stream::Merged,
        confinement,
        limits: LIMITS,
        ..Launch::new(["bash", "-c", script], "/tmp").with_env([("PATH", "/usr/bin:/bin")])
    };
    let mut child = Child::start(&launch).await.unwrap();
    let mut text = Vec::new();
    child.stdout.take().unwrap().read_to_end(&mut text).await.unwrap();
    let exit = child.wait().await.unwrap();
    (String::from_utf8_lossy(&text).into_owned(), child.bounds(), exit.shell_code())
}

/// Each of so many processes holds 40 MiB and starts the next, a fresh one.
fn chain(length: u32) -> String {
    format!(
        "export HOLD='x=$(head -c 40m /dev/zero | tr \"\\0\" x); \
         if test $1 -gt 1; then bash -c \"$HOLD\" hold $(($1 - 1)); exit $?; else echo whole; fi'; \
         bash -c \"$HOLD\" hold {length}"
    )
}

#[tokio::test]
async fn what_a_tree_uses_is_counted_together() {
    for walls in [false, true] {
        let (said, bounds, _) = run(&chain(1), walls).await;
        assert_eq!(said, "whole\n");
        let (said, _, code) = run(&chain(8), walls).await;
        let many = "i=0; while test $i -lt 80; do sleep 9 & i=$((i + 1)); done; echo whole";
        let (started, _, _) = run(&format!("exec sh -c '{many}'"), walls).await;
        match bounds.expect("there are limits") {
            Bounds::Tree => {
                assert!(!said.contains("whole") && code != 0, "{walls} {code} {said}");
                assert!(!started.contains("whole"), "{walls} {started}");
            }
            // Then only one that takes too much by itself is stopped.
            Bounds::EachProcess => {
                let (said, _, code) =
                    run("x=$(head -c 300m /dev/zero | tr '\\0' x); echo whole", walls).await;
                assert!(!said.contains("whole") && code != 0, "{walls} {code} {said}");
            }
        }
    }
}

#[tokio::test]
async fn without_limits_nothing_is_bounded() {
    let launch = Launch { stdin: Stream::Null, ..Launch::new(["/bin/true"], "/tmp") };
    let mut child = Child::start(&launch).await.unwrap();
    assert_eq!(child.bounds(), None);
    child.wait().await.unwrap();
}
