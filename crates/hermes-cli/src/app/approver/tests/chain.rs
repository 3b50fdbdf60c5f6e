//! Who answers, in which order, and what an answer is good for.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use hermes_core::Approval;
use hermes_core::grant::{NamedFile, NewGrant, Pattern, Scope};
use hermes_core::ports::SessionState;
use hermes_host::state::{ApprovalState, MemorySessionState};
use hermes_runtime::config::ApprovalMode;
use serde_json::{Value, json};

use super::bench::{Bench, granted_by};
use crate::app::approver::smart;
use crate::app::trust::digest;

#[tokio::test]
async fn what_was_granted_is_not_asked_and_nothing_overrides_the_floor() {
    let bench = Bench::new();
    let nobody = bench.approver(ApprovalMode::Deny, None);
    let hint = bench.ask(&nobody, "git push").await;
    assert!(
        matches!(&hint, Approval::Unanswered { hint } if hint.contains("hermes grants add --tool terminal --command 'git push' --times 1")),
        "{hint:?}"
    );
    bench.grant(Pattern::Prefix(vec!["git".into(), "push".into()]));
    bench.grant(Pattern::Command("mkfs /dev/sda".into()));
    let approval = bench.ask(&nobody, "git push origin").await;
    assert!(granted_by(&approval).unwrap().starts_with("grant g-"), "{approval:?}");
    let more = bench.ask(&nobody, "git push --force").await;
    assert!(matches!(more, Approval::Unanswered { .. }), "an option that does more is asked: {more:?}");
    assert!(matches!(bench.ask(&nobody, "mkfs /dev/sda").await, Approval::Denied { .. }));
    assert!(granted_by(&bench.ask(&nobody, "make lint").await).unwrap().contains("command_allowlist"));
    assert_eq!(granted_by(&bench.ask(&nobody, "make lint; id").await), None);
}

#[tokio::test]
async fn a_budget_of_fifty_is_fifty_among_parallel_calls() {
    let bench = Bench::new();
    let nobody = bench.approver(ApprovalMode::Deny, None);
    let new = NewGrant {
        created_by: "ann".into(),
        tool: "terminal".into(),
        permission: None,
        pattern: Pattern::Command("make".into()),
        files: Vec::new(),
        scope: Scope::Project(bench.cwd().to_owned()),
        actor: None,
        uses: Some(50),
        lifetime_ms: Some(600_000),
        reason: String::new(),
    };
    bench.ledger().add(&new).unwrap();
    let approvals = futures_util::future::join_all((0..80).map(|_| bench.ask(&nobody, "make"))).await;
    assert_eq!(approvals.iter().filter(|approval| granted_by(approval).is_some()).count(), 50);
}

