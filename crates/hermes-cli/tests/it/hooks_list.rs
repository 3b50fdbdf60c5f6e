//! Programs that change the list of tools.

use std::os::unix::fs::PermissionsExt;

use serde_json::Value;

use crate::harness::Hermes;

fn with_hook(script: &str, extra: &str) -> Hermes {
    let hermes = Hermes::new();
    let path = hermes.write("hook.sh", &format!("#!/bin/sh\n{script}\n"));
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).unwrap();
    let config = format!("hooks:\n  tools_list:\n    - command: ['{}']\n      {extra}\n", path.display());
    let hermes = hermes.with_config(&config);
    assert_eq!(hermes.run(&["hooks", "trust"]).code, 0);
    hermes
}

fn definitions(hermes: &Hermes) -> String {
    hermes.run(&["tools", "schema", "--json"]).stdout
}

#[test]
fn a_program_hides_tools_and_describes_others_anew() {
    let script = r#"cat > event.json; echo '{"hide": ["file_write"], "reason": "read only here", "descriptions": {"read_file": "Reads."}}'"#;
    let hermes = with_hook(script, "");
    let shown = definitions(&hermes);
    assert!(!shown.contains("\"write_file\"") && shown.contains("\"description\":\"Reads.\""), "{shown}");
    let event: Value =
        serde_json::from_str(&std::fs::read_to_string(hermes.work().join("event.json")).unwrap()).unwrap();
    assert_eq!((&event["hook_event_name"], &event["session_id"]), (&"tools_list".into(), &"cli".into()));
    assert!(event["tools"].as_array().unwrap().iter().any(|tool| tool["name"] == "write_file"), "{event}");
    let ran = hermes.run(&["tools", "call", "write_file", r#"{"path": "x", "content": "y"}"#, "--json"]);
    assert_eq!((ran.code, &ran.json()["code"]), (3, &"permission_denied".into()));
    assert!(!hermes.work().join("x").exists());
    let why = hermes.run(&["tools", "why", "write_file"]).stdout;
    assert_eq!(why, "write_file: not offered: hidden by a hook: read only here\n");
}

/// A hook is written to take something away: where it fails, that is taken away.
#[test]
fn anything_odd_hides_what_the_hook_speaks_of() {
    for (script, reason) in [
        ("exit 1", "exit code 1"),
        ("echo garbage", "no JSON"),
        (r#"echo '{"hidden": ["read_file"]}'"#, "hidden"),
        ("echo 'nothing to write' >&2; exit 2", "nothing to write"),
        ("sleep 30", "did not"),
    ] {
        let hermes = with_hook(script, "matcher: write_file|patch\n      timeout_seconds: 1");
        let why = |name: &str| hermes.run(&["tools", "why", name]).stdout;
        assert!(why("write_file").contains(reason), "{script}: {}", why("write_file"));
        assert!(why("read_file").contains("offered through"), "{script}");
    }
    let open = with_hook("exit 1", "on_failure: allow");
    assert!(definitions(&open).contains("\"write_file\""));
}
