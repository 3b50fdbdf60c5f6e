//! Hooks that change the list of tools.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use futures_util::future::BoxFuture;
use hermes_core::{ErrorCode, Owner};
use hermes_runtime::catalog::Hidden;
use hermes_runtime::hooks::{Hook, HookList, ListVerdict};
use hermes_testkit::{FnTool, Selection, TestRuntime};
use serde_json::json;

type List = fn(&HookList<'_>) -> Result<ListVerdict, String>;

struct Lists {
    list: List,
    only: Option<&'static str>,
    open: bool,
    asked: Arc<AtomicUsize>,
}

impl Lists {
    fn new(list: List) -> Self {
        Lists { list, only: None, open: false, asked: Arc::default() }
    }
}

impl Hook for Lists {
    fn name(&self) -> &str {
        "lists"
    }

    fn matches(&self, tool: &str) -> bool {
        self.only.is_none_or(|only| only == tool)
    }

    fn fails_open(&self) -> bool {
        self.open
    }

    fn changes_lists(&self) -> bool {
        true
    }

    fn list<'a>(&'a self, list: &'a HookList<'a>) -> BoxFuture<'a, Result<ListVerdict, String>> {
        self.asked.fetch_add(1, Ordering::SeqCst);
        Box::pin(async move { (self.list)(list) })
    }
}

fn hides_b(_: &HookList<'_>) -> Result<ListVerdict, String> {
    let hide = [("b".to_owned(), "not today".to_owned()), ("nosuch".to_owned(), "x".to_owned())].into();
    let describe = [("a".to_owned(), "Another a.".to_owned())].into();
    Ok(ListVerdict { hide, describe })
}

async fn with(hook: Lists) -> TestRuntime {
    let builder = TestRuntime::builder().without_built_ins();
    builder.tool(FnTool::echo("a").arc()).tool(FnTool::echo("b").arc()).hook(hook).build().await
}

#[tokio::test]
async fn what_a_hook_hides_is_neither_shown_nor_run_by_anybody() {
    let test = with(Lists::new(hides_b)).await;
    let session = &test.main().session;
    let catalog = session.catalog().await;
    assert_eq!(catalog.hidden["b"], Hidden::ByHook("not today".to_owned()));
    let shown = catalog.definitions_json();
    assert!(shown.contains("Another a.") && !shown.contains("\"b\""), "{shown}");
    let error = test.call("b", json!({})).await.result.unwrap_err();
    assert_eq!(error.code, ErrorCode::PermissionDenied);
    assert!(error.message.contains("not today"), "{error:?}");
    assert!(test.call("a", json!({})).await.result.is_ok());
    assert_eq!(session.why("b").await, "b: not offered: hidden by a hook: not today");
    let child = session.child("c", "subagent", Selection::default(), None);
    assert!(child.catalog().await.get("b").is_none());
}

#[tokio::test]
async fn the_same_list_is_asked_about_once() {
    let hook = Lists::new(hides_b);
    let asked = Arc::clone(&hook.asked);
    let test = with(hook).await;
    let session = &test.main().session;
    let first = session.catalog().await;
    let registry = test.runtime().registry();
    // Registered once more, and the same to whoever looks.
    registry.register(Owner::Host, FnTool::echo("a").arc()).unwrap();
    let second = session.catalog().await;
    assert_eq!((first.epoch, first.definitions_json()), (second.epoch, second.definitions_json()));
    assert_eq!(asked.load(Ordering::SeqCst), 1);
    registry.register(Owner::Host, FnTool::echo("c").arc()).unwrap();
    assert!(session.catalog().await.get("c").is_some());
    assert_eq!(asked.load(Ordering::SeqCst), 2);
}

#[tokio::test(start_paused = true)]
async fn a_hook_that_fails_hides_what_it_speaks_of_until_it_answers() {
    let fails = |_: &HookList<'_>| Err("boom".to_owned());
    let test = with(Lists { only: Some("b"), ..Lists::new(fails) }).await;
    let catalog = test.main().session.catalog().await;
    assert!(catalog.get("a").is_some());
    assert_eq!(catalog.hidden["b"], Hidden::ByHook("the hook 'lists' failed: boom".to_owned()));

    let asked = Arc::new(AtomicUsize::new(0));
    let open = Lists { open: true, asked: Arc::clone(&asked), ..Lists::new(fails) };
    let test = with(open).await;
    assert!(test.main().session.catalog().await.get("b").is_some());
    tokio::time::advance(Duration::from_secs(31)).await;
    test.main().session.catalog().await;
    assert_eq!(asked.load(Ordering::SeqCst), 2, "it is asked again after a while");

    let panics = Lists::new(|_| panic!("boom"));
    assert!(with(panics).await.main().session.catalog().await.tools.is_empty());
}
