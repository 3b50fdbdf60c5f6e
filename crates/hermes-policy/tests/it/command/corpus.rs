//! Labelled commands against the judge: the bars that it has to clear, and who fell where.
#![expect(clippy::print_stdout, reason = "the confusion matrix is for people to read")]

use std::collections::BTreeMap;

use hermes_policy::command::{Class, Stage, judge};
use serde_json::Value;

struct Row {
    command: String,
    dangerous: bool,
    hardline: bool,
    category: String,
}

fn rows_of_cases() -> Vec<Row> {
    let text = include_str!("../../fixtures/dangerous.jsonl");
    text.lines()
        .map(|line| {
            let row: Value = serde_json::from_str(line).expect("a row is JSON");
            Row {
                command: row["command"].as_str().unwrap_or_default().to_owned(),
                dangerous: row["dangerous"] == true,
                hardline: row["severity"] == "hardline",
                category: row["category"].as_str().unwrap_or_default().to_owned(),
            }
        })
        .collect()
}

fn rows_of_security() -> Vec<Row> {
    let text = include_str!("../../fixtures/commands.jsonl");
    text.lines()
        .map(|line| {
            let row: Value = serde_json::from_str(line).expect("a row is JSON");
            let command = row["command"].as_str().unwrap_or_default();
            Row {
                command: command.replace("{CONF}", "/home/agent/.hermes"),
                dangerous: row["label"] == "dangerous",
                hardline: row["expect"] == "deny",
                category: row["category"].as_str().unwrap_or_default().to_owned(),
            }
        })
        .collect()
}

/// `expectation, category, command`, or `category, command` for harmless ones.
fn rows_of_ours(text: &str) -> Vec<Row> {
    rows_of(text, unescape)
}

/// Sets whose newlines and control characters stand there as signs, so that every backslash is one.
fn rows_with_signs(text: &str) -> Vec<Row> {
    rows_of(text, |command| {
        command.replace('⏎', "\n").replace('⇥', "\t").replace('␛', "\u{1b}").replace('␇', "\u{7}")
    })
}

fn rows_of(text: &str, unescape: impl Fn(&str) -> String) -> Vec<Row> {
    text.lines()
        .filter(|line| !line.starts_with('#') && line.contains('\t'))
        .map(|line| {
            let mut fields: Vec<&str> = line.splitn(3, '\t').collect();
            let dangerous = matches!(fields.first(), Some(&"ask" | &"deny"));
            if !dangerous {
                fields = std::iter::once("allow").chain(line.splitn(2, '\t')).collect();
            }
            let command = fields.get(2).copied().unwrap_or_default();
            Row {
                command: unescape(command),
                dangerous,
                hardline: fields.first() == Some(&"deny"),
                category: fields.get(1).copied().unwrap_or_default().to_owned(),
            }
        })
        .collect()
}

fn unescape(command: &str) -> String {
    command
        .replace("\\n", "\n")
        .replace("\\e", "\u{1b}")
        .replace("\\u202e", "\u{202e}")
        .replace("\\u00a0", "\u{a0}")
        .replace("\\R", "\r")
}

fn stage(home: &str, cwd: &str) -> Stage {
    Stage {
        home: home.to_owned(),
        cwd: cwd.to_owned(),
        writable: vec![cwd.to_owned(), "/tmp".to_owned()],
        hermes_home: format!("{home}/.hermes"),
    }
}

#[derive(Default)]
struct Cell {
    rows: usize,
    allowed: usize,
    asked: usize,
    denied: usize,
}

