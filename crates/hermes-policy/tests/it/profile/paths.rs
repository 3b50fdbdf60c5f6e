//! Path globs on resolved paths.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use hermes_core::ToolError;
use hermes_core::Verdict::{Allow, Ask, Deny};
use hermes_core::ports::PathResolver;
use hermes_policy::profile::{Ground, Spelling};

use super::support::{build, check, engine, ground, on_path};

fn allowed(glob: &str, path: &str) -> bool {
    let text = format!(
        "profiles: {{p: {{allow: ['*'], restrictions: {{git:write: {{allowed_paths: ['{glob}']}}}}}}}}"
    );
    check_either(&text, path) == Allow
}

fn denied(glob: &str, path: &str) -> bool {
    let text = format!(
        "profiles: {{p: {{allow: ['*'], restrictions: {{git:write: {{denied_paths: ['{glob}']}}}}}}}}"
    );
    check_either(&text, path) == Deny
}

fn check_either(text: &str, path: &str) -> hermes_core::Verdict {
    super::support::Call::new([on_path("git:write", path)]).decide(&engine(text, "p")).verdict
}

#[test]
fn globs() {
    for (glob, path, matches) in [
        ("/a/*", "/a/b", true),
        ("/a/*", "/a/b/c", false),
        ("/a/**", "/a/b/c", true),
        ("/a/**", "/a", true),
        ("/a/**", "/ab", false),
        ("/a/?.rs", "/a/x.rs", true),
        ("/a/?.rs", "/a/xy.rs", false),
        ("/a/*.{rs,toml}", "/a/Cargo.toml", true),
        ("/a/*.{rs,toml}", "/a/x.md", false),
        ("/**/.env", "/a/b/.env", true),
        ("/**/.env", "/.env", true),
        ("/a/./b//c/", "/a/b/c", true),
        ("/a/[bc]", "/a/c", true),
        ("src/**", "/workspace/src/x", true),
        ("./src/**", "/workspace/src", true),
        ("src/**", "/other/src/x", false),
        ("**", "/workspace", true),
        ("**", "/workspace/a/b", true),
        ("**", "/workspaces", false),
        (".", "/workspace", true),
        (".", "/workspace/a", false),
        ("**/*.rs", "/workspace/a/b.rs", true),
        ("~/notes/**", "/home/ada/notes/x", true),
        ("~", "/home/ada", true),
        ("~/*", "/home/eve/x", false),
    ] {
        assert_eq!(allowed(glob, path), matches, "{glob} {path}");
    }
}

#[test]
fn a_denied_folder_closes_what_is_in_it() {
    assert!(denied("/a/secrets", "/a/secrets/x/y"));
    assert!(denied("secrets", "/workspace/secrets/x"));
    assert!(denied("/**/.git", "/a/.git/hooks/pre-commit"));
    assert!(!denied("/a/secrets", "/a/secretsx"));
    assert!(!allowed("/a/open", "/a/open/x"), "an allowed name is that name only");
}

#[test]
fn removing_a_folder_removes_what_is_denied_in_it() {
    let text =
        "profiles: {p: {allow: ['*'], restrictions: {file:delete: {denied_paths: [/data/app/secrets/**]}}}}";
    let policy = engine(text, "p");
    check(&policy, on_path("file:delete", "/data/app"), Deny);
    check(&policy, on_path("file:delete", "/data/app/secrets"), Deny);
    assert_ne!(
        super::support::Call::new([on_path("file:delete", "/data/app/src")]).decide(&policy).verdict,
        Deny
    );
}

/// `/workspace` is a link to `/data/ws`, and `keys` in it one to `/data/keys`.
struct Links;

impl PathResolver for Links {
    fn resolve(&self, cwd: &Path, raw: &str) -> Result<PathBuf, ToolError> {
        let path = cwd.join(raw);
        let path = match path.strip_prefix("/workspace/keys").or(path.strip_prefix("/data/ws/keys")) {
            Ok(rest) => Path::new("/data/keys").join(rest),
            Err(_) => path,
        };
        Ok(match path.strip_prefix("/workspace") {
            Ok(rest) => Path::new("/data/ws").join(rest),
            Err(_) => path,
        })
    }
}

