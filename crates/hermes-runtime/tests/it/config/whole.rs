//! The configuration as a whole: schema, page, and what holds for all settings.

use hermes_runtime::config::{Config, ErrorKind, docs, schema};
use proptest::prelude::*;
use serde_json::{Value, json};

use super::{good, lines, load, user};

#[test]
fn effective_settings_reload_to_themselves() {
    let defaults = Config::load(&[], &[], &[]).unwrap();
    let again = good(&defaults.effective().to_string());
    assert_eq!((again.effective(), &again.config), (defaults.effective(), &defaults.config));
    let keys: Vec<_> = defaults.effective().as_object().unwrap().keys().cloned().collect();
    let documented: Vec<_> = schema()["properties"].as_object().unwrap().keys().cloned().collect();
    assert_eq!(keys, documented, "complete, and in the order of the documentation");
}

#[test]
fn the_page_names_every_key_and_is_the_same_each_time() {
    let page = docs::config_markdown();
    assert_eq!(page, docs::config_markdown());
    for row in [
        "| `limits.batch_width` | whole number | `8` | 1 to 64 | Calls of one batch that may run side by side. |",
        "| `tools.timeout_seconds` | whole numbers by name | `{}` | 1 to 3600 |",
        "| `custom_toolsets.<name>.tools` | list of text | `[]` |",
        "| `hooks.*[].command` | text or list of text | required |",
        "| `HERMES_WIDTH` | `limits.batch_width` |",
        "| `HERMES_HOME` |  |",
    ] {
        assert!(page.contains(row), "{row}");
    }
    fn undocumented(schema: &Value, key: &str, found: &mut Vec<String>) {
        for (name, field) in schema["properties"].as_object().into_iter().flatten() {
            let key = format!("{key}.{name}");
            if field["description"].as_str().is_none_or(str::is_empty) {
                found.push(key.clone());
            }
            for inner in [field, &field["items"], &field["additionalProperties"]] {
                undocumented(inner, &key, found);
            }
        }
    }
    let mut found = Vec::new();
    undocumented(&schema(), "", &mut found);
    assert_eq!(found, Vec::<String>::new());
}

/// Keys of every shape, and values that fit some of them.
fn setting() -> impl Strategy<Value = (&'static str, Value)> {
    let keys = prop::sample::select(vec![
        "toolsets",
        "custom_toolsets",
        "custom_toolsets.a",
        "custom_toolsets.a.tools",
        "provider",
        "tools",
        "tools.naming",
        "tools.timeout_seconds",
        "tools.timeout_seconds.x",
        "limits",
        "limits.batch_width",
        "limits.result_chars",
        "journal.enabled",
        "journal.durability",
        "results.max_bytes",
        "approvals.mode",
        "approvals.command_allowlist",
        "approvals.smart",
        "permissions.allow",
        "permissions.read_roots",
        "security.secret_env",
        "hooks",
        "hooks.pre_tool_call",
        "plugins.entries",
        "plugins.entries.p",
        "plugins.entries.p.allow_tool_override",
        "unknown",
        "limits.unknown",
    ]);
    let values = prop::sample::select(vec![
        json!(null),
        json!(true),
        json!("on"),
        json!(""),
        json!(0),
        json!(8),
        json!(5000),
        json!(-3),
        json!(1.5),
        json!("power"),
        json!("openai"),
        json!("chapter18"),
        json!([]),
        json!(["web"]),
        json!(["*"]),
        json!(["file:read"]),
        json!([{"command": "a b", "matcher": null}]),
        json!([{"command": ["a"], "on_failure": "deny"}]),
        json!([{}]),
        json!({}),
        json!({"a": 5}),
        json!({"a": {}}),
        json!({"enabled": false}),
        json!([[]]),
    ]);
    (keys, values)
}

fn nested(key: &str, value: Value) -> String {
    key.rsplit('.').fold(value, |value, name| json!({ name: value })).to_string()
}

proptest! {
    #[test]
    fn what_passes_the_checks_can_be_decoded_and_reloads_to_itself(settings in prop::collection::vec(setting(), 0..6)) {
        let layers: Vec<_> = settings.into_iter().map(|(key, value)| user(&nested(key, value))).collect();
        match Config::load(&layers, &[], &[]) {
            Ok(loaded) => prop_assert_eq!(good(&loaded.effective().to_string()).effective(), loaded.effective()),
            Err(errors) => prop_assert!(errors.iter().all(|error| error.kind != ErrorKind::Internal), "{}", lines(&errors)),
        }
    }

    #[test]
    fn no_text_can_make_it_fall_over(text in "[a-z*&!<>:{}\\[\\],'\"#|%@? \\t\\n-]{0,80}|\\PC{0,80}") {
        for error in load(&text).err().into_iter().flatten() {
            prop_assert!(!error.to_string().contains('\n'));
        }
        let flags = [("toolsets".to_owned(), text.clone()), ("hooks.pre_tool_call".to_owned(), text.clone())];
        let _ = Config::load(&[], &[], &flags);
        let _ = Config::load(&[], &[], &[(text.clone(), "1".to_owned())]);
        let _ = Config::load(&[], &[], &[]).unwrap().why(&text);
    }
}
