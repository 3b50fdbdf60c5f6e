//! What each tool says it would touch. Policy judges these words, so they are checked one by one.

use hermes_kit::BuiltIns;
use hermes_testkit::TestRuntime;
use serde_json::{Value, json};

#[tokio::test]
async fn every_call_names_what_it_touches() {
    let hash = "0".repeat(64);
    let cases: Vec<(&str, Value, &[&str])> = vec![
        ("read_file", json!({"path": "~/a b"}), &["file:read ~/a b"]),
        ("read_file", json!({"path": "x", "encoding": "base64"}), &["file:read x"]),
        ("write_file", json!({"path": "x", "content": "", "mode": "append"}), &["file:write x"]),
        ("write_file", json!({"path": "x", "content": "", "expected_hash": hash}), &["file:write x"]),
        (
            "patch",
            json!({"path": "x", "old_string": "a", "new_string": "b"}),
            &["file:read x", "file:write x"],
        ),
        (
            "patch",
            json!({"path": "x", "old_string": "a", "new_string": "b", "preview": true}),
            &["file:read x"],
        ),
        (
            "patch",
            json!({"mode": "patch", "patch": "*** Update File: a\n*** Move to: b\n*** Delete File: c\n*** Add File: d\n+x"}),
            &[
                "file:read a",
                "file:read b",
                "file:delete a",
                "file:write b",
                "file:read c",
                "file:delete c",
                "file:read d",
                "file:write d",
            ],
        ),
        ("patch", json!({"mode": "patch", "patch": "nonsense"}), &[]),
        ("directory_list", json!({}), &["file:read ."]),
        ("directory_list", json!({"path": "src", "depth": 9}), &["file:read src"]),
        ("search_files", json!({"pattern": "x"}), &["file:read ."]),
        ("search_files", json!({"pattern": "x", "path": "~/a"}), &["file:read ~/a"]),
        (
            "file_compress",
            json!({"action": "compress", "source": ["a", "b"], "format": "tar.gz"}),
            &["file:read a", "file:read b", "file:write a.tar.gz"],
        ),
        (
            "file_compress",
            json!({"action": "extract", "source": "x/a.tgz"}),
            &["file:read x/a.tgz", "file:write x/a"],
        ),
        ("file_compress", json!({"action": "list", "source": "a.zip"}), &["file:read a.zip"]),
        ("file_search", json!({"query": "x", "path": "src"}), &["file:read src"]),
        ("file_watch", json!({"action": "start", "paths": ["a", "b"]}), &["file:read a", "file:read b"]),
        ("file_watch", json!({"action": "poll", "id": "w1"}), &[]),
        ("file_diff", json!({"left": "a", "right": "b"}), &["file:read a", "file:read b"]),
        ("file_diff", json!({"left": "a", "right_text": "b"}), &["file:read a"]),
        ("system_info", json!({"sections": []}), &["system:read"]),
        ("terminal", json!({"command": "ls -l"}), &["terminal:execute ls -l"]),
        ("terminal", json!({"command": "a; b", "workdir": "x", "pty": true}), &["terminal:execute a; b"]),
        ("execute_code", json!({"code": "print(1)"}), &["code:execute"]),
        (
            "execute_code",
            json!({"code": "ls", "language": "shell"}),
            &["code:execute", "terminal:execute ls"],
        ),
        ("repl", json!({"code": "1"}), &["code:execute"]),
        ("process", json!({"action": "list"}), &["process:manage"]),
        ("process", json!({"action": "poll", "session_id": "p"}), &["process:manage p"]),
        ("process", json!({"action": "kill", "session_id": "p"}), &["process:manage p"]),
        ("process", json!({"action": "start", "command": "ls"}), &["terminal:execute ls"]),
        (
            "process",
            json!({"action": "submit", "session_id": "p", "data": "rm -r x"}),
            &["process:manage p", "terminal:execute"],
        ),
        ("sleep", json!({"seconds": 1}), &[]),
        ("todo", json!({"todos": []}), &[]),
        ("read_result", json!({"handle": "hermes://result/x"}), &[]),
        ("env_manager", json!({"action": "get", "name": "A"}), &["env:read A"]),
        (
            "env_manager",
            json!({"action": "get", "name": "A", "reveal": true}),
            &["env:read A", "env:reveal A"],
        ),
        ("env_manager", json!({"action": "list", "prefix": "A"}), &["env:read"]),
        ("env_manager", json!({"action": "list", "name": "A", "reveal": true}), &["env:read", "env:reveal"]),
        ("env_manager", json!({"action": "set", "name": "A", "value": "1"}), &["env:write A"]),
        (
            "env_manager",
            json!({"action": "unset", "name": "A", "scope": "persistent"}),
            &["env:write A", "env:persist A"],
        ),
        ("env_manager", json!({"action": "set"}), &["env:write"]),
    ];
    let test = TestRuntime::new().await;
    for tool in BuiltIns::registrations() {
        assert!(cases.iter().any(|(name, ..)| *name == tool.meta.name), "no case for {}", tool.meta.name);
        for (_, arguments, expected) in cases.iter().filter(|(name, ..)| *name == tool.meta.name) {
            let prepared = (tool.make)(test.host()).prepare(arguments).unwrap();
            let access: Vec<String> = prepared.access().iter().map(ToString::to_string).collect();
            assert_eq!(access, *expected, "{} {arguments}", tool.meta.name);
        }
    }
}
