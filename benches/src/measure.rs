//! Time per operation: the median over batches, each long enough for the clock.

use std::future::Future;
use std::hint::black_box;
use std::time::{Duration, Instant};

const BATCHES: usize = 15;
const BATCH_TIME: Duration = Duration::from_millis(20);

/// Nanoseconds of one `work`.
pub fn each<T>(mut work: impl FnMut() -> T) -> f64 {
    let per_batch = calibrate(|| {
        black_box(work());
    });
    median((0..BATCHES).map(|_| {
        let start = Instant::now();
        for _ in 0..per_batch {
            black_box(work());
        }
        nanoseconds(start) / per_batch as f64
    }))
}

/// Nanoseconds of one `work` on a fresh `input` each time; making the input is not counted, dropping
/// what comes out neither.
pub fn each_with<I, T>(mut input: impl FnMut() -> I, mut work: impl FnMut(I) -> T) -> f64 {
    let per_batch = calibrate(|| {
        black_box(work(input()));
    });
    median((0..BATCHES).map(|_| {
        let inputs: Vec<I> = (0..per_batch).map(|_| input()).collect();
        let mut outputs = Vec::with_capacity(per_batch);
        let start = Instant::now();
        outputs.extend(inputs.into_iter().map(&mut work));
        let took = nanoseconds(start);
        black_box(outputs);
        took / per_batch as f64
    }))
}

/// Nanoseconds per operation of something that runs `count` of them at once, as it sees fit.
pub async fn many<F: Future<Output = ()>>(count: usize, mut work: impl FnMut() -> F) -> f64 {
    work().await;
    let mut times = Vec::with_capacity(BATCHES);
    for _ in 0..BATCHES {
        let start = Instant::now();
        work().await;
        times.push(nanoseconds(start) / count as f64);
    }
    median(times)
}

/// The middle value.
pub fn median(values: impl IntoIterator<Item = f64>) -> f64 {
    let mut values: Vec<f64> = values.into_iter().collect();
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

pub fn nanoseconds(since: Instant) -> f64 {
    since.elapsed().as_secs_f64() * 1e9
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
