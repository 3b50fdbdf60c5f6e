//! Which rules are in force: profiles, files, trust, and changes while a process runs.

use std::io::{BufRead, BufReader, Write};

use serde_json::{Value, json};

use super::write;
use crate::harness::{Hermes, request};

#[test]
fn a_profile_is_chosen_by_file_variable_or_flag() {
    let policy = "profiles:\n  mine:\n    allow: [file:read]\n";
    let hermes = Hermes::new().with_policy(policy).with_config("permissions: {profile: mine}\n");
    let denied = hermes.explained(&[], &write("a.txt"));
    assert_eq!((&denied["verdict"], &denied["profile"]), (&json!("deny"), &json!("mine")));
    assert_eq!(denied["decision"]["permission"], "file:write");
    let chosen = hermes.explained(&["--profile", "readonly_research"], &write("a.txt"));
    assert_eq!(chosen["decision"]["reason"], "Permission file:write is denied in profile readonly_research");
    assert_eq!(
        chosen["decision"]["rule"],
        "built-in/readonly_research.yaml:9 readonly_research: deny file:write"
    );
    assert!(hermes.run(&["doctor"]).stdout.contains("profile mine (set by "));
    let by_variable = Hermes::new().with_env("HERMES_PROFILE", "unattended");
    assert!(
        by_variable
            .run(&["doctor"])
            .stdout
            .contains("profile unattended (set by environment HERMES_PROFILE)")
    );
    let unknown = hermes.run(&["tools", "list", "--profile", "min"]);
    assert_eq!(unknown.code, 2);
    assert!(
        unknown.stderr.contains("there is no profile \"min\" (did you mean mine?)"),
        "{}",
        unknown.stderr
    );
    assert!(Hermes::new().run(&["doctor"]).stdout.contains("profile default (set by defaults)"));
}

#[test]
fn a_refusal_names_permission_profile_and_rule() {
    let hermes = Hermes::new();
    let ran = hermes.run_with(
        &["run", "--profile", "readonly_research"],
        &request(&[("write_file", json!({"path": "a", "content": "x"}))]),
    );
    assert_eq!(ran.code, 3);
    let content = &ran.json()["tool_results"][0]["content"];
    assert_eq!(content["error"], "Permission file:write is denied in profile readonly_research");
    assert_eq!(content["code"], "permission_denied");
    assert_eq!(content["permission"], "file:write");
    assert_eq!(content["profile"], "readonly_research");
}

#[test]
fn a_policy_that_is_wrong_stops_everything() {
    for text in [
        "profiles: {default: {allow: ['*'], dney: [file:read]}}\n",
        "",
        "profiles: [",
        "global: {deny: [file:reed]}\n",
    ] {
        let hermes = Hermes::new().with_policy(text);
        let ran = hermes.run_with(&["run"], &request(&[("read_file", json!({"path": "a.txt"}))]));
        assert_eq!(ran.code, 2, "{text}: {}", ran.stdout);
        assert!(ran.stderr.contains("hermes_permissions.yaml:1:"), "{}", ran.stderr);
        assert_eq!(hermes.run(&["policy", "lint"]).code, 5);
    }
    let missing = Hermes::new().with_config("permissions: {file: ./nowhere.yaml}\n").run(&["tools", "list"]);
    assert_eq!(missing.code, 2);
    assert!(missing.stderr.contains("permissions.file: there is no"), "{}", missing.stderr);
}

#[test]
fn a_projects_rules_count_only_as_the_user_saw_them() {
    let hermes = Hermes::new();
    let file = ".hermes/hermes_permissions.yaml";
    hermes.write(file, "global: {deny: [system:read]}\nprofiles: {ours: {allow: ['*']}}\n");
    let call = json!({"name": "system_info", "arguments": {}});
    assert_eq!(hermes.explained(&[], &call)["verdict"], "allow");
    assert!(hermes.run(&["doctor"]).stdout.contains("ignored until 'hermes policy trust'"));
    assert_eq!(hermes.run(&["policy", "trust"]).code, 0);
    assert_eq!(hermes.explained(&[], &call)["verdict"], "deny");
    assert_eq!(hermes.explained(&["--profile", "ours"], &call)["verdict"], "deny");
    hermes.write(file, "profiles: {ours: {allow: ['*']}}\n");
    assert_eq!(hermes.explained(&[], &call)["verdict"], "allow", "changed since: not trusted any more");
    assert_eq!(hermes.run(&["tools", "list", "--profile", "ours"]).code, 2);
    hermes.write(file, "global: {deny: [system:read]}\nprofiles: {ours: {allow: ['*']}}\n");
    assert_eq!(hermes.run(&["policy", "untrust"]).code, 0);
    assert_eq!(hermes.explained(&[], &call)["verdict"], "allow");
    hermes.write(file, "globl: {}\n");
    let said = hermes.run(&["policy", "lint"]).stderr;
    assert!(
        said.contains("hermes_permissions.yaml is ignored until you agree to it with 'hermes policy trust'"),
        "{said}"
    );
    assert_eq!(hermes.run(&["policy", "trust"]).code, 2, "what cannot be used cannot be agreed to");
}

