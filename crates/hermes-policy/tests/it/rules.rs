use std::path::Path;

use globset::{Glob, GlobSet};
use hermes_core::{Access, AccessRequest, Owner, Permission, Policy, Target, Verdict};
use hermes_policy::paths::Places;
use hermes_policy::{PathRoots, Pattern, Rules};
use proptest::prelude::*;
use serde_json::Value;

pub(crate) fn decide(policy: &dyn Policy, access: &[Access]) -> Verdict {
    let request = AccessRequest {
        call_id: "c",
        tool: "t",
        toolset: "s",
        owner: &Owner::BuiltIn,
        session: "x",
        actor: "user",
        cwd: Path::new("/work"),
        shell: None,
        access,
        arguments: &Value::Null,
        effects: &[],
    };
    policy.decide(&request).verdict
}

pub(crate) fn rules(allow: &[&str], deny: &[&str], ask: &[&str]) -> Rules {
    let parse = |texts: &[&str]| texts.iter().map(|text| Pattern::parse(text).unwrap()).collect();
    Rules {
        name: "test".into(),
        allow: parse(allow),
        deny: parse(deny),
        ask: parse(ask),
        roots: PathRoots {
            read: vec!["/".into()],
            write: vec!["/work".into()],
            closed: vec!["/work/.hermes".into()],
            protected: GlobSet::new([Glob::new("**/.env").unwrap(), Glob::new("/work/secrets").unwrap()])
                .unwrap(),
        },
        places: None,
    }
}

#[test]
fn sensitive_files_ask_wherever_they_may_be_read() {
    let places = Places::new("/home/ada", "/home/ada/.hermes", ["/work".into()]);
    let policy = Rules { places: Some(places), ..rules(&["*"], &["env:*"], &[]) };
    for (permission, path, verdict) in [
        (Permission::FILE_READ, "/home/ada/notes.md", Verdict::Allow),
        (Permission::FILE_READ, "/home/ada/.ssh/id_rsa", Verdict::Ask),
        (Permission::FILE_READ, "/work/.ENV.local", Verdict::Ask),
        (Permission::FILE_READ, "/home/ada/.hermes/state.db", Verdict::Deny),
        (Permission::FILE_WRITE, "/work", Verdict::Allow),
        (Permission::FILE_WRITE, "/work/.git/hooks/pre-commit", Verdict::Ask),
        (Permission::FILE_WRITE, "/home/ada/.bashrc", Verdict::Deny),
        (Permission::FILE_DELETE, "/work/.git/config", Verdict::Ask),
        (Permission::FILE_DELETE, "/work", Verdict::Deny),
    ] {
        assert_eq!(decide(&policy, &[file(permission.clone(), path)]), verdict, "{permission} {path}");
    }
}

fn file(permission: Permission, path: &str) -> Access {
    Access::new(permission, Target::Resolved(path.into()))
}

#[test]
fn deny_beats_ask_beats_allow() {
    let all = rules(&["*"], &["env:write"], &["env:*"]);
    assert_eq!(decide(&all, &[Access::any(Permission::ENV_WRITE)]), Verdict::Deny);
    assert_eq!(decide(&all, &[Access::any(Permission::ENV_READ)]), Verdict::Ask);
    assert_eq!(decide(&all, &[Access::any(Permission::SYSTEM_READ)]), Verdict::Allow);
}

#[test]
fn what_no_rule_allows_is_denied() {
    assert_eq!(decide(&rules(&["file:*"], &[], &[]), &[Access::any(Permission::ENV_READ)]), Verdict::Deny);
    assert_eq!(decide(&Rules::default(), &[Access::any(Permission::ENV_READ)]), Verdict::Deny);
}

#[test]
fn the_strictest_access_decides() {
    let policy = rules(&["*"], &["env:write"], &[]);
    let both = [Access::any(Permission::ENV_READ), Access::any(Permission::ENV_WRITE)];
    assert_eq!(decide(&policy, &both), Verdict::Deny);
}

#[test]
fn roots_are_judged_by_component_on_resolved_paths_only() {
    let policy = rules(&["*"], &[], &[]);
    for (path, verdict) in [
        ("/work/a", Verdict::Allow),
        ("/work", Verdict::Allow),
        ("/workshop/a", Verdict::Deny),
        ("/etc/passwd", Verdict::Deny),
        ("/work/.hermes/state.db", Verdict::Deny),
        ("/work/a/.env", Verdict::Deny),
        ("/work/secrets/key", Verdict::Deny),
    ] {
        assert_eq!(decide(&policy, &[file(Permission::FILE_WRITE, path)]), verdict, "{path}");
    }
    assert_eq!(decide(&policy, &[Access::write_path("/work/a")]), Verdict::Deny, "unresolved");
    assert_eq!(decide(&policy, &[file(Permission::FILE_READ, "/work/.hermes/x")]), Verdict::Deny);
}

fn permission() -> impl Strategy<Value = Permission> {
    proptest::sample::select(Permission::KNOWN).prop_map(Permission::named)
}

fn pattern() -> impl Strategy<Value = String> {
    proptest::sample::select(Permission::KNOWN).prop_flat_map(|name| {
        let (domain, action) = name.split_once(':').unwrap();
        proptest::sample::select(vec![
            name.to_owned(),
            format!("{domain}:*"),
            format!("*:{action}"),
            "*".to_owned(),
        ])
    })
}

/// A second opinion written another way: by comparing halves as text.
fn reference_matches(pattern: &str, name: &str) -> bool {
    if pattern == "*" {
        return true;
    }
    let (pd, pa) = pattern.split_once(':').unwrap();
    let (nd, na) = name.split_once(':').unwrap();
    (pd == "*" || pd == nd) && (pa == "*" || pa == na)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2_000))]
    #[test]
    fn agrees_with_the_reference(
        allow in prop::collection::vec(pattern(), 0..4),
        deny in prop::collection::vec(pattern(), 0..3),
        ask in prop::collection::vec(pattern(), 0..3),
        wanted in prop::collection::vec(permission(), 1..4),
    ) {
        let texts = |list: &[String]| list.iter().map(|text| Pattern::parse(text).unwrap()).collect();
        let policy = Rules { name: "p".into(), allow: texts(&allow), deny: texts(&deny), ask: texts(&ask), ..Rules::default() };
        let any = |list: &[String], name: &str| list.iter().any(|pattern| reference_matches(pattern, name));
        let expected = wanted.iter().filter(|p| !p.as_str().starts_with("file:")).map(|p| {
            let name = p.as_str();
            if any(&deny, name) { Verdict::Deny } else if any(&ask, name) { Verdict::Ask }
            else if any(&allow, name) { Verdict::Allow } else { Verdict::Deny }
        }).max().unwrap_or(Verdict::Allow);
        let access: Vec<_> = wanted.iter().filter(|p| !p.as_str().starts_with("file:")).cloned().map(Access::any).collect();
        prop_assert_eq!(decide(&policy, &access), expected);
    }
}
