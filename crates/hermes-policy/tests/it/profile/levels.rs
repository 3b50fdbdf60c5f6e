//! Levels only take away, whatever their order.

use std::sync::Arc;

use hermes_core::Verdict::{Allow, Ask, Deny};
use hermes_core::{Access, Policy};
use hermes_policy::All;
use hermes_policy::profile::{At, ConfigLevel, Engine, MinuteLedger, Place, Plan, read_policy};

use super::support::{Call, any, build, check, engine, ground, lines, on_host, on_path, place};

#[test]
fn an_empty_profile_allows_nothing() {
    for text in ["profiles: {p: {}}", "profiles:\n  p:\n", "profiles: {p: {allow: []}}"] {
        let policy = engine(text, "p");
        check(&policy, any("system:read"), Deny);
        assert_eq!(Call::new([]).decide(&policy).verdict, Deny, "not even what touches nothing");
    }
    let some = engine("profiles: {p: {allow: [file:read]}}", "p");
    assert_eq!(Call::new([]).decide(&some).verdict, Allow, "needs no permission");
}

#[test]
fn deny_beats_ask_beats_allow_in_any_order() {
    for body in [
        "{allow: ['*'], approval_required: ['env:*'], deny: [env:write]}",
        "{deny: [env:write], approval_required: ['env:*'], allow: ['*']}",
    ] {
        let policy = engine(&format!("profiles: {{p: {body}}}"), "p");
        check(&policy, any("env:write"), Deny);
        check(&policy, any("env:read"), Ask);
        check(&policy, any("git:read"), Allow);
    }
}

#[test]
fn the_strictest_access_decides() {
    let policy =
        engine("profiles: {p: {allow: ['*'], deny: [env:write], approval_required: [git:write]}}", "p");
    let verdict = |access: &[&str]| Call::new(access.iter().map(|name| any(name))).decide(&policy).verdict;
    assert_eq!(verdict(&["git:read", "git:write"]), Ask);
    assert_eq!(verdict(&["env:write", "git:write", "git:read"]), Deny);
}

#[test]
fn global_stands_above_every_profile() {
    let text = "
global:
  deny: [docker:*]
  approval_required: [email:send]
  restrictions:
    network:fetch: {denied_hosts: ['*.internal']}
profiles:
  p: {allow: ['*']}
";
    let policy = engine(text, "p");
    let denied = check(&policy, any("docker:run"), Deny);
    assert_eq!(denied.reason, "Permission docker:run is denied in every profile");
    assert_eq!(
        (denied.level, denied.rule.as_str()),
        (Some("global"), "hermes_permissions.yaml:3 global: deny docker:*")
    );
    check(&policy, any("email:send"), Ask);
    check(&policy, on_host("db.internal"), Deny);
    check(&policy, on_host("docs.rs"), Allow);
    check(&engine(text, "readonly_research"), any("docker:run"), Deny);
    // Without a list of what is allowed, the level leaves that to the profile.
    check(&policy, any("git:read"), Allow);
    let closed = engine("global: {allow: [git:*]}\nprofiles: {p: {allow: ['*']}}", "p");
    check(&closed, any("git:read"), Allow);
    check(&closed, any("env:read"), Deny);
}

#[test]
fn a_profile_never_exceeds_those_it_extends() {
    let text = "
profiles:
  base: {allow: [file:*, git:read], approval_required: [git:write]}
  narrow: {extends: [base], deny: [file:delete]}
  wide: {extends: [base], allow: ['*']}
  both: {extends: [narrow, wide], approval_required: [file:read]}
";
    let narrow = engine(text, "narrow");
    check(&narrow, any("git:read"), Allow);
    check(&narrow, any("git:write"), Ask);
    check(&narrow, any("file:delete"), Deny);
    check(&narrow, any("env:read"), Deny);
    let wide = engine(text, "wide");
    assert!(check(&wide, any("env:read"), Deny).reason.ends_with("in profile base"));
    check(&wide, any("git:write"), Ask);
    let both = engine(text, "both");
    check(&both, on_path("file:read", "/workspace/a"), Ask);
    check(&both, any("file:delete"), Deny);
    check(&both, any("git:read"), Allow);
}

