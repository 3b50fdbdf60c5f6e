//! The profiles and the two reasons of chapter 18.4, to the letter.

use hermes_core::Verdict::{Allow, Ask, Deny};

use super::support::{any, check, command, on_host, on_path, shipped};

#[test]
fn readonly_research_reads_and_looks_things_up() {
    let policy = shipped("readonly_research");
    check(&policy, on_path("file:read", "/workspace/a.md"), Allow);
    check(&policy, on_host("docs.rs"), Allow);
    check(&policy, any("network:search"), Allow);
    check(&policy, any("env:read"), Deny);
    check(&policy, command("ls"), Deny);
    let denied = check(&policy, on_path("file:write", "/workspace/a.md"), Deny);
    assert_eq!(denied.reason, "Permission file:write is denied in profile readonly_research");
    assert_eq!(denied.rule, "built-in/readonly_research.yaml:9 readonly_research: deny file:write");
    assert_eq!(denied.level, Some("session"));
    assert_eq!(denied.permission.unwrap().as_str(), "file:write");
    assert_eq!(denied.profile.as_deref(), Some("readonly_research"));
}

#[test]
fn full_developer_writes_in_the_workspace_only() {
    let policy = shipped("full_developer");
    for (path, verdict) in [
        ("/workspace/src/main.rs", Allow),
        ("/workspace", Deny),
        ("/tmp/x", Allow),
        ("/workspace/.env", Deny),
        ("/workspace/.env.example", Allow),
        ("/workspace/secrets", Deny),
        ("/workspace/secrets/key.pem", Deny),
        ("/workspace/secretstore/a", Allow),
        ("/workspaces/a", Deny),
        ("/etc/passwd", Deny),
        ("/home/ada/notes.txt", Deny),
    ] {
        check(&policy, on_path("file:write", path), verdict);
    }
    let outside = check(&policy, on_path("file:write", "/srv/data/x"), Deny);
    assert_eq!(outside.reason, "Path /srv/data/x is outside the allowed write scope");
    assert_eq!(outside.level, Some("parameter"));
    assert!(outside.rule.starts_with("built-in/full_developer.yaml:"), "{}", outside.rule);
    let denied = check(&policy, any("env:write"), Deny);
    assert_eq!(denied.reason, "Permission env:write is denied in profile full_developer");
    check(&policy, any("docker:manage"), Allow);
}

#[test]
fn a_path_that_was_not_resolved_is_denied() {
    let policy = shipped("full_developer");
    let denied = check(&policy, hermes_core::Access::write_path("/workspace/a"), Deny);
    assert_eq!(denied.reason, "file:write has no path to judge in profile full_developer");
    check(&policy, any("file:write"), Deny);
}

#[test]
fn production_deploy_asks_for_what_it_needs_approval_for() {
    let policy = shipped("production_deploy");
    check(&policy, any("git:read"), Allow);
    check(&policy, any("docker:run"), Ask);
    let asked = check(&policy, any("database:write"), Ask);
    assert_eq!(asked.reason, "Permission database:write needs approval in profile production_deploy");
    check(&policy, command("ls"), Deny);
    check(&policy, any("database:read"), Deny);
    check(&policy, on_path("file:delete", "/workspace/a"), Deny);
}