#[test]
fn what_is_allowed_is_allowed_by_its_letters() {
    let rule = "rules: [{effect: allow, permission: 'git:*', path: [/workspace/keys/id, keys/**]}]";
    let list = "allow: ['*'], restrictions: {git:write: {allowed_paths: [/workspace/keys/**, keys/**]}}";
    let ground = Ground { resolver: Some(Arc::new(Links)), cwd: "/data/ws".into(), ..ground() };
    for body in [rule, list] {
        let policy = build(&format!("profiles: {{p: {{{body}}}}}"), "p", &ground).unwrap();
        let verdict =
            |path: &str| super::support::Call::new([on_path("git:write", path)]).decide(&policy).verdict;
        assert_eq!(verdict("/data/keys/id"), Deny, "{body}: a link in an allowed place opens nothing");
        assert_eq!(verdict("/workspace/keys/id"), Allow, "{body}");
    }
}

#[test]
fn a_home_folder_by_another_name_is_the_home_folder() {
    let spelled = Spelling { home: "/h/ada".into(), hermes_home: "/h/ada/.hermes".into() };
    let ground = Ground { spelled: vec![spelled], ..ground() };
    let text = "profiles: {p: {allow: ['*'], restrictions: {git:write: {allowed_paths: [/h/ada/notes/**]}}}}";
    let policy = build(text, "p", &ground).unwrap();
    check(&policy, on_path("git:write", "/home/ada/notes/x"), Allow);
    check(&policy, on_path("git:write", "/home/ada/other"), Deny);
}

#[test]
fn removing_the_folder_that_a_denied_link_leads_to_is_denied() {
    let text = "profiles: {p: {allow: ['*'], restrictions: {file:delete: {denied_paths: [keys/**]}}}}";
    let ground = Ground { resolver: Some(Arc::new(Links)), cwd: "/workspace".into(), ..ground() };
    check(&build(text, "p", &ground).unwrap(), on_path("file:delete", "/data"), Deny);
}

#[test]
fn a_rule_that_closes_a_link_closes_what_it_leads_to() {
    let text = "
profiles:
  p:
    allow: ['*']
    restrictions:
      git:write:
        allowed_paths: [/workspace/**, /data/**]
        denied_paths: [/workspace/.env, keys/**]
";
    let ground = Ground { resolver: Some(Arc::new(Links)), cwd: "/data/ws".into(), ..ground() };
    let policy = build(text, "p", &ground).unwrap();
    let verdict =
        |path: &str| super::support::Call::new([on_path("git:write", path)]).decide(&policy).verdict;
    assert_eq!(verdict("/data/ws/a"), Allow);
    assert_eq!(verdict("/data/ws/.env"), Deny);
    assert_eq!(verdict("/data/keys/id"), Deny);
    assert_eq!(verdict("/data/other"), Allow);
}

#[test]
fn sensitive_places_are_asked_about_unless_a_rule_names_them() {
    let text = "
profiles:
  plain: {allow: ['*']}
  knows:
    allow: ['*']
    rules: [{effect: allow, permission: file:read, path: ~/.ssh/config}]
  everything:
    allow: ['*']
    rules: [{effect: allow, permission: file:read, path: /**}]
  child: {extends: [plain], rules: [{effect: allow, permission: file:*, path: ~/.ssh/config}]}
";
    let key = || on_path("file:read", "/home/ada/.ssh/config");
    let asked = check(&engine(text, "plain"), key(), Ask);
    assert!(asked.rule.contains("path analysis"), "{asked:?}");
    check(&engine(text, "knows"), key(), Allow);
    check(&engine(text, "everything"), key(), Ask);
    check(&engine(text, "child"), key(), Ask);
}
