use serde_json::{Value, json};

use crate::harness::Hermes;

#[test]
fn lists_shows_and_prices_tools() {
    let hermes = Hermes::new();
    let listed = hermes.run(&["tools", "list", "--json"]).json();
    let names: Vec<&str> =
        listed["tools"].as_array().unwrap().iter().map(|tool| tool["name"].as_str().unwrap()).collect();
    assert!(names.contains(&"read_file") && names.contains(&"read_result"), "{names:?}");
    assert!(hermes.run(&["tools", "list"]).stdout.contains("read_file"));
    let shown = hermes.run(&["tools", "show", "file_read"]);
    assert!(shown.stdout.contains("read_file") && shown.stdout.contains("required"), "{}", shown.stdout);
    assert!(hermes.run(&["tools", "show", "raed_file"]).stderr.contains("read_file"));
    assert!(!hermes.home().exists(), "looking creates nothing");

    let cost = hermes.run(&["tools", "cost", "--json"]).json();
    let total = cost["total_tokens"].as_f64().unwrap();
    let tools = cost["tools"].as_array().unwrap();
    let sum: f64 = tools.iter().map(|tool| tool["schema_tokens"].as_f64().unwrap()).sum();
    assert!((total - sum).abs() / total < 0.01, "{total} {sum}");
    let by_toolset: f64 =
        cost["toolsets"].as_object().unwrap().values().map(|share| share["tokens"].as_f64().unwrap()).sum();
    assert_eq!(by_toolset, sum);
    assert_eq!(hermes.run(&["tools", "cost", "--max-tokens", "10"]).code, 5);
    assert_eq!(hermes.run(&["tools", "cost", "--max-tokens", "100000"]).code, 0);
}

#[test]
fn definitions_are_the_same_bytes_every_time() {
    let first = Hermes::new().run(&["tools", "schema", "--json"]).stdout;
    assert_eq!(first, Hermes::new().run(&["tools", "schema", "--json"]).stdout);
    let parsed: Vec<Value> = serde_json::from_str(&first).unwrap();
    assert!(parsed.iter().all(|tool| tool["function"]["name"].is_string()));
    let anthropic = Hermes::new().run(&["tools", "schema", "--json", "--provider", "anthropic"]).json();
    assert!(anthropic[0]["input_schema"].is_object());
}

#[test]
fn a_call_from_the_command_line() {
    let hermes = Hermes::new();
    hermes.write("a.txt", "one\ntwo\n");
    let ran = hermes.run(&["tools", "call", "read_file", r#"{"path": "a.txt", "offset": "2"}"#]);
    assert_eq!(ran.json()["content"], "2|two\n");
    let ran = hermes.run_with(&["tools", "call", "read_file", "-"], r#"{"path": "a.txt"}"#);
    assert_eq!(ran.json()["status"], "success");
    let ran = hermes.run(&["tools", "call", "read_file", "{broken"]);
    assert_eq!((ran.code, ran.json()["code"].clone()), (5, json!("invalid_argument")));
}

#[test]
fn why_and_toolsets_tell_the_truth() {
    let hermes = Hermes::new();
    let why = |arguments: &[&str]| hermes.run(arguments).stdout;
    assert!(why(&["tools", "why", "read_file"]).contains("offered through toolset 'file'"));
    assert!(why(&["tools", "why", "read_file", "--toolsets", "todo"]).contains("belongs to 'file'"));
    assert!(why(&["tools", "why", "terminal_x"]).contains("no such tool"));
    for (names, code) in
        [(&["read_file"][..], 0), (&["terminal_x"], 5), (&["read_file", "terminal_x", "--json"], 5)]
    {
        assert_eq!(hermes.run(&[&["tools", "why"], names].concat()).code, code, "{names:?}");
    }
    let promised = why(&["tools", "why", "web_search"]);
    assert!(promised.contains("nothing here provides it") && !promised.contains("nearest"), "{promised}");
    let toolsets = hermes.run(&["toolsets", "--json"]).json();
    let debugging = toolsets.as_array().unwrap().iter().find(|set| set["name"] == "debugging").unwrap();
    assert_eq!(debugging["is_composite"], true);
    assert_eq!(hermes.run(&["toolsets", "--check"]).code, 0);
    for everything in ["*", "all"] {
        assert!(why(&["tools", "why", "repl", "--toolsets", everything]).contains("offered through"));
    }
    let unknown = hermes.run(&["toolsets", "fiel"]);
    assert!(unknown.code == 5 && unknown.stderr.contains("file"), "{}", unknown.stderr);
    let warned = hermes.run(&["tools", "list", "--toolsets", "flie"]);
    assert!(warned.stderr.contains("unknown toolset 'flie'"), "{}", warned.stderr);
}

#[test]
fn completions_manual_and_help() {
    let hermes = Hermes::new();
    for shell in ["bash", "zsh", "fish"] {
        assert!(hermes.run(&["completions", shell]).stdout.contains("hermes"));
    }
    assert!(hermes.run(&["man"]).stdout.contains(".TH"));
    let help = hermes.run(&["--help"]).stdout;
    for command in ["run", "tools", "toolsets", "config", "explain", "journal", "hooks", "doctor"] {
        assert!(help.contains(command), "{command}");
    }
    assert_eq!(hermes.run(&["doctor"]).code, 0);
    assert_eq!(hermes.run(&["doctor", "--json"]).json()["ok"], true);
}

#[test]
fn a_name_that_would_be_repaired_is_told_with_what_it_means() {
    let hermes = Hermes::new();
    let why = hermes.run(&["tools", "why", "raed_file"]).stdout;
    assert!(why.contains("a call of it is read as read_file: offered"), "{why}");
    let circle = "custom_toolsets:\n  a:\n    includes: [b]\n  b:\n    includes: [a]\n";
    let ran = Hermes::new().with_config(circle).run(&["toolsets", "a"]);
    assert_eq!(ran.code, 5, "{}", ran.stdout);
}

#[test]
fn one_definition_is_the_one_in_the_list() {
    let hermes = Hermes::new();
    let slim = ["--set", "tools.tool_search.definitions=slim", "--json"];
    let all = hermes.run(&[&["tools", "schema"], &slim[..]].concat()).json();
    let one = hermes.run(&[&["tools", "schema", "patch"], &slim[..]].concat()).json();
    let listed = all.as_array().unwrap().iter().find(|tool| tool["function"]["name"] == "patch");
    assert_eq!(one[0], *listed.unwrap());
}

#[test]
fn nothing_is_to_be_mended_about_the_built_in_tools() {
    let hermes = Hermes::new();
    let linted = hermes.run(&["tools", "lint", "--toolsets", "all", "--min-score", "100", "--json"]);
    assert_eq!((linted.code, &linted.json()["findings"]), (0, &serde_json::json!([])), "{}", linted.stdout);
}
