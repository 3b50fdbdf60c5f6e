//! Replacing a policy while it is in use.

use std::sync::Arc;

use hermes_core::Policy;
use hermes_core::Verdict::{Allow, Ask, Deny};
use hermes_policy::All;
use hermes_policy::profile::PolicyCell;

use super::support::{any, build, check, engine, ground, lines};

#[test]
fn a_bad_text_keeps_the_previous_policy() {
    let cell = PolicyCell::new(engine("profiles: {p: {allow: [git:*]}}", "p"));
    check(&cell, any("git:write"), Allow);
    for bad in [
        "",
        "profiles: {p: {allow: ['*'], dney: [git:write]}}",
        "profiles: {q: {allow: ['*']}}",
        "profiles: [",
    ] {
        let problems = cell.replace(build(bad, "p", &ground())).unwrap_err();
        assert!(!lines(&problems).is_empty());
        check(&cell, any("git:write"), Allow);
        check(&cell, any("env:write"), Deny);
    }
    cell.replace(build("profiles: {p: {allow: [git:read]}}", "p", &ground())).unwrap();
    check(&cell, any("git:write"), Deny);
}

#[test]
fn a_parent_narrowed_later_narrows_its_children_at_once() {
    let cell = Arc::new(PolicyCell::new(engine("profiles: {p: {allow: ['*']}}", "p")));
    let parent: Arc<dyn Policy> = Arc::clone(&cell) as _;
    let own: Arc<dyn Policy> = Arc::new(engine("profiles: {c: {allow: ['*']}}", "c"));
    let child: Arc<dyn Policy> = Arc::new(All::of([parent, Arc::clone(&own)]));
    let grandchild = All::of([child, own]);
    check(&grandchild, any("git:write"), Allow);
    let narrower = build("profiles: {p: {allow: ['*'], approval_required: [git:write]}}", "p", &ground());
    cell.replace(narrower).unwrap();
    check(&grandchild, any("git:write"), Ask);
    cell.replace(build("profiles: {p: {}}", "p", &ground())).unwrap();
    check(&grandchild, any("git:read"), Deny);
}
