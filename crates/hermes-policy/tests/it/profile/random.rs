//! Policies and calls at random, from few enough names that they often meet.

use hermes_core::{Access, Owner};
use proptest::prelude::*;
use proptest::sample::{select, subsequence};
use serde_json::{Map, Value, json};

use super::support::{Call, any, on_host, on_path};

const PERMISSIONS: &[&str] =
    &["file:read", "file:write", "git:read", "git:write", "network:fetch", "env:read", "mcp:github"];
const PATTERNS: &[&str] = &[
    "file:read",
    "file:write",
    "git:read",
    "git:write",
    "network:fetch",
    "env:read",
    "mcp:github",
    "file:*",
    "git:*",
    "*:read",
    "mcp:*",
    "*",
];
const GLOBS: &[&str] = &[
    "src/**",
    "/workspace/docs",
    "/workspace/docs/**",
    "~/notes/**",
    "/data/*.txt",
    "/data/**",
    "**",
    "readme",
];
const HOSTS: &[&str] = &["example.com", "*.example.com", "api.example.com:8443", "*", "other.org"];
const TARGETS: &[&str] =
    &["example.com", "api.example.com:8443", "api.example.com:443", "other.org", "a.b.example.com"];
const PATHS: &[&str] = &[
    "/workspace/src/a.rs",
    "/workspace/src",
    "/workspace/docs",
    "/workspace/docs/x/y",
    "/workspace/readme",
    "/workspace",
    "/home/ada/notes/n",
    "/data/a.txt",
    "/data/sub/b.txt",
];

fn patterns(most: usize) -> impl Strategy<Value = Vec<&'static str>> {
    subsequence(PATTERNS.to_vec(), 0..=most)
}

fn some_of(values: &'static [&'static str]) -> impl Strategy<Value = Vec<&'static str>> {
    subsequence(values.to_vec(), 1..=2)
}

/// Two lists without a common item, so that they do not contradict each other.
fn apart(values: &'static [&'static str]) -> impl Strategy<Value = (Vec<&'static str>, Vec<&'static str>)> {
    (subsequence(values.to_vec(), 0..=3), subsequence(values.to_vec(), 0..=2)).prop_map(
        |(first, mut second)| {
            second.retain(|value| !first.contains(value));
            (first, second)
        },
    )
}

fn restriction() -> impl Strategy<Value = (String, Value)> {
    let on_paths = (select(vec!["file:write", "file:read", "file:*"]), apart(GLOBS)).prop_map(
        |(on, (allowed, denied))| (on.to_owned(), json!({"allowed_paths": allowed, "denied_paths": denied})),
    );
    let on_hosts = apart(HOSTS).prop_map(|(allowed, denied)| {
        ("network:fetch".to_owned(), json!({"allowed_hosts": allowed, "denied_hosts": denied}))
    });
    let denied_only = (select(vec!["*", "file:*", "git:*"]), some_of(GLOBS))
        .prop_map(|(on, denied)| (on.to_owned(), json!({"denied_paths": denied})));
    prop_oneof![on_paths, on_hosts, denied_only]
}

fn condition() -> impl Strategy<Value = (&'static str, Value)> {
    let names = |key, values| some_of(values).prop_map(move |names| (key, json!(names)));
    prop_oneof![
        names("tool", &["read_file", "git_*", "todo", "*"]),
        names("toolset", &["file", "git"]),
        names("server", &["github", "gitlab"]),
        names("actor", &["user", "subagent:*"]),
        names("permission", PATTERNS),
        names("path", GLOBS),
        names("host", HOSTS),
        prop_oneof![
            Just(json!({"/mode": "a*"})),
            Just(json!({"/n": {"in": [1, 3]}})),
            Just(json!({"/mode": {"regex": "[bc]+"}, "/n": {"equals": 2}})),
        ]
        .prop_map(|argument| ("argument", argument)),
    ]
}

fn rule() -> impl Strategy<Value = Value> {
    let effect = select(vec!["allow", "ask", "deny"]);
    (effect, prop::collection::vec(condition(), 1..3)).prop_map(|(effect, conditions)| {
        let mut rule = Map::from_iter([("effect".to_owned(), json!(effect))]);
        rule.extend(conditions.into_iter().map(|(key, value)| (key.to_owned(), value)));
        Value::Object(rule)
    })
}

