//! A second evaluator, written another way: straight over the text's data, by asking three questions of all
//! levels at once instead of collecting answers level by level.

use hermes_core::{Access, Policy, Verdict};
use hermes_policy::All;
use hermes_policy::profile::{Engine, Known, Plan, read_policy};
use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};
use serde_json::Value;
use std::sync::Arc;

use super::meeting::{
    closed_by, glob_matches, host_matches, host_of, name_matches, path_of, pattern_matches,
};
use super::random::{call, policy};
use super::support::{Call, FILE, ground, lines, place};

struct Level<'a> {
    body: &'a Value,
    closed: bool,
}

fn texts(value: &Value) -> Vec<&str> {
    value.as_array().into_iter().flatten().filter_map(Value::as_str).collect()
}

fn rules(body: &Value) -> Vec<&Value> {
    body["rules"].as_array().into_iter().flatten().collect()
}

/// All levels that hold for a tool.
fn levels<'a>(policy: &'a Value, profile: &str, tool: &str) -> (Vec<Level<'a>>, bool) {
    let mut chain = vec![profile];
    let mut at = 0;
    while let Some(name) = chain.get(at).copied() {
        chain.extend(texts(&policy["profiles"][name]["extends"]));
        at += 1;
    }
    let names = |body: &Value| {
        body.get("allow").is_some() || rules(body).iter().any(|rule| rule["effect"] == "allow")
    };
    let mut bodies: Vec<(&Value, bool)> = Vec::new();
    bodies.extend(policy.get("global").map(|body| (body, false)));
    bodies.extend(policy["tools"].get(tool).map(|body| (body, false)));
    for name in &chain {
        let profile = &policy["profiles"][*name];
        bodies.push((profile, profile.get("extends").is_none()));
        bodies.extend(profile["tools"].get(tool).map(|body| (body, false)));
    }
    let unattended = chain.iter().any(|name| policy["profiles"][*name]["unattended"] == true);
    let levels =
        bodies.into_iter().map(|(body, closed)| Level { body, closed: closed || names(body) }).collect();
    (levels, unattended)
}

fn rule_matches(rule: &Value, call: &Call, access: Option<&Access>) -> bool {
    let lets_through = rule["effect"] == "allow";
    let server = if let hermes_core::Owner::Mcp(server) = &call.owner { Some(server.as_str()) } else { None };
    let named = |key: &str, name: Option<&str>| {
        rule.get(key).is_none_or(|wanted| {
            name.is_some_and(|name| texts(wanted).iter().any(|wanted| name_matches(wanted, name)))
        })
    };
    let argument = rule.get("argument").is_none_or(|argument| {
        argument.as_object().unwrap().iter().all(|(pointer, test)| {
            let Some(found) = call.arguments.pointer(pointer) else { return false };
            let passes = |value: &Value| match test {
                Value::String(glob) => value.as_str().is_some_and(|text| name_matches(glob, text)),
                Value::Object(test) => match (test.get("in"), test.get("equals"), test.get("regex")) {
                    (Some(values), ..) => values.as_array().unwrap().contains(value),
                    (_, Some(wanted), _) => wanted == value,
                    _ => value
                        .as_str()
                        .is_some_and(|text| !text.is_empty() && text.chars().all(|c| "bc".contains(c))),
                },
                _ => false,
            };
            match found {
                Value::Array(items) if lets_through => items.iter().all(passes),
                Value::Array(items) => items.iter().any(passes),
                value => passes(value),
            }
        })
    });
    let path = rule.get("path").is_none_or(|globs| {
        let matches = if lets_through { glob_matches } else { closed_by };
        path_of(access).is_some_and(|path| texts(globs).iter().any(|glob| matches(glob, &path)))
    });
    let host = rule.get("host").is_none_or(|hosts| {
        host_of(access).is_some_and(|host| texts(hosts).iter().any(|wanted| host_matches(wanted, &host)))
    });
    let permission = rule.get("permission").is_none_or(|patterns| {
        access.is_some() && texts(patterns).iter().any(|pattern| pattern_matches(pattern, access))
    });
    named("tool", Some(&call.tool))
        && named("toolset", Some(&call.toolset))
        && named("server", server)
        && named("actor", Some(&call.actor))
        && argument
        && path
        && host
        && permission
}

fn restricted(body: &Value, access: &Access) -> bool {
    let limits = body["restrictions"].as_object().into_iter().flatten();
    let mut meant = limits.filter(|(pattern, _)| pattern_matches(pattern, Some(access)));
    meant.any(|(pattern, limit)| {
        let domain = access.permission.as_str().split(':').next().unwrap();
        let must_be_judged = |natural: &str| !pattern.starts_with('*') || domain == natural;
        let by_path = (limit.get("allowed_paths").is_some()
            || limit.get("denied_paths").is_some_and(|list| list != &Value::Array(vec![])))
            && match path_of(Some(access)) {
                None => must_be_judged("file"),
                Some(path) => {
                    texts(&limit["denied_paths"]).iter().any(|glob| closed_by(glob, &path))
                        || limit
                            .get("allowed_paths")
                            .is_some_and(|globs| !texts(globs).iter().any(|glob| glob_matches(glob, &path)))
                }
            };
        let by_host = limit.get("allowed_hosts").is_some()
            && match host_of(Some(access)) {
                None => true,
                Some(host) => {
                    texts(&limit["denied_hosts"]).iter().any(|wanted| host_matches(wanted, &host))
                        || !texts(&limit["allowed_hosts"]).iter().any(|wanted| host_matches(wanted, &host))
                }
            };
        by_path || by_host
    })
}

