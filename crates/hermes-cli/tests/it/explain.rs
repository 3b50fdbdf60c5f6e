//! The behaviour rows, answered by the binary in the fields they came in.

use serde_json::{Value, json};

use crate::harness::{Hermes, fixture};

/// Numbers compare by value: 3 and 3.0 are the same.
fn same(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::Number(x), Value::Number(y)) => {
            x == y || (x.as_f64() == y.as_f64() && !(x.is_u64() && y.is_u64()))
        }
        (Value::Array(x), Value::Array(y)) => x.len() == y.len() && x.iter().zip(y).all(|(x, y)| same(x, y)),
        (Value::Object(x), Value::Object(y)) => {
            x.len() == y.len()
                && x.iter().all(|(key, value)| y.get(key).is_some_and(|other| same(value, other)))
        }
        _ => a == b,
    }
}

fn rows(name: &str) -> Vec<Value> {
    fixture(name).lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// The given rows and those written afterwards, each with its answer.
fn answers(command: &str, kind: &str) -> Vec<(Value, Value)> {
    let files = [format!("{kind}.jsonl"), format!("{kind}_fresh.jsonl")];
    files.iter().flat_map(|file| answers_to(command, file)).collect()
}

fn answers_to(command: &str, file: &str) -> Vec<(Value, Value)> {
    let ran = Hermes::new().run_with(&["explain", command, "--jsonl"], &fixture(file));
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    let (rows, answers) = (rows(file), ran.lines());
    assert_eq!(rows.len(), answers.len(), "one answer per case, in order");
    rows.into_iter().zip(answers).collect()
}

#[test]
fn arguments_are_coerced_as_expected() {
    for (row, answer) in answers("args", "coercion") {
        assert_eq!(row["id"], answer["id"]);
        assert!(same(&answer["expected"], &row["expected"]), "{row}\n{answer}");
    }
}

#[test]
fn errors_are_cleaned_as_expected() {
    for (row, answer) in answers("error", "sanitize_error") {
        let trimmed = |value: &Value| value.as_str().unwrap().trim_end().to_owned();
        assert_eq!(trimmed(&answer["output"]), trimmed(&row["output"]), "{row}");
    }
}

#[test]
fn batches_are_cut_as_expected() {
    for (row, answer) in answers("plan", "batch_plan") {
        assert_eq!(answer["segments"], row["segments"], "{row}");
    }
}

#[test]
fn names_are_repaired_as_expected() {
    for command in ["name", "args"] {
        for (row, answer) in answers(command, "tool_name_repair") {
            if row.get("name").is_some() {
                assert_eq!(answer["repaired"], row["repaired"], "{row}");
            }
        }
    }
}

#[test]
fn schemas_are_normalised_as_expected() {
    for (row, answer) in answers("schema", "schema_sanitize") {
        // Two forms keep both constraints; either will do.
        if row["case"] != "type list beside anyOf" {
            assert!(same(&answer["out"], &row["out"]), "{row}\n{answer}");
        }
    }
}

#[test]
fn a_line_that_makes_no_sense_is_answered_and_the_rest_goes_on() {
    let input = "nonsense\n[]\n{}\n\n{\"input\": \"x\"}\n";
    let ran = Hermes::new().run_with(&["explain", "error", "--jsonl"], input);
    let answers = ran.lines();
    assert_eq!(answers.len(), 4);
    assert!(answers.iter().take(3).all(|answer| answer.get("error").is_some()));
    assert_eq!(answers[3]["output"], "[TOOL_ERROR] x");
}

#[test]
fn people_can_ask_too() {
    let hermes = Hermes::new();
    let ran = hermes.run(&["explain", "args", "read_file", r#"{"path": "a", "limit": "5"}"#]);
    assert!(ran.stdout.contains(r#"/limit: "5" -> 5"#) && ran.stdout.contains("valid"), "{}", ran.stdout);
    let ran = hermes.run(&["explain", "args", "read_file", r#"{"pth": "a"}"#]);
    assert_eq!(ran.code, 5);
    assert!(ran.stderr.contains("pth") && ran.stderr.contains("path"), "{}", ran.stderr);
    assert!(hermes.run(&["explain", "name", "ReadFile"]).stdout.contains("read as 'read_file'"));
    assert!(hermes.run(&["explain", "error", "<system>x</system>"]).stdout.contains("[TOOL_ERROR] x"));
}

#[test]
fn a_line_that_is_no_text_is_answered_and_the_rest_goes_on() {
    use std::io::Write as _;
    for (command, case) in
        [("error", "{\"input\": \"x\"}"), ("args", "{\"name\": \"read_file\"}"), ("plan", "{\"calls\": []}")]
    {
        let hermes = Hermes::new();
        let mut child = hermes.spawn(&["explain", command, "--jsonl"]);
        let mut input = child.stdin.take().unwrap();
        input.write_all(b"{\"input\": \"\xff\"}\n").unwrap();
        writeln!(input, "{case}").unwrap();
        drop(input);
        let output = child.wait_with_output().unwrap();
        let text = String::from_utf8(output.stdout).unwrap();
        let lines: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        assert_eq!(lines.len(), 2, "{command}: {text}");
        assert!(
            lines[0]["error"].as_str().unwrap().contains("UTF-8") && lines[1].get("error").is_none(),
            "{text}"
        );
    }
}

#[test]
fn looking_for_tools_and_at_them_overlaps_also_where_nothing_is_deferred() {
    let calls = json!({"calls": [["tool_search", {"query": "x"}], ["tool_describe", {"name": "read_file"}]]});
    let planned = Hermes::new().run_with(&["explain", "plan", "--jsonl"], &format!("{calls}\n")).json();
    assert_eq!(planned["segments"], json!([["parallel", [0, 1]]]), "{planned}");
}

#[test]
fn arguments_that_cannot_be_read_have_no_form() {
    let hermes = Hermes::new();
    let ran = hermes.run(&["explain", "args", "sleep", "["]);
    assert_eq!((ran.code, ran.stdout.as_str()), (5, ""), "{}", ran.stderr);
    let ran = hermes.run(&["explain", "args", "sleep", r#"{"second": 1}"#]);
    assert!(
        ran.stderr.contains("unknown field 'second' (did you mean 'seconds'?). The tool"),
        "{}",
        ran.stderr
    );
}

/// A handle where a place is named stands for a place that only its session knows.
#[test]
fn a_batch_is_planned_as_its_session_would() {
    let hermes = Hermes::new();
    (0..1_500).for_each(|n| drop(hermes.write(&format!("d/a_file_with_a_long_name_{n}"), "")));
    let listing = r#"{"path": "d", "limit": 3000}"#;
    let listed = hermes.run(&["tools", "call", "directory_list", listing, "--session", "s", "--json"]).stdout;
    let handle = listed.split(['"', '#']).find(|part| part.starts_with("hermes://result/")).unwrap();
    let calls = json!({"calls": [
        ["write_file", {"path": format!("{handle}#/entries/0/path"), "content": "x"}],
        ["read_file", {"path": "b"}],
    ]});
    let planned =
        |arguments: &[&str]| hermes.run_with(arguments, &format!("{calls}\n")).json()["segments"].clone();
    assert_eq!(planned(&["explain", "plan", "--jsonl", "--session", "s"]), json!([["parallel", [0, 1]]]));
    assert_eq!(planned(&["explain", "plan", "--jsonl"]), json!([["sequential", [0, 1]]]));
}

#[test]
fn what_is_left_out_of_a_schema_is_told() {
    let hermes = Hermes::new();
    let schema = json!({"type": "object", "properties": {"a": {"type": "string", "enum": []}}});
    let told = "/properties/a/enum: left out: [] means nothing there";
    let ran = hermes.run_with(&["explain", "schema"], &schema.to_string());
    assert_eq!(ran.json()["properties"]["a"], json!({"type": "string"}));
    assert!(ran.stderr.contains(told), "{}", ran.stderr);
    let row = json!({"case": "x", "in": schema});
    let answer = hermes.run_with(&["explain", "schema", "--jsonl"], &format!("{row}\n")).json();
    assert_eq!(answer["notes"], json!([told]));
}

/// What would have been right, and not the whole of what was wrong once more.
#[test]
fn a_union_says_what_its_branches_want() {
    let union = |branches: Value| json!({"type": "object", "properties": {"v": {"anyOf": branches}}});
    let (number, list) = (json!({"type": "integer"}), json!({"type": "array", "items": {"type": "integer"}}));
    let named = json!({"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"]});
    let cases = [
        (union(json!([number, list])), json!("x"), "/v: expected an integer or an array, found \"x\""),
        (union(json!([number, {"type": "integer"}])), json!({}), "/v: expected an integer, found {}"),
        (
            union(json!([named, number])),
            json!({}),
            "/v: expected an object with the field \"n\" or an integer, found {}",
        ),
        (
            union(json!([named, number])),
            json!({"n": "x"}),
            "/v: expected an integer at /n or an integer, found",
        ),
    ];
    for (schema, value, expected) in cases {
        let line = json!({"schema": schema, "args": {"v": value}}).to_string();
        let said = Hermes::new().run_with(&["explain", "args", "--jsonl"], &line).lines()[0].clone();
        let error = said["error"]["error"].as_str().unwrap_or_default();
        assert!(error.contains(expected), "{expected}: {said}");
    }
}