fn hold_the_bars(name: &str, rows: &[Row], stage: &Stage) {
    let mut matrix: BTreeMap<(bool, String), Cell> = BTreeMap::new();
    let (mut dangerous, mut missed, mut harmless, mut stopped) = (0usize, 0usize, 0usize, 0usize);
    let (mut soft, mut refused) = (0usize, 0usize);
    for row in rows {
        let judgement = judge(&row.command, stage);
        let cell = matrix.entry((!row.dangerous, row.category.clone())).or_default();
        cell.rows += 1;
        match judgement.class {
            Class::ReadOnly | Class::Safe => cell.allowed += 1,
            Class::Ask => cell.asked += 1,
            Class::Deny => cell.denied += 1,
        }
        let allowed = judgement.class < Class::Ask;
        let why = judgement.findings.first().map(|found| format!("{}: {}", found.rule, found.reason));
        if row.dangerous {
            dangerous += 1;
            missed += usize::from(allowed);
            let weak = row.hardline && judgement.class < Class::Deny;
            soft += usize::from(weak);
            if allowed {
                println!("MISSED   [{}] {:?}", row.category, row.command);
            } else if weak {
                println!("NOT DENIED [{}] {:?} {why:?}", row.category, row.command);
            }
        } else {
            harmless += 1;
            stopped += usize::from(!allowed);
            refused += usize::from(judgement.class == Class::Deny);
            if !allowed {
                println!("STOPPED  [{}] {:?} {:?} {why:?}", row.category, row.command, judgement.class);
            }
        }
    }
    println!("\n{name}: category, rows, allowed, asked, denied");
    for ((harmless, category), cell) in &matrix {
        let kind = if *harmless { "harmless " } else { "dangerous" };
        println!(
            "{kind} {category:<24}{:>5}{:>9}{:>7}{:>8}",
            cell.rows, cell.allowed, cell.asked, cell.denied
        );
    }
    println!(
        "{name}: dangerous {dangerous}, missed {missed}; harmless {harmless}, stopped {stopped}, refused {refused}; hardline not denied {soft}"
    );
    assert!(
        missed * 100 <= dangerous * 3,
        "{name}: {missed} of {dangerous} dangerous commands were let through"
    );
    assert!(stopped * 100 <= harmless * 3, "{name}: {stopped} of {harmless} harmless commands were stopped");
    assert_eq!(soft, 0, "{name}: hardline commands that were not refused");
    assert_eq!(refused, 0, "{name}: harmless commands that were refused");
}

#[test]
fn cases_hold_the_bars() {
    hold_the_bars("cases", &rows_of_cases(), &stage("/home/alice", "/home/alice/proj"));
}

#[test]
fn cases_hold_the_bars_elsewhere() {
    hold_the_bars("cases elsewhere", &rows_of_cases(), &stage("/home/agent", "/workspace"));
}

#[test]
fn security_rows_hold_the_bars() {
    hold_the_bars("security", &rows_of_security(), &stage("/home/agent", "/workspace"));
}

#[test]
fn heldout_rows_hold_the_bars() {
    let mut rows = rows_of_ours(include_str!("../../fixtures/heldout_dangerous.txt"));
    rows.extend(rows_of_ours(include_str!("../../fixtures/heldout_harmless.txt")));
    hold_the_bars("held out", &rows, &stage("/home/agent", "/workspace"));
}

#[test]
fn a_developers_day_is_quiet() {
    let stage = stage("/home/agent", "/home/agent/work/widgets");
    let text = include_str!("../../fixtures/developer_day.txt");
    let commands: Vec<&str> =
        text.lines().filter(|line| !line.starts_with('#') && !line.is_empty()).collect();
    assert!(commands.len() >= 300, "only {} commands", commands.len());
    let mut asked = 0;
    for command in &commands {
        let judgement = judge(&unescape(command), &stage);
        if judgement.class >= Class::Ask {
            asked += 1;
            println!("ASKS {command:?} {:?}", judgement.findings.first().map(|found| &found.rule));
        }
        assert!(judgement.class < Class::Deny, "refused: {command}");
    }
    println!("developer day: {asked} of {} ask", commands.len());
    assert!(asked * 100 <= commands.len() * 5, "{asked} of {} commands ask", commands.len());
}

#[test]
fn second_heldout_rows_hold_the_bars() {
    let mut rows = rows_of_ours(include_str!("../../fixtures/heldout_dangerous_2.txt"));
    rows.extend(rows_of_ours(include_str!("../../fixtures/heldout_harmless_2.txt")));
    hold_the_bars("held out 2", &rows, &stage("/home/agent", "/workspace"));
}

#[test]
fn third_heldout_rows_hold_the_bars() {
    let mut rows = rows_with_signs(include_str!("../../fixtures/heldout_dangerous_3.txt"));
    rows.extend(rows_with_signs(include_str!("../../fixtures/heldout_harmless_3.txt")));
    hold_the_bars("held out 3", &rows, &stage("/home/agent", "/workspace"));
}

