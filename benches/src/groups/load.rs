//! Ten thousand calls at once over four sessions: how fast, how much memory, and whose turn it was.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use hermes_core::ToolCall;
use hermes_host::Host;
use hermes_kit::prelude::*;
use hermes_runtime::Session;
use tokio::sync::Semaphore;
use tokio_util::sync::CancellationToken;

use crate::measure::Start;
use crate::table::{Table, Unit};
use crate::{house, memory};

const CALLS: usize = 10_000;
const SESSIONS: usize = 4;
const PLACES: usize = 256;
/// Long enough that the places are what is scarce, not the processor.
const WORK: Duration = Duration::from_millis(10);

pub fn run(table: &mut Table) {
    let reactor = tokio::runtime::Builder::new_multi_thread().enable_all().build().expect("a reactor");
    let (plain_memory, plain_rate) = growth(|| reactor.block_on(plain()));

    let equal: Vec<usize> = vec![CALLS / SESSIONS; SESSIONS];
    let mut run = Run::default();
    let (grown, rate) = growth(|| run = reactor.block_on(calls(&equal)));
    table
        .add("calls per second, 10 ms each", rate, Unit::PerSecond)
        .against("bare tasks, 256 at once", plain_rate);
    table.add("calls without an answer", (CALLS - run.answered) as f64, Unit::Count).target(0.0);
    table.add("memory grown", grown, Unit::Bytes).against("bare tasks", plain_memory);
    table.add("spread of the sessions' mean turns", run.spread(), Unit::Percent);

    let greedy = vec![CALLS - 300, 100, 100, 100];
    let run = reactor.block_on(calls(&greedy));
    table
        .add("calls without an answer, one greedy session", (CALLS - run.answered) as f64, Unit::Count)
        .target(0.0);
    let last = run.last_turn[1..].iter().max().copied().unwrap_or(CALLS);
    table
        .add("turn of the last polite call, of 100 %", last as f64 * 100.0 / CALLS as f64, Unit::Percent)
        .against("first come, first served", 100.0);
}

/// Peak memory and calls per second of something that does all the calls.
fn growth(work: impl FnOnce()) -> (f64, f64) {
    memory::forget_peak();
    let before = memory::resident();
    let start = Start::now();
    work();
    let rate = 1e9 / start.per(CALLS).wall;
    (memory::peak() - before, rate)
}

/// The same waiting in as many tasks, without a runtime around it.
async fn plain() {
    let places = Arc::new(Semaphore::new(PLACES));
    let tasks: Vec<_> = (0..CALLS)
        .map(|_| {
            let places = Arc::clone(&places);
            tokio::spawn(async move {
                let _place = places.acquire().await.expect("an open semaphore");
                tokio::time::sleep(WORK).await;
            })
        })
        .collect();
    for task in tasks {
        task.await.expect("a task that ends");
    }
}

/// What came of a run, by session.
#[derive(Default)]
struct Run {
    answered: usize,
    mean_turn: Vec<f64>,
    last_turn: Vec<usize>,
}

impl Run {
    /// How far apart the sessions' mean turns are, of all turns.
    fn spread(&self) -> f64 {
        let (least, most) = self
            .mean_turn
            .iter()
            .fold((f64::MAX, 0.0_f64), |(least, most), mean| (least.min(*mean), most.max(*mean)));
        (most - least) * 100.0 / CALLS as f64
    }
}

async fn calls(shares: &[usize]) -> Run {
    let folder = tempfile::tempdir().expect("a folder");
    let host = house::host(folder.path());
    let runtime = house::runtime(&host, vec![hermes_kit::erase::<Wait>(&host)], None);
    let turn = Arc::new(AtomicUsize::new(0));
    let mut tasks = Vec::with_capacity(CALLS);
    for (number, share) in shares.iter().enumerate() {
        let session = house::session(&runtime, &format!("session-{number}"));
        tasks.push(
            (0..*share).map(|_| tokio::spawn(one(session.clone(), Arc::clone(&turn)))).collect::<Vec<_>>(),
        );
    }
    let mut run = Run::default();
    for tasks in tasks {
        let mut turns = Vec::new();
        for task in tasks {
            turns.extend(task.await.expect("a task that ends"));
        }
        run.answered += turns.len();
        run.mean_turn.push(turns.iter().sum::<usize>() as f64 / turns.len().max(1) as f64);
        run.last_turn.push(turns.into_iter().max().unwrap_or(0));
    }
    run
}

/// The turn at which the call was answered, if it was.
async fn one(session: Session, turn: Arc<AtomicUsize>) -> Option<usize> {
    let call = ToolCall::new("call", "wait", json!({"text": "x".repeat(100)}));
    let outcome = session.call(call, &CancellationToken::new()).await;
    outcome.is_success().then(|| turn.fetch_add(1, Ordering::Relaxed))
}

/// Waits a moment.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Args {
    /// Comes back as it is.
    text: String,
}

#[derive(Serialize)]
struct Output {
    text: String,
}

struct Wait;

impl Tool for Wait {
    type Args = Args;
    type Output = Output;
    const META: ToolMeta = ToolMeta::new("wait", "bench", Effect::None);

    fn new(_host: &Host) -> Self {
        Wait
    }

    async fn call(&self, args: Args, _cx: &CallContext) -> Result<Output, ToolError> {
        tokio::time::sleep(WORK).await;
        Ok(Output { text: args.text })
    }
}
