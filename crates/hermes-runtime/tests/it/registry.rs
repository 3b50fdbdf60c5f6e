use std::sync::Arc;

use hermes_core::{AnyTool, Owner};
use hermes_runtime::registry::{Registry, RegistryError, Set};
use hermes_testkit::{FnTool, TestRuntime};
use serde_json::json;
use tokio::sync::Notify;

fn tool(name: &str) -> Arc<dyn AnyTool> {
    FnTool::echo(name).arc()
}

fn plugin(id: &str) -> Owner {
    Owner::Plugin(id.into())
}

#[test]
fn only_the_owner_replaces_and_every_change_is_a_new_generation() {
    let registry = Registry::new([]);
    registry.register(Owner::BuiltIn, tool("a")).unwrap();
    let before = registry.generation();
    registry.register(Owner::BuiltIn, tool("a")).unwrap();
    assert!(registry.generation() > before);

    // W1: the same toolset name does not open the door.
    let thief = FnTool::echo("a").with(|info| info.toolset = "test".into()).arc();
    let error = registry.register(plugin("p"), thief).unwrap_err();
    assert!(matches!(error, RegistryError::Collision { .. }), "{error}");
    assert!(error.to_string().contains("built-in"), "{error}");
    assert!(matches!(registry.remove(&plugin("p"), "a"), Err(RegistryError::NotOwner { .. })));
    registry.remove(&Owner::BuiltIn, "a").unwrap();
    registry.remove(&Owner::BuiltIn, "a").unwrap();
    assert!(registry.snapshot().is_empty());
}

#[test]
fn overriding_needs_the_operators_word() {
    let registry = Registry::new(["trusted".to_owned()]);
    registry.register(Owner::BuiltIn, tool("a")).unwrap();
    let refused = registry.register_override(plugin("other"), tool("a")).unwrap_err();
    assert!(refused.to_string().contains("plugins.entries.other.allow_tool_override"), "{refused}");
    registry.register_override(plugin("trusted"), tool("a")).unwrap();
    assert_eq!(registry.snapshot().get("a").unwrap().owner, plugin("trusted"));
}

#[test]
fn aliases_are_names_too() {
    let registry = Registry::new([]);
    let aliased = FnTool::echo("new").with(|info| info.aliases = vec!["old".into()]).arc();
    registry.register(Owner::BuiltIn, aliased).unwrap();
    assert_eq!(registry.snapshot().get("old").unwrap().info().name, "new");
    assert!(matches!(registry.register(plugin("p"), tool("old")), Err(RegistryError::Collision { .. })));
    registry.remove(&Owner::BuiltIn, "new").unwrap();
    assert!(registry.snapshot().get("old").is_none());
}

#[test]
fn names_are_checked() {
    let registry = Registry::new([]);
    for bad in ["", "a b", "réad", "read\u{200b}file", &"x".repeat(65), "a/b", "rm -rf"] {
        let error = registry.register(Owner::Host, tool(bad)).unwrap_err();
        assert!(matches!(error, RegistryError::InvalidName { .. }), "{bad:?}");
    }
    for reserved in ["tool_call", "tool_search", "tool_describe"] {
        let error = registry.register(Owner::Host, tool(reserved)).unwrap_err();
        assert!(matches!(error, RegistryError::Reserved { .. }), "{reserved}");
    }
}

#[test]
fn a_sources_set_is_swapped_whole_and_refusals_are_reported() {
    let registry = Registry::new([]);
    registry.register(Owner::BuiltIn, tool("mine")).unwrap();
    let owner = Owner::Yaml("tools.yaml".into());
    let first = registry.replace_all(owner.clone(), vec![tool("x"), tool("y"), tool("mine")]);
    assert_eq!((first.added.len(), first.refused.len()), (2, 1));
    assert_eq!(first.refused[0].name, "mine");
    let generation = registry.generation();
    let second = registry.replace_all(owner, vec![tool("y"), tool("z")]);
    assert_eq!(
        (second.added, second.replaced, second.removed),
        (vec!["z".into()], vec!["y".into()], vec!["x".into()])
    );
    assert_eq!(registry.generation(), generation + 1, "one snapshot, not one per tool");
}

