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

/// So many processes fill 40 MiB each: they have once their first byte is there, and wait for the rest to be taken.
fn together(count: u32) -> String {
    format!(
        "for i in $(seq {count}); do exec {{fd}}< <(dd if=/dev/zero bs=40M count=1 2>/dev/null); \
         test \"$(head -c1 <&$fd | wc -c)\" -eq 1 || exit 1; all=\"$all $fd\"; done; \
         for fd in $all; do test \"$(cat <&$fd | wc -c)\" -gt 40000000 || exit 1; done; echo whole"
    )
}

#[tokio::test]
async fn what_a_tree_uses_is_counted_together() {
    for walls in [false, true] {
        let (said, bounds, _) = run(&together(1), walls).await;
        assert_eq!(said, "whole\n");
        let (said, _, code) = run(&together(8), walls).await;
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
                    run("dd if=/dev/zero of=/dev/null bs=300M count=1 && echo whole", walls).await;
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
