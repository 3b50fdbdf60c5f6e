//! The same calls here and there give the same answers.

use hermes_testkit::TestRuntime;
use serde_json::{Value, json};

/// Calls in the order in which they are made. What they write, later ones read.
fn calls() -> Vec<(&'static str, Value)> {
    let odd = "odd '\"$(touch ran)`touch ran` \\ ;&|<>*?[]{}~#!é漢/-n\t\nend\n";
    let gitignored = "*.log\nbuild/\n!keep.log\n";
    vec![
        ("write_file", json!({"path": "src/main.rs", "content": "fn main() {\n    run();\n}\n"})),
        ("write_file", json!({"path": "src/lib.rs", "content": "pub fn run() {}\n"})),
        ("write_file", json!({"path": "src/deep/er/mod.rs", "content": "// run\n"})),
        ("write_file", json!({"path": ".gitignore", "content": gitignored})),
        ("write_file", json!({"path": ".git/HEAD", "content": "ref: run\n"})),
        ("write_file", json!({"path": "build/out.txt", "content": "run\n"})),
        ("write_file", json!({"path": "a.log", "content": "run\n"})),
        ("write_file", json!({"path": "src/.gitignore", "content": "deep\n"})),
        ("write_file", json!({"path": "keep.log", "content": "run\n"})),
        ("write_file", json!({"path": odd, "content": "odd\n"})),
        ("read_file", json!({"path": odd})),
        ("write_file", json!({"path": "bytes.bin", "content": "AAECA/8K", "encoding": "base64"})),
        ("read_file", json!({"path": "bytes.bin"})),
        ("read_file", json!({"path": "bytes.bin", "encoding": "base64"})),
        ("write_file", json!({"path": "empty.txt", "content": ""})),
        ("read_file", json!({"path": "empty.txt"})),
        ("write_file", json!({"path": "crlf.txt", "content": "one\r\ntwo\r\n"})),
        ("patch", json!({"path": "crlf.txt", "old_string": "two", "new_string": "2"})),
        ("read_file", json!({"path": "crlf.txt", "line_numbers": false})),
        ("write_file", json!({"path": "log.txt", "content": "one\n"})),
        ("write_file", json!({"path": "log.txt", "content": "two\n", "mode": "append"})),
        ("write_file", json!({"path": "log.txt", "content": "x", "mode": "create"})),
        ("write_file", json!({"path": "log.txt", "content": "x", "expected_hash": "0".repeat(64)})),
        ("write_file", json!({"path": "none.txt", "content": "x", "expected_hash": "0".repeat(64)})),
        ("write_file", json!({"path": "no/folder.txt", "content": "x", "create_dirs": false})),
        ("write_file", json!({"path": "src", "content": "x"})),
        ("read_file", json!({"path": "log.txt"})),
        ("read_file", json!({"path": "log.txt", "offset": 2, "limit": 1, "line_numbers": false})),
        ("read_file", json!({"path": "lgo.txt"})),
        ("read_file", json!({"path": "src"})),
        ("read_file", json!({"path": "src/../log.txt"})),
        ("patch", json!({"path": "src/main.rs", "old_string": "    run();", "new_string": "    run(1);"})),
        ("patch", json!({"path": "src/main.rs", "old_string": "nowhere", "new_string": "x"})),
        ("patch", json!({"path": "missing.rs", "old_string": "a", "new_string": "b"})),
        (
            "patch",
            json!({"mode": "patch", "patch": "*** Begin Patch\n*** Update File: src/main.rs\n@@ fn main() {\n\
            -    run(1);\n+    run(2);\n*** Add File: new/made.txt\n+made\n*** Delete File: crlf.txt\n\
            *** Move File: log.txt -> moved/log.txt\n*** End Patch"}),
        ),
        (
            "patch",
            json!({"mode": "patch", "patch": "*** Begin Patch\n*** Delete File: src/lib.rs\n\
            *** Update File: src/main.rs\n@@\n-not there\n+x\n*** End Patch"}),
        ),
        (
            "patch",
            json!({"mode": "patch", "preview": true, "patch": "*** Begin Patch\n*** Delete File: src/lib.rs\n\
            *** End Patch"}),
        ),
        ("directory_list", json!({})),
        ("directory_list", json!({"depth": 5, "hidden": true, "sort": "type"})),
        ("directory_list", json!({"depth": 5, "no_ignore": false, "tree": true})),
        ("directory_list", json!({"path": "src", "depth": 3, "filter": "*.rs"})),
        ("directory_list", json!({"path": "a.log"})),
        ("directory_list", json!({"path": "missing"})),
        ("search_files", json!({"pattern": "\\brun\\b"})),
        ("search_files", json!({"pattern": "run", "all_files": true, "output_mode": "count"})),
        ("search_files", json!({"pattern": "RUN", "ignore_case": true, "file_glob": "*.rs", "context": 1})),
        ("search_files", json!({"pattern": "*.rs", "target": "files"})),
        ("search_files", json!({"pattern": "run", "path": "src/deep"})),
        ("search_files", json!({"pattern": "run", "path": "src/main.rs"})),
        ("search_files", json!({"pattern": "run", "path": "missing"})),
        ("search_files", json!({"pattern": "run("})),
        ("file_search", json!({"query": "mnrs"})),
        ("file_search", json!({"query": "*.rs", "mode": "glob", "no_ignore": true})),
        ("file_search", json!({"query": "run", "mode": "content"})),
        ("file_search", json!({"query": "s*", "mode": "glob", "type": "dir", "max_depth": 1})),
        ("file_diff", json!({"left": "src/main.rs", "right": "src/lib.rs"})),
        ("file_diff", json!({"left": "src", "right": "new", "recursive": true, "format": "stat"})),
        ("file_diff", json!({"left": "src", "right": "src/lib.rs"})),
    ]
}

