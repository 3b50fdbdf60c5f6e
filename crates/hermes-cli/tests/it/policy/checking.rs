//! `hermes policy explain`, `test`, `lint` and `profiles`.

use serde_json::json;

use super::read;
use crate::harness::{Hermes, request};

#[test]
fn explain_shows_every_level_and_the_place_of_the_rule() {
    let policy = "global: {approval_required: [env:read]}\nprofiles:\n  p:\n    allow: ['*']\n    tools:\n      file_read: {restrictions: {file:read: {denied_paths: [secret]}}}\n";
    let hermes =
        Hermes::new().with_policy(policy).with_config("permissions:\n  profile: p\n  deny: [system:*]\n");
    let call = hermes.explained(&[], &read("secret/key"));
    assert_eq!(call["verdict"], "deny");
    assert_eq!(call["decision"]["level"], "parameter");
    let levels: Vec<&str> = call["accesses"][0]["levels"]
        .as_array()
        .unwrap()
        .iter()
        .map(|level| level["level"].as_str().unwrap())
        .collect();
    assert_eq!(levels, ["floor", "global", "session", "tool", "config"]);
    let place = &call["accesses"][0]["levels"][3]["answers"][0]["place"];
    assert_eq!(
        (&place["line"], place["file"].as_str().unwrap().ends_with("hermes_permissions.yaml")),
        (&json!(6), true)
    );
    let by_config = hermes.explained(&[], &json!({"name": "system_info", "arguments": {}}));
    let rule = by_config["decision"]["rule"].as_str().unwrap();
    assert!(rule.contains("config.yaml:3 config: deny system:*"), "{rule}");
    let text = hermes.run_with(&["policy", "explain"], &read("secret/key").to_string()).stdout;
    assert!(text.contains("tool read_file") && text.contains("= deny by"), "{text}");
    let named = json!({"tool": "any", "access": [{"permission": "network:fetch", "host": "docs.rs"}, {"permission": "env:read"}]});
    let named = hermes.explained(&[], &named);
    assert_eq!((&named["verdict"], named["accesses"].as_array().unwrap().len()), (&json!("ask"), 2));
    let unknown = hermes.run_with(&["policy", "explain"], r#"{"name": "raed_file", "arguments": {}}"#);
    assert_eq!(unknown.code, 5);
}

const CASES: &str = "
- name: reads are fine
  call: {name: read_file, arguments: {path: a.txt}}
  expect: allow
- name: subagents do not write
  call: {name: write_file, arguments: {path: a.txt, content: x}}
  actor: subagent:1
  expect: deny
  rule: 'p: deny actor'
- name: the web is asked about
  access: [{permission: network:fetch, host: docs.rs}]
  expect: ask
- name: research writes nothing
  call: {name: write_file, arguments: {path: a.txt, content: x}}
  profile: readonly_research
  expect: deny
";

#[test]
fn cases_hold_or_are_shown_with_what_came_out() {
    let policy = "profiles: {p: {allow: ['*'], approval_required: ['network:*'], rules: [{effect: deny, actor: 'subagent*', permission: file:write}]}}\n";
    let hermes = Hermes::new().with_policy(policy).with_config("permissions: {profile: p}\n");
    hermes.write("cases.yaml", CASES);
    let ran = hermes.run(&["policy", "test", "cases.yaml"]);
    assert_eq!((ran.code, ran.stdout.as_str()), (0, "4 of 4 cases hold\n"));
    hermes.write("other.yaml", "profiles: {p: {allow: ['*']}}\n");
    let shadow = hermes.run(&["policy", "test", "cases.yaml", "--shadow", "other.yaml"]);
    assert_eq!(shadow.code, 0);
    assert!(
        shadow.stdout.contains("≠ subagents do not write: the other policy says allow"),
        "{}",
        shadow.stdout
    );
    assert!(!shadow.stdout.contains("research"), "{}", shadow.stdout);
    hermes.write("unusable.yaml", "globl: {}\n");
    let unusable = hermes.run(&["policy", "test", "cases.yaml", "--shadow", "unusable.yaml"]);
    assert!(unusable.code == 2 && unusable.stderr.contains("unusable.yaml:1:1"), "{}", unusable.stderr);
    hermes.policy("profiles: {p: {allow: ['*']}}\n");
    let broken = hermes.run(&["policy", "test", "cases.yaml"]);
    assert_eq!(broken.code, 5);
    assert!(
        broken
            .stdout
            .contains("✗ subagents do not write\n  expected deny by p: deny actor\n  got      allow by "),
        "{}",
        broken.stdout
    );
    assert!(broken.stdout.ends_with("2 of 4 cases hold\n"), "{}", broken.stdout);
    let json = hermes.run(&["policy", "test", "cases.yaml", "--json"]).json();
    assert_eq!((&json["ok"], &json["held"]), (&json!(false), &json!(2)));
    hermes.write("bad.yaml", "- {name: x, expect: maybe, call: {name: read_file}}\n");
    assert_eq!(hermes.run(&["policy", "test", "bad.yaml"]).code, 2);
    hermes.write("empty.yaml", "# later\n");
    let empty = hermes.run(&["policy", "test", "empty.yaml"]);
    assert!(empty.code == 2 && empty.stderr.contains("there is no case in it"), "{}", empty.stderr);
    hermes.write("typo.yaml", "- {name: x, expect: deny, call: {name: raed_file_now}}\n");
    assert_eq!(hermes.run(&["policy", "test", "typo.yaml"]).code, 5, "an unknown tool is no denial");
}

#[test]
fn explain_shows_where_another_policy_would_differ() {
    let hermes = Hermes::new();
    hermes.write("strict.yaml", "global: {deny: [file:read]}\n");
    let call = hermes.explained(&["--shadow", "strict.yaml"], &read("a.txt"));
    assert_eq!(
        (&call["verdict"], &call["shadow"]["verdict"], &call["shadow"]["differs"]),
        (&json!("allow"), &json!("deny"), &json!(true))
    );
    let text =
        hermes.run_with(&["policy", "explain", "--shadow", "strict.yaml"], &read("a.txt").to_string()).stdout;
    assert!(
        text.contains("the other policy differs: deny by strict.yaml:1 global: deny file:read"),
        "{text}"
    );
}

#[test]
fn lint_finds_mistakes_and_idle_rules() {
    let hermes = Hermes::new();
    assert_eq!(hermes.run(&["policy", "lint"]).stdout, "clean the built-in profiles\n");
    hermes.write("idle.yaml", "profiles: {p: {allow: ['*', git:read], extends: [gone]}}\n");
    let ran = hermes.run(&["policy", "lint", "idle.yaml"]);
    assert_eq!(ran.code, 5);
    assert!(
        ran.stdout.contains("warning idle.yaml:1:29: allow git:read adds nothing to *"),
        "{}",
        ran.stdout
    );
    assert!(ran.stdout.contains("error idle.yaml:1:50: there is no profile \"gone\""), "{}", ran.stdout);
    hermes.write("typo.yaml", "tools: {raed_file: {deny: ['*']}}\n");
    let ran = hermes.run(&["policy", "lint", "typo.yaml", "--json"]);
    let problem = &ran.json()["problems"][0];
    assert_eq!((&problem["severity"], &problem["line"]), (&json!("error"), &json!(1)));
    assert!(problem["hint"].as_str().unwrap().contains("read_file"), "{problem}");
}

#[test]
fn profiles_are_listed_and_shown() {
    let hermes = Hermes::new().with_policy("profiles: {mine: {extends: [default], deny: [git:write]}}\n");
    let listed = hermes.run(&["policy", "profiles", "--json"]).json();
    let names: Vec<&str> =
        listed.as_array().unwrap().iter().map(|profile| profile["name"].as_str().unwrap()).collect();
    assert_eq!(
        names,
        ["mine", "default", "unattended", "readonly_research", "full_developer", "production_deploy"]
    );
    assert_eq!(listed[1]["in_force"], true);
    let shown = hermes.run(&["policy", "profiles", "full_developer"]).stdout;
    assert!(shown.contains("denied_paths [/workspace/.env, /workspace/secrets/**]"), "{shown}");
    assert_eq!(hermes.run(&["policy", "profiles", "nope"]).code, 2);
}

/// What the checker says is what the runtime does.
#[test]
fn explain_and_run_agree() {
    let policy = "profiles:\n  p:\n    allow: ['file:*', 'system:*', 'env:*']\n    deny: [env:write]\n    approval_required: [system:read]\n    restrictions:\n      file:write: {allowed_paths: ['src/**'], denied_paths: [src/.env]}\n    rules:\n      - {effect: deny, argument: {/path: '*.secret'}}\n      - {effect: ask, tool: 'directory_*', path: src/deep}\n";
    let hermes =
        Hermes::new().with_policy(policy).with_config("permissions: {profile: p, deny: ['env:reveal']}\n");
    for file in ["a.txt", "x.secret", "src/a.rs", "src/deep/b.rs", "src/.env"] {
        hermes.write(file, "x");
    }
    let mut calls = Vec::new();
    for path in [
        "a.txt",
        "x.secret",
        "src/a.rs",
        "src/deep/b.rs",
        "src/.env",
        "./src/../a.txt",
        "src/deep/../../x.secret",
    ] {
        calls.push(("read_file", json!({"path": path})));
        calls.push(("write_file", json!({"path": path, "content": "x"})));
    }
    for path in [".", "src", "src/deep", "/", "~"] {
        calls.push(("directory_list", json!({"path": path})));
    }
    calls.push(("system_info", json!({"sections": ["os"]})));
    calls.push(("env_manager", json!({"action": "get", "name": "HOME"})));
    calls.push(("env_manager", json!({"action": "get", "name": "HOME", "reveal": true})));
    calls.push(("env_manager", json!({"action": "set", "name": "A", "value": "b"})));
    let text = request(&calls);
    let explained = hermes.run_with(&["policy", "explain", "--json"], &text).json();
    let results = hermes.run_with(&["run"], &text).json();
    let mut seen = std::collections::BTreeSet::new();
    for (place, call) in calls.iter().enumerate() {
        let verdict = explained["calls"][place]["verdict"].as_str().unwrap();
        let code = results["tool_results"][place]["content"]["code"].as_str().unwrap_or("success");
        let expected = match code {
            "permission_denied" => "deny",
            "approval_required" => "ask",
            _ => "allow",
        };
        assert_eq!(verdict, expected, "{call:?}: {code}");
        seen.insert(verdict.to_owned());
    }
    assert_eq!(seen.len(), 3, "the calls cover every verdict");
}
