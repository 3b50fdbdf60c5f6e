//! The ledger: exact counts, revocation at once, whatever process looks.

use std::time::Duration;

use hermes_core::grant::{Grant, NewGrant, Pattern, Scope, simple_words};
use hermes_core::{ErrorCode, Permission};
use hermes_host::Clock;
use hermes_host::home::Home;
use hermes_host::state::{GrantLedger, JournalReader, Revoked, SqliteJournal, StateOptions};

use crate::children::{child_of, spawn, told};

fn npm_test(uses: Option<u64>, lifetime_ms: Option<i64>) -> NewGrant {
    NewGrant {
        created_by: "ann".into(),
        tool: "terminal".into(),
        permission: Some(Permission::TERMINAL_EXECUTE),
        pattern: Pattern::Command("npm test".into()),
        files: Vec::new(),
        scope: Scope::Project("/w".into()),
        actor: Some("user".into()),
        uses,
        lifetime_ms,
        reason: "the tests are harmless".into(),
    }
}

fn open(home: &Home) -> GrantLedger {
    GrantLedger::open(home, &StateOptions::default()).unwrap()
}

fn home() -> (Home, tempfile::TempDir) {
    let folder = tempfile::tempdir().unwrap();
    (Home::at(folder.path().join("home")), folder)
}

#[test]
fn what_is_stored_comes_back_whole() {
    let (home, _folder) = home();
    let stored = open(&home).add(&npm_test(Some(3), Some(60_000))).unwrap();
    assert_eq!(open(&home).live("terminal").unwrap(), std::slice::from_ref(&stored));
    assert_eq!(open(&home).all().unwrap(), std::slice::from_ref(&stored));
    assert_eq!(open(&home).live("write_file").unwrap(), []);
    assert_eq!(stored.expires_ms, Some(stored.created_ms + 60_000));
    for pattern in [
        Pattern::Exact("ab".repeat(32)),
        Pattern::Prefix(vec!["git".into(), "log \"x\"".into()]),
        Pattern::Path("/w/é/**".into()),
        Pattern::Host("example.com:8080".into()),
    ] {
        let new = NewGrant { pattern: pattern.clone(), scope: Scope::Always, ..npm_test(None, None) };
        assert_eq!(open(&home).add(&new).unwrap().pattern, pattern);
    }
    assert_eq!(open(&home).live("terminal").unwrap().len(), 5);
}

#[test]
fn what_must_not_be_stored_is_refused_with_a_reason() {
    let (home, _folder) = home();
    for (pattern, word) in [
        (Pattern::Prefix(vec!["bash".into(), "-c".into()]), "runs other programs"),
        (Pattern::Prefix(vec!["git".into()]), "subcommand"),
        (Pattern::Prefix(Vec::new()), "empty"),
        (Pattern::Path("/**".into()), "everything"),
        (Pattern::Path("src/*".into()), "absolute"),
        (Pattern::Path("/w/../etc/*".into()), "'..'"),
        (Pattern::Host("*.example.com".into()), "wildcards"),
        (Pattern::Exact("abc".into()), "64"),
    ] {
        let error = open(&home).add(&NewGrant { pattern, ..npm_test(None, None) }).unwrap_err();
        assert_eq!(error.code, ErrorCode::PermissionDenied);
        assert!(error.message.contains(word), "{}", error.message);
    }
    assert!(open(&home).add(&npm_test(Some(0), None)).is_err());
    assert!(open(&home).add(&npm_test(None, Some(0))).is_err());
    assert_eq!(open(&home).all().unwrap(), []);
}

#[test]
fn a_grant_ends_by_count_by_time_and_by_word() {
    let (home, _folder) = home();
    let clock = Clock::fixed_at_ms(1_000_000);
    let ledger =
        GrantLedger::open(&home, &StateOptions { clock: clock.clone(), ..StateOptions::default() }).unwrap();
    let counted = ledger.add(&npm_test(Some(2), None)).unwrap();
    let timed = ledger.add(&npm_test(None, Some(10_000))).unwrap();
    let free = ledger.add(&npm_test(None, None)).unwrap();
    let ids = |grants: Vec<Grant>| grants.into_iter().map(|grant| grant.id).collect::<Vec<_>>();
    let live = ids(ledger.live("terminal").unwrap());
    assert_eq!(live.last(), Some(&counted.id), "a budget is used last");

    assert!(ledger.use_one(&counted.id).unwrap() && ledger.use_one(&counted.id).unwrap());
    assert!(!ledger.use_one(&counted.id).unwrap(), "two is two");
    assert!(ledger.use_one(&timed.id).unwrap());
    clock.advance(Duration::from_secs(10));
    assert!(!ledger.use_one(&timed.id).unwrap());
    assert_eq!(ids(ledger.live("terminal").unwrap()), std::slice::from_ref(&free.id));

    assert!(matches!(ledger.revoke(&free.id[..6]).unwrap(), Revoked::Done(grant) if grant.id == free.id));
    assert!(!ledger.use_one(&free.id).unwrap());
    assert!(matches!(ledger.revoke(&free.id).unwrap(), Revoked::Before(_)));
    assert_eq!(ledger.revoke("g-none").unwrap(), Revoked::Unknown);
    assert_eq!(ledger.revoke("g-").unwrap_err().code, ErrorCode::Conflict);
    let last = ledger.all().unwrap().into_iter().find(|grant| grant.id == counted.id).unwrap();
    assert_eq!((last.uses, last.uses_left, last.last_used_ms), (2, Some(0), Some(1_000_000)));
    assert_eq!(ledger.prune().unwrap(), 3);
    assert_eq!(ledger.all().unwrap(), []);
}