#[test]
fn tools_have_a_level_of_their_own() {
    let text = "
tools:
  shared_tool: {deny: ['*']}
profiles:
  p:
    allow: ['*']
    tools:
      read_file: {restrictions: {file:read: {allowed_paths: [docs/**]}}}
      git_push: {approval_required: [git:write]}
      only_reads: {allow: [file:read]}
";
    let policy = engine(text, "p");
    let decide = |tool: &str, access: Access| Call::new([access]).tool(tool).decide(&policy);
    assert_eq!(decide("read_file", on_path("file:read", "/workspace/docs/a.md")).verdict, Allow);
    let denied = decide("read_file", on_path("file:read", "/workspace/src/a.rs"));
    assert_eq!(denied.verdict, Deny);
    assert_eq!(denied.reason, "Path /workspace/src/a.rs is outside the allowed read scope");
    assert_eq!(decide("search_files", on_path("file:read", "/workspace/src/a.rs")).verdict, Allow);
    assert_eq!(decide("git_push", any("git:write")).verdict, Ask);
    assert_eq!(decide("git_commit", any("git:write")).verdict, Allow);
    assert_eq!(decide("only_reads", any("git:write")).verdict, Deny);
    assert_eq!(Call::new([]).tool("shared_tool").decide(&policy).verdict, Deny, "even if it touches nothing");
    assert!(decide("shared_tool", any("git:read")).reason.ends_with("for tool shared_tool"));
}

#[test]
fn in_an_unattended_profile_nobody_is_asked() {
    let text = "profiles: {job: {unattended: true, allow: [git:*], approval_required: [git:write]}, \
                child: {extends: [job]}}";
    let decision = check(&engine(text, "job"), any("git:write"), Deny);
    let expected =
        "Permission git:write needs approval in profile job, and nobody is there to ask in profile job";
    assert_eq!(decision.reason, expected);
    check(&engine(text, "child"), any("git:write"), Deny);
    check(&engine(text, "job"), any("git:read"), Allow);
}

#[test]
fn circles_and_unknown_profiles_are_refused() {
    let circle = "profiles: {a: {extends: [b]}, b: {extends: [a]}}";
    let problems = build(circle, "a", &ground()).err().unwrap();
    assert_eq!(
        lines(&problems),
        "hermes_permissions.yaml:1:45: a extends b extends a: profiles go in a circle"
    );
    let problems = build("profiles: {careful: {}}", "carefull", &ground()).err().unwrap();
    assert_eq!(lines(&problems), "config.yaml:1:1: there is no profile \"carefull\" (did you mean careful?)");
    let problems = build("profiles: {a: {extends: [defualt]}}", "a", &ground()).err().unwrap();
    assert!(
        lines(&problems).contains("hermes_permissions.yaml:1:26") && lines(&problems).contains("default")
    );
}

#[test]
fn a_file_may_replace_a_built_in_profile() {
    check(&engine("profiles: {default: {allow: [git:read]}}", "default"), any("file:read"), Deny);
}

#[test]
fn limits_on_calls_are_counted_by_whoever_brings_a_clock() {
    let text = "profiles: {p: {allow: ['*'], restrictions: {network:fetch: {max_calls_per_minute: 2}}}}";
    let ground = ground();
    let file = read_policy("f", text, &ground, &Default::default()).unwrap();
    let plan = |ledger| Plan {
        profile: "p",
        chosen_at: place(),
        files: std::slice::from_ref(&file),
        config: None,
        ground: &ground,
        commands: Default::default(),
        ledger,
    };
    let counted =
        Engine::build(&plan(Some(Arc::new(MinuteLedger::new(std::time::Duration::default))))).unwrap();
    // Two things in one call are one call.
    let call = Call::new([on_host("a.org"), on_host("b.org")]);
    let explained = counted.explain(&call.request());
    assert_eq!((explained.decision.verdict, explained.limits.len()), (Allow, 1));
    assert_eq!(call.decide(&counted).verdict, Allow);
    assert_eq!(call.decide(&counted).verdict, Allow);
    let third = call.decide(&counted);
    assert_eq!((third.verdict, third.reason.as_str()), (Deny, "More than 2 calls within a minute"));
    check(&counted, any("git:read"), Allow);
    let uncounted = Engine::build(&plan(None)).unwrap();
    assert_eq!(call.decide(&uncounted).verdict, Deny, "a limit that nobody counts is not ignored");
}

#[test]
fn a_child_policy_is_narrowed_with_its_parent() {
    let parent: Arc<dyn Policy> = Arc::new(engine("profiles: {p: {allow: [git:*, file:read]}}", "p"));
    let child: Arc<dyn Policy> = Arc::new(engine("profiles: {c: {allow: ['*'], deny: [git:write]}}", "c"));
    let both = All::of([parent, child]);
    check(&both, any("git:read"), Allow);
    check(&both, any("git:write"), Deny);
    check(&both, any("env:read"), Deny);
}

#[test]
fn the_configuration_is_one_more_level() {
    let ground = ground();
    let at = |text: &str| At { value: text.to_owned(), at: Place::whole("flag permissions") };
    let root = |path: &str| At { value: path.into(), at: Place::whole("flag permissions.write_roots") };
    let config = ConfigLevel {
        allow: vec![at("*")],
        deny: vec![at("docker:*")],
        ask: vec![at("system:*")],
        read_roots: vec![root("/")],
        write_roots: vec![root("/workspace"), root("/odd[name]")],
        protected_paths: vec![at(".env"), at("secrets"), at("~/notes/**"), at("build/out")],
    };
    let body = Arc::new(config.body(&ground).unwrap());
    let file = read_policy("f", "profiles: {p: {allow: ['*']}}", &ground, &Default::default()).unwrap();
    let plan = Plan {
        profile: "p",
        chosen_at: place(),
        files: &[file],
        config: Some(body),
        ground: &ground,
        commands: Default::default(),
        ledger: None,
    };
    let policy = Engine::build(&plan).unwrap();
    assert_eq!(check(&policy, any("docker:run"), Deny).rule, "flag permissions config: deny docker:*");
    let asked = check(&policy, any("system:read"), Ask);
    assert_eq!(asked.rule, "flag permissions config: ask system:*");
    check(&policy, on_path("file:read", "/srv/x"), Allow);
    for (path, verdict) in [
        ("/workspace/a", Allow),
        ("/workspace/sub/.env", Deny),
        ("/workspace/a/secrets/b", Deny),
        ("/workspace/build/out/x", Deny),
        ("/workspace/x/build/out", Allow),
        ("/workshop/a", Deny),
        ("/oddn/a", Deny),
    ] {
        check(&policy, on_path("file:write", path), verdict);
        check(&policy, on_path("file:delete", path), verdict);
    }
    let bad =
        ConfigLevel { deny: vec![at("nope:x")], protected_paths: vec![at("../x")], ..ConfigLevel::default() };
    assert_eq!(bad.body(&ground).unwrap_err().len(), 2);
}
