use std::collections::BTreeSet;

use hermes_core::Owner;
use hermes_runtime::registry::Registry;
use hermes_runtime::toolsets::{Problem, Selection, Toolset, ToolsetError, Toolsets};
use hermes_testkit::{FnTool, TestRuntime};
use proptest::prelude::*;

fn shipped() -> Toolsets {
    Toolsets::from_yaml(hermes_tools::TOOLSETS).unwrap()
}

fn set(tools: &[&str], includes: &[&str]) -> Toolset {
    let owned = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect();
    Toolset { tools: owned(tools), includes: owned(includes), ..Toolset::default() }
}

fn names(tools: &BTreeSet<String>) -> Vec<&str> {
    tools.iter().map(String::as_str).collect()
}

#[test]
fn the_seeds_examples_resolve() {
    let (table, none) = (shipped().table(), Registry::new([]).snapshot());
    let resolve = |name: &str| table.resolve(name, &none);
    assert_eq!(names(&resolve("web").tools), ["web_extract", "web_search"]);
    assert_eq!(
        names(&resolve("debugging").tools),
        [
            "patch",
            "process",
            "read_file",
            "search_files",
            "terminal",
            "web_extract",
            "web_search",
            "write_file"
        ]
    );
    assert_eq!(
        names(&resolve("safe").tools),
        ["image_generate", "vision_analyze", "web_extract", "web_search"]
    );
    assert_eq!(names(&resolve("web_tools").tools), ["web_extract", "web_search"], "legacy names");
    assert!(resolve("hermes-gateway").tools.len() > resolve("hermes-cli").tools.len());
    assert_eq!(resolve("all").tools, resolve("*").tools);
    for name in table.names() {
        assert_eq!(resolve(name).problems, [], "{name}");
    }
}

#[test]
fn diamonds_are_fine_and_cycles_are_reported() {
    let toolsets = shipped();
    toolsets.define("d", set(&["read_file"], &["b", "c"])).unwrap();
    toolsets.define("b", set(&["write_file"], &["leaf"])).unwrap();
    toolsets.define("c", set(&["patch"], &["leaf"])).unwrap();
    toolsets.define("leaf", set(&["terminal"], &[])).unwrap();
    toolsets.define("x", set(&["read_file"], &["y"])).unwrap();
    toolsets.define("y", set(&["patch"], &["x"])).unwrap();
    let (table, none) = (toolsets.table(), Registry::new([]).snapshot());
    let diamond = table.resolve("d", &none);
    assert_eq!(names(&diamond.tools), ["patch", "read_file", "terminal", "write_file"]);
    assert_eq!(diamond.problems, []);
    let cycle = table.resolve("x", &none);
    assert_eq!(names(&cycle.tools), ["patch", "read_file"], "what can be resolved still is");
    let path = ["x", "y", "x"].map(str::to_owned).to_vec();
    assert_eq!(cycle.problems, [Problem::Cycle { path }]);
}

#[test]
fn unknown_names_are_reported_with_the_nearest() {
    let toolsets = shipped();
    toolsets.define("mine", set(&["no_such_tool"], &["brwoser"])).unwrap();
    let (table, none) = (toolsets.table(), Registry::new([]).snapshot());
    let texts: Vec<String> = table.resolve("mine", &none).problems.iter().map(ToString::to_string).collect();
    assert!(texts.iter().any(|text| text.contains("'brwoser'") && text.contains("browser")), "{texts:?}");
    assert!(texts.iter().any(|text| text.contains("'no_such_tool'")), "{texts:?}");
    assert_eq!(table.resolve("nope", &none).problems.len(), 1);
    assert!(!table.is_known("nope", &none) && !table.is_known("web_tools", &none));
    assert!(table.is_known("web", &none) && table.is_known("*", &none));
}

#[test]
fn built_in_sets_cannot_be_redefined_and_custom_ones_can() {
    let toolsets = shipped();
    assert_eq!(toolsets.define("web", set(&[], &[])), Err(ToolsetError::BuiltIn("web".into())));
    assert!(matches!(toolsets.define("all", set(&[], &[])), Err(ToolsetError::InvalidName(_))));
    let before = toolsets.generation();
    toolsets.define("mine", set(&["read_file"], &[])).unwrap();
    toolsets.define("mine", set(&["write_file"], &[])).unwrap();
    assert_eq!(toolsets.generation(), before + 2);
    let resolved = toolsets.table().resolve("mine", &Registry::new([]).snapshot());
    assert_eq!(names(&resolved.tools), ["write_file"], "W12: the new definition counts at once");
    assert!(toolsets.undefine("mine") && !toolsets.undefine("mine"));
}

