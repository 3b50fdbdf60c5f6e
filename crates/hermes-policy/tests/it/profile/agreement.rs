//! The checker and the runtime are one function: what `explain` says is what `authorise` does.

use futures_util::FutureExt;
use futures_util::future::BoxFuture;
use hermes_core::{AccessRequest, Approval, Approver, Decision, Verdict, authorise};
use hermes_policy::profile::{Engine, Known, Plan, read_policy};
use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};

use super::random::{call, policy};
use super::support::{FILE, ground, lines, place};

struct SaysYes;

impl Approver for SaysYes {
    fn ask<'a>(&'a self, _: &'a AccessRequest<'a>, _: &'a Decision) -> BoxFuture<'a, Approval> {
        Box::pin(std::future::ready(Approval::Granted { by: "test".into() }))
    }
}

#[test]
fn ten_thousand_calls_are_authorised_as_explained() {
    let mut runner = TestRunner::new(Config::with_cases(500));
    let ground = ground();
    let cases = (policy(), prop::collection::vec(call(), 20));
    let outcome = runner.run(&cases, |(policy, calls)| {
        let file = read_policy(FILE, &policy.to_string(), &ground, &Known::default());
        let file = file.map_err(|problems| TestCaseError::fail(format!("{policy}\n{}", lines(&problems))))?;
        let plan = Plan {
            profile: "p2",
            chosen_at: place(),
            files: &[file],
            config: None,
            ground: &ground,
            commands: Default::default(),
            ledger: None,
        };
        let engine = Engine::build(&plan).map_err(|problems| TestCaseError::fail(lines(&problems)))?;
        for call in calls {
            let request = call.request();
            let explained = engine.explain(&request).decision;
            let authorised = authorise(&engine, &SaysYes, &request).now_or_never().unwrap();
            let (runs, decision) = match authorised {
                Ok(permit) => (true, permit.decision().clone()),
                Err(refusal) => (false, refusal.decision),
            };
            prop_assert_eq!(runs, explained.verdict != Verdict::Deny);
            prop_assert_eq!(decision.verdict, explained.verdict);
            prop_assert_eq!(&decision.rule, &explained.rule);
            // Whoever was asked is named in the reason.
            if explained.verdict != Verdict::Ask {
                prop_assert_eq!(decision, explained);
            }
        }
        Ok(())
    });
    outcome.unwrap();
}
