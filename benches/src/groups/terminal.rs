//! What a command costs beside a bare spawn of the same shell, what memory of the runtime adds to that, and how
//! fast output comes through.

use std::process::{Command, Stdio};
use std::time::Instant;

use hermes_host::process::{Child, Confinement, Launch, Stream};
use hermes_testkit::TestRuntime;
use serde_json::json;
use tokio::io::AsyncReadExt;

use crate::measure::{Start, Time, median};
use crate::table::{Table, Unit};

const RUNS: usize = 200;
const OUTPUT: usize = 256 * 1024 * 1024;
const BALLAST: usize = 1024 * 1024 * 1024;

pub fn run(table: &mut Table) {
    let reactor = tokio::runtime::Builder::new_multi_thread().enable_all().build().expect("a reactor");
    reactor.block_on(measure(table));
}

async fn measure(table: &mut Table) {
    let bare = times(async || bare()).await;
    table.time("bash -c true, bare spawn", bare);
    let kept = times(async || spawn(None).await).await;
    table.time("the same with custody", kept).against("bare", bare.wall).target(bare.wall * 1.3);
    let walls =
        || Some(Confinement { writable: vec!["/tmp".into()], network: true, ..Confinement::default() });
    let sealed = times(async || spawn(walls()).await).await;
    table.time("the same behind walls", sealed).against("bare", bare.wall).target(bare.wall * 2.0);
    let test = TestRuntime::new().await;
    let tool = times(async || {
        let outcome = test.call("terminal", json!({"command": "true"})).await;
        assert_eq!(outcome.result.expect("a result")["exit_code"], json!(0));
    })
    .await;
    table.time("terminal true, the whole call", tool).against("bare", bare.wall).target(bare.wall * 2.0);

    let ballast = vec![1_u8; BALLAST];
    let large = times(async || spawn(None).await).await;
    std::hint::black_box(&ballast);
    table.time("with custody, 1 GiB resident", large).against("small", kept.wall).target(kept.wall * 3.0);
    drop(ballast);

    let plain = plain_pipe();
    let through = through_door().await;
    table.add("output, a plain pipe", plain, Unit::PerSecond);
    table.add("output, through the door", through, Unit::PerSecond).against("plain", plain);
}

async fn times(mut work: impl AsyncFnMut()) -> Time {
    let mut all = Vec::new();
    for _ in 0..RUNS {
        let start = Start::now();
        work().await;
        all.push(start.per(1));
    }
    median(all)
}

fn bare() {
    let output = Command::new("bash").args(["-c", "true"]).stdin(Stdio::null()).output();
    assert!(output.expect("bash").status.success());
}

fn shell(script: &str) -> Launch {
    Launch {
        stdin: Stream::Null,
        stderr: Stream::Merged,
        ..Launch::new(["bash", "-c", script], "/tmp").with_env([("PATH", "/usr/bin:/bin")])
    }
}

async fn spawn(confinement: Option<Confinement>) {
    let mut child = Child::start(&Launch { confinement, ..shell("true") }).await.expect("a child");
    let mut output = Vec::new();
    child.stdout.take().expect("a pipe").read_to_end(&mut output).await.expect("its output");
    assert_eq!(child.wait().await.expect("an end").code, Some(0));
}

/// MiB per second.
fn plain_pipe() -> f64 {
    let mut child = Command::new("head")
        .args(["-c", &OUTPUT.to_string(), "/dev/zero"])
        .stdout(Stdio::piped())
        .spawn()
        .expect("head");
    let start = Instant::now();
    let mut sink = std::io::sink();
    std::io::copy(child.stdout.as_mut().expect("a pipe"), &mut sink).expect("its output");
    child.wait().expect("an end");
    OUTPUT as f64 / 1_048_576.0 / start.elapsed().as_secs_f64()
}

async fn through_door() -> f64 {
    let test = TestRuntime::new().await;
    let start = Instant::now();
    let command = format!("head -c {OUTPUT} /dev/zero");
    let outcome = test.call("terminal", json!({"command": command})).await;
    outcome.result.expect("a result");
    OUTPUT as f64 / 1_048_576.0 / start.elapsed().as_secs_f64()
}
