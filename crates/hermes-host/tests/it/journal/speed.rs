//! What an append costs. Run with `--release -- --ignored speed --nocapture`.

use std::sync::Arc;
use std::time::Instant;

use hermes_core::ports::JournalRecord;
use hermes_host::state::{Durability, SqliteJournal, StateOptions};

use super::support::{append_all, assert_sound, completed, decision, home, outcome, runtime};

const APPENDS: usize = 30_000;

fn measure(durability: Durability, tasks: usize, record: fn(usize, usize) -> JournalRecord) -> f64 {
    let (home, _folder) = home();
    let options = StateOptions { durability, ..StateOptions::default() };
    let journal = Arc::new(SqliteJournal::open(&home, &options).unwrap());
    let appends = if durability == Durability::Power { APPENDS / 10 } else { APPENDS };
    let start = Instant::now();
    runtime().block_on(async {
        let mut set = tokio::task::JoinSet::new();
        for task in 0..tasks {
            let journal = Arc::clone(&journal);
            set.spawn(async move {
                append_all(&journal, (0..appends / tasks).map(|number| record(task, number))).await;
            });
        }
        set.join_all().await;
    });
    let took = start.elapsed();
    Arc::into_inner(journal).unwrap().close();
    assert_sound(&home);
    took.as_secs_f64() * 1e6 / appends as f64
}

fn read_only(task: usize, number: usize) -> JournalRecord {
    completed(&format!("call-{task}-{number}"))
}

fn changing(task: usize, number: usize) -> JournalRecord {
    let id = format!("call-{task}-{}", number / 2);
    if number.is_multiple_of(2) { decision(&id) } else { outcome(&id) }
}

/// How many callers at once; `SPEED_TASKS=1 SPEED_DURABILITY=process` narrows it down for a profiler.
fn tasks() -> Vec<usize> {
    let wanted = std::env::var("SPEED_TASKS").ok().and_then(|text| text.parse().ok());
    wanted.map_or_else(|| vec![1, 8, 64], |tasks| vec![tasks])
}

fn durabilities() -> Vec<(&'static str, Durability)> {
    let all = vec![("process", Durability::Process), ("power", Durability::Power)];
    let wanted = std::env::var("SPEED_DURABILITY").ok();
    all.into_iter().filter(|(name, _)| wanted.as_deref().is_none_or(|wanted| wanted == *name)).collect()
}

#[test]
#[ignore = "a measurement"]
fn speed_of_appends() {
    for (name, durability) in durabilities() {
        for tasks in tasks() {
            let completed = measure(durability, tasks, read_only);
            let changing = measure(durability, tasks, changing);
            println!(
                "{name:8} {tasks:3} tasks: completed {completed:7.1} us, decision/outcome {changing:7.1} us per append"
            );
        }
    }
}