/// The lists, restrictions and rules of a level.
fn body() -> impl Strategy<Value = Value> {
    let allow = prop::option::weighted(0.7, patterns(4));
    let restrictions = prop::collection::vec(restriction(), 0..2);
    let rules = prop::collection::vec(rule(), 0..3);
    (allow, patterns(2), patterns(2), restrictions, rules).prop_map(
        |(allow, deny, ask, restrictions, rules)| {
            let mut body = Map::new();
            let allowed = allow.clone().unwrap_or_default();
            body.extend(allow.map(|allow| ("allow".to_owned(), json!(allow))));
            let deny: Vec<_> = deny.into_iter().filter(|pattern| !allowed.contains(pattern)).collect();
            body.insert("deny".into(), json!(deny));
            body.insert("approval_required".into(), json!(ask));
            body.insert("restrictions".into(), Value::Object(restrictions.into_iter().collect()));
            body.insert("rules".into(), json!(without_contradictions(rules)));
            Value::Object(body)
        },
    )
}

/// Of several rules with the same conditions only the first.
fn without_contradictions(rules: Vec<Value>) -> Vec<Value> {
    let conditions = |rule: &Value| {
        let mut rule = rule.as_object().cloned().unwrap_or_default();
        rule.remove("effect");
        // In one order, whatever order they were drawn in.
        serde_json::to_string(&rule.into_iter().collect::<std::collections::BTreeMap<_, _>>()).unwrap()
    };
    let mut seen = Vec::new();
    rules
        .into_iter()
        .filter(|rule| {
            let conditions = conditions(rule);
            let new = !seen.contains(&conditions);
            seen.push(conditions);
            new
        })
        .collect()
}

/// A policy with the profiles p0, p1 and p2, of which later ones may extend earlier ones.
pub(crate) fn policy() -> impl Strategy<Value = Value> {
    let extends = |of: &'static [&'static str]| subsequence(of.to_vec(), 0..=of.len());
    let profiles =
        (body(), body(), body(), extends(&["p0"]), extends(&["p0", "p1"]), prop::bool::weighted(0.1));
    let tools = || prop::collection::btree_map(select(vec!["read_file", "git_push", "todo"]), body(), 0..2);
    (prop::option::of(body()), tools(), tools(), profiles).prop_map(
        |(global, shared_tools, own_tools, (p0, mut p1, mut p2, first, second, unattended))| {
            for (profile, extends) in [(&mut p1, first), (&mut p2, second)] {
                if !extends.is_empty() {
                    profile["extends"] = json!(extends);
                }
            }
            p2["unattended"] = json!(unattended);
            p2["tools"] = json!(own_tools);
            let mut policy = json!({"tools": shared_tools, "profiles": {"p0": p0, "p1": p1, "p2": p2}});
            if let Some(global) = global {
                policy["global"] = global;
            }
            policy
        },
    )
}

fn access() -> impl Strategy<Value = Access> {
    prop_oneof![
        select(PERMISSIONS).prop_map(any),
        select(TARGETS).prop_map(on_host),
        (select(vec!["file:read", "git:read", "git:write"]), select(PATHS))
            .prop_map(|(on, path)| on_path(on, path)),
        // Analysis has nothing to say about these.
        select(PATHS.iter().copied().filter(|path| path.starts_with("/workspace/")).collect::<Vec<_>>())
            .prop_map(|path| on_path("file:write", path)),
    ]
}

pub(crate) fn call() -> impl Strategy<Value = Call> {
    let arguments = prop_oneof![
        Just(json!({})),
        (select(vec!["a", "ab", "b"]), 0..4).prop_map(|(mode, n)| json!({"mode": mode, "n": n})),
        Just(json!({"mode": ["a", "b"], "n": [1, 2]})),
    ];
    (
        select(vec!["read_file", "git_push", "todo"]),
        select(vec!["file", "git"]),
        prop_oneof![Just(Owner::BuiltIn), Just(Owner::Mcp("github".into()))],
        select(vec!["user", "subagent:1"]),
        prop::collection::vec(access(), 0..3),
        arguments,
    )
        .prop_map(|(tool, toolset, owner, actor, access, arguments)| Call {
            tool: tool.into(),
            toolset: toolset.into(),
            owner,
            actor: actor.into(),
            access,
            arguments,
        })
}