#[tokio::test]
async fn a_running_call_keeps_the_tool_it_started_with() {
    let (begun, go_on) = (Arc::new(Notify::new()), Arc::new(Notify::new()));
    let signals = (Arc::clone(&begun), Arc::clone(&go_on));
    let old = FnTool::new("slow", move |_, _| {
        let (begun, go_on) = signals.clone();
        async move {
            begun.notify_one();
            go_on.notified().await;
            Ok(json!({"version": "old"}))
        }
    });
    let runtime = TestRuntime::builder().tool(old.arc()).build().await;
    let (running, _cancel) = runtime.call_cancellable("slow", json!({}));
    begun.notified().await;
    let new = FnTool::new("slow", |_, _| async { Ok(json!({"version": "new"})) });
    runtime.runtime().registry().register(Owner::Host, new.arc()).unwrap();
    assert_eq!(runtime.call("slow", json!({})).await.result.unwrap()["version"], "new");
    go_on.notify_one();
    assert_eq!(running.await.unwrap().result.unwrap()["version"], "old");
}

#[test]
fn a_whole_set_takes_others_names_only_with_the_operators_word() {
    for (allowed, refused) in [(None, 1), (Some("p".to_owned()), 0), (Some("q".to_owned()), 1)] {
        let registry = Registry::new(allowed);
        registry.register(Owner::BuiltIn, tool("theirs")).unwrap();
        let report = registry.replace_all(plugin("p"), vec![tool("mine"), tool("theirs")]);
        assert_eq!(report.refused.len(), refused);
        let holder = if refused == 0 { plugin("p") } else { Owner::BuiltIn };
        assert_eq!(registry.snapshot().get("theirs").unwrap().owner, holder);
        assert_eq!(registry.snapshot().get("mine").unwrap().owner, plugin("p"));
    }
}

fn described(name: &str, description: &str) -> Arc<dyn AnyTool> {
    FnTool::echo(name).with(|info| info.description = description.into()).arc()
}

fn holder(registry: &Registry, name: &str) -> Option<(Owner, String)> {
    registry.snapshot().get(name).map(|entry| (entry.owner.clone(), entry.info().description.clone()))
}

#[test]
fn what_was_overridden_is_back_when_its_place_is_free() {
    let registry = Registry::new(["p".to_owned()]);
    let server = Owner::Mcp("s".into());
    registry.replace_all(server.clone(), vec![described("t", "first"), tool("u")]);
    registry.replace_all(plugin("p"), vec![tool("t")]);
    assert_eq!(holder(&registry, "t").unwrap().0, plugin("p"));

    // The covered owner goes on changing underneath, and nobody complains.
    let report = registry.replace_all(server.clone(), vec![described("t", "second"), tool("u")]);
    assert!(report.refused.is_empty(), "{report:?}");
    assert_eq!(holder(&registry, "t").unwrap().0, plugin("p"));
    registry.replace_all(plugin("p"), vec![]);
    assert_eq!(holder(&registry, "t"), Some((server.clone(), "second".into())));

    // What its owner gave up meanwhile does not come back.
    registry.replace_all(plugin("p"), vec![tool("t")]);
    registry.replace_all(server, vec![tool("u")]);
    registry.replace_all(plugin("p"), vec![]);
    assert_eq!(holder(&registry, "t"), None);
}

#[test]
fn a_tool_that_moves_between_two_sets_is_there_in_every_snapshot() {
    let registry = Registry::new([]);
    let (a, b) = (Owner::Yaml("a".into()), Owner::Yaml("b".into()));
    registry.replace_all(b.clone(), vec![tool("t"), tool("rest")]);
    let generation = registry.generation();
    let sets = vec![Set::new(a.clone(), vec![tool("t")]), Set::new(b, vec![tool("rest")])];
    let report = registry.replace_sets(sets);
    assert!(report.refused.is_empty(), "{report:?}");
    assert_eq!(holder(&registry, "t").unwrap().0, a);
    assert_eq!(registry.generation(), generation + 1);
}

#[test]
fn a_set_takes_only_the_names_it_was_given() {
    let registry = Registry::new([]);
    registry.replace_all(Owner::BuiltIn, vec![tool("one"), tool("two")]);
    let yaml = Owner::Yaml("f".into());
    let set =
        Set { may_take: ["one".to_owned()].into(), ..Set::new(yaml.clone(), vec![tool("one"), tool("two")]) };
    let report = registry.replace_sets(vec![set]);
    assert_eq!(report.refused.iter().map(|refused| refused.name.as_str()).collect::<Vec<_>>(), ["two"]);
    assert_eq!(holder(&registry, "one").unwrap().0, yaml);
    assert_eq!(holder(&registry, "two").unwrap().0, Owner::BuiltIn);
}