#[test]
#[ignore = "a child of the test below"]
fn child_uses_what_it_can() {
    let Some((home, id)) = child_of() else { return };
    let ledger = open(&home);
    let used = (0..60).filter(|_| ledger.use_one(&id).unwrap()).count();
    println!("@{used}");
}

#[test]
fn processes_share_a_budget_to_the_last_use() {
    let (home, _folder) = home();
    let grant = open(&home).add(&npm_test(Some(50), None)).unwrap();
    let children: Vec<_> =
        (0..4).map(|_| spawn("grants::child_uses_what_it_can", &home, &grant.id)).collect();
    let used: Vec<usize> = children.into_iter().map(|child| told(child)[0].parse().unwrap()).collect();
    assert_eq!(used.iter().sum::<usize>(), 50, "{used:?}");
    let grant = open(&home).all().unwrap().remove(0);
    assert_eq!((grant.uses, grant.uses_left), (50, Some(0)));
}

#[test]
#[ignore = "a child of the test below"]
fn child_uses_until_it_is_told_no() {
    let Some((home, id)) = child_of() else { return };
    let ledger = open(&home);
    while ledger.use_one(&id).unwrap() {
        std::thread::sleep(Duration::from_millis(2));
    }
    println!("@stopped");
}

#[test]
fn a_revocation_reaches_other_processes_at_their_next_use() {
    let (home, _folder) = home();
    let ledger = open(&home);
    let grant = ledger.add(&npm_test(None, None)).unwrap();
    let child = spawn("grants::child_uses_until_it_is_told_no", &home, &grant.id);
    while ledger.all().unwrap()[0].uses < 3 {
        std::thread::sleep(Duration::from_millis(5));
    }
    ledger.revoke(&grant.id).unwrap();
    let after = ledger.all().unwrap()[0].uses;
    assert_eq!(told(child), ["stopped"]);
    assert_eq!(ledger.all().unwrap()[0].uses, after, "not one use after the revocation");
}

#[test]
fn a_row_that_is_not_understood_grants_nothing() {
    let (home, _folder) = home();
    let ledger = open(&home);
    ledger.add(&npm_test(None, None)).unwrap();
    let raw = rusqlite::Connection::open(home.state_db()).unwrap();
    raw.execute("UPDATE grants SET pattern = '{\"regex\": \".*\"}'", []).unwrap();
    assert_eq!(ledger.live("terminal").unwrap(), []);
    let good = ledger.add(&npm_test(None, None)).unwrap();
    assert_eq!(ledger.live("terminal").unwrap(), std::slice::from_ref(&good), "the others hold");
    let strange = ledger.strange().unwrap();
    assert_eq!((ledger.all().unwrap().len(), strange.len()), (1, 1));
    assert_eq!(ledger.revoke(&strange[0]).unwrap(), Revoked::Strange(strange[0].clone()));
    assert_eq!(ledger.prune().unwrap(), 1);
    assert_eq!(ledger.all().unwrap(), [good]);
}

#[test]
fn a_database_of_the_first_release_is_brought_up_to_date() {
    let (home, _folder) = home();
    SqliteJournal::open(&home, &StateOptions::default()).unwrap().close();
    let raw = rusqlite::Connection::open(home.state_db()).unwrap();
    raw.execute_batch("DROP TABLE grants; DROP TABLE approvals; DROP TABLE rates; PRAGMA user_version = 1")
        .unwrap();
    drop(raw);
    assert!(JournalReader::open(&home).unwrap().verify().unwrap().ok, "readers read what was there before");
    open(&home).add(&npm_test(None, None)).unwrap();
    assert_eq!(open(&home).all().unwrap().len(), 1);
}

/// The words that a prefix is compared with must be the words that would run: bash is asked.
#[test]
fn simple_words_are_what_a_shell_makes_of_them() {
    use proptest::strategy::{Strategy, ValueTree};
    let parts = proptest::sample::select(vec![
        "a", "-x", "--y=z", " ", "  ", "\t", "'", "\"", "'b c'", "\"d e\"", "''", "\"\"", "$f", "\\", "*",
        ";", "é", "'é'", "/", ".", ":", "@", "%", "+", ",", "=", "#", "!", "~", "{a,b}", "'$g'", "\"`\"",
        "'\"'", "\"'\"", "^", "[", "(", "&",
    ]);
    let texts = proptest::collection::vec(parts, 0..9).prop_map(|parts| parts.concat());
    let mut runner = proptest::test_runner::TestRunner::deterministic();
    let mut cases = Vec::new();
    while cases.len() < 2_000 {
        let text = format!("p {}", texts.new_tree(&mut runner).unwrap().current());
        cases.extend(simple_words(&text).ok().map(|words| (text, words)));
    }
    let mut script = "p() { printf '%s\\0' p \"$@\"; printf '\\1'; }\n".to_owned();
    cases.iter().for_each(|(text, _)| script.push_str(&format!("{text}\n")));
    for shell in ["bash", "sh"] {
        let output = std::process::Command::new(shell).args(["-c", &script]).output().unwrap();
        let printed = String::from_utf8(output.stdout).unwrap();
        let mut read = printed.split_terminator('\u{1}');
        for (text, words) in &cases {
            let by_shell: Vec<&str> = read.next().unwrap().split_terminator('\0').collect();
            assert_eq!(&by_shell, words, "{shell}: {text}");
        }
    }
}