#[test]
fn a_file_that_a_project_names_needs_agreement_too() {
    let hermes = Hermes::new();
    hermes.write("rules.yaml", "profiles: {default: {allow: ['*']}}\n");
    hermes.write(".hermes/config.yaml", "permissions: {file: rules.yaml}\n");
    assert_eq!(hermes.run(&["config", "trust"]).code, 0);
    let refused = hermes.run(&["tools", "list"]);
    assert_eq!(refused.code, 2);
    assert!(refused.stderr.contains("which you have not agreed to"), "{}", refused.stderr);
    assert_eq!(hermes.run(&["policy", "trust", "rules.yaml"]).code, 0);
    assert_eq!(hermes.run(&["tools", "list"]).code, 0);
}

#[test]
fn a_running_process_follows_the_file_and_never_into_a_mistake() {
    let hermes = Hermes::new().with_policy("profiles: {default: {allow: ['*']}}\n");
    hermes.write("a.txt", "x");
    let mut child = hermes.spawn(&["run", "--jsonl"]);
    let mut input = child.stdin.take().unwrap();
    let mut output = BufReader::new(child.stdout.take().unwrap()).lines();
    let mut call = |id: u32| -> String {
        writeln!(input, "{}", json!({"id": id, "name": "read_file", "arguments": {"path": "a.txt"}}))
            .unwrap();
        let answer: Value = serde_json::from_str(&output.next().unwrap().unwrap()).unwrap();
        let content = &answer["tool_results"][0]["content"];
        content["code"].as_str().unwrap_or("success").to_owned()
    };
    assert_eq!(call(1), "success");
    hermes.policy("profiles: {default: {allow: [git:read]}}\n");
    assert_eq!(call(2), "permission_denied", "narrowed at once");
    for text in [
        "",
        "profiles: {default: {allow: ['*', oops]}}\n",
        "profiles: {other: {allow: ['*']}}\nnonsense: 1\n",
    ] {
        hermes.policy(text);
        assert_eq!(call(3), "permission_denied", "{text}");
    }
    std::fs::remove_file(hermes.home().join("hermes_permissions.yaml")).unwrap();
    assert_eq!(call(4), "permission_denied", "gone is not the same as allowed");
    hermes.policy("profiles: {default: {allow: [file:read]}}\n");
    // What a change gives counts once the file has settled; if it never did, this would never end.
    while call(5) != "success" {
        std::thread::sleep(std::time::Duration::from_millis(50));
    }
    drop(input);
    let ended = child.wait_with_output().unwrap();
    let errors = String::from_utf8_lossy(&ended.stderr).into_owned();
    assert!(errors.contains("the previous rules stay") && errors.contains("oops"), "{errors}");
}

#[test]
fn a_half_written_policy_gives_nothing_away() {
    let whole = "profiles: {default: {allow: ['*']}}\nglobal:\n  rules:\n    - {effect: deny, permission: file:read}\n";
    let hermes = Hermes::new().with_policy(whole);
    hermes.write("a.txt", "x");
    let mut child = hermes.spawn(&["run", "--jsonl"]);
    let mut input = child.stdin.take().unwrap();
    let mut output = BufReader::new(child.stdout.take().unwrap()).lines();
    let mut call = || -> String {
        writeln!(input, "{}", json!({"name": "read_file", "arguments": {"path": "a.txt"}})).unwrap();
        let answer: Value = serde_json::from_str(&output.next().unwrap().unwrap()).unwrap();
        answer["tool_results"][0]["content"]["code"].as_str().unwrap_or("success").to_owned()
    };
    assert_eq!(call(), "permission_denied");
    hermes.policy("profiles: {default: {allow: ['*']}}\n");
    assert_eq!(call(), "permission_denied", "an editor may be in the middle of it");
    hermes.policy(whole);
    assert_eq!(call(), "permission_denied");
    drop(input);
    assert!(child.wait().unwrap().success());
}

