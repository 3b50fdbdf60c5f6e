//! Hermes's own folder is closed to file tools, by every road.

use std::os::unix::fs::symlink;
use std::sync::Arc;

use hermes_core::ErrorCode;
use hermes_policy::{PathRoots, Pattern, Rules};
use hermes_testkit::TestRuntime;
use serde_json::json;

use crate::support::{code, value};

/// A policy that allows everything everywhere, so that only the door itself stands in the way.
async fn careless() -> TestRuntime {
    let rules = Rules {
        name: "careless".into(),
        allow: vec![Pattern::parse("*").unwrap()],
        roots: PathRoots { read: vec!["/".into()], write: vec!["/".into()], ..PathRoots::default() },
        ..Rules::default()
    };
    TestRuntime::builder().policy(Arc::new(rules)).build().await
}

#[tokio::test]
async fn secrets_are_not_read_and_nothing_is_written() {
    let test = careless().await;
    let home = test.host().home.clone();
    std::fs::write(home.join(".env"), "KEY=PRIVATE").unwrap();
    symlink(&home, test.path("door")).unwrap();
    std::fs::hard_link(home.join(".env"), test.path("twin")).unwrap();
    std::fs::write(home.join("config.yaml"), "{}\n").unwrap();
    std::fs::hard_link(home.join("config.yaml"), test.path("settings")).unwrap();
    let env = home.join(".env");
    for path in [env.to_str().unwrap(), "door/.env", "twin", "~/.hermes/.env", "../home/.hermes/.env"] {
        assert_eq!(
            code(test.call("read_file", json!({"path": path})).await),
            ErrorCode::PermissionDenied,
            "{path}"
        );
    }
    for path in [
        "~/.hermes/.env",
        "door/config.yaml",
        "settings",
        "twin",
        "door/not/there/yet",
        "~/.hermes/skills/a/SKILL.md",
    ] {
        let outcome = test.call("write_file", json!({"path": path, "content": "x"})).await;
        assert_eq!(code(outcome), ErrorCode::PermissionDenied, "{path}");
    }
    assert_eq!(code(test.call("directory_list", json!({"path": "door"})).await), ErrorCode::PermissionDenied);
    let above = value(test.call("directory_list", json!({"path": "~", "depth": 3, "hidden": true})).await);
    assert!(!above.to_string().contains(".env"), "{above}");
    assert_eq!(std::fs::read_to_string(home.join(".env")).unwrap(), "KEY=PRIVATE");
}

#[tokio::test]
async fn settings_can_be_read_under_both_of_their_names() {
    let test = careless().await;
    let settings = test.host().home.join("config.yaml");
    std::fs::write(&settings, "a: 1\n").unwrap();
    std::fs::hard_link(&settings, test.path("settings")).unwrap();
    for path in ["~/.hermes/config.yaml", "settings"] {
        let read = value(test.call("read_file", json!({"path": path})).await);
        assert_eq!(read["content"], "1|a: 1\n", "{path}");
    }
}

#[tokio::test]
async fn skills_can_be_read() {
    let test = careless().await;
    let skill = test.host().home.join("skills/demo/SKILL.md");
    std::fs::create_dir_all(skill.parent().unwrap()).unwrap();
    std::fs::write(&skill, "hello").unwrap();
    let read = value(test.call("read_file", json!({"path": "~/.hermes/skills/demo/SKILL.md"})).await);
    assert_eq!(read["content"], "1|hello\n");
}
