//! What the policy tells people: what would allow a call, whom a rule stops, which rules can never matter.

use serde_json::json;

use crate::harness::Hermes;

#[test]
fn a_denial_for_want_of_a_rule_says_what_would_allow_it() {
    let hermes = Hermes::new().with_policy("profiles:\n  p:\n    allow: [file:read]\n");
    let ran = hermes.run(&[
        "tools",
        "call",
        "write_file",
        r#"{"path": "a", "content": "x"}"#,
        "--profile",
        "p",
        "--json",
    ]);
    let answer = ran.json();
    assert_eq!(answer["code"], "permission_denied");
    let hint = answer["hint"].as_str().unwrap();
    assert!(
        hint.contains("file:write to allow of profile p in ") && hint.contains("hermes_permissions.yaml"),
        "{hint}"
    );
}

#[test]
fn explain_takes_an_actor() {
    let hermes = Hermes::new().with_policy(
        "profiles: {p: {allow: ['*'], rules: [{effect: deny, actor: 'subagent:*', permission: file:read}]}}\n",
    );
    let flags = ["--profile", "p"];
    let call = json!({"name": "read_file", "arguments": {"path": "a"}});
    assert_eq!(hermes.explained(&flags, &call)["verdict"], "allow");
    let by_flag = hermes.explained(&["--profile", "p", "--actor", "subagent:x"], &call);
    assert_eq!((&by_flag["verdict"], &by_flag["actor"]), (&json!("deny"), &json!("subagent:x")));
    let named = json!({"access": [{"permission": "file:read", "path": "a"}], "actor": "subagent:y"});
    assert_eq!(hermes.explained(&flags, &named)["verdict"], "deny");
    let both = json!({"name": "read_file", "arguments": {"path": "a"}, "actor": "subagent:y"});
    assert_eq!(hermes.explained(&flags, &both)["verdict"], "deny");
}

#[test]
fn circles_are_refused_also_among_profiles_that_are_not_in_force() {
    let hermes = Hermes::new().with_policy("profiles: {a: {extends: [b]}, b: {extends: [a]}}\n");
    let ran = hermes.run(&["tools", "list"]);
    assert_ne!(ran.code, 0);
    assert!(ran.stderr.contains("profiles go in a circle"), "{}", ran.stderr);
}

#[test]
fn rules_that_no_call_can_meet_are_reported() {
    let hermes = Hermes::new();
    for (body, expected) in [
        ("rules: [{effect: deny, permission: network:fetch, path: /x}]", "network:fetch has no path"),
        ("rules: [{effect: deny, path: /x, host: e.com}]", "nothing has a path and a host"),
        ("rules: [{effect: deny, permission: file:read, command: ls}]", "file:read has no command"),
        (
            "rules: [{effect: deny, tool: read_file, permission: file:write}]",
            "read_file never uses that permission",
        ),
        ("rules: [{effect: deny, tool: write_file, toolset: todo}]", "write_file is not in that toolset"),
        ("rules: [{effect: deny, tool: write_file, server: github}]", "write_file comes from no server"),
        (
            "rules: [{effect: deny, tool: write_file, argument: {/nosuch: x}}]",
            "write_file takes no argument where /nosuch",
        ),
        (
            "rules: [{effect: deny, tool: write_file, argument: {/mode: {in: [nosuchmode]}}}]",
            "write_file takes no argument where /mode",
        ),
        ("tools: {read_file: {deny: [file:write]}}", "read_file never uses file:write"),
        (
            "tools: {read_file: {restrictions: {network:fetch: {denied_hosts: [a.b]}}}}",
            "read_file never uses network:fetch",
        ),
        ("rules: [{effect: deny, argument: {/path: {regex: 'a^b'}}}]", "no text can match"),
        ("rules: [{effect: deny, argument: {/path: {regex: 'a$b|(c$)d'}}}]", "no text can match"),
    ] {
        hermes.write("p.yaml", &format!("profiles: {{p: {{allow: ['*'], {body}}}}}\n"));
        let ran = hermes.run(&["policy", "lint", "p.yaml"]);
        assert_eq!(ran.code, 5, "{body}");
        assert!(
            ran.stdout.contains("can never match") && ran.stdout.contains(expected),
            "{body}: {}",
            ran.stdout
        );
    }
    for body in [
        "rules: [{effect: deny, permission: file:write, path: /x}]",
        "rules: [{effect: deny, permission: [file:write, network:fetch], path: /x}]",
        "rules: [{effect: deny, tool: write_file, toolset: file, argument: {/path: '*.sql', /mode: append}}]",
        "rules: [{effect: deny, tool: [read_file, write_file], permission: file:write}]",
        "rules: [{effect: deny, tool: mcp_github_push, server: github}]",
        "rules: [{effect: deny, argument: {/path: {regex: '^a.*b$|c'}}}]",
        "tools: {write_file: {deny: [file:write]}}",
    ] {
        hermes.write("p.yaml", &format!("profiles: {{p: {{allow: ['*'], {body}}}}}\n"));
        let ran = hermes.run(&["policy", "lint", "p.yaml"]);
        assert_eq!(ran.code, 0, "{body}: {}", ran.stdout);
    }
}