#[test]
fn enabled_and_disabled_follow_the_seed() {
    let (table, none) = (shipped().table(), Registry::new([]).snapshot());
    let count = |selection: Selection| selection.resolve(&table, &none).tools.len();
    assert_eq!(count(Selection::only(["debugging"]).without(["web"])), 7, "six and read_result");
    assert_eq!(count(Selection::only(Vec::<String>::new())), 0);
    assert_eq!(count(Selection::only(["nope"])), 0);
    let core = table.file.core.len();
    let cli = Selection::only(["hermes-cli"]).without(["hermes-cli"]).resolve(&table, &none);
    assert!(table.file.core.iter().all(|tool| cli.tools.contains(tool)), "a preset never strips the core");
    let discord = Selection::only(["hermes-discord"]).without(["hermes-discord"]).resolve(&table, &none);
    assert!(!discord.tools.contains("discord") && discord.tools.len() >= core);
    assert!(
        !Selection::only(["browser"]).without(["web"]).resolve(&table, &none).tools.contains("web_search")
    );
    assert!(Selection::default().resolve(&table, &none).tools.len() > core);
}

#[tokio::test]
async fn a_registered_tool_joins_the_toolset_it_names() {
    let tool = FnTool::echo("extra").with(|info| info.toolset = "web".into());
    let server = FnTool::echo("mcp_github_issue").with(|info| info.toolset = "mcp-github".into());
    let runtime = TestRuntime::builder().tool(tool.arc()).build().await;
    runtime.runtime().registry().register(Owner::Mcp("github".into()), server.arc()).unwrap();
    let registered = runtime.runtime().registry().snapshot();
    let table = runtime.runtime().toolsets().table();
    assert!(table.resolve("web", &registered).tools.contains("extra"));
    for name in ["github", "mcp-github"] {
        assert!(table.resolve(name, &registered).tools.contains("mcp_github_issue"), "{name}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]
    /// Any graph of includes resolves, and exactly the sets that can be reached contribute.
    #[test]
    fn any_graph_resolves(edges in prop::collection::vec((0usize..8, 0usize..8), 0..30)) {
        let toolsets = shipped();
        for node in 0..8 {
            let includes: Vec<String> =
                edges.iter().filter(|(from, _)| *from == node).map(|(_, to)| format!("n{to}")).collect();
            let toolset = Toolset { tools: vec![format!("t{node}")], includes, ..Toolset::default() };
            toolsets.define(&format!("n{node}"), toolset).unwrap();
        }
        let mut reached = BTreeSet::from([0]);
        loop {
            let next: BTreeSet<usize> =
                edges.iter().filter(|(from, _)| reached.contains(from)).map(|(_, to)| *to).collect();
            if next.is_subset(&reached) { break }
            reached.extend(next);
        }
        let resolved = toolsets.table().resolve("n0", &Registry::new([]).snapshot());
        let expected: BTreeSet<String> = reached.iter().map(|node| format!("t{node}")).collect();
        prop_assert_eq!(resolved.tools, expected);
    }
}

#[test]
fn a_server_that_has_shown_no_tools_is_within_a_selection_that_would_take_them() {
    let toolsets = shipped();
    toolsets.define("mcp-a", set(&[], &[])).unwrap();
    toolsets.define("mcp-b", set(&[], &[])).unwrap();
    toolsets.define("mcp_servers", set(&[], &["mcp-a", "mcp-b"])).unwrap();
    toolsets.define("mine", set(&["mcp__a__read"], &["web"])).unwrap();
    toolsets.define("nested", set(&[], &["file", "mcp-a"])).unwrap();
    let (table, none) = (toolsets.table(), Registry::new([]).snapshot());
    let takes = |selection: &Selection| ["a", "b"].map(|server| selection.may_take(server, &table, &none));
    for (enabled, expected) in [
        (vec![], [false, false]),
        (vec!["file"], [false, false]),
        (vec!["file", "mcp-a"], [true, false]),
        (vec!["b"], [false, true]),
        (vec!["mine"], [true, false]),
        (vec!["nested"], [true, false]),
        (vec!["mcp_servers"], [true, true]),
        (vec!["all"], [true, true]),
        (vec!["*"], [true, true]),
    ] {
        assert_eq!(takes(&Selection::only(enabled.clone())), expected, "{enabled:?}");
    }
    assert_eq!(takes(&Selection::default()), [true, true]);
    assert_eq!(takes(&Selection::default().without(["mcp-a"])), [false, true]);
    assert_eq!(takes(&Selection::only(["all"]).without(["b"])), [true, false]);
    assert_eq!(takes(&Selection::only(["mine"]).without(["mcp_servers"])), [false, false]);
}
