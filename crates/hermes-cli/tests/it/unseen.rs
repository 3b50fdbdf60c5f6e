//! What commands do not see, cannot have or lose: it is said, with its cause.

use serde_json::{Value, json};

use crate::harness::{Hermes, request};

fn call(hermes: &Hermes, tool: &str, arguments: &Value) -> (i32, Value) {
    let ran = hermes.run(&["tools", "call", tool, &arguments.to_string(), "--json"]);
    (ran.code, ran.json())
}

/// What a file tool would leave out a command could print in other words.
#[test]
fn settings_with_a_secret_in_the_clear_are_hidden_from_commands() {
    let config = |token: &str| {
        format!(
            "mcp_servers:\n  demo: {{command: \"true\", enabled: false, env: {{DEMO_TOKEN: \"{token}\"}}}}\n"
        )
    };
    for (token, is_shown) in [("s3cr3t-c4n4ry-v4lu3-9f8e", false), ("${DEMO_TOKEN}", true)] {
        let hermes = Hermes::new().with_config(&config(token));
        let file = hermes.home().join("config.yaml").display().to_string();
        let (code, read) = call(&hermes, "read_file", &json!({"path": file}));
        assert!(code == 0 && !read.to_string().contains("s3cr3t"), "{read}");
        let command = format!("rev < {file} || echo unseen");
        let (_, ran) = call(&hermes, "terminal", &json!({"command": command}));
        let output = ran["output"].as_str().unwrap();
        assert_eq!(output.contains("srevres_pcm"), is_shown, "{ran}");
        assert!(!output.contains("yr4n4c"), "{ran}");
        let told = hermes.run(&["config", "validate"]).stdout;
        assert_eq!(told.contains("in the clear"), !is_shown, "{told}");
        assert_eq!(told.contains("line 2"), !is_shown, "{told}");
    }
}

/// Where the limit holds for what starts a command too, nothing starts, and trying again is of no use.
#[test]
fn a_limit_that_lets_nothing_start_is_named() {
    let hermes = Hermes::new();
    let arguments = json!({"command": "echo a | cat"}).to_string();
    let few = ["tools", "call", "terminal", &arguments, "--json", "--set", "terminal.limits.processes=1"];
    let few = hermes.run(&few).json();
    if few["code"] == json!("unavailable") {
        assert!(few["error"].as_str().unwrap().contains("the limit on processes is 1"), "{few}");
        assert_eq!(few["retryable"], json!(false), "{few}");
    }
}

#[test]
fn a_folder_that_is_gone_is_named() {
    let hermes = Hermes::new();
    let terminal = |command: &str| {
        let arguments = json!({"command": command}).to_string();
        hermes.run(&["tools", "call", "terminal", &arguments, "--json", "--session", "s"]).json()
    };
    terminal("mkdir gone && cd gone && rmdir ../gone");
    let next = terminal("pwd");
    assert!(next["note"].as_str().unwrap_or_default().contains("gone is gone"), "{next}");
    assert_eq!(terminal("pwd")["note"], Value::Null, "once is enough");
}

#[test]
fn an_interpreter_stays_whatever_is_printed() {
    let hermes = Hermes::new();
    let call = json!({"code": "x = 7; print('y' * 50000000)"}).to_string();
    let refused = hermes.run(&["tools", "call", "repl", &call]);
    assert!(refused.code == 5 && refused.stderr.contains("toolset"), "{}", refused.stderr);
    let hermes = hermes.with_config("toolsets: [code_execution]\n");
    let js = |code: &str, language: &str| json!({"code": code, "language": language, "session_id": "js"});
    let calls = request(&[
        ("repl", json!({"code": "x = 7; print('y' * 50000000)"})),
        ("repl", json!({"code": "'z' * x * 10000000"})),
        ("repl", js("var x = 8; console.log('y'.repeat(50000000))", "javascript")),
        ("repl", js("x", "node")),
        ("repl", json!({"code": "import os; os._exit(3)"})),
        ("execute_code", json!({"code": "console.log(1 + 1)", "language": "node"})),
    ]);
    hermes.write("r.json", &calls);
    let ran = hermes.run(&["run", "r.json"]).json();
    let content = |index: usize| &ran["tool_results"][index]["content"];
    let left_out = |text: &Value| text.as_str().unwrap().contains("characters left out here");
    assert!(left_out(&content(0)["output"]), "{}", content(0));
    assert!(left_out(&content(1)["result"]), "{}", content(1));
    assert!(left_out(&content(2)["output"]), "{}", content(2));
    assert_eq!(content(3)["result"], json!("8"), "{}", content(3));
    assert!(content(4)["error"].as_str().unwrap().contains("exit code 3"), "{}", content(4));
    assert!(content(5)["output"].as_str().unwrap().contains('2'), "{}", content(5));
}