#[tokio::test]
async fn the_program_may_say_yes_to_little_and_its_no_is_advice() {
    let bench = Bench::new();
    let approve = r#"cat > seen.json; echo '{"verdict": "approve", "reason": "a build folder"}'"#;
    let smart = bench.approver(ApprovalMode::Deny, Some(approve));
    let command = "ls a#b; rm -rf build";
    let approval = bench.ask(&smart, command).await;
    assert!(granted_by(&approval).unwrap().contains("a build folder"), "{approval:?}");
    let seen: Value = serde_json::from_slice(&std::fs::read(bench.cwd().join("seen.json")).unwrap()).unwrap();
    assert_eq!(seen["command"], command, "it sees the whole command");
    assert_eq!(seen["findings"][0]["category"], "recursive_delete");
    std::fs::remove_file(bench.cwd().join("seen.json")).unwrap();
    for other in ["rm -rf x --force", "mkfs x; rm -rf y", "make"] {
        assert_eq!(granted_by(&bench.ask(&smart, other).await), None, "{other}");
        assert!(!bench.cwd().join("seen.json").exists(), "{other} is not the program's to judge");
    }
    for garbage in ["echo APPROVE", "exit 1", "sleep 5", "echo '{\"verdict\": \"approve\"}'; exit 3"] {
        let smart = bench.approver(ApprovalMode::Deny, Some(garbage));
        assert!(matches!(bench.ask(&smart, command).await, Approval::Unanswered { .. }), "{garbage}");
    }
    let smart =
        bench.approver(ApprovalMode::Deny, Some(r#"echo '{"verdict": "deny", "reason": "your thesis"}'"#));
    assert!(
        matches!(bench.ask(&smart, command).await, Approval::Denied { by } if by.contains("your thesis"))
    );
    let mut untrusted = bench.approver(ApprovalMode::Deny, Some(approve));
    if let smart::Judge::Program(program) = &mut untrusted.smart.as_mut().unwrap().judge {
        program.trusted.clear();
    }
    assert!(matches!(bench.ask(&untrusted, command).await, Approval::Unanswered { .. }));
}

#[tokio::test]
async fn a_question_waits_for_its_answer() {
    let bench = Bench::new();
    std::fs::create_dir(bench.cwd().join("build")).unwrap();
    std::fs::write(bench.cwd().join("build/a"), "").unwrap();
    let queue = bench.approver(ApprovalMode::Queue, None);
    let questions = bench.questions();
    let answer = async {
        loop {
            if let Some(asked) = questions.list(false).unwrap().first() {
                break asked.clone();
            }
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    };
    let answered = async {
        let asked = answer.await;
        assert_eq!(asked.request["effects"][0], "deletes 1 file under ./build");
        assert_eq!(asked.request["would_store"], "terminal: exactly the command `rm -rf build`, by user");
        questions.approve(&asked.id, "ann", None).unwrap();
        asked
    };
    let (approval, asked) = tokio::join!(bench.ask(&queue, "rm -rf build"), answered);
    assert!(granted_by(&approval).unwrap().contains(&asked.id), "{approval:?}");
    assert_eq!(questions.look(&asked.id).unwrap().unwrap().state, ApprovalState::Used);
    let late = bench.ask(&queue, "rm -rf build").await;
    assert!(matches!(&late, Approval::Unanswered { hint } if hint.contains("hermes grants add")), "{late:?}");
    assert_eq!(questions.list(false).unwrap(), [], "nobody waits for it any more");
}

#[tokio::test]
async fn a_script_edited_while_the_person_thought_is_not_run() {
    let bench = Bench::new();
    let script = bench.cwd().join("deploy.sh");
    std::fs::write(&script, "echo kind").unwrap();
    let queue = bench.approver(ApprovalMode::Queue, None);
    let questions = bench.questions();
    let edit = async {
        while questions.list(false).unwrap().is_empty() {
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
        std::fs::write(&script, "echo evil").unwrap();
        questions.approve(&questions.list(false).unwrap()[0].id, "ann", None).unwrap();
    };
    let (approval, ()) = tokio::join!(bench.ask(&queue, "bash deploy.sh"), edit);
    assert!(matches!(&approval, Approval::Denied { by } if by.contains("changed")), "{approval:?}");
}

#[tokio::test]
async fn a_caller_that_goes_away_takes_its_question_with_it() {
    let bench = Bench::new();
    let queue = bench.approver(ApprovalMode::Queue, None);
    let asked = async {
        while bench.questions().list(false).unwrap().is_empty() {
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    };
    tokio::select! {
        approval = bench.ask(&queue, "make") => panic!("nobody answered, and yet {approval:?}"),
        () = asked => {}
    }
    let all = bench.questions().list(true).unwrap();
    assert_eq!(all.iter().map(|asked| asked.state).collect::<Vec<_>>(), [ApprovalState::Expired]);
}

#[tokio::test]
async fn a_prefix_does_not_stretch_to_what_the_shipped_rules_call_worse() {
    let bench = Bench::with_shipped_rules();
    let nobody = bench.approver(ApprovalMode::Deny, None);
    for words in [&["git", "push"][..], &["git", "branch"], &["git", "log"]] {
        bench.grant(Pattern::Prefix(words.iter().map(|word| (*word).to_owned()).collect()));
    }
    for command in ["git push origin main", "git branch -a", "git log -p --stat"] {
        let approval = bench.ask(&nobody, command).await;
        assert!(granted_by(&approval).is_some(), "{command}: {approval:?}");
    }
    for command in ["git push --force", "git push origin +main", "git branch -D main"] {
        let approval = bench.ask(&nobody, command).await;
        assert_eq!(granted_by(&approval), None, "{command}");
    }
}

#[tokio::test]
async fn a_grant_holds_under_the_variables_it_was_given_with() {
    let bench = Bench::new();
    let state = Arc::new(MemorySessionState::default());
    let mut nobody = bench.approver(ApprovalMode::Deny, None);
    nobody.gatherer.session_state = Some(state.clone());
    bench.grant(Pattern::Command("deploy now".into()));
    bench.grant(Pattern::Prefix(vec!["git".into(), "fetch".into()]));
    let set = async |path: &str| state.save("cli", "env", json!({ "PATH": path })).await.unwrap();
    let is_granted = async |command: &str| granted_by(&bench.ask(&nobody, command).await).is_some();
    assert!(is_granted("deploy now").await && is_granted("git fetch origin").await);
    set("/tmp/evil").await;
    assert!(!is_granted("deploy now").await && !is_granted("git fetch origin").await);
    // What is approved under these variables holds under them, and under no others.
    let asked = bench.ask(&nobody, "deploy now").await;
    assert!(matches!(&asked, Approval::Unanswered { hint } if hint.contains("--call ")), "{asked:?}");
    let overlay = BTreeMap::from([("PATH".to_owned(), Some("/tmp/evil".to_owned()))]);
    let files = NamedFile::of_variables(&overlay, digest).into_iter().collect();
    bench.grant_with(Pattern::Command("deploy now".into()), files);
    assert!(is_granted("deploy now").await);
    set("/tmp/other").await;
    assert!(!is_granted("deploy now").await);
}