#[test]
fn agreement_reaches_a_running_process() {
    let hermes = Hermes::new();
    hermes.write("a.txt", "x");
    hermes.write(
        ".hermes/hermes_permissions.yaml",
        "global:\n  rules:\n    - {effect: deny, permission: file:read}\n",
    );
    let mut child = hermes.spawn(&["run", "--jsonl"]);
    let mut input = child.stdin.take().unwrap();
    let mut output = BufReader::new(child.stdout.take().unwrap()).lines();
    let mut call = || -> String {
        writeln!(input, "{}", json!({"name": "read_file", "arguments": {"path": "a.txt"}})).unwrap();
        let answer: Value = serde_json::from_str(&output.next().unwrap().unwrap()).unwrap();
        answer["tool_results"][0]["content"]["code"].as_str().unwrap_or("success").to_owned()
    };
    assert_eq!(call(), "success");
    assert_eq!(hermes.run(&["policy", "trust"]).code, 0);
    assert_eq!(call(), "permission_denied");
    drop(input);
    assert!(child.wait().unwrap().success());
}

#[test]
fn a_policy_that_got_lost_is_not_an_absent_one() {
    let hermes = Hermes::new();
    let place = hermes.home().join("hermes_permissions.yaml");
    std::fs::create_dir_all(hermes.home()).unwrap();
    std::os::unix::fs::symlink("nowhere.yaml", &place).unwrap();
    assert_eq!(hermes.run(&["tools", "list"]).code, 2);
    std::fs::remove_file(&place).unwrap();
    std::fs::create_dir(&place).unwrap();
    assert_eq!(hermes.run(&["tools", "list"]).code, 2);
}

#[test]
fn calls_a_minute_are_counted() {
    let policy =
        "profiles: {default: {allow: ['*'], restrictions: {system:read: {max_calls_per_minute: 2}}}}\n";
    let hermes = Hermes::new().with_policy(policy);
    let calls = vec![("system_info", json!({"sections": ["os"]})); 3];
    let ran = hermes.run_with(&["run"], &request(&calls));
    let codes: Vec<Value> = ran.json()["tool_results"]
        .as_array()
        .unwrap()
        .iter()
        .map(|result| result["content"]["code"].clone())
        .collect();
    assert_eq!(codes.iter().filter(|code| **code == json!("permission_denied")).count(), 1, "{codes:?}");
    let explained = hermes.explained(&[], &json!({"name": "system_info", "arguments": {}}));
    assert_eq!(explained["limits"][0]["per_minute"], 2);
}

#[test]
fn dangerous_patterns_of_the_user_count_and_prove_themselves() {
    let rule = |pass: &str| {
        format!(
            "permissions:\n  dangerous_patterns:\n    - name: ours-deploy\n      program: deploy\n      pattern: '--to prod'\n      \
             class: deny\n      reason: Only the pipeline deploys.\n      match: ['sudo deploy --to prod']\n      pass: ['{pass}']\n"
        )
    };
    let hermes = Hermes::new().with_config(&rule("deploy --to test"));
    let call = |command: &str| json!({"access": [{"permission": "terminal:execute", "command": command}]});
    let denied = hermes.explained(&[], &call("cd x && env A=1 deploy --to prod"));
    assert_eq!(
        (&denied["verdict"], &denied["decision"]["reason"]),
        (&json!("deny"), &json!("Only the pipeline deploys."))
    );
    assert_ne!(hermes.explained(&[], &call("deploy --to test"))["verdict"], "deny");
    let wrong = Hermes::new().with_config(&rule("deploy --to prod")).run(&["tools", "list"]);
    assert_eq!(wrong.code, 2);
    assert!(wrong.stderr.contains("matches what it must pass"), "{}", wrong.stderr);
}

/// The files are looked at once in a call, and no earlier than the call itself.
#[test]
fn what_is_taken_away_counts_in_the_very_next_call() {
    let rule = |file: &str| format!("    - {{effect: deny, tool: read_file, argument: {{/path: {file}}}}}\n");
    let rules = |denied: usize| {
        let rules: String = (0..denied).map(|n| rule(&format!("f{n}.txt"))).collect();
        let first = rule("none.txt");
        format!("profiles: {{default: {{allow: ['*']}}}}\nglobal:\n  rules:\n{first}{rules}")
    };
    let hermes = Hermes::new().with_policy(&rules(0));
    let mut child = hermes.spawn(&["run", "--jsonl"]);
    let mut input = child.stdin.take().unwrap();
    let mut output = BufReader::new(child.stdout.take().unwrap()).lines();
    let mut call = |file: &str| -> String {
        writeln!(input, "{}", json!({"name": "read_file", "arguments": {"path": file}})).unwrap();
        let answer: Value = serde_json::from_str(&output.next().unwrap().unwrap()).unwrap();
        answer["tool_results"][0]["content"]["code"].as_str().unwrap_or("success").to_owned()
    };
    for n in 0..50 {
        let file = format!("f{n}.txt");
        hermes.write(&file, "x");
        assert_eq!(call(&file), "success", "{file}");
        hermes.policy(&rules(n + 1));
        assert_eq!(call(&file), "permission_denied", "{file}");
    }
    drop(input);
    assert!(child.wait().unwrap().success());
}
