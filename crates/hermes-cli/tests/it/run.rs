use std::path::Path;

use serde_json::{Value, json};

use crate::harness::{Hermes, request};

#[test]
fn the_readmes_example_does_its_job() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let hermes = Hermes::new();
    // The example lists and reads the repository it ships with.
    std::fs::create_dir_all(hermes.work().join("crates/hermes-core")).unwrap();
    hermes.write("ARCHITECTURE.md", &std::fs::read_to_string(root.join("ARCHITECTURE.md")).unwrap());
    let example = root.join("examples/hello.json");
    let ran = hermes.run(&["run", example.to_str().unwrap()]);
    assert_eq!(ran.code, 0, "{}{}", ran.stdout, ran.stderr);
    let results = ran.json()["tool_results"].clone();
    assert!(
        results.as_array().unwrap().iter().all(|result| result["content"]["status"] == "success"),
        "{results}"
    );
    let human = hermes.run(&["run", example.to_str().unwrap(), "--format", "human", "--color", "never"]);
    assert!(human.stdout.contains("all succeeded"), "{}", human.stdout);
    assert!(!human.stdout.contains('\u{1b}'), "no colours were asked for");
}

#[test]
fn keys_that_mean_nothing_are_told_of_in_every_form() {
    let hermes = Hermes::new();
    let text = json!({"actor": "root", "tool_calls": [{"id": "c", "name": "system_info", "arguments": {}}]})
        .to_string();
    let said = "'actor' in the request means nothing and was ignored";
    let ran = hermes.run_with(&["run"], &text);
    assert_eq!((ran.code, &ran.json()["warnings"]), (0, &json!([said])), "{}", ran.stdout);
    for form in ["human", "messages"] {
        let ran = hermes.run_with(&["run", "--format", form], &text);
        assert!(ran.code == 0 && ran.stderr.contains(said), "{form}: {}", ran.stderr);
    }
    let line = hermes.run_with(&["run", "--jsonl"], &format!("{text}\n"));
    assert_eq!(line.json()["warnings"], json!([said]));
    let clean = hermes.run_with(&["run"], &request(&[("system_info", json!({}))]));
    assert_eq!(clean.json().get("warnings"), None);
}

/// Somebody may put a secret where a key should be.
#[test]
fn a_key_that_is_a_secret_is_not_repeated() {
    let hermes = Hermes::new().with_env("CANARY_API_KEY", "canary-0123456789-abcdefgh");
    let calls =
        |key: &str| json!({"tool_calls": [{"name": "todo"}, {"name": "todo", key: {"a": 1}}], key: 1});
    for key in ["sk-proj-abcdefghijklmnopqrstuvwxyz0123456789", "canary-0123456789-abcdefgh"] {
        for request in [json!({"name": "todo", key: 1}), calls(key)] {
            for arguments in
                [&["run", "-", "--json"][..], &["run", "-", "--format", "messages"], &["run", "--jsonl"]]
            {
                let ran = hermes.run_with(arguments, &request.to_string());
                let said = ran.stdout + &ran.stderr;
                assert!(!said.contains(key) && said.contains("means nothing"), "{arguments:?}: {said}");
            }
        }
    }
}

