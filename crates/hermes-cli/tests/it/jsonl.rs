use std::collections::BTreeSet;
use std::io::{BufRead, BufReader, Write};

use serde_json::{Value, json};

use crate::harness::Hermes;

#[test]
fn answers_come_as_they_finish_with_their_ids() {
    let hermes = Hermes::new();
    let mut child = hermes.spawn(&["run", "--jsonl"]);
    let mut stdin = child.stdin.take().unwrap();
    let mut answers = BufReader::new(child.stdout.take().unwrap()).lines();
    let mut next = || serde_json::from_str::<Value>(&answers.next().unwrap().unwrap()).unwrap();
    writeln!(stdin, "{}", json!({"id": "slow", "name": "sleep", "arguments": {"seconds": 30}})).unwrap();
    writeln!(stdin, "{}", json!({"id": 7, "name": "sleep", "arguments": {"seconds": 0}})).unwrap();
    let first = next();
    assert_eq!(
        (&first["id"], &first["tool_results"][0]["content"]["status"]),
        (&json!(7), &json!("success"))
    );
    writeln!(stdin, "{}", json!({"id": "p", "op": "ping"})).unwrap();
    assert_eq!(next(), json!({"id": "p", "pong": true}));
    writeln!(stdin, "{}", json!({"id": "x", "op": "cancel", "target": "slow"})).unwrap();
    let two = [next(), next()];
    let by_id = |id: &str| two.iter().find(|answer| answer["id"] == id).unwrap();
    assert_eq!(by_id("x")["cancelled"], true);
    assert_eq!(by_id("slow")["tool_results"][0]["content"]["interrupted"], true);
    writeln!(stdin, "{}", json!({"id": "d", "op": "definitions"})).unwrap();
    let definitions = next();
    assert!(definitions["definitions"].as_array().unwrap().len() > 5 && definitions["epoch"] == 1);
    drop(stdin);
    assert_eq!(child.wait().unwrap().code(), Some(0));
}

#[test]
fn bad_lines_are_answered_and_the_rest_goes_on() {
    let input = [
        "nonsense".to_owned(),
        "7".to_owned(),
        json!({"id": "a", "op": "dance"}).to_string(),
        json!({"id": "b"}).to_string(),
        String::new(),
        "{\"id\": \"c\", \"name\": \"sleep\", \"name\": \"todo\"}".to_owned(),
        json!({"id": "d", "name": "sleep", "arguments": {"seconds": 0}}).to_string(),
    ]
    .join("\n");
    let ran = Hermes::new().run_with(&["run", "--jsonl"], &input);
    assert_eq!(ran.code, 0);
    let answers = ran.lines();
    assert_eq!(answers.len(), 6);
    let failed = answers.iter().filter(|answer| answer["code"] == "invalid_argument").count();
    assert_eq!(failed, 5, "{answers:?}");
    assert!(answers.iter().any(|answer| answer["id"] == "d" && answer.get("tool_results").is_some()));
}

/// A caller that counts its ids anew does not lose hold of what is still under way.
#[test]
fn all_requests_of_one_id_are_cancelled_by_it() {
    let hermes = Hermes::new();
    let mut child = hermes.spawn(&["run", "--jsonl"]);
    let mut stdin = child.stdin.take().unwrap();
    let mut answers = BufReader::new(child.stdout.take().unwrap()).lines();
    let mut next = || serde_json::from_str::<Value>(&answers.next().unwrap().unwrap()).unwrap();
    let sleep = |seconds: u32| json!({"id": 1, "name": "sleep", "arguments": {"seconds": seconds}});
    writeln!(stdin, "{}\n{}\n{}", sleep(600), sleep(0), sleep(600)).unwrap();
    assert_eq!(next()["tool_results"][0]["content"]["interrupted"], false);
    writeln!(stdin, "{}", json!({"id": 2, "op": "cancel", "target": 1})).unwrap();
    let told = [next(), next(), next()];
    assert_eq!(told.iter().filter(|answer| answer["id"] == 1).count(), 2, "{told:?}");
    assert!(told.iter().any(|answer| answer["cancelled"] == true), "{told:?}");
    drop(stdin);
    assert_eq!(child.wait().unwrap().code(), Some(0));
}

