//! What holds for every tool of the house.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use hermes_core::{ErrorCode, Need};
use hermes_kit::{BuiltIns, Expect};
use hermes_testkit::TestRuntime;
use serde_json::{Value, json};

const NAMES: &[&str] = &[
    "directory_list",
    "env_manager",
    "execute_code",
    "file_compress",
    "file_diff",
    "file_search",
    "file_watch",
    "patch",
    "process",
    "read_file",
    "read_result",
    "repl",
    "search_files",
    "sleep",
    "system_info",
    "terminal",
    "todo",
    "write_file",
];

#[test]
fn the_list_of_names() {
    let names: Vec<_> = BuiltIns::registrations().iter().map(|tool| tool.meta.name).collect();
    assert_eq!(names, NAMES);
}

#[test]
fn files_are_named_like_their_tools_and_folders_like_their_toolsets() {
    for tool in BuiltIns::registrations() {
        let file = Path::new(tool.file);
        assert_eq!(file.file_stem().unwrap(), tool.meta.name, "{}", tool.file);
        assert_eq!(file.parent().unwrap().file_name().unwrap(), tool.meta.toolset, "{}", tool.file);
    }
}

/// A forgotten `mod` line or a forgotten `register_tool!` would leave a tool out without a word.
#[test]
fn every_tool_file_registers_a_tool() {
    let registered: BTreeSet<PathBuf> = BuiltIns::registrations()
        .iter()
        .map(|tool| tool.file.split_once("hermes-tools/").map_or(tool.file, |(_, inside)| inside).into())
        .collect();
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut on_disk = BTreeSet::new();
    for toolset in folders(&root.join("src")) {
        for entry in std::fs::read_dir(&toolset).unwrap() {
            let path = entry.unwrap().path();
            let is_tool =
                path.extension().is_some_and(|kind| kind == "rs") && path.file_name().unwrap() != "mod.rs";
            if is_tool {
                on_disk.insert(path.strip_prefix(root).unwrap().to_owned());
            }
        }
    }
    assert_eq!(registered, on_disk);
}

fn folders(path: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(path).unwrap().map(|entry| entry.unwrap().path());
    entries.filter(|path| path.is_dir()).collect()
}

#[tokio::test]
async fn descriptions_are_sentences_and_every_parameter_has_one() {
    let test = TestRuntime::new().await;
    for tool in BuiltIns::registrations() {
        let made = (tool.make)(test.host());
        let info = made.info();
        assert!(info.description.ends_with('.'), "{}: {}", info.name, info.description);
        assert!(info.description.chars().count() <= 500, "{} says too much", info.name);
        assert_eq!(info.parameters["additionalProperties"], Value::Bool(false), "{}", info.name);
        check_parameters(&info.name, &info.parameters);
    }
}

fn check_parameters(place: &str, schema: &Value) {
    for (name, parameter) in schema["properties"].as_object().into_iter().flatten() {
        let place = format!("{place}.{name}");
        let text = parameter["description"].as_str().unwrap_or_else(|| panic!("{place} has no description"));
        assert!(text.ends_with('.'), "{place}: {text}");
        assert!(parameter.get("oneOf").is_none(), "{place}: variants with comments become a oneOf");
        check_parameters(&place, parameter);
        if let Some(items) = parameter.get("items") {
            check_parameters(&place, items);
        }
    }
}

#[tokio::test]
async fn examples_are_true() {
    for tool in BuiltIns::registrations() {
        let (name, examples) = (tool.meta.name, (tool.examples)());
        assert!((2..=4).contains(&examples.len()), "{name} has {} examples", examples.len());
        for example in examples {
            let test = TestRuntime::new().await;
            for (path, content) in example.files {
                test.write(path, content);
            }
            let place = format!("{name}: {}", example.title);
            let outcome = test.call(name, example.args).await;
            match (example.expect, outcome.result) {
                (Expect::Success(fields), Ok(value)) => assert_holds(&place, &value, &fields),
                (Expect::Failure(code), Err(error)) => assert_eq!(error.code, code, "{place}: {error}"),
                (expected, found) => panic!("{place}: expected {expected:?}, found {found:?}"),
            }
        }
    }
}

/// Whoever gets a field wrong is shown a call that works as far as its arguments go, whatever goes only with what.
#[tokio::test]
async fn the_example_of_a_refusal_is_not_refused() {
    for tool in BuiltIns::registrations() {
        let test = TestRuntime::new().await;
        let catalog = test.main().session.catalog().await;
        let Some(listed) = catalog.get(tool.meta.name) else { continue };
        let fields = listed.entry.info().parameters["properties"].as_object().cloned().unwrap_or_default();
        for field in fields.keys() {
            let place = format!("{}: {field}", tool.meta.name);
            let wrong = json!({field: {"nothing": ["like", "it"]}});
            let Err(error) = test.call(tool.meta.name, wrong).await.result else { continue };
            let hint = error.hint.unwrap_or_else(|| panic!("{place}: no hint: {}", error.message));
            let example = hint.split_once(": {").map(|(_, rest)| format!("{{{rest}"));
            let example: Value = serde_json::from_str(&example.unwrap_or_default())
                .unwrap_or_else(|_| panic!("{place}: no example: {hint}"));
            if let Err(error) = test.call(tool.meta.name, example.clone()).await.result {
                assert_ne!(error.code, ErrorCode::InvalidArgument, "{place}: {example}: {error}");
            }
        }
    }
}

fn assert_holds(place: &str, value: &Value, fields: &Value) {
    for (name, expected) in fields.as_object().unwrap() {
        assert_eq!(value.get(name), Some(expected), "{place}: {name} in {value}");
    }
}

#[tokio::test]
async fn with_an_empty_environment_only_tools_without_needs_are_listed() {
    let test = TestRuntime::builder().empty_env().build().await;
    let catalog = test.main().session.catalog().await;
    let listed: BTreeSet<&str> = catalog.names().collect();
    for tool in BuiltIns::registrations() {
        // The test runtime supplies every port.
        let needs_nothing = tool.meta.needs.iter().all(|need| matches!(need, Need::Port(_)));
        assert_eq!(listed.contains(tool.meta.name), needs_nothing, "{}", tool.meta.name);
    }
}
