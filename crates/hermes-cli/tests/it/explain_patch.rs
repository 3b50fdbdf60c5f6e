//! `hermes explain patch` on labelled edits: what must be made is made, what must be refused is refused.

use serde_json::{Value, json};

use crate::harness::{Hermes, fixture};

/// Asks about every row; the right answers stay at home.
fn answers(rows: &[Value]) -> Vec<Value> {
    let strip = |row: &Value| {
        let mut row = row.clone();
        row.as_object_mut().unwrap().remove("right");
        row.to_string()
    };
    let input: Vec<String> = rows.iter().map(strip).collect();
    let ran = Hermes::new().run_with(&["explain", "patch", "--jsonl"], &input.join("\n"));
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    let answers = ran.lines();
    assert_eq!(answers.len(), rows.len(), "one answer per case, in order");
    answers
}

#[track_caller]
fn assert_right(name: &str) {
    let rows: Vec<Value> = fixture(name).lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let is_wrong = |row: &Value, answer: &Value| {
        row["right"].as_object().unwrap().iter().any(|(key, value)| answer.get(key) != Some(value))
    };
    let answers = answers(&rows);
    let wrong: Vec<String> = rows
        .iter()
        .zip(&answers)
        .filter(|(row, answer)| is_wrong(row, answer))
        .map(|(row, answer)| format!("{row}\n    {answer}"))
        .collect();
    assert!(wrong.is_empty(), "{} of {} are wrong:\n{}", wrong.len(), rows.len(), wrong.join("\n"));
}

#[test]
fn replacements_are_right_or_refused() {
    assert_right("fuzzy_patch.jsonl");
    assert_right("fuzzy_patch_fresh.jsonl");
    assert_right("fuzzy_patch_third.jsonl");
}

#[test]
fn patches_are_right_or_refused() {
    assert_right("v4a_patch.jsonl");
    assert_right("v4a_patch_fresh.jsonl");
    assert_right("v4a_patch_third.jsonl");
}

#[test]
fn our_own_cases_too() {
    assert_right("own_patches.jsonl");
}

#[test]
fn bytes_and_nonsense_are_answered() {
    let rows = [
        json!({"before": {"a.bin": "b64:AAEC"}, "patch": "*** Move File: a.bin -> b.bin"}),
        json!({"before": {"a.bin": "b64:AAEC"}, "patch": "*** Update File: a.bin\n-x\n+y"}),
        json!({"neither": 1}),
    ];
    let answers = answers(&rows);
    assert_eq!(answers[0]["after"], json!({"b.bin": "b64:AAEC"}), "{answers:?}");
    assert_eq!(answers[1]["ok"], false);
    assert!(answers[2]["error"].is_string());
}
