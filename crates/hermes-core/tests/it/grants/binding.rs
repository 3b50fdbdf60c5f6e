//! What an approval is bound to, and the rule that is offered for longer.

use hermes_core::grant::{NamedFile, Pattern, suggest};
use hermes_core::{Access, Owner, Permission, Target};
use serde_json::json;

use super::support::{Call, command, touching};

#[test]
fn an_approval_is_bound_to_every_part_of_the_call() {
    let base = command("make deploy");
    let file = |content: &str| NamedFile { word: "./x".into(), content: content.into() };
    let changes: Vec<(&str, Call)> = vec![
        ("tool", Call { tool: "other", ..base.clone() }),
        ("owner", Call { owner: Owner::Mcp("m".into()), ..base.clone() }),
        (
            "arguments",
            Call { arguments: json!({"command": "make deploy", "background": true}), ..base.clone() },
        ),
        ("access", Call { access: Vec::new(), ..base.clone() }),
        ("session", Call { session: "t", ..base.clone() }),
        ("cwd", Call { cwd: "/v", ..base.clone() }),
        ("overlay", Call { overlay: [("A".to_owned(), None)].into(), ..base.clone() }),
        ("overlay value", Call { overlay: [("A".to_owned(), Some(String::new()))].into(), ..base.clone() }),
        ("file", Call { files: vec![file("1")], ..base.clone() }),
        ("content", Call { files: vec![file("2")], ..base.clone() }),
    ];
    for (index, (part, changed)) in changes.iter().enumerate() {
        assert_ne!(changed.once(), base.once(), "{part}");
        assert!(changes.iter().skip(index + 1).all(|(_, other)| other.once() != changed.once()), "{part}");
        assert_eq!(
            changed.call() == base.call(),
            *part == "session",
            "{part}: a scope says the session itself"
        );
    }
    let ordered = |text: &str| Call { arguments: serde_json::from_str(text).unwrap(), ..base.clone() }.once();
    assert_eq!(ordered(r#"{"a": {"x": 1, "y": 2}, "b": 3}"#), ordered(r#"{"b": 3, "a": {"y": 2, "x": 1}}"#));
    assert_ne!(ordered(r#"{"a": [1, 2]}"#), ordered(r#"{"a": [2, 1]}"#));

    let system = Call { access: vec![Access::any(Permission::SYSTEM_READ)], ..base.clone() };
    assert_eq!(system.call(), Call { cwd: "/v", ..system.clone() }.call(), "the same in every folder");
}

#[test]
fn the_rule_that_is_offered_covers_the_call_and_is_narrow() {
    let pattern = |call: &Call| call.facts(|facts| suggest(facts).pattern);
    assert_eq!(pattern(&command("rm -rf build")), Pattern::Command("rm -rf build".into()));
    let in_background = Call { arguments: json!({"command": "x", "background": true}), ..command("x") };
    assert!(matches!(pattern(&in_background), Pattern::Exact(_)));
    assert!(matches!(pattern(&command(&"x".repeat(3_000))), Pattern::Exact(_)));
    let path = |text: &str| Access::new(Permission::FILE_WRITE, Target::Resolved(text.into()));
    assert_eq!(pattern(&touching(vec![path("/w/a*")])), Pattern::Path("/w/a\\*".into()));
    assert!(matches!(pattern(&touching(vec![path("/w/a"), path("/w/b")])), Pattern::Exact(_)));
    assert!(matches!(pattern(&touching(Vec::new())), Pattern::Exact(_)));
}