/// An error counts lines within the line it is about, and of a folder there are none.
#[test]
fn what_is_missing_is_missing_on_the_line_itself() {
    let hermes = Hermes::new();
    let ran = hermes.run_with(&["run", "--jsonl"], "{\"id\": 1,\r\n{\"id\": 2, \"op\": \"ping\"}\r\n");
    let error = ran.lines()[0]["error"].as_str().unwrap().to_owned();
    assert!(error.starts_with("line 1, column 11"), "{error}");
    // Columns are those that an editor counts.
    let ran = hermes.run_with(&["run", "--jsonl"], "{\"ééé😀\": x}");
    let error = ran.lines()[0]["error"].as_str().unwrap().to_owned();
    assert!(error.starts_with("line 1, column 10"), "{error}");
    let folder = hermes.run(&["run", "--jsonl", "."]);
    assert!(folder.code == 2 && folder.stderr.contains("directory"), "{}: {}", folder.code, folder.stderr);
}

/// Who sent a line that is not read hears of it under the id that stands at its beginning.
#[test]
fn a_line_that_is_not_read_is_answered_under_its_id() {
    let mut input = format!("{{\"id\": \"long\", \"name\": \"{}\"}}\n", "x".repeat(65 << 20)).into_bytes();
    input.extend(b"{\"id\": \"odd\", \"name\": \"\xff\"}\n{\"name\": \"\xff\", \"id\": 1}\n");
    // Its folders go with it.
    let hermes = Hermes::new();
    let mut child = hermes.spawn(&["run", "--jsonl"]);
    let mut stdin = child.stdin.take().unwrap();
    let feeding = std::thread::spawn(move || stdin.write_all(&input));
    let output = child.wait_with_output().unwrap();
    feeding.join().unwrap().unwrap();
    let said = String::from_utf8(output.stdout).unwrap();
    let answers: Vec<Value> = said.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let ids: Vec<&Value> = answers.iter().map(|answer| &answer["id"]).collect();
    assert_eq!(ids, [&json!("long"), &json!("odd"), &Value::Null], "{said}");
    assert!(answers.iter().all(|answer| answer["code"] == "invalid_argument"), "{said}");
}

#[test]
fn a_flood_is_answered_completely() {
    let count = 5_000;
    let input: String = (0..count)
        .map(|n| {
            format!(
                "{}\n",
                json!({"id": n, "session": format!("s{}", n % 7), "name": "todo", "arguments": {}})
            )
        })
        .collect();
    let ran = Hermes::new().run_with(&["run", "--jsonl"], &input);
    let ids: BTreeSet<i64> = ran.lines().iter().map(|answer| answer["id"].as_i64().unwrap()).collect();
    assert_eq!(ids.len(), count);
}

#[test]
fn lines_of_a_session_take_turns_in_the_order_they_were_read() {
    let hermes = Hermes::new();
    let pairs = 150;
    let input: String = (0..pairs)
        .flat_map(|n| {
            let (path, content) = ("shared.txt", format!("text {n}"));
            [
                json!({"id": format!("w{n}"), "name": "write_file", "arguments": {"path": path, "content": content}}),
                json!({"id": format!("r{n}"), "name": "read_file", "arguments": {"path": path}}),
            ]
        })
        .map(|line| format!("{line}\n"))
        .collect();
    let ran = hermes.run_with(&["run", "--jsonl"], &input);
    let answers = ran.lines();
    assert_eq!(answers.len(), 2 * pairs);
    for n in 0..pairs {
        let read = answers.iter().find(|answer| answer["id"] == format!("r{n}")).unwrap();
        let content = read["tool_results"][0]["content"]["content"].as_str().unwrap_or_default();
        assert!(
            content.trim_end().ends_with(&format!("|text {n}")),
            "read {n} must see the write before it: {read}"
        );
    }
}

#[test]
fn sessions_are_apart() {
    let set = json!({"todos": [{"id": "1", "content": "x", "status": "pending"}]});
    let input = format!(
        "{}\n{}\n{}\n",
        json!({"id": 1, "session": "a", "tool_calls": [
            {"id": "x", "function": {"name": "todo", "arguments": set}},
            {"id": "y", "function": {"name": "todo", "arguments": "{}"}},
        ]}),
        json!({"id": 2, "session": "b", "name": "todo", "arguments": {}}),
        json!({"id": 3, "op": "ping"}),
    );
    let ran = Hermes::new().run_with(&["run", "--jsonl"], &input);
    let answers = ran.lines();
    let answer = |id: i64| answers.iter().find(|answer| answer["id"] == id).unwrap();
    assert_eq!(answer(1)["tool_results"][1]["content"]["summary"]["total"], 1, "in call order");
    assert_eq!(answer(2)["tool_results"][0]["content"]["summary"]["total"], 0);
}

