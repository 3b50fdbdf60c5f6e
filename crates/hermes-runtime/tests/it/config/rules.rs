//! Values with rules of their own: hooks, permissions, folders.

use hermes_runtime::config::{ApprovalMode, ErrorKind, OnFailure};

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

#[test]
fn approvals_ask_by_default_and_keep_to_their_ranges() {
    let approvals = good("").config.approvals;
    assert_eq!((approvals.mode, approvals.timeout_seconds), (None, 60));
    assert!(approvals.command_allowlist.is_empty() && approvals.smart.command.is_empty());
    let text = "approvals:\n  mode: queue\n  timeout_seconds: 3600\n  command_allowlist: ['npm test']\n  smart: {command: [judge], categories: [recursive_delete]}\n";
    let approvals = good(text).config.approvals;
    assert_eq!(approvals.mode, Some(ApprovalMode::Queue));
    assert_eq!(approvals.smart.categories, ["recursive_delete"]);
    for (text, message) in [
        ("mode: yolo", "must be one of prompt, queue, deny"),
        ("timeout_seconds: 0", "from 1 to 3600"),
        ("command_allowlist: ['']", "must not be empty"),
        ("smart: {program: x}", "unknown key"),
        ("smart: {model: {name: x}}", "endpoint"),
    ] {
        let error = lines(&bad(&format!("approvals: {{{text}}}")));
        assert!(error.contains(message), "{text}: {error}");
    }
}

#[test]
fn a_profile_and_its_file_are_named() {
    let loaded = good("permissions: {profile: careful, file: ~/rules.yaml}");
    assert_eq!(loaded.config.permissions.profile, "careful");
    assert_eq!(loaded.config.permissions.file.as_deref(), Some("~/rules.yaml"));
    assert_eq!(good("").config.permissions.profile, "default");
    assert_eq!(good("").config.permissions.file, None);
    assert_eq!(bad("permissions: {profile: ''}")[0].kind, ErrorKind::NotAllowed);
    assert_eq!(bad("permissions: {file: ''}")[0].kind, ErrorKind::NotAllowed);
    assert_eq!(bad("permissions: {profile: [a]}")[0].kind, ErrorKind::WrongType);
}
