//! Values with rules of their own: hooks, permissions, folders.

use hermes_runtime::config::{ErrorKind, OnFailure};

use super::{bad, good, lines};

#[test]
fn hooks_get_the_defaults_of_their_event() {
    let loaded = good(
        "hooks:
  pre_tool_call:
    - {command: \"'/opt/my hooks/check' --level \\\"a b\\\"\", matcher: \"terminal|read_.*\"}
    - {command: [sh, -c, 'a | b'], on_failure: allow, timeout_seconds: 5}
  post_tool_call:
    - {command: log}
",
    );
    let hooks = &loaded.config.hooks;
    assert_eq!(hooks.pre_tool_call[0].command, ["/opt/my hooks/check", "--level", "a b"]);
    assert_eq!(
        (hooks.pre_tool_call[0].timeout_seconds, hooks.pre_tool_call[0].on_failure),
        (60, OnFailure::Deny)
    );
    assert_eq!(hooks.pre_tool_call[1].on_failure, OnFailure::Allow);
    assert_eq!(hooks.post_tool_call[0].on_failure, OnFailure::Allow);
    let regex = hooks.pre_tool_call[0].regex().unwrap().unwrap();
    assert!(regex.is_match("terminal") && regex.is_match("read_file"));
    assert!(!regex.is_match("my_terminal") && !regex.is_match("terminal2"), "the whole name must match");
    assert_eq!(loaded.effective()["hooks"]["post_tool_call"][0]["on_failure"], "allow");

    for (hook, message) in [
        ("command: 'a > b'", "has an unquoted >, but no shell runs hooks"),
        ("command: \"'a\"", "has an open single quote"),
        ("command: ''", "is empty"),
        ("command: []", "must have at least 1 item"),
        ("command: ['']", "names no program"),
        ("command: 3", "must be text or a list, not the number 3"),
        ("{command: a, matcher: 'a)|(b'}", "is not a regular expression: unopened group"),
        ("{command: a, timeout_seconds: 301}", "from 1 to 300"),
        ("{command: a, event: x}", "unknown key"),
    ] {
        let error = lines(&bad(&format!("hooks:\n  post_tool_call:\n  - {hook}\n")));
        assert!(error.contains(message), "{hook}: {error}");
    }
}

#[test]
fn permissions_that_match_nothing_are_refused() {
    good(
        "permissions: {allow: [\"*\", \"*:*\", \"file:*\", \"*:read\", \"mcp:github\", \"mcp:*\", \"terminal:execute\"]}",
    );
    for (pattern, hint) in [
        ("file:reed", "(did you mean file:read?)"),
        ("file", "(did you mean file:*?)"),
        ("fiel:*", "(did you mean file:*?)"),
        ("*:raed", "(did you mean *:read?)"),
        ("mcp:", "(did you mean mcp:*?)"),
        ("file:execute", "(file has delete, read, write, *)"),
        ("term*:execute", "(did you mean terminal:execute?)"),
        ("everything", "(write domain:action, domain:* or *)"),
    ] {
        let error = lines(&bad(&format!("permissions: {{deny: ['{pattern}']}}")));
        assert!(error.ends_with(hint), "{error}");
    }
    for root in ["$HOME/x", "~bob", "src/**", ""] {
        assert_eq!(
            bad(&format!("permissions: {{write_roots: ['{root}']}}"))[0].kind,
            ErrorKind::NotAllowed,
            "{root}"
        );
    }
    good("permissions: {write_roots: ['.', '~', '~/work', '/tmp', 'sub/folder']}");
    assert_eq!(bad("security: {secret_env: [MY-TOKEN]}")[0].kind, ErrorKind::NotAllowed);
}
