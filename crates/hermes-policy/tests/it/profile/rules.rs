//! The conditions of single rules.

use hermes_core::Verdict::{self, Allow, Ask, Deny};
use hermes_core::{Access, Owner};
use serde_json::json;

use super::support::{Call, any, engine, on_host, on_path};

/// A profile that allows everything beside one rule.
fn verdict(rule: &str, call: &Call) -> Verdict {
    let text = format!("profiles: {{p: {{allow: ['*'], rules: [{rule}]}}}}");
    call.decide(&engine(&text, "p")).verdict
}

#[test]
fn by_tool_toolset_server_and_actor() {
    let call = Call {
        toolset: "mcp-github".into(),
        owner: Owner::Mcp("github".into()),
        actor: "subagent:reviewer".into(),
        ..Call::new([any("mcp:github")]).tool("mcp_github_create_issue")
    };
    for (rule, expected) in [
        ("{effect: deny, tool: mcp_github_create_issue}", Deny),
        ("{effect: deny, tool: mcp__github__create_issue}", Deny),
        ("{effect: deny, tool: 'mcp_github_*'}", Deny),
        ("{effect: deny, tool: ['a', 'mcp_*']}", Deny),
        ("{effect: deny, tool: mcp_gitlab_create_issue}", Allow),
        ("{effect: ask, toolset: mcp-github}", Ask),
        ("{effect: ask, server: github}", Ask),
        ("{effect: ask, server: 'git*', actor: user}", Allow),
        ("{effect: ask, actor: 'subagent:*'}", Ask),
        ("{effect: deny, permission: 'mcp:*'}", Deny),
        ("{effect: deny, permission: 'file:*'}", Allow),
        ("{effect: deny, server: github, permission: 'mcp:github', tool: '*_issue'}", Deny),
    ] {
        assert_eq!(verdict(rule, &call), expected, "{rule}");
    }
    assert_eq!(verdict("{effect: deny, server: github}", &Call::new([any("git:read")])), Allow, "no server");
}

#[test]
fn by_argument() {
    let call = Call::new([]).arguments(json!({
        "mode": "overwrite", "count": 3, "deep": {"path/x": "docs/a.md"}, "tags": ["a", "b"], "force": true,
    }));
    for (argument, met) in [
        ("{/mode: overwrite}", true),
        ("{/mode: 'over*'}", true),
        ("{/mode: append}", false),
        ("{/count: 3}", true),
        ("{/count: '3'}", true),
        ("{/count: {equals: 3}}", true),
        ("{/count: {equals: '3'}}", false),
        ("{/count: {in: [1, 2, 3]}}", true),
        ("{'/deep/path~1x': 'docs/*'}", true),
        ("{/mode: {regex: 'over(write|ride)'}}", true),
        ("{/mode: {regex: 'over'}}", false),
        ("{/force: true}", true),
        ("{/tags: b}", true),
        ("{/tags/0: a}", true),
        ("{/missing: '*'}", false),
        ("{/mode: overwrite, /count: 4}", false),
    ] {
        let rule = format!("{{effect: deny, argument: {argument}}}");
        assert_eq!(verdict(&rule, &call), if met { Deny } else { Allow }, "{argument}");
    }
    // To let through, every item of a list must be named.
    let text = "profiles: {p: {rules: [{effect: allow, permission: git:read, argument: {/tags: a}}]}}";
    let git = |tags| {
        Call::new([any("git:read")]).arguments(json!({ "tags": tags })).decide(&engine(text, "p")).verdict
    };
    assert_eq!(git(json!(["a"])), Allow);
    assert_eq!(git(json!(["a", "b"])), Deny);
}

#[test]
fn by_path_and_host() {
    let deny = "{effect: deny, path: [secrets, '/**/*.pem']}";
    let at = |path: &str| verdict(deny, &Call::new([on_path("git:write", path)]));
    assert_eq!(at("/workspace/secrets/a"), Deny);
    assert_eq!(at("/data/x/key.pem"), Deny);
    assert_eq!(at("/workspace/src/a"), Allow);
    let host = "{effect: ask, host: ['*.example.com', 'example.org:8443'], reason: Ours}";
    let on = |host_name: &str| verdict(host, &Call::new([on_host(host_name)]));
    assert_eq!(on("a.example.com:443"), Ask);
    assert_eq!(on("example.org:8443"), Ask);
    assert_eq!(on("example.org:443"), Allow);
    assert_eq!(verdict(host, &Call::new([any("git:read")])), Allow);
}

#[test]
fn reasons_are_given_as_written() {
    let text = "profiles: {p: {allow: ['*'], rules: [{effect: deny, tool: rm, reason: 'Use the bin.'}]}}";
    let decision = Call::new([any("git:read")]).tool("rm").decide(&engine(text, "p"));
    assert_eq!(decision.reason, "Use the bin.");
    assert_eq!(decision.rule, "hermes_permissions.yaml:1 p: deny tool rm");
}

#[test]
fn a_rule_that_allows_opens_a_closed_profile() {
    let text = "profiles: {p: {rules: [{effect: allow, permission: network:fetch, host: docs.rs}, \
                {effect: ask, permission: network:fetch, host: '*.org'}]}}";
    let policy = engine(text, "p");
    let on = |access: Access| Call::new([access]).decide(&policy).verdict;
    assert_eq!(on(on_host("docs.rs")), Allow);
    assert_eq!(on(on_host("a.org")), Ask, "allowed, after approval");
    assert_eq!(on(on_host("other.com")), Deny);
    assert_eq!(on(any("git:read")), Deny);
}

#[test]
fn methods_and_sizes() {
    let text = "profiles: {p: {allow: ['*'], restrictions: {\
                network:fetch: {allowed_methods: [get, HEAD], max_bytes: 10}}}}";
    let policy = engine(text, "p");
    let call = |owner: Owner, arguments| Call { owner, ..Call::new([on_host("a.org")]).arguments(arguments) };
    let verdict = |owner, arguments| call(owner, arguments).decide(&policy).verdict;
    assert_eq!(verdict(Owner::BuiltIn, json!({"method": "Get"})), Allow);
    assert_eq!(verdict(Owner::BuiltIn, json!({"method": "POST"})), Deny);
    assert_eq!(verdict(Owner::BuiltIn, json!({})), Allow, "ours only fetch without a method");
    assert_eq!(verdict(Owner::Yaml("t".into()), json!({})), Deny, "others may do anything");
    assert_eq!(verdict(Owner::BuiltIn, json!({"body": {"a": ["0123456789"]}})), Allow);
    assert_eq!(verdict(Owner::BuiltIn, json!({"body": "01234567890"})), Deny);
}
