//! Rules without effect.

use hermes_policy::profile::{Known, Severity, lint, read_policy};

use super::support::{FILE, ground, lines};

fn found(text: &str) -> String {
    let file = read_policy(FILE, text, &ground(), &Known::default());
    let file = file.unwrap_or_else(|problems| panic!("{}", lines(&problems)));
    let problems = lint(&file, std::slice::from_ref(&file), &ground(), &Known::default());
    assert!(problems.iter().all(|problem| problem.severity == Severity::Warning));
    lines(&problems)
}

#[test]
fn idle_rules_are_found() {
    let body = |body: &str| format!("profiles: {{p: {{{body}}}}}");
    for (text, expected) in [
        (body("allow: ['*', file:read]"), "1:29: allow file:read adds nothing to * in line 1 (remove it)"),
        (
            body("allow: ['*'], restrictions: {terminal:execute: {denied_commands: ['rm -[rf]*']}}"),
            "this can never match: no command is",
        ),
        (body("allow: [git:read, git:read]"), "1:34: allow git:read adds nothing"),
        (body("allow: ['*'], deny: ['env:*', env:write]"), "deny env:write adds nothing to env:*"),
        (body("allow: [file:read], deny: ['file:*']"), "allow file:read never takes effect: deny file:*"),
        (
            body("allow: ['*'], approval_required: [env:read], deny: ['env:*']"),
            "approval_required env:read never takes effect",
        ),
        (
            body("allow: [git:read], restrictions: {file:write: {denied_paths: [/a]}}"),
            "is never looked at: file:write is not allowed",
        ),
        (
            body("allow: ['*'], deny: ['file:*'], restrictions: {file:write: {denied_paths: [/a]}}"),
            "is never looked at: deny file:*",
        ),
        (
            body("allow: ['*'], restrictions: {network:fetch: {allowed_paths: [/a]}}"),
            "network:fetch has no path, so this denies every use of it (limit its hosts)",
        ),
        (
            body("allow: ['*'], restrictions: {file:write: {allowed_paths: [/a/b/**], denied_paths: [/a]}}"),
            "allowed path /a/b/** is never reached",
        ),
        (
            body(
                "allow: ['*'], restrictions: {network:fetch: {allowed_hosts: [a.b.c], denied_hosts: ['*.b.c']}}",
            ),
            "allowed host a.b.c is never reached",
        ),
        (
            body(
                "allow: ['*'], rules: [{effect: deny, tool: 'a*'}, {effect: ask, tool: abc, permission: git:read}]",
            ),
            "the rule in line 1 covers it",
        ),
        (
            body("allow: ['*'], deny: ['git:*'], rules: [{effect: ask, permission: git:read, tool: x}]"),
            "deny git:* in line 1 covers it",
        ),
        (
            body("allow: ['*'], rules: [{effect: allow, permission: git:read, tool: x}]"),
            "allow * in line 1 covers it",
        ),
        (
            body("unattended: true, allow: ['*'], approval_required: [git:write]"),
            "nobody is asked in an unattended profile",
        ),
        (
            "profiles: {a: {allow: [git:read]}, b: {extends: [a], allow: [file:read]}}".into(),
            "a does not allow file:read, so neither does b",
        ),
        (
            "profiles: {b: {extends: [readonly_research], allow: [file:write]}}".into(),
            "readonly_research does not allow file:write",
        ),
    ] {
        let found = found(&text);
        assert!(found.contains(expected), "{text}\n  says  {found}\n  not   {expected}");
    }
}

#[test]
fn rules_with_effect_are_left_alone() {
    for text in [
        "profiles: {p: {allow: ['file:*', '*:read'], deny: [file:delete], approval_required: [file:write]}}",
        "profiles: {p: {allow: ['*'], rules: [{effect: allow, permission: file:read, path: ~/.ssh/config}]}}",
        "profiles: {p: {allow: ['*'], rules: [{effect: deny, tool: a}, {effect: deny, tool: b}]}}",
        "profiles: {p: {allow: ['*'], rules: [{effect: deny, tool: a, argument: {/x: y}}, {effect: ask, tool: a}]}}",
        "profiles: {a: {allow: ['file:*']}, b: {extends: [a], allow: [file:read]}}",
        "global: {restrictions: {file:write: {denied_paths: [/a]}}}",
    ] {
        assert_eq!(found(text), "", "{text}");
    }
}
