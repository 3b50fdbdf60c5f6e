//! R1–R4: no entry path reaches a tool that the session was not given, and nobody learns that it exists.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use hermes_core::{ErrorCode, Owner, ToolCall};
use hermes_runtime::toolsets::Selection;
use hermes_testkit::{FnTool, TestRuntime};
use proptest::prelude::*;
use serde_json::json;

/// A tool that counts how often its handler was entered.
fn counting(name: &str, toolset: &str) -> (FnTool, Arc<AtomicUsize>) {
    let entered = Arc::new(AtomicUsize::new(0));
    let counter = Arc::clone(&entered);
    let toolset = toolset.to_owned();
    let tool = FnTool::new(name, move |_, _| {
        counter.fetch_add(1, Ordering::SeqCst);
        async { Ok(json!({})) }
    });
    (tool.with(|info| info.toolset = toolset), entered)
}

#[tokio::test]
async fn no_entry_path_reaches_a_tool_outside_the_scope() {
    let (secret, entered) = counting("secret_tool", "secret");
    let secret = secret.with(|info| info.aliases = vec!["hidden_alias".into()]);
    let runtime = TestRuntime::builder().tool(secret.arc()).build().await;
    let session = runtime.session_with(|options| options.selection = Selection::only(["file"]));
    let attempts = [
        ("secret_tool", json!({})),
        ("hidden_alias", json!({})),
        ("Secret-Tool", json!({})),
        ("secret_tool ", json!({})),
        ("tool_call", json!({"name": "secret_tool", "arguments": {}})),
        ("tool_call", json!({"name": "hidden_alias", "arguments": "{}"})),
        ("tool_call", json!({"name": "tool_call", "arguments": {"name": "secret_tool"}})),
    ];
    for (name, arguments) in &attempts {
        let outcome = session.call(name, arguments.clone()).await;
        assert!(!outcome.is_success() && !outcome.ran, "{name} {arguments}");
    }
    let calls =
        attempts.iter().map(|(name, arguments)| ToolCall::new("", *name, arguments.clone())).collect();
    let batch = session.session.call_all(calls, &Default::default()).await;
    assert!(batch.iter().all(|outcome| !outcome.ran));
    let child = session.session.child("c", "subagent", Selection::default(), None);
    let outcome = child.call(ToolCall::new("x", "secret_tool", json!({})), &Default::default()).await;
    assert_eq!(outcome.error_code(), Some(ErrorCode::NotFound));
    assert_eq!(entered.load(Ordering::SeqCst), 0);
    assert!(runtime.call("secret_tool", json!({})).await.is_success(), "the tool itself works");
}

#[tokio::test]
async fn forbidden_and_unknown_names_answer_alike() {
    let (secret, _) = counting("zzz_forbidden", "secret");
    let runtime = TestRuntime::builder().tool(secret.arc()).build().await;
    let session = runtime.session_with(|options| options.selection = Selection::only(["todo"]));
    let text = |name: &'static str| {
        let session = session.clone();
        async move {
            let error = session.call(name, json!({})).await.result.unwrap_err();
            (error.code, error.message.replace(name, "NAME"), error.hint)
        }
    };
    assert_eq!(text("zzz_forbidden").await, text("zzz_imaginary").await);
}

#[tokio::test]
async fn a_removed_tool_says_so_for_one_generation_and_only_to_those_who_had_it() {
    let runtime = TestRuntime::builder().without_built_ins().build().await;
    let registry = runtime.runtime().registry();
    let owner = Owner::Yaml("tools.yaml".into());
    let mine = || FnTool::echo("mine").with(|info| info.aliases = vec!["my_alias".into()]).arc();
    let keeping = || FnTool::echo("mine_too").arc();
    registry.replace_all(owner.clone(), vec![mine(), keeping()]);
    let narrow = runtime.session_with(|options| options.selection = Selection::only(["todo"]));
    let stranger = runtime.session("later");
    let had = runtime.session("had");
    narrow.session.catalog().await;
    assert!(had.call("mine", json!({})).await.is_success());
    registry.replace_all(owner.clone(), vec![keeping()]);
    let generation = registry.generation();
    for name in ["mine", "my_alias"] {
        for (tool, arguments) in [(name, json!({})), ("tool_call", json!({"name": name, "arguments": {}}))] {
            let error = had.call(tool, arguments).await.result.unwrap_err();
            let text = format!("the tool '{name}' was removed at generation {generation}");
            assert_eq!((error.code, error.message), (ErrorCode::NotFound, text));
        }
    }
    for session in [&narrow, &stranger] {
        let error = session.call("mine", json!({})).await.result.unwrap_err();
        assert!(error.message.contains("there is no tool 'mine'"), "{error}");
    }
    registry.register(Owner::Host, FnTool::echo("another").arc()).unwrap();
    let error = had.call("mine", json!({})).await.result.unwrap_err();
    assert!(error.message.contains("there is no tool 'mine'"), "{error}");
    registry.replace_all(owner, vec![mine()]);
    assert!(had.call("mine", json!({})).await.is_success());
}

