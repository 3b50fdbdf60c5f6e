//! Names that two files claim, and names that are others'.

use std::time::Instant;

use hermes_core::Owner;
use hermes_host::home::Home;
use hermes_plugins::{OwnTools, Registered, RegisteredFile};
use hermes_testkit::{FnTool, TestRuntime};
use serde_json::json;

use super::support::{apply, host, read};

fn saying(names: &[&str]) -> String {
    let tool = |name: &&str| {
        format!(
            "{{name: {name}, description: d, type: command, command: [printf, '{name}'], override: true}}"
        )
    };
    format!("tools: [{}]", names.iter().map(tool).collect::<Vec<_>>().join(", "))
}

struct Place {
    runtime: TestRuntime,
    own: OwnTools,
}

impl Place {
    async fn new() -> Self {
        let runtime = TestRuntime::builder().without_built_ins().build().await;
        let home = Home::at(runtime.host().home.clone());
        let own = OwnTools::new(host(&runtime), home, runtime.workspace().to_owned());
        Place { runtime, own }
    }

    fn registered(&self) -> Registered {
        Registered::of(&Home::at(self.runtime.host().home.clone()))
    }

    fn add(&self, name: &str, tools: &[&str], overriding: bool) {
        let text = saying(tools);
        let path = self.runtime.write(name, &text);
        let specs = read(&text).unwrap();
        let file = RegisteredFile::agreeing(path, &specs);
        self.registered().add(if overriding { file.overriding(&specs) } else { file }).unwrap();
    }

    async fn look(&mut self) -> Vec<String> {
        let changes = self.own.look(Instant::now()).await.unwrap();
        apply(self.runtime.runtime().registry(), changes)
    }

    fn names(&self) -> Vec<String> {
        let snapshot = self.runtime.runtime().registry().snapshot();
        snapshot.entries().map(|entry| entry.info().name.clone()).collect()
    }
}

#[tokio::test]
async fn a_tool_of_two_files_is_refused_in_both_until_one_lets_go() {
    let mut place = Place::new().await;
    place.add("a.yaml", &["only_a", "both"], false);
    assert!(place.look().await.is_empty());
    assert_eq!(place.names(), ["both", "only_a"]);

    place.add("b.yaml", &["both", "only_b"], false);
    let told = place.look().await;
    assert_eq!(told.len(), 1, "{told:?}");
    assert!(told[0].contains("the tool both stands in "), "{told:?}");
    assert!(told[0].contains("/a.yaml:1:") && told[0].contains("/b.yaml:1:9"), "{told:?}");
    assert_eq!(place.names(), ["only_a", "only_b"], "what is not claimed twice goes on");
    assert!(place.look().await.is_empty(), "it is told once");

    place.runtime.write("a.yaml", saying(&["only_a"]));
    assert!(place.look().await.is_empty());
    assert_eq!(place.names(), ["both", "only_a", "only_b"]);
}

#[tokio::test]
async fn the_order_of_files_does_not_matter_and_a_moved_tool_is_never_missing() {
    let mut place = Place::new().await;
    place.add("b.yaml", &["moves", "rest"], false);
    place.add("a.yaml", &["other"], false);
    assert!(place.look().await.is_empty());
    place.runtime.write("a.yaml", saying(&["moves", "other"]));
    place.runtime.write("b.yaml", saying(&["rest"]));
    let generation = place.runtime.runtime().registry().generation();
    assert!(place.look().await.is_empty());
    assert_eq!(place.names(), ["moves", "other", "rest"]);
    assert_eq!(place.runtime.runtime().registry().generation(), generation + 1);
}

#[tokio::test]
async fn a_file_removed_gives_the_other_its_tool_back() {
    let mut place = Place::new().await;
    place.add("a.yaml", &["both"], false);
    place.add("b.yaml", &["both"], false);
    assert_eq!(place.look().await.len(), 1);
    assert!(place.names().is_empty());
    let first = place.registered().files().unwrap().remove(0);
    place.registered().remove(&first.path).unwrap();
    assert!(place.look().await.is_empty());
    assert_eq!(place.names(), ["both"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn anothers_tool_is_taken_only_by_agreement_and_given_back() {
    let mut place = Place::new().await;
    let theirs = FnTool::new("t", |_, _| async { Ok(json!({"stdout": "theirs"})) });
    place.runtime.runtime().registry().register(Owner::BuiltIn, theirs.arc()).unwrap();
    let stdout =
        async |place: &Place| place.runtime.call("t", json!({})).await.result.unwrap()["stdout"].clone();

    // The file alone may say what it wants.
    place.add("a.yaml", &["t"], false);
    let changes = place.own.look(Instant::now()).await.unwrap();
    let registry = place.runtime.runtime().registry();
    for change in changes {
        let hermes_plugins::Change::Tools(owner, tools, may_take) = change else { panic!("no tools") };
        assert!(may_take.is_empty());
        assert_eq!(registry.replace_all(owner, tools).refused.len(), 1);
    }
    assert_eq!(stdout(&place).await, "theirs");

    place.add("a.yaml", &["t"], true);
    assert!(place.look().await.is_empty());
    assert_eq!(stdout(&place).await, "t");
    let file = place.registered().files().unwrap().remove(0);
    place.registered().remove(&file.path).unwrap();
    assert!(place.look().await.is_empty());
    assert_eq!(stdout(&place).await, "theirs");
}
