//! Time per operation: the least over batches, each long enough for the clock. Other programs can only make a
//! batch slower, so the least is what the operation costs.

use std::future::Future;
use std::hint::black_box;
use std::time::{Duration, Instant};

use nix::sys::resource::Usage;
use nix::sys::time::TimeVal;
use nix::time::{ClockId, clock_gettime};

const BATCHES: usize = 31;
const BATCH_TIME: Duration = Duration::from_millis(20);

/// Nanoseconds of one operation. On a busy machine the processor's time is the one to trust.
#[derive(Clone, Copy, Debug)]
pub struct Time {
    pub wall: f64,
    /// Of all threads together.
    pub cpu: f64,
}

/// The time of one `work`.
pub fn each<T>(mut work: impl FnMut() -> T) -> Time {
    let count = calibrate(|| {
        black_box(work());
    });
    least((0..BATCHES).map(|_| {
        let start = Start::now();
        for _ in 0..count {
            black_box(work());
        }
        start.per(count)
    }))
}

/// The best of a few runs, for work whose single run is long enough for the clock or which is one of many.
pub fn quick<T>(mut work: impl FnMut() -> T) -> Time {
    black_box(work());
    let runs = (0..5).map(|_| {
        let start = Start::now();
        black_box(work());
        start.per(1)
    });
    runs.reduce(|best, run| Time { wall: best.wall.min(run.wall), cpu: best.cpu.min(run.cpu) })
        .unwrap_or(Time { wall: 0.0, cpu: 0.0 })
}

/// The time of one `work` on a fresh `input`; making the input is not counted, dropping what comes out
/// neither.
pub fn each_with<I, T>(mut input: impl FnMut() -> I, mut work: impl FnMut(I) -> T) -> Time {
    let count = calibrate(|| {
        black_box(work(input()));
    });
    least((0..BATCHES).map(|_| {
        let inputs: Vec<I> = (0..count).map(|_| input()).collect();
        let mut outputs = Vec::with_capacity(count);
        let start = Start::now();
        outputs.extend(inputs.into_iter().map(&mut work));
        let time = start.per(count);
        black_box(outputs);
        time
    }))
}

/// The time per operation of something that does `count` of them as it sees fit, on a fresh `input`.
pub async fn many<I, F: Future>(
    count: usize,
    mut input: impl FnMut() -> I,
    mut work: impl FnMut(I) -> F,
) -> Time {
    work(input()).await;
    let mut times = Vec::with_capacity(BATCHES);
    for _ in 0..BATCHES {
        let input = input();
        let start = Start::now();
        let output = work(input).await;
        times.push(start.per(count));
        drop(output);
    }
    least(times)
}

/// The smallest values.
pub fn least(times: impl IntoIterator<Item = Time>) -> Time {
    let none = Time { wall: f64::INFINITY, cpu: f64::INFINITY };
    let smaller = |a: Time, b: Time| Time { wall: a.wall.min(b.wall), cpu: a.cpu.min(b.cpu) };
    times.into_iter().fold(none, smaller)
}

/// The middle values.
pub fn median(times: impl IntoIterator<Item = Time>) -> Time {
    let (wall, cpu): (Vec<f64>, Vec<f64>) = times.into_iter().map(|time| (time.wall, time.cpu)).unzip();
    Time { wall: middle(wall), cpu: middle(cpu) }
}

pub fn middle(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

/// When something began, by both clocks.
pub struct Start {
    wall: Instant,
    cpu: f64,
}

impl Start {
    pub fn now() -> Self {
        Start { cpu: cpu_nanoseconds(), wall: Instant::now() }
    }

    /// The time since, of each of `count` operations.
    pub fn per(&self, count: usize) -> Time {
        let wall = self.wall.elapsed().as_secs_f64() * 1e9;
        let cpu = cpu_nanoseconds() - self.cpu;
        Time { wall: wall / count as f64, cpu: cpu / count as f64 }
    }
}

/// By the clock of the process: what `getrusage` says of a running process moves in ticks.
fn cpu_nanoseconds() -> f64 {
    let used = clock_gettime(ClockId::CLOCK_PROCESS_CPUTIME_ID).expect("what this process used");
    used.tv_sec() as f64 * 1e9 + used.tv_nsec() as f64
}

/// User and system time in nanoseconds.
pub fn cpu_of(usage: &Usage) -> f64 {
    let time = |time: TimeVal| time.tv_sec() as f64 * 1e9 + time.tv_usec() as f64 * 1e3;
    time(usage.user_time()) + time(usage.system_time())
}

/// How many runs fill a batch. Warms up on the way.
fn calibrate(mut work: impl FnMut()) -> usize {
    let mut count = 1;
    loop {
        let start = Instant::now();
        (0..count).for_each(|_| work());
        let took = start.elapsed();
        if took * 4 >= BATCH_TIME || count > 1 << 24 {
            let one = took.as_secs_f64() / count as f64;
            return ((BATCH_TIME.as_secs_f64() / one.max(1e-10)) as usize).clamp(1, 1 << 24);
        }
        count *= 4;
    }
}
