//! Two processes that patch one file a thousand times each.

use std::collections::BTreeSet;
use std::io::Write;

use serde_json::{Value, json};

use crate::harness::Hermes;

const PATCHES: usize = 1_000;

#[test]
fn every_acknowledged_patch_of_two_processes_is_there() {
    let hermes = Hermes::new();
    let path = hermes.write("list.txt", "BEGIN\nEND\n");
    let mut children = Vec::new();
    for writer in ["p", "q"] {
        let mut child = hermes.spawn(&["run", "--jsonl", "--session", writer]);
        let mut stdin = child.stdin.take().unwrap();
        let feeding = std::thread::spawn(move || {
            for number in 0..PATCHES {
                let arguments = json!({
                    "path": "list.txt", "old_string": "\nEND\n", "new_string": format!("\n{writer}{number}\nEND\n"),
                });
                let id = format!("{writer}{number}");
                let call = json!({"id": id, "type": "function", "function": {"name": "patch", "arguments": arguments}});
                writeln!(stdin, "{}", json!({"id": id, "tool_calls": [call]})).unwrap();
            }
        });
        children.push((child, feeding));
    }
    let mut acknowledged = BTreeSet::new();
    for (child, feeding) in children {
        feeding.join().unwrap();
        let output = child.wait_with_output().unwrap();
        let answers: Vec<Value> = String::from_utf8(output.stdout)
            .unwrap()
            .lines()
            .map(|line| serde_json::from_str(line).unwrap())
            .collect();
        assert_eq!(answers.len(), PATCHES);
        for answer in answers {
            let result = &answer["tool_results"][0];
            if result["content"]["status"] == "success" {
                acknowledged.insert(result["tool_call_id"].as_str().unwrap().to_owned());
            }
        }
    }
    let text = std::fs::read_to_string(&path).unwrap();
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!((lines.first(), lines.last()), (Some(&"BEGIN"), Some(&"END")));
    let found: Vec<&str> = lines[1..lines.len() - 1].to_vec();
    let unique: BTreeSet<String> = found.iter().map(|line| (*line).to_owned()).collect();
    assert_eq!(unique.len(), found.len(), "a patch was applied twice");
    assert_eq!(unique, acknowledged, "what is there is what was acknowledged");
    assert!(acknowledged.len() > PATCHES, "only {} of {} went through", acknowledged.len(), 2 * PATCHES);
}
