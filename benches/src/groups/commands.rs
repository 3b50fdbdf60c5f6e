//! The judgement of command lines, beside a plain look at every byte of them.

use std::collections::HashMap;

use hermes_policy::command::{Stage, judge};
use serde_json::Value;

use crate::measure;
use crate::table::Table;

const DAY: &str = include_str!("../../../crates/hermes-policy/tests/fixtures/developer_day.txt");
const HOSTILE: &str = include_str!("../../../crates/hermes-policy/tests/fixtures/hostile_parts.jsonl");
const LARGE: usize = 100_000;

pub fn run(table: &mut Table) {
    let stage = Stage {
        home: "/home/agent".to_owned(),
        cwd: "/workspace".to_owned(),
        writable: vec!["/workspace".to_owned(), "/tmp".to_owned()],
        hermes_home: "/home/agent/.hermes".to_owned(),
    };
    let day: Vec<&str> = DAY.lines().filter(|line| !line.is_empty() && !line.starts_with('#')).collect();
    let times: Vec<(measure::Time, measure::Time)> = day
        .iter()
        .map(|command| (measure::quick(|| judge(command, &stage)), measure::quick(|| words(command))))
        .collect();
    let look = measure::median(times.iter().map(|(_, look)| *look));
    let took = measure::median(times.iter().map(|(took, _)| *took));
    table.time("judge a command of a developer's day, median", took).against("counting its words", look.wall);
    for row in HOSTILE.lines() {
        let row: Value = serde_json::from_str(row).expect("JSON");
        let text: String = row["part"].as_str().expect("text").chars().cycle().take(LARGE).collect();
        let look = measure::quick(|| words(&text));
        let took = measure::quick(|| judge(&text, &stage));
        let name = format!("judge 100 kB of {}", row["name"].as_str().expect("text"));
        table.time(name, took).against("counting its words", look.wall);
    }
}

/// A baseline that looks at every byte once and keeps something of it.
fn words(text: &str) -> HashMap<&str, usize> {
    let mut counts = HashMap::new();
    for word in text.split([' ', ';', '|', '&', '\n', '(', ')']) {
        *counts.entry(word).or_insert(0) += 1;
    }
    counts
}