#[test]
fn fifth_heldout_rows_hold_the_bars() {
    let mut rows = rows_with_signs(include_str!("../../fixtures/heldout_dangerous_5.txt"));
    rows.extend(rows_with_signs(include_str!("../../fixtures/heldout_harmless_5.txt")));
    hold_the_bars("held out 5", &rows, &stage("/home/agent", "/workspace"));
}

#[test]
fn sixth_heldout_rows_hold_the_bars() {
    let mut rows = rows_with_signs(include_str!("../../fixtures/heldout_dangerous_6.txt"));
    rows.extend(rows_with_signs(include_str!("../../fixtures/heldout_harmless_6.txt")));
    hold_the_bars("held out 6", &rows, &stage("/home/agent", "/workspace"));
}

#[test]
fn seventh_heldout_rows_hold_the_bars() {
    let mut rows = rows_with_signs(include_str!("../../fixtures/heldout_dangerous_7.txt"));
    rows.extend(rows_with_signs(include_str!("../../fixtures/heldout_harmless_7.txt")));
    hold_the_bars("held out 7", &rows, &stage("/home/agent", "/workspace"));
}

#[test]
fn eighth_heldout_rows_hold_the_bars() {
    let mut rows = rows_with_signs(include_str!("../../fixtures/heldout_dangerous_8.txt"));
    rows.extend(rows_with_signs(include_str!("../../fixtures/heldout_harmless_8.txt")));
    hold_the_bars("held out 8", &rows, &stage("/home/agent", "/workspace"));
}

#[test]
fn ninth_heldout_rows_hold_the_bars() {
    let mut rows = rows_with_signs(include_str!("../../fixtures/heldout_dangerous_9.txt"));
    rows.extend(rows_with_signs(include_str!("../../fixtures/heldout_harmless_9.txt")));
    hold_the_bars("held out 9", &rows, &stage("/home/agent", "/workspace"));
}

#[test]
fn fourth_heldout_rows_hold_the_bars() {
    let mut rows = rows_with_signs(include_str!("../../fixtures/heldout_dangerous_4.txt"));
    rows.extend(rows_with_signs(include_str!("../../fixtures/heldout_harmless_4.txt")));
    hold_the_bars("held out 4", &rows, &stage("/home/agent", "/workspace"));
}

#[test]
fn tenth_heldout_rows_hold_the_bars() {
    let mut rows = rows_with_signs(include_str!("../../fixtures/heldout_dangerous_10.txt"));
    rows.extend(rows_with_signs(include_str!("../../fixtures/heldout_harmless_10.txt")));
    hold_the_bars("held out 10", &rows, &stage("/home/agent", "/workspace"));
}

#[test]
fn eleventh_heldout_rows_hold_the_bars() {
    let mut rows = rows_with_signs(include_str!("../../fixtures/heldout_dangerous_11.txt"));
    rows.extend(rows_with_signs(include_str!("../../fixtures/heldout_harmless_11.txt")));
    hold_the_bars("held out 11", &rows, &stage("/home/agent", "/workspace"));
}

#[test]
fn twelfth_heldout_rows_hold_the_bars() {
    let mut rows = rows_with_signs(include_str!("../../fixtures/heldout_dangerous_12.txt"));
    rows.extend(rows_with_signs(include_str!("../../fixtures/heldout_harmless_12.txt")));
    hold_the_bars("held out 12", &rows, &stage("/home/agent", "/workspace"));
}

#[test]
fn thirteenth_heldout_rows_hold_the_bars() {
    let mut rows = rows_with_signs(include_str!("../../fixtures/heldout_dangerous_13.txt"));
    rows.extend(rows_with_signs(include_str!("../../fixtures/heldout_harmless_13.txt")));
    hold_the_bars("held out 13", &rows, &stage("/home/agent", "/workspace"));
}

#[test]
fn fourteenth_heldout_rows_hold_the_bars() {
    let mut rows = rows_with_signs(include_str!("../../fixtures/heldout_dangerous_14.txt"));
    rows.extend(rows_with_signs(include_str!("../../fixtures/heldout_harmless_14.txt")));
    hold_the_bars("held out 14", &rows, &stage("/home/agent", "/workspace"));
}
