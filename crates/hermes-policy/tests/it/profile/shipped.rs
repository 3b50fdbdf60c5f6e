//! The profiles that come with Hermes.

use hermes_core::Verdict::{Allow, Ask, Deny};
use hermes_policy::profile::{Known, SHIPPED, lint, read_policy};

use super::support::{any, check, command, ground, lines, on_host, on_path, shipped};

#[test]
fn every_shipped_profile_is_clean() {
    for profile in SHIPPED {
        let file = read_policy(profile.file, profile.text, &ground(), &Known::default());
        let file = file.unwrap_or_else(|problems| panic!("{}", lines(&problems)));
        assert_eq!(file.profiles.len(), 1);
        assert_eq!(file.profiles[0].name, profile.name);
        let found = lint(&file, std::slice::from_ref(&file), &ground(), &Known::default());
        assert!(found.is_empty(), "{}", lines(&found));
    }
}

#[test]
fn a_developer_works_without_questions_and_is_asked_about_the_rest() {
    let policy = shipped("default");
    check(&policy, on_path("file:read", "/usr/share/doc/x"), Allow);
    check(&policy, on_path("file:read", "/workspace/src/main.rs"), Allow);
    check(&policy, on_path("file:read", "/home/ada/.ssh/id_ed25519"), Ask);
    check(&policy, on_path("file:write", "/workspace/src/main.rs"), Allow);
    check(&policy, on_path("file:write", "/tmp/x"), Allow);
    check(&policy, on_path("file:write", "/etc/hosts"), Deny);
    check(&policy, on_path("file:delete", "/workspace/a.txt"), Allow);
    check(&policy, command("cargo test"), Allow);
    check(&policy, command("git push --force"), Ask);
    check(&policy, command("mkfs.ext4 /dev/sda1"), Deny);
    check(&policy, on_host("docs.rs"), Allow);
    check(&policy, any("network:search"), Allow);
    check(&policy, any("env:read"), Allow);
    check(&policy, any("env:reveal"), Ask);
    check(&policy, any("env:write"), Allow);
    check(&policy, any("env:persist"), Ask);
    check(&policy, any("email:send"), Ask);
    check(&policy, any("cron:manage"), Ask);
    check(&policy, any("mcp:github"), Ask);
    check(&policy, any("agent:delegate"), Allow);
}

#[test]
fn a_job_is_never_asked_and_has_no_network() {
    let policy = shipped("unattended");
    check(&policy, on_path("file:read", "/workspace/a"), Allow);
    check(&policy, on_path("file:write", "/workspace/a"), Allow);
    check(&policy, on_path("file:write", "/srv/a"), Deny);
    check(&policy, on_path("file:read", "/home/ada/.ssh/id_ed25519"), Deny);
    check(&policy, command("cargo test"), Allow);
    check(&policy, command("git push --force"), Deny);
    check(&policy, on_host("docs.rs"), Deny);
    check(&policy, any("env:reveal"), Deny);
    check(&policy, any("mcp:github"), Deny);
}