#[tokio::test]
async fn the_bridge_is_taken_off_before_anything_looks() {
    let runtime = TestRuntime::new().await;
    runtime.write("a.txt", "hello");
    let direct =
        runtime.call("tool_call", json!({"name": "read_file", "arguments": {"path": "a.txt"}})).await;
    assert_eq!((direct.tool.as_str(), direct.is_success()), ("read_file", true));
    let as_text =
        runtime.call("tool_call", json!({"name": "read_file", "arguments": "{\"path\":\"a.txt\"}"})).await;
    assert!(as_text.is_success());
    for bad in [
        json!({}),
        json!({"name": ""}),
        json!({"name": "tool_search"}),
        json!({"name": "read_file", "arguments": [1]}),
    ] {
        assert_eq!(
            runtime.call("tool_call", bad.clone()).await.error_code(),
            Some(ErrorCode::InvalidArgument),
            "{bad}"
        );
    }
}

#[tokio::test]
async fn misspelt_names_run_and_other_verbs_do_not() {
    let runtime = TestRuntime::new().await;
    runtime.write("a.txt", "hello");
    for name in ["ReadFile", "read-file", "read_fil", "READ_FILE", "read_file_tool"] {
        let outcome = runtime.call(name, json!({"path": "a.txt"})).await;
        assert!(outcome.is_success(), "{name}: {:?}", outcome.result);
        assert!(
            outcome.notes.iter().any(|note| note.contains("was read as 'read_file'")),
            "{:?}",
            outcome.notes
        );
    }
    for name in ["delete_file", "edit_file", "list_files", "bash", ""] {
        let error = runtime.call(name, json!({"path": "a.txt"})).await.result.unwrap_err();
        assert_eq!(error.code, ErrorCode::NotFound, "{name}");
    }
    let error = runtime.call("list_files", json!({})).await.result.unwrap_err();
    assert!(error.hint.unwrap().contains("directory_list"), "nearest names are suggested");
}

#[tokio::test]
async fn a_parent_narrowed_later_narrows_its_children() {
    let runtime = TestRuntime::new().await;
    let parent = runtime.main().session.clone();
    let child = parent.child("child", "subagent", Selection::default(), None);
    assert!(child.catalog().await.get("read_file").is_some());
    runtime.runtime().registry().remove(&hermes_core::Owner::BuiltIn, "read_file").unwrap();
    assert!(parent.catalog().await.get("read_file").is_none());
    assert!(child.catalog().await.get("read_file").is_none());
}

const SETS: [&str; 5] = ["file", "todo", "system", "results", "all"];

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]
    /// No chain of delegations, whatever each link asks for, ever sees more than any link before it.
    #[test]
    fn delegation_never_widens(chain in prop::collection::vec(
        (prop::option::of(prop::collection::vec(proptest::sample::select(&SETS[..]), 0..3)),
         prop::collection::vec(proptest::sample::select(&SETS[..4]), 0..2)), 1..5)) {
        let reactor = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        reactor.block_on(async {
            let runtime = TestRuntime::new().await;
            let mut session = runtime.main().session.clone();
            for (enabled, disabled) in chain {
                let enabled = enabled.map(|names| names.into_iter().map(str::to_owned).collect());
                let selection = Selection { enabled, ..Selection::default() }.without(disabled);
                let child = session.child("c", "subagent", selection, None);
                let above: Vec<String> = session.catalog().await.names().map(str::to_owned).collect();
                for name in child.catalog().await.names() {
                    assert!(above.iter().any(|allowed| allowed == name), "{name}");
                }
                session = child;
            }
        });
    }
}
