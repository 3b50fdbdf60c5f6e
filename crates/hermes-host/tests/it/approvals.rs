//! Questions that wait: one answer, for one call, in time.

use std::time::Duration;

use hermes_core::ErrorCode;
use hermes_core::grant::{NewGrant, Pattern, Scope, Suggestion};
use hermes_host::Clock;
use hermes_host::home::Home;
use hermes_host::state::{ApprovalState, GrantLedger, NewApproval, Offer, PendingApprovals, StateOptions};
use serde_json::json;

use crate::children::{child_of, spawn, told};

const SECOND: i64 = 1_000;

fn question(digest: &str) -> NewApproval {
    NewApproval {
        digest: digest.repeat(32),
        tool: "terminal".into(),
        session: "s".into(),
        actor: "user".into(),
        request: json!({"command": "rm -rf build", "effects": ["deletes 3 files under ./build"]}),
        offer: Some(Offer {
            suggestion: Suggestion {
                permission: None,
                pattern: Pattern::Command("rm -rf build".into()),
                files: vec![],
            },
            session: "s".into(),
            project: "/w".into(),
        }),
        lifetime_ms: 60 * SECOND,
    }
}

fn setup() -> (PendingApprovals, Clock, Home, tempfile::TempDir) {
    let folder = tempfile::tempdir().unwrap();
    let home = Home::at(folder.path().join("home"));
    let clock = Clock::fixed_at_ms(1_000_000);
    let options = StateOptions { clock: clock.clone(), ..StateOptions::default() };
    (PendingApprovals::open(&home, &options).unwrap(), clock, home, folder)
}

#[test]
fn a_yes_is_good_for_one_call() {
    let (store, ..) = setup();
    let asked = store.submit(&question("ab")).unwrap();
    assert_eq!(asked.state, ApprovalState::Pending);
    assert!(!store.take(&asked.id).unwrap(), "not before the answer");
    assert_eq!(store.submit(&question("ab")).unwrap().id, asked.id, "the same question is asked once");
    assert_ne!(store.submit(&question("cd")).unwrap().id, asked.id);

    let (answered, stored) = store.approve(&asked.id, "ann", None).unwrap();
    assert_eq!((answered.state, answered.decided_by.as_deref()), (ApprovalState::Approved, Some("ann")));
    assert_eq!(stored, None);
    assert_eq!(
        store.submit(&question("ab")).unwrap().state,
        ApprovalState::Approved,
        "a new run finds its yes"
    );
    assert!(store.take(&asked.id).unwrap());
    assert!(!store.take(&asked.id).unwrap(), "once");
    assert_ne!(store.submit(&question("ab")).unwrap().id, asked.id, "the next call asks anew");
    assert_eq!(store.approve(&asked.id, "bob", None).unwrap_err().code, ErrorCode::Conflict);
}

#[test]
fn a_no_is_final_and_says_why() {
    let (store, ..) = setup();
    let asked = store.submit(&question("ab")).unwrap();
    let denied = store.deny(&asked.id, "ann", Some("not on a Friday")).unwrap();
    assert_eq!((denied.state, denied.reason.as_deref()), (ApprovalState::Denied, Some("not on a Friday")));
    let error = store.approve(&asked.id, "bob", None).unwrap_err();
    assert!(error.message.contains("denied already by ann"), "{}", error.message);
    assert!(!store.take(&asked.id).unwrap());
    assert_eq!(store.deny("a-none", "ann", None).unwrap_err().code, ErrorCode::NotFound);
}

#[test]
fn too_late_is_said() {
    let (store, clock, ..) = setup();
    let asked = store.submit(&question("ab")).unwrap();
    clock.advance(Duration::from_secs(60));
    let error = store.approve(&asked.id, "ann", None).unwrap_err();
    assert_eq!(error.code, ErrorCode::ApprovalRequired);
    assert!(error.message.contains("has expired"), "{}", error.message);
    assert_eq!(store.find(&asked.id).unwrap().unwrap().state, ApprovalState::Expired);
    assert_eq!(store.list(false).unwrap(), []);
    assert_eq!(store.list(true).unwrap().len(), 1);

    let asked = store.submit(&question("ab")).unwrap();
    store.approve(&asked.id, "ann", None).unwrap();
    clock.advance(Duration::from_secs(120));
    assert!(!store.take(&asked.id).unwrap(), "an old yes is no yes");

    let asked = store.submit(&question("ef")).unwrap();
    store.withdraw(&asked.id, "the run was interrupted").unwrap();
    let error = store.approve(&asked.id, "ann", None).unwrap_err();
    assert!(error.message.contains("interrupted"), "{}", error.message);

    clock.advance(Duration::from_secs(31 * 24 * 60 * 60));
    store.submit(&question("ab")).unwrap();
    assert_eq!(store.list(true).unwrap().len(), 1, "old answers are forgotten");
}

#[test]
fn a_yes_and_what_it_stores_stand_or_fall_together() {
    let (store, clock, home, _folder) = setup();
    let ledger = GrantLedger::open(&home, &StateOptions { clock, ..StateOptions::default() }).unwrap();
    let asked = store.submit(&question("ab")).unwrap();
    let offer = asked.offer.clone().unwrap();
    let mut keep = NewGrant {
        created_by: "ann".into(),
        tool: asked.tool.clone(),
        permission: offer.suggestion.permission,
        pattern: Pattern::Prefix(vec!["sh".into()]),
        files: offer.suggestion.files,
        scope: Scope::Session(offer.session),
        actor: None,
        uses: Some(4),
        lifetime_ms: None,
        reason: String::new(),
    };
    assert!(store.approve(&asked.id, "ann", Some(&keep)).is_err());
    assert_eq!(store.find(&asked.id).unwrap().unwrap().state, ApprovalState::Pending);
    keep.pattern = offer.suggestion.pattern;
    let (_, stored) = store.approve(&asked.id, "ann", Some(&keep)).unwrap();
    assert_eq!(ledger.all().unwrap(), [stored.unwrap()]);
    assert!(store.approve(&asked.id, "ann", Some(&keep)).is_err());
    assert_eq!(ledger.all().unwrap().len(), 1, "a second yes stores nothing");
}

#[test]
#[ignore = "a child of the test below"]
fn child_takes_the_yes() {
    let Some((home, id)) = child_of() else { return };
    let store = PendingApprovals::open(&home, &StateOptions::default()).unwrap();
    println!("@{}", store.take(&id).unwrap());
}

#[test]
fn of_several_processes_one_takes_the_yes() {
    let (_, _, home, _folder) = setup();
    let store = PendingApprovals::open(&home, &StateOptions::default()).unwrap();
    let asked = store.submit(&question("ab")).unwrap();
    store.approve(&asked.id, "ann", None).unwrap();
    let children: Vec<_> =
        (0..4).map(|_| spawn("approvals::child_takes_the_yes", &home, &asked.id)).collect();
    let taken = children.into_iter().map(told).filter(|lines| lines == &["true"]).count();
    assert_eq!(taken, 1);
}
