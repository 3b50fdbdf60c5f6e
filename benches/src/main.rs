//! What Hermes costs. `cargo run --release -p hermes-benches [-- NAME…]` prints one table per group whose
//! name contains one of the words; every number stands beside a baseline measured in the same run.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::print_stdout,
    clippy::print_stderr,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "a measurement that cannot be taken must stop, and its result goes to a terminal"
)]

mod gateway;
mod groups;
mod house;
mod measure;
mod memory;
mod peer;
mod process;
mod table;

use table::Table;

type Group = (&'static str, fn(&mut Table));

/// Processes first: what a child may take into account of its parent must be small.
const GROUPS: &[Group] = &[
    ("start", groups::start::run),
    ("terminal", groups::terminal::run),
    ("jsonl", groups::jsonl::run),
    ("pipeline", groups::pipeline::run),
    ("catalog", groups::catalog::run),
    ("functions", groups::functions::run),
    ("files: search", groups::files::search),
    ("files: one", groups::files::one),
    ("commands", groups::commands::run),
    ("search", groups::search::run),
    ("load", groups::load::run),
    ("own tools", groups::own_tools::run),
    ("mcp", groups::mcp::run),
];

fn main() {
    if cfg!(debug_assertions) {
        eprintln!("note: this is a debug build; use cargo run --release -p hermes-benches");
    }
    let wanted: Vec<String> = std::env::args().skip(1).collect();
    if let [word, program, arguments @ ..] = wanted.as_slice()
        && word == process::MEASURE
    {
        return process::measure_and_print(program, arguments);
    }
    for (name, run) in GROUPS {
        if wanted.is_empty() || wanted.iter().any(|word| name.contains(word.as_str())) {
            let mut table = Table::new(name);
            run(&mut table);
            table.print();
        }
    }
    println!("load average at the end: {}", memory::load_average());
}