/// Makes all calls both here and there and compares the answers.
pub(super) async fn answers_are_the_same(there: &TestRuntime, work: &str, backend: &str, identity: &str) {
    let here = TestRuntime::new().await;
    let our_work = here.workspace().display().to_string();
    for (tool, arguments) in calls() {
        let expected = answer(&here, tool, &arguments).await.1;
        let (ran, found) = answer(there, tool, &arguments).await;
        let place = format!("{tool} {arguments}");
        let (expected, found) = (expected.replace(&our_work, "WORK"), found.replace(work, "WORK"));
        assert_eq!(found, expected, "{place}");
        // What is refused before anything is looked at was refused nowhere.
        if !ran.is_null() || !found.contains("\"error\"") {
            assert_eq!(ran["backend"], json!(backend), "{place}");
            assert!(ran["identity"].as_str().unwrap_or_default().contains(identity), "{place}: {ran}");
        }
        let left = std::fs::read_dir(there.workspace()).unwrap().count();
        assert_eq!(left, 0, "{place} did something here");
    }
}

/// What the model reads, without what must differ: where it ran, times, and hashes of calls.
async fn answer(test: &TestRuntime, tool: &str, arguments: &Value) -> (Value, String) {
    let outcome = test.call(tool, arguments.clone()).await;
    let mut value = match outcome.result {
        Ok(value) => value,
        Err(error) => json!({
            "error": error.message, "code": error.code, "hint": error.hint, "data": error.data,
        }),
    };
    let ran = value.as_object_mut().and_then(|fields| fields.remove("ran"));
    let in_data = value["data"].as_object_mut().and_then(|data| data.remove("ran"));
    without_times(&mut value);
    (ran.or(in_data).unwrap_or_default(), serde_json::to_string_pretty(&value).unwrap())
}

fn without_times(value: &mut Value) {
    match value {
        Value::Object(fields) => {
            fields.remove("mtime");
            // Folders have the size their file system gives them.
            if fields.get("type") == Some(&json!("directory")) {
                fields.remove("size");
            }
            fields.values_mut().for_each(without_times);
        }
        Value::Array(items) => items.iter_mut().for_each(without_times),
        _ => {}
    }
}
