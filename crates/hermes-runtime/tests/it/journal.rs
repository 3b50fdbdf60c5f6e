//! What stands in the journal about each call, written by the real SQLite journal.

use std::sync::Arc;

use hermes_core::redact::Redactor;
use hermes_core::{Access, Effect, ErrorCode, Permission};
use hermes_host::home::Home;
use hermes_host::state::{JournalEntry, JournalFilter, JournalReader, SqliteJournal, StateOptions};
use hermes_testkit::{FnTool, TestRuntime};
use serde_json::json;

struct Recorded {
    _folder: tempfile::TempDir,
    home: Home,
    runtime: TestRuntime,
}

async fn recorded() -> Recorded {
    let folder = tempfile::tempdir().unwrap();
    let home = Home::at(folder.path().join("h"));
    let journal = Arc::new(SqliteJournal::open(&home, &StateOptions::default()).unwrap());
    let secret = FnTool::echo("takes").access(|_| vec![Access::any(Permission::ENV_READ)]);
    let runtime = TestRuntime::builder()
        .tool(secret.arc())
        .tool(FnTool::echo("changes").effect(Effect::Mutating).arc())
        .tool(FnTool::new("crashes", |_, _| async { panic!("boom") }).effect(Effect::Mutating).arc())
        .redactor(Redactor::new([("TOKEN".to_owned(), "tok-0815-4711-abc".to_owned())]))
        .deny("terminal:*")
        .tool(FnTool::echo("shell").access(|_| vec![Access::any(Permission::TERMINAL_EXECUTE)]).arc())
        .journal(journal)
        .build()
        .await;
    Recorded { _folder: folder, home, runtime }
}

impl Recorded {
    fn entries(&self) -> Vec<JournalEntry> {
        JournalReader::open(&self.home).unwrap().list(&JournalFilter::default()).unwrap()
    }

    fn kinds(&self) -> Vec<(String, String, Option<String>)> {
        self.entries().into_iter().map(|entry| (entry.kind, entry.tool, entry.status)).collect()
    }
}

fn row(kind: &str, tool: &str, status: Option<&str>) -> (String, String, Option<String>) {
    (kind.into(), tool.into(), status.map(str::to_owned))
}

#[tokio::test]
async fn the_decision_comes_before_the_effect_and_the_outcome_after() {
    let recorded = recorded().await;
    recorded.runtime.call("changes", json!({"a": 1})).await;
    recorded.runtime.call("crashes", json!({})).await;
    recorded.runtime.call("takes", json!({})).await;
    assert_eq!(
        recorded.kinds(),
        [
            row("decision", "changes", None),
            row("outcome", "changes", Some("success")),
            row("decision", "crashes", None),
            row("outcome", "crashes", Some("outcome_unknown")),
            row("completed", "takes", Some("success")),
        ]
    );
    assert!(JournalReader::open(&recorded.home).unwrap().verify().unwrap().ok);
}

#[tokio::test]
async fn the_decision_is_on_disk_while_the_handler_runs() {
    let folder = tempfile::tempdir().unwrap();
    let home = Home::at(folder.path().join("h"));
    let journal = Arc::new(SqliteJournal::open(&home, &StateOptions::default()).unwrap());
    let seen_home = home.clone();
    let tool = FnTool::new("looks", move |_, _| {
        let rows = JournalReader::open(&seen_home).unwrap().list(&JournalFilter::default()).unwrap();
        async move { Ok(json!({"rows": rows.len(), "kind": rows.first().map(|row| row.kind.clone())})) }
    })
    .effect(Effect::Mutating);
    let runtime = TestRuntime::builder().tool(tool.arc()).journal(journal).build().await;
    let seen = runtime.call("looks", json!({})).await.result.unwrap();
    assert_eq!(seen, json!({"rows": 1, "kind": "decision"}));
}

#[tokio::test]
async fn refusals_are_recorded_too() {
    let recorded = recorded().await;
    assert_eq!(
        recorded.runtime.call("shell", json!({})).await.error_code(),
        Some(ErrorCode::PermissionDenied)
    );
    recorded.runtime.call("nothing_of_the_kind", json!({})).await;
    recorded.runtime.call("read_file", json!({})).await;
    assert_eq!(
        recorded.kinds(),
        [
            row("completed", "shell", Some("permission_denied")),
            row("completed", "nothing_of_the_kind", Some("not_found")),
            row("completed", "read_file", Some("invalid_argument")),
        ]
    );
    let denied = &recorded.entries()[0].body["decision"];
    assert_eq!(
        (denied["verdict"].as_str(), denied["rule"].as_str()),
        (Some("deny"), Some("test: deny terminal:*"))
    );
}

#[tokio::test]
async fn secrets_and_long_texts_stay_out() {
    let recorded = recorded().await;
    let long = "y".repeat(50_000);
    recorded.runtime.call("takes", json!({"key": "tok-0815-4711-abc", "long": long})).await;
    let body = recorded.entries()[0].body.to_string();
    assert!(!body.contains("tok-0815-4711-abc"), "{body}");
    assert!(body.len() < 5_000, "{}", body.len());
    assert!(body.contains("arguments_sha256"));
}

#[tokio::test]
async fn no_text_of_a_record_holds_a_secret() {
    let secret = "tok-0815-4711-abc";
    let recorded = recorded().await;
    recorded.runtime.call("terminal", json!({"command": format!("echo {secret}")})).await;
    recorded.runtime.call("read_file", json!({"path": format!("none/{secret}/a.txt")})).await;
    recorded.runtime.call(&format!("no_{secret}"), json!({})).await;
    for at in 780..820 {
        let long = format!("{}{secret}{}", "y".repeat(at), "z".repeat(3_000));
        recorded.runtime.call("takes", json!({"long": long})).await;
    }
    let entries = recorded.entries();
    assert_eq!(entries.len(), 43);
    for entry in entries {
        let text = format!("{} {} {} {}", entry.tool, entry.session, entry.call_id, entry.body);
        assert!(!text.contains("tok-0815") && !text.contains("4711-abc"), "{text}");
    }
}

#[tokio::test]
async fn arguments_that_a_tool_calls_secret_are_not_recorded() {
    let recorded = recorded().await;
    let set = json!({"action": "set", "name": "GREETING", "value": "nobody-knows-this-yet"});
    assert!(recorded.runtime.call("env_manager", set).await.is_success());
    let entries = recorded.entries();
    let body = entries[0].body.to_string();
    assert!(!body.contains("nobody-knows-this-yet") && body.contains("[not recorded]"), "{body}");
}
