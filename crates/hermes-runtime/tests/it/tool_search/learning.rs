//! A tool that was called after a search is found sooner the next time, and hides nothing.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use hermes_core::ports::CacheStore;
use hermes_core::{Owner, ToolError};
use hermes_runtime::disclosure::Mode;
use hermes_testkit::TestRuntime;
use serde_json::json;

use super::support::{SERVERS, answer, connect, connected, names, tool, with_mode};

#[derive(Default)]
struct MemoryCache(Mutex<BTreeMap<String, Vec<u8>>>);

impl CacheStore for MemoryCache {
    fn load(&self, name: &str) -> Option<Vec<u8>> {
        self.0.lock().unwrap().get(name).cloned()
    }

    fn save(&self, name: &str, bytes: &[u8]) -> Result<(), ToolError> {
        self.0.lock().unwrap().insert(name.to_owned(), bytes.to_vec());
        Ok(())
    }
}

const QUERY: &str = "list the repo's latest work";
/// Among the hits of that query, though not the first.
const USED: &str = "mcp_github_create_issue";

/// Without the encoder, which joins when it is ready.
async fn by_words() -> TestRuntime {
    let test = with_mode(Mode::On).settings(|settings| settings.search.encoder = false).build().await;
    SERVERS.iter().for_each(|server| connect(&test, server));
    test
}

fn place(names: &[&str], name: &str) -> Option<usize> {
    names.iter().position(|known| *known == name)
}

#[tokio::test]
async fn what_was_called_after_a_search_is_remembered() {
    let store = Arc::new(MemoryCache::default());
    let test = by_words().await;
    test.runtime().search().keep_in(store.clone());
    let search = json!({"queries": [QUERY, "refund a charge"], "limit": 4});
    let found = answer(&test, "tool_search", search.clone()).await;
    let before = names(&found["answers"][0]);
    assert!(place(&before, USED) > Some(0), "{before:?}");
    // What the search did not show was not found by it.
    answer(&test, "tool_call", json!({"name": "mcp_maps_geocode_address", "arguments": {"address": "x"}}))
        .await;
    let call = json!({"name": USED, "arguments": {"owner": "o", "repo": "r", "title": "t"}});
    answer(&test, "tool_call", call).await;
    let again = answer(&test, "tool_search", search.clone()).await;
    let after = names(&again["answers"][0]);
    assert!(place(&after, USED) < place(&before, USED), "{before:?} {after:?}");
    assert_eq!(after.len(), before.len());
    assert!(
        after.contains(&before[0]) && !after.contains(&"mcp_maps_geocode_address"),
        "{before:?} {after:?}"
    );
    assert_eq!(names(&again["answers"][1])[0], "mcp_stripe_create_refund");

    // Another process of the same user knows it too.
    let other = by_words().await;
    other.runtime().search().keep_in(store.clone());
    let found = answer(&other, "tool_search", search).await;
    assert_eq!(names(&found["answers"][0]), after);
    let kept = store.load("tool-queries").map(|bytes| String::from_utf8(bytes).unwrap()).unwrap();
    assert_eq!(kept, format!("[{{\"tool\":\"{USED}\",\"queries\":[\"{QUERY}\"]}}]"));
}

#[tokio::test]
async fn a_call_in_the_next_process_of_a_session_is_what_its_search_was_for() {
    let store = Arc::new(MemoryCache::default());
    let process = async || {
        let test = by_words().await;
        test.runtime().search().keep_in(store.clone());
        test
    };
    let search = json!({"query": QUERY, "limit": 4});
    let found = answer(&process().await, "tool_search", search.clone()).await;
    let before = names(&found);
    let arguments = json!({"owner": "o", "repo": "r", "title": "t"});
    answer(&process().await, "tool_call", json!({"name": USED, "arguments": arguments})).await;
    let again = answer(&process().await, "tool_search", search).await;
    assert!(place(&names(&again), USED) < place(&before, USED), "{before:?} {again}");
}

#[tokio::test]
async fn even_the_first_search_is_ranked_by_meaning() {
    let test = connected().await;
    let fillers = (0..60).map(|number| {
        let name = format!("read_meter_{number}");
        tool("meters", &name, &format!("Read the level of battery {number}."), &["id"])
    });
    test.runtime().registry().replace_all(Owner::Mcp("meters".to_owned()), fillers.collect());
    let query = json!({"query": "give a buyer money back for a charge"});
    let found = answer(&test, "tool_search", query).await;
    assert!(found.get("ranked_by").is_none(), "{found}");
    assert_eq!(names(&found)[0], "mcp_stripe_create_refund");
}

#[tokio::test]
async fn a_first_search_that_may_not_wait_is_ranked_by_words_and_says_so() {
    let at_once = with_mode(Mode::On).settings(|settings| settings.search.first_wait = Duration::ZERO);
    let test = at_once.build().await;
    SERVERS.iter().for_each(|server| connect(&test, server));
    let found = answer(&test, "tool_search", json!({"query": "refund a charge"})).await;
    assert_eq!(found["ranked_by"], "words");
    assert_eq!(names(&found)[0], "mcp_stripe_create_refund");
}

#[tokio::test]
async fn learning_can_be_switched_off_and_needs_a_success() {
    let without = |settings: &mut hermes_runtime::Settings| {
        settings.search.encoder = false;
        settings.search.learn = false;
    };
    let off = with_mode(Mode::On).settings(without).build().await;
    SERVERS.iter().for_each(|server| connect(&off, server));
    let failing = by_words().await;
    for (test, arguments) in [(&off, json!({"owner": "o", "repo": "r", "title": "t"})), (&failing, json!({}))]
    {
        let before = answer(test, "tool_search", json!({"query": QUERY})).await;
        let _ = test.call(USED, arguments).await;
        assert_eq!(answer(test, "tool_search", json!({"query": QUERY})).await, before);
    }
}

#[tokio::test]
async fn vectors_are_kept_and_meaning_joins() {
    let store = Arc::new(MemoryCache::default());
    let test = connected().await;
    let search = test.runtime().search();
    search.keep_in(store.clone());
    search.follow(&test.runtime().registry().snapshot());
    search.embed_now();
    let found = answer(&test, "tool_search", json!({"query": "give a buyer their money back"})).await;
    assert_eq!(names(&found)[0], "mcp_stripe_create_refund");
    assert!(found.get("ranked_by").is_none(), "{found}");

    // A second runtime takes the vectors from the store: nothing is left to embed.
    let again = connected().await;
    again.runtime().search().keep_in(store);
    let found = answer(&again, "tool_search", json!({"query": "give a buyer their money back"})).await;
    assert!(found.get("ranked_by").is_none(), "{found}");
}

#[tokio::test]
async fn a_process_that_searched_once_leaves_its_vectors() {
    let store = Arc::new(MemoryCache::default());
    let query = json!({"query": "give a buyer their money back"});
    let short = connected().await;
    short.runtime().search().keep_in(store.clone());
    answer(&short, "tool_search", query.clone()).await;
    short.runtime().shut_down().await;
    let next = connected().await;
    next.runtime().search().keep_in(store);
    let found = answer(&next, "tool_search", query).await;
    assert_eq!(names(&found)[0], "mcp_stripe_create_refund");
    assert!(found.get("ranked_by").is_none(), "{found}");
}