fn judge_one(policy: &Value, profile: &str, call: &Call, access: Option<&Access>) -> Verdict {
    let (levels, unattended) = levels(policy, profile, &call.tool);
    let listed =
        |body: &Value, key: &str| texts(&body[key]).iter().any(|pattern| pattern_matches(pattern, access));
    let ruled = |body: &Value, effect: &str| {
        rules(body).iter().any(|rule| rule["effect"] == effect && rule_matches(rule, call, access))
    };
    let denied = levels.iter().any(|level| {
        listed(level.body, "deny")
            || ruled(level.body, "deny")
            || access.is_some_and(|access| restricted(level.body, access))
    });
    let asked =
        levels.iter().any(|level| listed(level.body, "approval_required") || ruled(level.body, "ask"));
    let allowed = levels.iter().filter(|level| level.closed).all(|level| {
        let body = level.body;
        let granted = listed(body, "allow")
            || listed(body, "approval_required")
            || ruled(body, "allow")
            || ruled(body, "ask");
        let has_something = !texts(&body["allow"]).is_empty()
            || !texts(&body["approval_required"]).is_empty()
            || rules(body).iter().any(|rule| rule["effect"] != "deny");
        granted || (access.is_none() && has_something)
    });
    match (denied || !allowed, asked) {
        (true, _) => Verdict::Deny,
        (false, true) if unattended => Verdict::Deny,
        (false, true) => Verdict::Ask,
        (false, false) => Verdict::Allow,
    }
}

fn reference(policy: &Value, profile: &str, call: &Call) -> Verdict {
    match call.access.as_slice() {
        [] => judge_one(policy, profile, call, None),
        access => access.iter().map(|access| judge_one(policy, profile, call, Some(access))).max().unwrap(),
    }
}

fn compiled(policy: &Value, profile: &str) -> Result<Engine, TestCaseError> {
    let ground = ground();
    let file = read_policy(FILE, &policy.to_string(), &ground, &Known::default());
    let file = file.map_err(|problems| TestCaseError::fail(format!("{policy}\n{}", lines(&problems))))?;
    let plan = Plan {
        profile,
        chosen_at: place(),
        files: &[file],
        config: None,
        ground: &ground,
        commands: Default::default(),
        ledger: None,
    };
    Engine::build(&plan).map_err(|problems| TestCaseError::fail(lines(&problems)))
}

/// `PROPTEST_CASES` policies, or so many.
fn cases(few: u32) -> Config {
    let given = std::env::var_os("PROPTEST_CASES").is_some();
    if given { Config::default() } else { Config::with_cases(few) }
}

fn agrees(config: Config) {
    let strategy = (policy(), prop::collection::vec(call(), 3));
    let outcome = TestRunner::new(config).run(&strategy, |(policy, calls)| {
        for profile in ["p0", "p2"] {
            let engine = compiled(&policy, profile)?;
            for call in &calls {
                let decision = call.decide(&engine);
                let expected = reference(&policy, profile, call);
                prop_assert_eq!(decision.verdict, expected, "{} {:?}\n{:?}", profile, call, decision);
            }
        }
        Ok(())
    });
    outcome.unwrap();
}

#[test]
fn agrees_with_the_reference() {
    agrees(cases(2_000));
}

#[test]
#[ignore = "takes minutes; run with --ignored before a release"]
fn agrees_with_the_reference_on_a_hundred_thousand_policies() {
    agrees(Config::with_cases(100_000));
}

/// The same policy with every list and every table in reverse.
fn reversed(value: &Value) -> Value {
    match value {
        Value::Array(items) => items.iter().rev().map(reversed).collect(),
        Value::Object(fields) => {
            Value::Object(fields.iter().rev().map(|(key, value)| (key.clone(), reversed(value))).collect())
        }
        value => value.clone(),
    }
}

#[test]
fn order_plays_no_part() {
    let strategy = (policy(), prop::collection::vec(call(), 3));
    let outcome = TestRunner::new(cases(500)).run(&strategy, |(policy, calls)| {
        let (engine, other) = (compiled(&policy, "p2")?, compiled(&reversed(&policy), "p2")?);
        for call in &calls {
            prop_assert_eq!(call.decide(&engine).verdict, call.decide(&other).verdict, "{:?}", call);
        }
        Ok(())
    });
    outcome.unwrap();
}

#[test]
fn narrowing_never_widens() {
    let strategy = (policy(), policy(), prop::collection::vec(call(), 3));
    let outcome = TestRunner::new(cases(500)).run(&strategy, |(policy, other, calls)| {
        let engine = compiled(&policy, "p2")?;
        // One more level above, and one more profile to extend.
        let mut above = policy.clone();
        if above.get("global").is_none() {
            above["global"] = other["profiles"]["p1"].clone();
            above["global"].as_object_mut().unwrap().remove("extends");
        }
        let mut below = policy.clone();
        below["profiles"]["child"] = other["profiles"]["p0"].clone();
        below["profiles"]["child"]["extends"] = serde_json::json!(["p2"]);
        let (above, below) = (compiled(&above, "p2")?, compiled(&below, "child")?);
        let parent: Arc<dyn Policy> = Arc::new(compiled(&policy, "p2")?);
        let child = All::of([parent, Arc::new(compiled(&other, "p2")?) as Arc<dyn Policy>]);
        for call in &calls {
            let verdict = call.decide(&engine).verdict;
            let narrower: [&dyn Policy; 3] = [&above, &below, &child];
            for policy in narrower {
                prop_assert!(call.decide(policy).verdict >= verdict, "{:?}", call);
            }
        }
        Ok(())
    });
    outcome.unwrap();
}
