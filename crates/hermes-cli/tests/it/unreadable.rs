//! Files that the operating system keeps from an ordinary user: what is not found in them may be there, so it is told.

use std::os::unix::fs::PermissionsExt;

use serde_json::{Value, json};

use crate::harness::Hermes;

fn work() -> Hermes {
    let hermes = Hermes::new();
    for name in ["locked", "open", "deep/locked", "deep/.env"] {
        hermes.write(name, "needle\n");
    }
    for name in ["locked", "deep/locked", "deep/.env"] {
        std::fs::set_permissions(hermes.work().join(name), PermissionsExt::from_mode(0o000)).unwrap();
    }
    hermes
}

fn answer(hermes: &Hermes, tool: &str, arguments: Value) -> Value {
    let ran = hermes.run_as_nobody(&["tools", "call", tool, &arguments.to_string(), "--json"]);
    serde_json::from_str(&ran.stdout).unwrap_or_else(|_| panic!("{}{}", ran.stdout, ran.stderr))
}

#[test]
fn a_search_says_what_it_could_not_read() {
    let hermes = work();
    let told = json!(["deep/locked: permission denied", "locked: permission denied"]);
    let found = answer(&hermes, "search_files", json!({"pattern": "needle", "all_files": true}));
    assert_eq!(found["matches"], "open\n1:needle\n");
    assert_eq!(found["unreadable"], told, "and nothing of what policy closes");
    let found = answer(&hermes, "file_search", json!({"query": "needle", "mode": "content"}));
    assert_eq!((&found["unreadable"], &found["total"]), (&told, &json!(1)));
    let one = answer(&hermes, "search_files", json!({"pattern": "needle", "path": "locked"}));
    assert_eq!((&one["unreadable"], &one["total"]), (&json!(["locked: permission denied"]), &json!(0)));
    let names = answer(&hermes, "search_files", json!({"pattern": "*", "target": "files"}));
    assert_eq!(
        (&names["unreadable"], &names["total"]),
        (&Value::Null, &json!(3)),
        "nothing is read for that"
    );
}

#[test]
fn an_archive_of_one_file_has_it_or_is_none() {
    let hermes = work();
    let pack = |source: Value| {
        answer(
            &hermes,
            "file_compress",
            json!({"action": "compress", "source": source, "destination": "a.zip", "overwrite": true}),
        )
    };
    for source in [json!("locked"), json!(["open", "locked"])] {
        assert_eq!(pack(source)["code"], "permission_denied");
        assert!(!hermes.work().join("a.zip").exists());
    }
    let whole = pack(json!("deep"));
    assert!(whole["note"].as_str().unwrap().contains("deep/locked"), "{whole}");
}
