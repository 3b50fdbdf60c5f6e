//! What the policy denies altogether is not offered, and what it limits is limited for every process.

use serde_json::{Value, json};

use crate::harness::Hermes;

const PROFILES: &str = "
profiles:
  reader: {allow: [file:read, system:read]}
  named: {allow: ['*'], rules: [{effect: deny, tool: write_file}, {effect: deny, tool: patch, path: /etc}]}
  careful: {allow: ['*'], restrictions: {file:write: {allowed_paths: [out/**]}}, deny: [terminal:execute]}
  counted: {allow: ['*'], restrictions: {file:read: {max_calls_per_minute: 3}}}
";

fn names(hermes: &Hermes, profile: &str) -> Vec<String> {
    let listed = hermes.run(&["tools", "list", "--json", "--profile", profile]).json();
    let name = |tool: &Value| tool["name"].as_str().unwrap().to_owned();
    listed["tools"].as_array().unwrap().iter().map(name).collect()
}

#[test]
fn tools_that_no_call_could_use_are_nowhere() {
    let hermes = Hermes::new().with_policy(PROFILES);
    for (profile, offered, not_offered) in [
        ("reader", &["read_file", "search_files", "system_info"][..], &["write_file", "terminal"][..]),
        ("named", &["read_file", "patch", "terminal"], &["write_file"]),
        ("careful", &["read_file", "write_file", "patch"], &["terminal"]),
        ("default", &["read_file", "write_file", "terminal"], &[]),
        ("unattended", &["read_file", "write_file", "terminal"], &["web_search", "http_request"]),
    ] {
        let names = names(&hermes, profile);
        let schema = hermes.run(&["tools", "schema", "--json", "--profile", profile]).stdout;
        for name in offered {
            assert!(names.iter().any(|found| found == name), "{profile}: {name} is missing in {names:?}");
        }
        for name in not_offered {
            assert!(!names.iter().any(|found| found == name), "{profile}: {name} is offered");
            assert!(
                !schema.contains(&format!("\"name\": \"{name}\"")),
                "{profile}: {name} is in the definitions"
            );
        }
    }
    let why = |profile: &str, tool: &str| hermes.run(&["tools", "why", tool, "--profile", profile]).stdout;
    let text = why("named", "write_file");
    assert!(text.contains("denied by") && text.contains("hermes_permissions.yaml:4"), "{text}");
    let text = why("reader", "terminal");
    assert!(text.contains("no rule allows it"), "{text}");
    assert!(why("named", "patch").contains("offered through"), "{}", why("named", "patch"));
    // Whoever calls it all the same hears which rule says no.
    let call =
        ["tools", "call", "write_file", r#"{"path": "a", "content": "x"}"#, "--json", "--profile", "named"];
    let refused = hermes.run(&call);
    assert_eq!(refused.code, 3, "{}", refused.stdout);
    let rule = refused.json()["rule"].as_str().unwrap().to_owned();
    assert!(rule.contains("hermes_permissions.yaml:4"), "{rule}");
}

#[test]
fn calls_a_minute_are_counted_for_all_processes_of_a_home() {
    let hermes = Hermes::new().with_policy(PROFILES);
    hermes.write("a.txt", "x");
    let read = || {
        let ran = hermes.run(&[
            "tools",
            "call",
            "read_file",
            r#"{"path": "a.txt"}"#,
            "--json",
            "--profile",
            "counted",
        ]);
        (ran.code, ran.json()["error"].as_str().map(str::to_owned))
    };
    // Explaining is no call.
    let call = json!({"name": "read_file", "arguments": {"path": "a.txt"}});
    assert_eq!(hermes.explained(&["--profile", "counted"], &call)["verdict"], "allow");
    for _ in 0..3 {
        assert_eq!(read().0, 0);
    }
    let (code, error) = read();
    assert_eq!(code, 3);
    assert_eq!(error.as_deref(), Some("More than 3 calls within a minute"));
}
