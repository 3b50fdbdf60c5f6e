//! What a command costs beside a bare spawn of a shell, what memory of the runtime adds to that, and how fast output
//! comes through. What is compared takes turns, so that whatever else the machine does meets all alike.

use std::process::{Command, Stdio};
use std::time::Instant;

use hermes_host::process::{Child, Launch, Stream};
use hermes_host::terminal::{Sandbox, SandboxMode, TerminalSettings};
use hermes_testkit::TestRuntime;
use serde_json::json;
use tokio::io::AsyncReadExt;

use crate::measure::{Start, Time, median};
use crate::table::{Table, Unit};

const RUNS: usize = 300;
const OUTPUT: usize = 256 * 1024 * 1024;
const SMALL: usize = 50 * 1024 * 1024;
const LARGE: usize = 1024 * 1024 * 1024;

pub fn run(table: &mut Table) {
    let reactor = tokio::runtime::Builder::new_multi_thread().enable_all().build().expect("a reactor");
    reactor.block_on(async {
        commands(table).await;
        walled_commands(table).await;
        memory(table).await;
        output(table).await;
    });
}

async fn commands(table: &mut Table) {
    let open = runtime(SandboxMode::Off).await;
    let times = async move {
        let [mut sh, mut bash, mut kept, mut plain, mut scripted] = [const { Vec::new() }; 5];
        for _ in 0..RUNS {
            sh.push(time(async || bare("sh")).await);
            kept.push(time(spawn).await);
            plain.push(time(async || call(&open, "true").await).await);
            bash.push(time(async || bare("bash")).await);
            scripted.push(time(async || call(&open, ":").await).await);
        }
        [sh, bash, kept, plain, scripted].map(median)
    };
    let [sh, bash, kept, plain, scripted] = as_servers_do(times).await;
    table.time("sh -c true, bare spawn", sh);
    table.time("bash -c true, bare spawn", bash).against("sh", sh.wall);
    table.time("sh -c true with custody", kept).against("sh", sh.wall);
    table.time("terminal true, no sandbox", plain).against("sh", sh.wall).target(sh.wall * 1.3);
    table.time("terminal : (by bash), no sandbox", scripted).against("bash", bash.wall);
}

async fn walled_commands(table: &mut Table) {
    let sealed = runtime(SandboxMode::Strict).await;
    let times = async move {
        let [mut sh, mut bash, mut plain, mut scripted] = [const { Vec::new() }; 4];
        for _ in 0..RUNS {
            sh.push(time(async || bare("sh")).await);
            plain.push(time(async || call(&sealed, "true").await).await);
            bash.push(time(async || bare("bash")).await);
            scripted.push(time(async || call(&sealed, ":").await).await);
        }
        [sh, bash, plain, scripted].map(median)
    };
    let [sh, bash, plain, scripted] = as_servers_do(times).await;
    table.time("terminal true, sealed", plain).against("sh", sh.wall).target(sh.wall * 2.0);
    table.time("terminal : (by bash), sealed", scripted).against("bash", bash.wall);
}

/// What the runtime itself holds must not matter.
async fn memory(table: &mut Table) {
    let [small, large] = [SMALL, LARGE].map(|size| vec![1_u8; size]);
    drop(large);
    let mut times = Vec::new();
    for _ in 0..RUNS {
        times.push(time(spawn).await);
    }
    let beside_small = median(times);
    std::hint::black_box(&small);
    let large = vec![1_u8; LARGE];
    let mut times = Vec::new();
    for _ in 0..RUNS {
        times.push(time(spawn).await);
    }
    std::hint::black_box(&large);
    table.time("with custody, 50 MiB resident", beside_small);
    table
        .time("with custody, 1 GiB resident", median(times))
        .against("50 MiB", beside_small.wall)
        .target(beside_small.wall * 3.0);
}

async fn output(table: &mut Table) {
    let test = runtime(SandboxMode::Strict).await;
    let [mut plain, mut through] = [const { Vec::new() }; 2];
    for _ in 0..5 {
        plain.push(plain_pipe());
        through.push(through_door(&test).await);
    }
    let [plain, through] = [plain, through].map(crate::measure::middle);
    table.add("output, a plain pipe", plain, Unit::PerSecond);
    table.add("output, through the door (at least half)", through, Unit::PerSecond).against("plain", plain);
}

/// Every call of a server is a task of its own, on the threads that hear of ends and outputs.
async fn as_servers_do<T: Send + 'static>(work: impl Future<Output = T> + Send + 'static) -> T {
    tokio::spawn(work).await.expect("its times")
}

async fn runtime(mode: SandboxMode) -> TestRuntime {
    let sandbox = Sandbox { mode, ..Sandbox::default() };
    let settings = TerminalSettings { sandbox, ..TerminalSettings::default() };
    TestRuntime::builder().terminal(settings).build().await
}

async fn call(test: &TestRuntime, command: &str) {
    let outcome = test.call("terminal", json!({"command": command})).await;
    assert_eq!(outcome.result.expect("a result")["exit_code"], json!(0));
}

async fn time(work: impl AsyncFnOnce()) -> Time {
    let start = Start::now();
    work().await;
    start.per(1)
}

fn bare(shell: &str) {
    let output = Command::new(shell).args(["-c", "true"]).stdin(Stdio::null()).output();
    assert!(output.expect("a shell").status.success());
}

async fn spawn() {
    let launch = Launch {
        stdin: Stream::Null,
        stderr: Stream::Merged,
        ..Launch::new(["sh", "-c", "true"], "/tmp").with_env([("PATH", "/usr/bin:/bin")])
    };
    let mut child = Child::start(&launch).await.expect("a child");
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

async fn through_door(test: &TestRuntime) -> f64 {
    let start = Instant::now();
    let command = format!("head -c {OUTPUT} /dev/zero");
    let outcome = test.call("terminal", json!({"command": command})).await;
    outcome.result.expect("a result");
    OUTPUT as f64 / 1_048_576.0 / start.elapsed().as_secs_f64()
}