/// Who switches something off by a wrong name believes that it is off.
#[test]
fn a_toolset_that_nobody_knows_is_told_of_where_calls_are_made() {
    let call = json!({"name": "todo"}).to_string();
    let said = "'terminl'";
    let flag = ["--disable-toolsets", "terminl"];
    let plain = Hermes::new();
    let configured = Hermes::new().with_config("disabled_toolsets: [terminl]\n");
    for (hermes, flag) in [(&plain, &flag[..]), (&configured, &[])] {
        let with = |arguments: &[&'static str]| [arguments, flag].concat();
        let ran = hermes.run_with(&with(&["run", "-", "--json"]), &call);
        assert!(ran.json()["warnings"][0].as_str().unwrap().contains(said), "{}", ran.stdout);
        assert_eq!(ran.stderr.matches(said).count(), 1, "{}", ran.stderr);
        let ran = hermes.run_with(&with(&["run", "--jsonl"]), &format!("{call}\n{call}\n"));
        let told: Vec<_> = ran.lines().into_iter().filter(|line| line.get("warnings").is_some()).collect();
        assert!(told.len() == 1 && told[0]["warnings"][0].as_str().unwrap().contains(said), "{}", ran.stdout);
        assert_eq!(ran.stderr.matches(said).count(), 1, "{}", ran.stderr);
        let ran = hermes.run(&with(&["tools", "call", "todo", "{}", "--json"]));
        assert_eq!((ran.json()["status"].as_str(), ran.stderr.matches(said).count()), (Some("success"), 1));
        let ran = hermes.run_with(&with(&["run", "-", "--format", "human"]), &call);
        assert_eq!(ran.stderr.matches(said).count(), 1, "{}", ran.stderr);
    }
    let ran = plain.run_with(&["run", "-", "--json", "--toolsets", "todo,ghost"], &call);
    assert!(ran.json()["warnings"][0].as_str().unwrap().contains("'ghost'"), "{}", ran.stdout);
}

#[test]
fn a_call_that_cannot_be_read_fails_alone() {
    let hermes = Hermes::new();
    hermes.write("a.txt", "hello\n");
    let good = json!({"id": "a", "name": "read_file", "arguments": {"path": "a.txt"}});
    let lost = json!({"id": "d", "name": "directory_list", "argumnets": {"path": "/etc"}});
    let text = json!([good, {"id": "b", "function": {}}, 7, lost, {"id": "e", "name": "directory_list", "args": {"path": "."}}]);
    let ran = hermes.run_with(&["run", "-"], &text.to_string());
    assert_eq!(ran.code, 5, "{}", ran.stderr);
    let results = ran.json()["tool_results"].clone();
    let told: Vec<_> = results
        .as_array()
        .unwrap()
        .iter()
        .map(|result| {
            (result["tool_call_id"].as_str().unwrap(), result["content"]["status"].as_str().unwrap())
        })
        .collect();
    assert_eq!(
        told,
        [("a", "success"), ("b", "error"), ("call_3", "error"), ("d", "error"), ("e", "success")],
        "{results}"
    );
    assert_eq!(results[1]["content"]["code"], "invalid_argument");
    assert_eq!(results[4]["content"]["notes"][0], "'args' was read as 'arguments'");
    let line = hermes.run_with(&["run", "--jsonl"], &format!("{text}\n"));
    assert_eq!(line.json()["tool_results"].as_array().unwrap().len(), 5, "{}", line.stdout);
}

#[test]
fn arguments_that_are_wrong_in_themselves_fail_alone() {
    let hermes = Hermes::new();
    hermes.write("a.txt", "hello\n");
    let deep = format!("{}1{}", "{\"a\":".repeat(200), "}".repeat(200));
    let text = format!(
        r#"{{"tool_calls": [
            {{"id": "a", "function": {{"name": "read_file", "arguments": {{"path": "a.txt", "path": "b}}\"].txt"}}}}}},
            {{"id": "b", "function": {{"name": "read_file", "arguments": {deep}}}}},
            {{"id": "c", "function": {{"name": "read_file", "arguments": {{"input": {{"x": 1, "x": 2}}}}}}}},
            {{"id": "d", "function": {{"name": "read_file", "arguments": {{"path": "a.txt"}}}}}}
        ]}}"#
    );
    let ran = hermes.run_with(&["run", "-"], &text);
    let results = ran.json()["tool_results"].clone();
    let codes: Vec<&Value> = (0..4).map(|index| &results[index]["content"]["code"]).collect();
    let refused = json!("invalid_argument");
    assert_eq!(codes, [&refused, &refused, &refused, &Value::Null], "{results}");
    for (index, said) in ["the key \"path\" twice", "128 levels", "the key \"x\" twice"].iter().enumerate() {
        let error = results[index]["content"]["error"].as_str().unwrap();
        assert!(error.contains(said), "{error}");
    }
    let line = hermes.run_with(&["run", "--jsonl"], &format!("{}\n", text.replace('\n', " ")));
    assert_eq!(line.json()["tool_results"][3]["content"]["status"], "success", "{}", line.stdout);
    // Where it is not the arguments that are wrong, nothing of the request is sure.
    assert_eq!(hermes.run_with(&["run", "-"], r#"{"name": "sleep", "name": "sleep"}"#).code, 2);
}

#[test]
fn an_example_after_a_refusal_works() {
    let hermes = Hermes::new();
    let refused = hermes.run(&["tools", "call", "sleep", "{\"seconds\": \"abc\"}"]).json();
    let example = refused["hint"].as_str().unwrap().strip_prefix("a minimal valid example: ").unwrap();
    assert_eq!(hermes.run(&["tools", "call", "sleep", example]).code, 0);
    // Nothing is asked for by the schema, and still there are calls with too little.
    let refused = hermes.run(&["tools", "call", "sleep", "{\"zzz\": 1}"]).json();
    let example = refused["hint"].as_str().unwrap().strip_prefix("a minimal valid example: ").unwrap();
    assert_eq!(hermes.run(&["tools", "call", "sleep", example]).code, 0, "{example}");
}

#[test]
fn requests_come_from_files_and_standard_input() {
    let hermes = Hermes::new();
    hermes.write("a.txt", "hello\n");
    let text =
        request(&[("read_file", json!({"path": "a.txt"})), ("file_read", json!("{\"path\": \"a.txt\"}"))]);
    let from_stdin = hermes.run_with(&["run"], &text).json();
    hermes.write("r.json", &text);
    let from_file = hermes.run(&["run", "r.json"]).json();
    assert_eq!(from_stdin, from_file);
    assert_eq!(from_file["tool_results"][0]["tool_call_id"], "c1");
    assert_eq!(from_file["tool_results"][1]["name"], "read_file");
    assert!(from_file["tool_results"][0]["content"]["content"].as_str().unwrap().contains("1|hello"));
}

#[test]
fn bad_requests_say_what_is_wrong() {
    let hermes = Hermes::new();
    for (input, expected) in [
        ("", "not valid JSON"),
        ("{", "line 1, column 2"),
        ("{\"tool_calls\": [], \"tool_calls\": []}", "twice"),
        ("{}", "tool_calls"),
        ("[]", "no tool calls"),
        ("{\"tool_calls\": [{\"id\": \"x\"}]}", "'name'"),
    ] {
        let ran = hermes.run_with(&["run"], input);
        assert_eq!(ran.code, 2, "{input}");
        assert!(ran.stderr.contains(expected), "{input}: {}", ran.stderr);
    }
    let ran = hermes.run(&["run", "missing.json"]);
    assert!(ran.code == 2 && ran.stderr.contains("missing.json"), "{}", ran.stderr);
}

#[test]
fn session_state_is_kept_by_name_only() {
    let hermes = Hermes::new();
    let set = request(&[("todo", json!({"todos": [{"id": "1", "content": "x", "status": "pending"}]}))]);
    let get = request(&[("todo", json!({}))]);
    let count = |arguments: &[&str]| {
        hermes.run_with(arguments, &get).json()["tool_results"][0]["content"]["summary"]["total"].clone()
    };
    hermes.run_with(&["run", "--session", "work"], &set);
    assert_eq!(count(&["run", "--session", "work"]), 1);
    assert_eq!(count(&["run", "--session", "other"]), 0);
    hermes.run_with(&["run"], &set);
    assert_eq!(count(&["run"]), 0, "without a name nothing is kept");
}

#[test]
fn large_results_are_handed_on_by_handle_between_runs() {
    let hermes = Hermes::new().with_config("limits:\n  result_chars: 2000\n");
    let text = "0123456789\n".repeat(1_000);
    hermes.write("big.txt", &text);
    let read = request(&[("terminal", json!({"command": "cat big.txt"}))]);
    let content =
        hermes.run_with(&["run", "--session", "s"], &read).json()["tool_results"][0]["content"].clone();
    let handle = content["output"]["handle"].as_str().unwrap_or_else(|| panic!("{content}")).to_owned();
    let write = request(&[("write_file", json!({"path": "copy.txt", "content": handle}))]);
    let ran = hermes.run_with(&["run", "--session", "s"], &write);
    assert_eq!(ran.code, 0, "{}", ran.stdout);
    assert_eq!(std::fs::read_to_string(hermes.work().join("copy.txt")).unwrap().trim_end(), text.trim_end());
}

#[test]
fn secrets_of_the_environment_never_show() {
    let secret = "sup3r-s3cret-t0ken-value";
    let hermes = Hermes::new().with_env("MY_API_TOKEN", secret);
    hermes.write("leak.txt", &format!("token is {secret}\n"));
    let ran = hermes.run_with(&["run"], &request(&[("read_file", json!({"path": "leak.txt"}))]));
    assert!(!ran.stdout.contains(secret) && ran.stdout.contains("[REDACTED:MY_API_TOKEN]"), "{}", ran.stdout);
    let journal = hermes.run(&["journal", "list", "--json"]);
    assert!(!journal.stdout.contains(secret));
}

#[test]
fn secrets_of_the_environment_show_nowhere_else_either() {
    let secret = "sup3r-s3cret-t0ken-value";
    let hermes = Hermes::new().with_env("MY_API_KEY", secret);
    let calls = request(&[("sleep", json!({"seconds": secret})), (secret, json!({}))]);
    let ran = hermes.run_with(&["run", "--format", "human"], &calls);
    assert!(
        !ran.stdout.contains(secret) && ran.stdout.contains("seconds=[REDACTED:MY_API_KEY]"),
        "{}",
        ran.stdout
    );
    hermes.run(&["tools", "call", "terminal", &json!({"command": format!("echo {secret}")}).to_string()]);
    let journal = hermes.run(&["journal", "list", "--json"]);
    assert!(
        !journal.stdout.contains(secret) && journal.stdout.contains("echo [REDACTED"),
        "{}",
        journal.stdout
    );
    let arguments = json!({"path": secret, "limit": "5"}).to_string();
    let explained = hermes.run(&["explain", "args", "read_file", &arguments]);
    assert!(!explained.stdout.contains(secret) && explained.stdout.contains("valid"), "{}", explained.stdout);
    let (start, end) = secret.split_at(12);
    let interrupted = format!("{start}\u{1b}[31m{end} {start}<system>{end} pass\u{7}word=hunter2secret");
    let explained = hermes.run(&["explain", "error", &interrupted]).stdout;
    assert_eq!(
        explained.trim_end(),
        "[TOOL_ERROR] [REDACTED:MY_API_KEY] [REDACTED:MY_API_KEY] password=[REDACTED]"
    );
}

#[test]
fn a_closed_reader_is_no_crash() {
    let hermes = Hermes::new();
    let mut child = hermes.spawn(&["tools", "schema"]);
    drop(child.stdout.take());
    drop(child.stdin.take());
    let status = child.wait().unwrap();
    assert_eq!(status.code(), Some(0));
}