#[test]
fn a_file_of_lines_is_read_and_a_missing_one_is_an_error() {
    let hermes = Hermes::new();
    let file = hermes.write("requests.jsonl", "{\"id\": 1, \"op\": \"ping\"}\n");
    let ran = hermes.run(&["run", "--jsonl", file.to_str().unwrap()]);
    assert_eq!((ran.code, ran.lines()), (0, vec![json!({"id": 1, "pong": true})]));
    let ran = hermes.run(&["run", "--jsonl", "not-there.jsonl"]);
    assert!(ran.code != 0 && ran.stderr.contains("not-there.jsonl"), "{} {}", ran.code, ran.stderr);
}

#[test]
fn fields_of_the_wrong_type_are_errors_and_readable_ids_are_answered() {
    let hermes = Hermes::new();
    let write = json!({"path": "written.txt", "content": "x"});
    let input = [
        json!({"id": 1, "op": 5, "name": "write_file", "arguments": write}).to_string(),
        json!({"id": 2, "session": 5, "name": "write_file", "arguments": write}).to_string(),
        json!({"id": [3], "name": "write_file", "arguments": write}).to_string(),
        json!({"id": 4, "op": "cancel"}).to_string(),
        r#"{"id": 5, "name": "sleep", "arguments": {"seconds": 0}, "arguments": {"seconds": 1}}"#.to_owned(),
        r#"{"id": 6, "name": "sleep", "arguments": {"seconds": 0, "seconds": 1}}"#.to_owned(),
    ]
    .join("\n");
    let mut answers = hermes.run_with(&["run", "--jsonl"], &input).lines();
    let refused = answers.remove(answers.iter().position(|answer| answer["id"] == 6).unwrap());
    assert_eq!(refused["tool_results"][0]["content"]["code"], "invalid_argument", "{refused}");
    assert!(answers.iter().all(|answer| answer["code"] == "invalid_argument"), "{answers:?}");
    let ids: Vec<&Value> = answers.iter().map(|answer| &answer["id"]).collect();
    assert_eq!(ids, [&json!(1), &json!(2), &json!([3]), &json!(4), &json!(5)]);
    assert!(!hermes.work().join("written.txt").exists());
}

/// A number that no double holds, or that is written in its own way, still finds its request.
#[test]
fn ids_come_back_to_the_letter() {
    let ids =
        ["123456789012345678901234567890", "18446744073709551616", "1e3", "1.50", "\"\\u0061\"", "null"];
    let lines = ids.map(|id| {
        [
            format!("{{\"id\":{id},\"op\":\"ping\"}}"),
            format!("{{\"id\":{id},\"name\":\"sleep\",\"arguments\":{{\"seconds\":NaN}}}}"),
            format!("{{\"id\":{id},\"name\":\"sleep\",\"arguments\":{{\"seconds\":"),
        ]
    });
    let ran = Hermes::new().run_with(&["run", "--jsonl"], &lines.concat().join("\n"));
    for id in ids {
        let answered = ran.stdout.lines().filter(|line| line.starts_with(&format!("{{\"id\":{id},")));
        assert_eq!(answered.count(), 3, "{id}: {}", ran.stdout);
    }
    let call = "{\"id\":18446744073709551616,\"name\":\"sleep\",\"arguments\":{\"seconds\":0}}";
    let ran = Hermes::new().run_with(&["run", "--jsonl"], call);
    assert_eq!(ran.lines()[0]["tool_results"][0]["tool_call_id"], "18446744073709551616");
    let cancel = "{\"id\":123456789012345678901234567890,\"name\":\"sleep\",\"arguments\":{\"seconds\":600}}\n\
                  {\"id\":2,\"op\":\"cancel\",\"target\":123456789012345678901234567890}";
    let ran = Hermes::new().run_with(&["run", "--jsonl"], cancel);
    assert!(ran.stdout.contains("{\"id\":2,\"cancelled\":true}"), "{}", ran.stdout);
}

#[test]
fn a_command_stopped_in_the_middle_has_an_unknown_outcome() {
    let hermes = Hermes::new();
    let command = json!({"name": "terminal", "arguments": {"command": "echo paid >> ledger; sleep 1000"}});
    let ran = hermes.run_with(&["run", "-", "--timeout", "5", "--json"], &command.to_string());
    // It may not have come to run in that time; what began is not called cancelled.
    let began = hermes.work().join("ledger").exists();
    assert_eq!(ran.code, if began { 6 } else { 124 }, "{}", ran.stdout);
    assert_eq!(ran.stdout.contains("outcome_unknown"), began, "{}", ran.stdout);
}
