//! What a text may contain, and texts made to do harm.

use hermes_runtime::config::{ErrorKind, Spot};

use super::{bad, good, lines};

#[test]
fn parts_of_yaml_that_settings_do_without_are_refused_with_a_reason() {
    for (text, message) in [
        ("limits: {batch_width: !!int 3}", "tags"),
        ("a: 1\n---\nb: 2\n", "second document"),
        ("limits: {<<: {batch_width: 3}}", "merge keys"),
        ("limits: *nowhere", "no anchor is called &nowhere"),
        ("toolsets: &a [*a]", "this alias stands inside what it repeats"),
        ("? [a]\n: 1", "a key must be a name"),
        ("limits:\n\tbatch_width: 3", "not valid YAML"),
        ("limits: {batch_width: 3", "not valid YAML"),
        ("toolsets: [\"a\u{1}b\"", "not valid YAML"),
    ] {
        let errors = bad(text);
        assert!(lines(&errors).contains(message), "{text:?}: {}", lines(&errors));
        assert!(matches!(errors[0].place.spot, Some(Spot::Text { line: 1.., column: 1.. })), "{errors:?}");
    }
    let loaded = good("custom_toolsets:\n  a: {tools: &t [read_file]}\n  b: {tools: *t}\n");
    assert_eq!(loaded.config.custom_toolsets["b"].tools, ["read_file"], "aliases within reason are fine");
    assert_eq!(good("limits:\r\n  batch_width: 3\r\n").config.limits.batch_width, 3);
}

#[test]
fn bombs_are_refused_by_budget() {
    let mut laughs = "a0: &a0 [x, x, x, x, x, x, x, x, x]\n".to_owned();
    for level in 1..12 {
        let row = vec![format!("*a{}", level - 1); 9].join(", ");
        laughs.push_str(&format!("a{level}: &a{level} [{row}]\n"));
    }
    let wide = format!("a: &a [{}]\nb: [{}]\n", vec!["x"; 4_000].join(","), vec!["*a"; 4_000].join(","));
    let nested_anchors =
        format!("{}x{}", (0..31).map(|i| format!("&n{i} [")).collect::<String>(), "]".repeat(31));
    let indented: String = (0..500).map(|level| format!("{}k:\n", " ".repeat(level))).collect();
    let mistakes: String = (0..9_000).map(|key| format!("limits_{key}: {key}\n")).collect();
    let keys: String = (0..30_000).map(|key| format!("key{key}: {key}\n")).collect();
    let twice = "limits: 1\n".repeat(30_000);
    good("");
    for (name, text, kind) in [
        ("laughs", laughs, Some(ErrorKind::Budget)),
        ("wide", wide, Some(ErrorKind::Budget)),
        ("nested anchors", nested_anchors, None),
        ("flow", "[".repeat(200_000), Some(ErrorKind::Budget)),
        ("maps", "{a: ".repeat(200_000), Some(ErrorKind::Budget)),
        ("block", "- ".repeat(200_000), Some(ErrorKind::Budget)),
        ("indented", indented, Some(ErrorKind::Budget)),
        ("keys", keys, Some(ErrorKind::Budget)),
        ("mistakes", mistakes, Some(ErrorKind::Budget)),
        ("twice", twice, Some(ErrorKind::Budget)),
        ("bytes", format!("# {}", "x".repeat(2 << 20)), Some(ErrorKind::Budget)),
    ] {
        // Refusal is by budget, so it cannot take long; a hang would show as a test that never ends.
        let errors = bad(&text);
        let met = kind.is_none_or(|kind| errors.iter().any(|error| error.kind == kind));
        assert!(met, "{name}: {:?}", errors.last());
    }
}
